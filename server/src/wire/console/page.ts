// Lists are read in pages; each continues after the last row of the previous one. Cursors are opaque to clients, but
// they are validated, because anyone can write one.
import { Type, type TSchema } from 'typebox';
import { isUuid } from '../../domain/identifier.ts';
import { parseAmount } from '../../domain/money.ts';
import { isDay } from '../../domain/time-zone.ts';
import type { Parsed } from '../fault.ts';
import { orNull, strict } from './shape.ts';

/** The possible parts of a cursor. */
type CursorPart = keyof typeof PARTS;

const PARTS = {
  time: (text: string) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text)),
  uuid: isUuid,
  day: isDay,
  number: (text: string) => /^\d{1,15}$/.test(text),
  /** The number of a leg, stored in four bytes. */
  leg: (text: string) => /^\d{1,6}$/.test(text),
  word: (text: string) => /^[A-Z_]{1,40}$/.test(text),
  /** May be negative. Or "-" if there is none. */
  amount: (text: string) => text === '-' || parseAmount(text.replace(/^-/, '')) !== null,
} as const;

/** Whether the database can search for the cursor's values. */
export function isCursorPart(part: CursorPart, text: string): boolean {
  return PARTS[part](text);
}

const ROWS_USUAL = 50;

/** The part of a query that selects the page. */
export const pageQuery = {
  limit: Type.Optional(Type.String({ pattern: '^([1-9][0-9]?|100)$' })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
};

export type Page = { readonly countMax: number; readonly after: readonly string[] | null };

/** `parts` are the parts of this list's cursors. */
export function readPage(
  { limit, cursor }: { readonly limit?: string | undefined; readonly cursor?: string | undefined },
  parts: readonly CursorPart[],
): Parsed<Page> {
  const countMax = limit === undefined ? ROWS_USUAL : Number(limit);
  if (cursor === undefined) return { type: 'PARSED', request: { countMax, after: null } };
  const after = Buffer.from(cursor, 'base64url').toString().split(' ');
  const isSound =
    after.length === parts.length && parts.every((part, at) => isCursorPart(part, after[at] ?? ''));
  if (isSound) return { type: 'PARSED', request: { countMax, after } };
  return {
    type: 'FAULT',
    fault: { code: 'INVALID_PARAMETER', parameter: 'cursor', cause: 'cannot be read' },
  };
}

/** `rows` has one row more than the page if there are more. */
export function renderPage<Row, Shown>(
  rows: readonly Row[],
  { countMax }: Page,
  {
    show,
    cursorOf,
  }: { readonly show: (row: Row) => Shown; readonly cursorOf: (row: Row) => readonly string[] },
): { readonly rows: Shown[]; readonly next: string | null } {
  const shown = rows.slice(0, countMax);
  const last = shown.at(-1);
  const next = rows.length > countMax && last !== undefined ? cursorOf(last).join(' ') : null;
  return { rows: shown.map(show), next: next === null ? null : Buffer.from(next).toString('base64url') };
}

export function pageOf<Row extends TSchema>(row: Row) {
  return strict({ rows: Type.Array(row), next: orNull(Type.String()) });
}
