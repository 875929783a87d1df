import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openApiTypescript, typeOf } from '../../src/commands/contributor/openapi/typescript.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFile(new URL(path, ROOT), 'utf8');

test.each([
  [{ type: 'string', minLength: 1 }, 'string'],
  [{ type: 'integer' }, 'number'],
  [{ type: 'string', enum: ['A', 'B'] }, '"A" | "B"'],
  [{ const: true }, 'true'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ allOf: [{ type: 'string' }, { type: 'number' }] }, 'string & number'],
  [{ type: 'array', items: { type: 'string' } }, 'readonly string[]'],
  [{ type: 'array', items: { type: 'string', enum: ['A', 'B'] } }, 'readonly ("A" | "B")[]'],
  [{ type: 'array', items: { type: 'array', items: { type: 'number' } } }, 'readonly (readonly number[])[]'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, '{ readonly [name: string]: string }'],
  [{ type: 'object', additionalProperties: false, properties: {} }, '{}'],
  [{ description: 'anything' }, 'unknown'],
  [true, 'unknown'],
])('the schema %j is the type %s', (schema, type) => {
  expect(typeOf(schema)).toBe(type);
});

test('a field that is not required may be left out, and what is said of it stands above it', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', description: 'How\nthey are called.' }, 'a-b': { type: 'number' } },
  };
  expect(typeOf(schema)).toBe(
    "{\n  /** How they are called. */\n  readonly name: string;\n  readonly 'a-b'?: number;\n}",
  );
});

test.each([
  [{ type: 'date' }],
  [{ not: { type: 'string' } }],
  [undefined],
  [{ $ref: '#/components/schemas/X' }],
])('no type is guessed for %j', (schema) => {
  expect(() => typeOf(schema)).toThrow('no type can be made of');
});

test('an operation has its parameters by place, its body and its answers by status', () => {
  const body = { content: { 'application/json': { schema: { type: 'string' } } } };
  const made = openApiTypescript(
    {
      paths: {
        '/things/{id}': {
          put: {
            operationId: 'changeThing',
            parameters: [
              { in: 'path', name: 'id', required: true, schema: { type: 'string' } },
              { in: 'query', name: 'after', required: false, schema: { type: 'string' } },
            ],
            requestBody: { required: true, ...body },
            responses: { 200: body, '4XX': body, 204: { description: 'Nothing' } },
          },
        },
      },
    },
    'things.json',
  );
  expect(made.replaceAll(/\s+/g, ' ')).toBe(
    '// Made from openapi/things.json by `npm run generate:openapi`. Do not edit. ' +
      "export interface paths { '/things/{id}': { put: operations['changeThing'] }; } " +
      'export interface operations { changeThing: { ' +
      'parameters: { path: { id: string; }; query?: { after?: string; }; }; ' +
      "requestBody: { content: { 'application/json': string } }; " +
      "responses: { 200: { content: { 'application/json': string } }; 204: { content: {} }; " +
      "'4XX': { content: { 'application/json': string } }; }; }; } ",
  );
});

test('the types of the dashboard are what the document of the console makes', async () => {
  const document = JSON.parse(await read('openapi/console.json')) as object;
  expect(openApiTypescript(document, 'console.json')).toBe(await read('dashboard/src/api/schema.ts'));
});

test.each(['v2.json', 'v1.json', 'sandbox.json'])('types can be made of openapi/%s', async (name) => {
  const document = JSON.parse(await read(`openapi/${name}`)) as { paths: object };
  const made = openApiTypescript(document, name);
  for (const path of Object.keys(document.paths)) expect(made).toContain(`'${path}': {`);
});
