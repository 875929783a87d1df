// Makes TypeScript types of an OpenAPI document, in the form that openapi-fetch reads: `paths`, and `operations` by
// their names. It knows the JSON schema that TypeBox writes and our routes use, and refuses everything else.
import { entriesOf, isNode, nodes, text, type Node } from './node.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

export function openApiTypescript(document: object, name: string): string {
  const paths = entriesOf((document as Node)['paths']).map(([path, item]) => ({
    path,
    operations: METHODS.flatMap((method) =>
      isNode(item[method])
        ? [{ method, operation: item[method], id: text(item[method]['operationId']) }]
        : [],
    ),
  }));
  const operations = paths.flatMap((one) => one.operations);
  return [
    `// Made from openapi/${name} by \`npm run generate:openapi\`. Do not edit.\n`,
    'export interface paths {',
    ...paths.map((one) => {
      const methods = one.operations.map(({ method, id }) => `${method}: operations['${id}']`);
      return `  ${key(one.path)}: { ${methods.join('; ')} };`;
    }),
    '}\n',
    'export interface operations {',
    ...operations.map(
      ({ operation, id }) => `${comment(operation, '  ')}  ${key(id)}: ${typeOfOperation(operation)};`,
    ),
    '}',
    '',
  ].join('\n');
}

function typeOfOperation(operation: Node): string {
  const fields = [
    `parameters: ${typeOfParameters(nodes(operation['parameters']))};`,
    ...requestBody(operation['requestBody']),
    `responses: ${block(entriesOf(operation['responses']).map(typeOfResponse), '    ')};`,
  ];
  return block(fields, '  ');
}

function typeOfParameters(parameters: readonly Node[]): string {
  const places = ['path', 'query', 'header'].flatMap((place) => {
    const here = parameters.filter((one) => one['in'] === place);
    if (here.length === 0) return [];
    const isOptional = here.every((one) => one['required'] !== true);
    const fields = here.map((one) => {
      const mark = one['required'] === true ? '' : '?';
      return `${comment(one, '        ', true)}${key(text(one['name']))}${mark}: ${typeOf(one['schema'], '        ')};`;
    });
    return [`${place}${isOptional ? '?' : ''}: ${block(fields, '      ')};`];
  });
  return places.length === 0 ? '{}' : block(places, '    ');
}

function requestBody(body: unknown): readonly string[] {
  if (!isNode(body)) return [];
  const mark = body['required'] === true ? '' : '?';
  return [`requestBody${mark}: { content: ${typeOfContent(body['content'], '    ')} };`];
}

function typeOfResponse([status, response]: readonly [string, Node]): string {
  const content = isNode(response['content']) ? typeOfContent(response['content'], '      ') : '{}';
  return `${/^\d+$/.test(status) ? status : `'${status}'`}: { content: ${content} };`;
}

function typeOfContent(content: unknown, indent: string): string {
  const types = entriesOf(content).map(([media, { schema }]) => `${key(media)}: ${typeOf(schema, indent)}`);
  return `{ ${types.join('; ')} }`;
}

/** The type of a value that a schema describes. */
export function typeOf(schema: unknown, indent = ''): string {
  if (schema === true) return 'unknown';
  if (!isNode(schema)) throw new Error(`no type can be made of ${JSON.stringify(schema)}`);
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((one) => JSON.stringify(one)).join(' | ');
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return unique(choices.map((one) => typeOf(one, indent))).join(' | ');
  if (Array.isArray(schema['allOf'])) return schema['allOf'].map((one) => typeOf(one, indent)).join(' & ');
  const { type } = schema;
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one }, indent)).join(' | ');
  return typeOfNamed(schema, indent);
}

function typeOfNamed(schema: Node, indent: string): string {
  switch (schema['type']) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema['type'];
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return typeOfArray(schema['items'] ?? true, indent);
    case 'object':
      return typeOfObject(schema, indent);
    case undefined:
      if (Object.keys(schema).every((name) => ANNOTATIONS.includes(name))) return 'unknown';
      throw new Error(`no type can be made of ${JSON.stringify(schema)}`);
    default:
      throw new Error(`no type can be made of ${JSON.stringify(schema)}`);
  }
}

const ONE_WORD = ['string', 'boolean', 'integer', 'number', 'object'];

function typeOfArray(items: unknown, indent: string): string {
  const type = typeOf(items, indent);
  const isOneWord = isNode(items) && !('enum' in items) && ONE_WORD.some((one) => one === items['type']);
  return isOneWord ? `readonly ${type}[]` : `readonly (${type})[]`;
}

/** What a schema can say without restricting anything. */
const ANNOTATIONS = ['title', 'description', 'examples', 'example'];

function typeOfObject(schema: Node, indent: string): string {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const inner = `${indent}  `;
  const fields = entriesOf(schema['properties']).map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(property, inner, true)}readonly ${key(name)}${mark}: ${typeOf(property, inner)};`;
  });
  const others = schema['additionalProperties'];
  const open = isNode(others) ? typeOf(others, inner) : 'unknown';
  if (fields.length === 0) return others === false ? '{}' : `{ readonly [name: string]: ${open} }`;
  // Fields and a type for all others cannot stand in one object: a field would have to be of that type too.
  return block(fields, indent);
}

/** `{`, the lines, `}`. The closing brace stands at `indent`. */
function block(lines: readonly string[], indent: string): string {
  return `{\n${lines.map((line) => `${indent}  ${line}\n`).join('')}${indent}}`;
}

function comment(node: Node, indent: string, isInside = false): string {
  const said = node['description'] ?? node['summary'];
  if (typeof said !== 'string' || said === '') return '';
  const line = `/** ${said.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /')} */\n`;
  return isInside ? line + indent : indent + line;
}

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name.replaceAll("'", "\\'")}'`);
const unique = (types: readonly string[]) => [...new Set(types)];
