// Makes a collection for API clients (Postman's format, version 2.1, which the others import too) from OpenAPI
// documents: a folder for each document, in it one for each group, in it a request for each operation, filled with the
// examples of the schemas. It knows the JSON schema that our routes use.
import { entriesOf, isNode, list, nodes, text, type Node } from './node.ts';

export type NamedDocument = { readonly name: string; readonly document: object };

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

export function openApiCollection(documents: readonly NamedDocument[]): object {
  return {
    info: {
      // Constant, so that importing a newer one replaces the older.
      _postman_id: '6d0f1c9e-5b0a-4f0e-9a55-6d616c69706f',
      name: 'Malipo',
      description: 'Made from the OpenAPI documents. Set the variables baseUrl and token, then send.',
      schema: SCHEMA,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:8080', type: 'string' },
      { key: 'token', value: '', type: 'string' },
      {
        key: 'depositId',
        value: '',
        type: 'string',
        description: 'A deposit of yours that is COMPLETED, to refund.',
      },
    ],
    item: documents.map(({ name, document }) => toFolder(name, document as Node)),
  };
}

function toFolder(name: string, document: Node): object {
  const operations = entriesOf(document['paths']).flatMap(([path, methods]) =>
    entriesOf(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const groups = [...new Set(operations.map(({ operation }) => groupOf(operation)))];
  return {
    name,
    description: text(isNode(document['info']) ? document['info']['description'] : ''),
    item: groups.map((group) => ({
      name: group,
      item: operations.filter(({ operation }) => groupOf(operation) === group).map(toItem),
    })),
  };
}

const groupOf = (operation: Node) => text(list(operation['tags'])[0]);

type Described = { readonly method: string; readonly path: string; readonly operation: Node };

function toItem({ method, path, operation }: Described): object {
  const body = bodyOf(operation);
  return {
    name: text(operation['summary']),
    request: {
      method: method.toUpperCase(),
      ...(isOpen(operation) && { auth: { type: 'noauth' } }),
      header: body === null ? [] : [{ key: 'Content-Type', value: 'application/json' }],
      url: toUrl(path, nodes(operation['parameters'])),
      description: text(operation['description']),
      ...(body !== null && {
        body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } },
      }),
    },
    response: [],
  };
}

/** Needs no token. */
const isOpen = (operation: Node) =>
  Array.isArray(operation['security']) && operation['security'].length === 0;

function toUrl(path: string, parameters: readonly Node[]): object {
  const steps = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/');
  const query = parametersIn('query', parameters);
  const variable = parametersIn('path', parameters);
  return {
    raw: `{{baseUrl}}/${steps.join('/')}`,
    host: ['{{baseUrl}}'],
    path: steps,
    // What may be left out is listed and switched off.
    ...(query.length > 0 && { query: query.map((one) => ({ ...one, disabled: true })) }),
    ...(variable.length > 0 && { variable }),
  };
}

function parametersIn(place: string, parameters: readonly Node[]) {
  return parameters
    .filter((parameter) => parameter['in'] === place)
    .map((parameter) => ({
      key: text(parameter['name']),
      value: String(parameter['example'] ?? exampleOf(parameter['schema'])),
      description: text(parameter['description']),
    }));
}

function bodyOf({ requestBody }: Node): string | null {
  if (!isNode(requestBody)) return null;
  const content = entriesOf(requestBody['content']).find(([type]) => type === 'application/json');
  const schema = content?.[1]['schema'];
  if (!isNode(schema)) return null;
  return JSON.stringify(exampleOf(schema), null, 2).replaceAll(IDENTIFIER, (_, name: string) =>
    // A refund names a deposit that is there. All others are used once, so each sending has one of its own.
    name === 'depositId' && text(schema['title']) === 'RefundRequest'
      ? `"${name}": "{{depositId}}"`
      : `"${name}": "{{$guid}}"`,
  );
}

const IDENTIFIER = /"(\w+Id)": "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g;

/** What the schema gives as its example, else one put together of its parts that are required. */
export function exampleOf(schema: unknown): unknown {
  if (!isNode(schema)) throw new Error('an example needs a schema');
  const given = [...list(schema['examples']), ...list(schema['enum'])];
  if (given.length > 0) return given[0];
  if ('const' in schema) return schema['const'];
  const choice = [...list(schema['anyOf']), ...list(schema['oneOf'])][0];
  if (isNode(choice)) return exampleOf(choice);
  switch (schema['type']) {
    case 'object':
      return exampleOfObject(schema);
    case 'array':
      return [exampleOf(schema['items'])];
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 0;
    case 'boolean':
      return true;
    case 'string':
      return '';
    default:
      throw new Error(`There is no example for ${JSON.stringify(schema)}`);
  }
}

function exampleOfObject(schema: Node): object {
  const required = list(schema['required']);
  const properties = entriesOf(schema['properties']).filter(([name]) => required.includes(name));
  return Object.fromEntries(properties.map(([name, property]) => [name, exampleOf(property)]));
}
