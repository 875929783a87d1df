// Makes docs/reference/routes.md from the OpenAPI documents. The routes of API v1 are on their own page.
import { readFileSync } from 'node:fs';
import { listOperations } from '../edge/description.ts';

const operationsOf = (name: string) =>
  listOperations(JSON.parse(readFileSync(new URL(`../../../openapi/${name}.json`, import.meta.url), 'utf8')));

export function renderRoutesPage(): string {
  return `# Routes

Every route for programs. A gateway shows all fields at \`/docs\`, under "API". API clients can import the documents,
or the [collection](../../openapi/collection.json) (Postman 2.1): set \`baseUrl\` and \`token\`. This page is generated
from \`openapi/*.json\`.

[API v1](api-v1.md) has its own table ([v1.json](../../openapi/v1.json)). What the dashboard calls is in
[console.json](../../openapi/console.json) and changes with it, see [The console](../internals/console.md).

## API v2

[v2.json](../../openapi/v2.json). The token needs the scope of the resource, such as \`deposits:read\` to read and
\`deposits:write\` for the rest. The others need \`payment-page:write\`, \`finances:read\` (wallet balances,
statements), \`events:read\` or \`toolkit:read\`.

${renderResources('v2')}

## Sandbox

[sandbox.json](../../openapi/sandbox.json). With any token of the [sandbox](../guides/sandbox.md). Not in production.

${renderResources('sandbox')}
`;
}

/** One line for each resource: the routes say what they do. */
function renderResources(name: string): string {
  const resources = Map.groupBy(operationsOf(name), ({ path }) => path.split('/')[2]);
  return [...resources.values()]
    .map((routes) => `- ${routes.map(({ method, path }) => `\`${method} ${path}\``).join('\n  ')}`)
    .join('\n');
}
