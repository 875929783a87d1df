// Makes docs/reference/routes.md from the OpenAPI documents.
import { readFileSync } from 'node:fs';
import { listOperations, type Operation } from '../edge/description.ts';

const DOCUMENTS = [
  {
    name: 'v2',
    title: 'API v2',
    about: 'With a token of your account that has the scope of the route.',
  },
  {
    name: 'v1',
    title: 'API v1',
    about: 'For existing clients, see [API v1](api-earlier.md). It changes no more.',
  },
  {
    name: 'sandbox',
    title: 'The sandbox',
    about:
      'With any token of the sandbox, see [The sandbox](../guides/sandbox.md). Production has none of it.',
  },
  {
    name: 'console',
    title: 'The console',
    about:
      'What the dashboard calls, with the session of a person, see [The console](../internals/console.md).\n' +
      'It changes with the dashboard.',
  },
] as const;

const INTRODUCTION = `# Routes

Every route that an OpenAPI document describes. The documentation that a gateway serves at \`/docs\` shows the same with
all fields, and sends requests to that gateway: look for "API" at the top. API clients import the documents, or the
[collection](../../openapi/collection.json) that is made of those for merchants (Postman's format, version 2.1): set its
variables \`baseUrl\` and \`token\`, then send.

This page is made from \`openapi/*.json\` and tested against them.
`;

export function renderRoutesPage(): string {
  return [INTRODUCTION, ...DOCUMENTS.map(renderDocument)].join('\n');
}

function renderDocument({ name, title, about }: (typeof DOCUMENTS)[number]): string {
  const text = readFileSync(new URL(`../../../openapi/${name}.json`, import.meta.url), 'utf8');
  const rows = listOperations(JSON.parse(text)).map(renderRow);
  return [
    `## ${title}\n`,
    `${about}\n\nDocument: [${name}.json](../../openapi/${name}.json).\n`,
    '| Method | Path | What it does |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function renderRow({ method, path, described }: Operation): string {
  return `| ${method} | \`${path}\` | ${described['summary']} |`;
}
