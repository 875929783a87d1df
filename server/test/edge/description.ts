// Reads descriptions of answers in an OpenAPI document, and holds answers against them with a validator that is not
// ours. What a description does not name is a fault.
import { Ajv2020 } from 'ajv/dist/2020.js';

export type Schema = Record<string, any>;

export type Operation = { readonly method: string; readonly path: string; readonly described: Schema };

export function listOperations(document: Schema): readonly Operation[] {
  return Object.entries<Schema>(document['paths']).flatMap(([path, operations]) =>
    Object.entries<Schema>(operations).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      described,
    })),
  );
}

/** The schema of what an operation answers with this status. */
export function answerSchema({ described }: Operation, status: string): Schema {
  return described['responses'][status].content['application/json'].schema;
}

const ajv = new Ajv2020({
  allErrors: true,
  formats: { 'date-time': isDateTime, date: /^\d{4}-\d\d-\d\d$/, uri: isUri },
});
const validators = new WeakMap<Schema, ReturnType<typeof ajv.compile>>();

/** What the validator has against a value, undocumented fields included. */
export function faultsOf(schema: Schema, value: unknown): readonly string[] {
  const validate = validators.get(schema) ?? ajv.compile(closed(schema));
  validators.set(schema, validate);
  // It answers a promise only for schemas that ask for one.
  void validate(value);
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
}

/** The dotted names of all fields a schema describes; `[]` stands for each element of an array. */
export function listFields(schema: Schema, place = ''): readonly string[] {
  if (schema['type'] === 'array') return listFields(schema['items'], `${place}[]`);
  return Object.entries<Schema>(schema['properties'] ?? {}).flatMap(([name, inner]) => [
    `${place}.${name}`,
    ...listFields(inner, `${place}.${name}`),
  ]);
}

export type DescribedField = { readonly field: string; readonly schema: Schema; readonly value: unknown };

/** The described fields that a value has. */
export function fieldsOf(schema: Schema, value: any, place = ''): readonly DescribedField[] {
  if (schema['type'] === 'array') {
    return (value as unknown[]).flatMap((element) => fieldsOf(schema['items'], element, `${place}[]`));
  }
  return Object.entries<Schema>(schema['properties'] ?? {}).flatMap(([name, inner]) => {
    if (value[name] === undefined) return [];
    const field = `${place}.${name}`;
    return [{ field, schema: inner, value: value[name] }, ...fieldsOf(inner, value[name], field)];
  });
}

/** Codes of failures and rejections in an answer that its description does not list. */
export function unknownCodes(schema: Schema, value: unknown): readonly unknown[] {
  return fieldsOf(schema, value)
    .filter(({ field }) => /\.(failureCode|rejectionCode)$/.test(field))
    .filter((one) => !listCodes(one.schema).includes(String(one.value)))
    .map((one) => one.value);
}

function listCodes({ description }: Schema): readonly string[] {
  return /Known codes: ([^.]+)\./.exec(String(description))?.[1]?.split(', ') ?? [];
}

/** The same schema with every object closed. */
function closed(schema: Schema): Schema {
  if (schema['type'] === 'array') return { ...schema, items: closed(schema['items']) };
  if (schema['type'] !== 'object') return schema;
  const properties = Object.entries<Schema>(schema['properties'] ?? {});
  return {
    additionalProperties: false,
    ...schema,
    properties: Object.fromEntries(properties.map(([name, inner]) => [name, closed(inner)])),
  };
}

function isDateTime(text: string): boolean {
  const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
  return shape.test(text) && !Number.isNaN(Date.parse(text));
}

function isUri(text: string): boolean {
  return URL.canParse(text);
}
