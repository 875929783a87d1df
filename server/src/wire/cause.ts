// Why a schema refuses a value, for the person who wrote the request.
import type { TSchema } from 'typebox';
import { IDENTIFIER_PATTERN } from '../domain/identifier.ts';
import { isJsonObject } from './json.ts';

/** The keywords of JSON Schema that our requests use. */
export type Keywords = {
  readonly type?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
};

/** For keywords that no request field of ours uses. */
const UNSPECIFIC = 'it does not have the documented form';

/** Completes the sentence "the parameter is not valid: …". Describes the rule, never the value. */
export function causeOf(schema: TSchema, value: unknown): string {
  const keywords = schema as Keywords;
  if (keywords.const !== undefined) return `it must be ${keywords.const}`;
  if (keywords.enum !== undefined) return `it must be one of ${keywords.enum.join(', ')}`;
  switch (keywords.type ?? '') {
    case 'string':
      return typeof value === 'string' ? causeOfText(keywords, value) : 'it must be a string';
    case 'boolean':
      return 'it must be true or false';
    case 'array':
      return Array.isArray(value) ? causeOfCount(keywords) : 'it must be an array';
    case 'object':
      return isJsonObject(value) ? UNSPECIFIC : 'it must be an object';
    default:
      return UNSPECIFIC;
  }
}

function causeOfText(keywords: Keywords, text: string): string {
  const { minLength = 0, maxLength = Infinity, pattern, format } = keywords;
  if (pattern === IDENTIFIER_PATTERN) return 'it must be a UUID v4';
  // JSON Schema counts characters; JavaScript's length counts UTF-16 units.
  const length = text.length > 2 * maxLength ? text.length : Array.from(text).length;
  if (length < minLength || length > maxLength) return causeOfLength(minLength, maxLength);
  if (pattern !== undefined) return `it must match the pattern ${pattern}`;
  return causeOfFormat(format);
}

function causeOfFormat(format: string | undefined): string {
  switch (format) {
    case 'uri':
      return 'it must be a URI, with other characters percent-encoded';
    case 'date':
      return 'it must be a date of the calendar, YYYY-MM-DD';
    case undefined:
    default:
      return UNSPECIFIC;
  }
}

function causeOfCount({ minItems = 0, maxItems }: Keywords): string {
  if (maxItems === undefined) return UNSPECIFIC;
  return minItems === 0
    ? `it must have at most ${maxItems} entries`
    : `it must have ${minItems} to ${maxItems} entries`;
}

function causeOfLength(minLength: number, maxLength: number): string {
  if (minLength === maxLength) return `it must be exactly ${minLength} characters long`;
  if (maxLength === Infinity) return `it must be at least ${minLength} characters long`;
  if (minLength === 0) return `it must be at most ${maxLength} characters long`;
  return `it must be ${minLength} to ${maxLength} characters long`;
}
