// Ranges of whole days (UTC), as chosen in a calendar.
import { Type } from 'typebox';
import type { Fault, Parsed } from '../fault.ts';

export const daySchema = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

/** Includes the first time, excludes the second. */
export type DaySpan = { readonly from: Date; readonly until: Date };

const DAY_MS = 24 * 3_600_000;

/** Both days are included. */
export function parseDays(
  { from, to }: { readonly from: string; readonly to: string },
  { daysMax }: { readonly daysMax: number },
): Parsed<DaySpan> {
  const [first, last] = [dayOf(from), dayOf(to)];
  if (first === null) return faulty('from', 'there is no such day');
  if (last === null) return faulty('to', 'there is no such day');
  if (last < first) return faulty('to', 'must not be before the first day');
  const until = new Date(last.getTime() + DAY_MS);
  if (until.getTime() - first.getTime() > daysMax * DAY_MS) return faulty('to', `at most ${daysMax} days`);
  return { type: 'PARSED', request: { from: first, until } };
}

function dayOf(text: string): Date | null {
  const midnight = new Date(`${text}T00:00:00Z`);
  // JavaScript reads the 31st of a shorter month as the start of the next month.
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text) ? midnight : null;
}

function faulty(parameter: string, cause: string): { readonly type: 'FAULT'; readonly fault: Fault } {
  return { type: 'FAULT', fault: { code: 'INVALID_PARAMETER', parameter, cause } };
}
