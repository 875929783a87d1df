// The shape of a console API call: path, query, body and answer. Validated like the merchants' API, and described in
// openapi/console.json.
import { Type, type Static, type TObject, type TSchema } from 'typebox';
import { findFault, invalidFault, type Fault, type Parsed } from '../fault.ts';

export type Shape = {
  readonly path?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly answer: TSchema;
  /** Of an answer that is a file, and a stream for the route. All others are JSON. */
  readonly contentType?: 'text/csv';
};

/** A shape with the name that it has in openapi/console.json. */
export type NamedShape = Shape & { readonly operationId: string };

/** The calls of a resource, by name. */
export function describeCalls<Calls extends Readonly<Record<string, Shape>>>(calls: Calls) {
  const named = Object.entries(calls).map(([operationId, shape]) => [operationId, { ...shape, operationId }]);
  return Object.fromEntries(named) as {
    readonly [Name in keyof Calls]: Calls[Name] & { readonly operationId: string };
  };
}

/** The parts of a call that a route receives. */
export type CallOf<Called extends Shape> = {
  readonly path: Part<Called['path']>;
  readonly query: Part<Called['query']>;
  readonly body: Part<Called['body']>;
};

type Part<Schema> = Schema extends TObject ? Static<Schema> : Readonly<Record<string, never>>;

/** What a route must return. */
export type AnswerOf<Called extends Shape> = Static<Called['answer']>;

/** Parts that a shape does not have must be empty. */
const NOTHING = Type.Object({}, { additionalProperties: false });

export function readPart(schema: TObject | undefined, value: unknown): Parsed<unknown> {
  const fault = findFault(schema ?? NOTHING, value) ?? findUnkeepable(value, '');
  return fault === null ? { type: 'PARSED', request: value } : { type: 'FAULT', fault };
}

/** Whether PostgreSQL can store the text: without a zero character and without half of a surrogate pair. */
export function isKeepable(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}

/** The text that cannot be stored. `value` fits its schema. */
function findUnkeepable(value: unknown, name: string): Fault | null {
  if (typeof value === 'string') return isKeepable(value) ? null : invalidFault(name, 'it must be text');
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, part] of Object.entries(value)) {
    const fault = findUnkeepable(part, name === '' ? key : `${name}.${key}`);
    if (fault !== null) return fault;
  }
  return null;
}

/** An object without additional properties. */
export function strict<Properties extends Readonly<Record<string, TSchema>>>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

export function arrayOf<Properties extends Readonly<Record<string, TSchema>>>(properties: Properties) {
  return Type.Array(strict(properties));
}

export const merchantPath = strict({ merchantId: Type.String({ format: 'uuid' }) });

/** The answer of an action without a result. */
export const DONE = strict({ done: Type.Literal(true) });
export const done = { done: true } as const;

/** REQUESTED: it takes effect when another person has approved. */
export const outcomeSchema = Type.Enum(['DONE', 'REQUESTED'], { type: 'string' });

/** A time, as ISO 8601 in UTC. */
export const timeSchema = Type.String({ format: 'date-time' });

/**
 * The maximum of a list in one request. Each entry may need a transaction, and a megabyte could hold a hundred
 * thousand.
 */
export const WORDS_MAX = 10;

/** Parses a text of `timeSchema`. A leap second is valid, but JavaScript has none, so the second before is used. */
export function momentOf(text: string): Date {
  return new Date(text.replace(/:60(?=[.Zz+-])/, ':59'));
}

/** A value or null. */
export function orNull<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

export function strictOrNull<Properties extends Readonly<Record<string, TSchema>>>(properties: Properties) {
  return orNull(strict(properties));
}
