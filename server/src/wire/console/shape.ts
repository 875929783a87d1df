// What a call of the console's API looks like: its path, its query, its body, its answer. Read with the same care as
// the merchants' API, and described in openapi/console.json.
import { Type, type Static, type TObject, type TSchema } from 'typebox';
import { findFault, invalidFault, type Fault, type Parsed } from '../fault.ts';

export type Shape = {
  readonly path?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly answer: TSchema;
};

/** What a route is given of a call of its shape. */
export type CallOf<Called extends Shape> = {
  readonly path: Part<Called['path']>;
  readonly query: Part<Called['query']>;
  readonly body: Part<Called['body']>;
};

type Part<Schema> = Schema extends TObject ? Static<Schema> : Readonly<Record<string, never>>;

/** What a route of a shape must answer. */
export type AnswerOf<Called extends Shape> = Static<Called['answer']>;

/** Parts that a shape does not have must be empty. */
const NOTHING = Type.Object({}, { additionalProperties: false });

export function readPart(schema: TObject | undefined, value: unknown): Parsed<unknown> {
  const fault = findFault(schema ?? NOTHING, value) ?? findUnkeepable(value, '');
  return fault === null ? { type: 'PARSED', request: value } : { type: 'FAULT', fault };
}

/** Whether it is text that PostgreSQL keeps: without a zero in it, and without half of a character. */
export function isKeepable(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}

/** The text that cannot be kept. `value` fits its schema. */
function findUnkeepable(value: unknown, name: string): Fault | null {
  if (typeof value === 'string') return isKeepable(value) ? null : invalidFault(name, 'it must be text');
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, part] of Object.entries(value)) {
    const fault = findUnkeepable(part, name === '' ? key : `${name}.${key}`);
    if (fault !== null) return fault;
  }
  return null;
}

/** An object that takes nothing else. */
export function strict<Properties extends Readonly<Record<string, TSchema>>>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

export const merchantPath = strict({ merchantId: Type.String({ format: 'uuid' }) });

/** The answer of an act that has nothing to tell. */
export const DONE = strict({ done: Type.Literal(true) });
export const done = { done: true } as const;

/** REQUESTED: it is so when another person has approved. */
export const outcomeSchema = Type.Enum(['DONE', 'REQUESTED'], { type: 'string' });

/** A time, as ISO 8601 in UTC. */
export const timeSchema = Type.String({ format: 'date-time' });

/** So many words of a short list are enough. Each may be a transaction, and a megabyte holds a hundred thousand. */
export const WORDS_MAX = 10;

/** The moment of a text of `timeSchema`. A leap second fits the form, and JavaScript has none: it is the one before. */
export function momentOf(text: string): Date {
  return new Date(text.replace(/:60(?=[.Zz+-])/, ':59'));
}

/** A value or null. */
export function orNull<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}
