// Makes docs/reference/routes.md from the OpenAPI documents.
import { readFileSync } from 'node:fs';
import { listOperations, type Operation } from '../edge/description.ts';

type Section = { readonly name: string; readonly title: string; readonly about: string };

const SECTIONS: readonly Section[] = [
  {
    name: 'v2',
    title: 'API v2',
    about: `The token needs the scope of the resource, such as \`deposits:read\` to read and
\`deposits:write\` for the rest. The others need \`payment-page:write\`, \`finances:read\` (wallet balances,
statements), \`events:read\` or \`toolkit:read\`.`,
  },
  {
    name: 'v1',
    title: 'API v1',
    about: 'For existing clients. [API v1](api-v1.md) has the scopes and answers.',
  },
  {
    name: 'sandbox',
    title: 'Sandbox',
    about: 'With any token of the [sandbox](../guides/sandbox.md). Not in production.',
  },
];

const INTRODUCTION = `# Routes

Every route for programs. A gateway shows them with all fields at \`/docs\`, under "API", and can send requests from
there. API clients can import the documents, or the [collection](../../openapi/collection.json) for merchants (Postman
2.1): set \`baseUrl\` and \`token\`. This page is generated from \`openapi/*.json\`.

What the dashboard calls is in [console.json](../../openapi/console.json), each with its purpose. It is for signed-in
people and changes with the dashboard, see [The console](../internals/console.md).
`;

export function renderRoutesPage(): string {
  return [INTRODUCTION, ...SECTIONS.map(renderSection)].join('\n');
}

function renderSection({ name, title, about }: Section): string {
  const text = readFileSync(new URL(`../../../openapi/${name}.json`, import.meta.url), 'utf8');
  const document = `[${name}.json](../../openapi/${name}.json)`;
  return `## ${title}\n\n${document}. ${about}\n\n${renderTable(listOperations(JSON.parse(text)))}\n`;
}

function renderTable(operations: readonly Operation[]): string {
  const rows = operations.map(
    ({ method, path, described }) => `| \`${method} ${path}\` | ${described['summary']} |`,
  );
  return ['| Route | What it does |', '|---|---|', ...rows].join('\n');
}
