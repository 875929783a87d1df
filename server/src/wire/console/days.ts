// Ranges of whole days, as chosen in a calendar.
import { Type } from 'typebox';
import { addDays, countDays, startOfDay, UTC } from '../../domain/time-zone.ts';
import type { ConsoleReason } from './failure.ts';

export const daySchema = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

/** Includes the first time, excludes the second. */
export type DaySpan = {
  readonly from: Date;
  readonly until: Date;
  /** The days of the calendar, both included. */
  readonly first: string;
  readonly last: string;
};

type ParsedDays =
  | { readonly type: 'PARSED'; readonly span: DaySpan }
  | { readonly type: 'FAULT'; readonly reason: ConsoleReason };

/** Both days are included. They are days of the time zone. */
export function parseDays(
  { from, to }: { readonly from: string; readonly to: string },
  { daysMax, timeZone = UTC }: { readonly daysMax: number; readonly timeZone?: string },
): ParsedDays {
  if (!isDay(from)) return faulty({ code: 'INVALID_PARAMETER', parameters: { parameter: 'from' } });
  if (!isDay(to)) return faulty({ code: 'INVALID_PARAMETER', parameters: { parameter: 'to' } });
  if (to < from) return faulty({ code: 'PERIOD_REVERSED', parameters: {} });
  if (countDays(from, to) > daysMax) {
    return faulty({ code: 'PERIOD_TOO_LONG', parameters: { days: String(daysMax) } });
  }
  const [start, until] = [startOfDay(from, timeZone), startOfDay(addDays(to, 1), timeZone)];
  return { type: 'PARSED', span: { from: start, until, first: from, last: to } };
}

/** JavaScript reads the 31st of a shorter month as the start of the next month. */
function isDay(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

function faulty(reason: ConsoleReason): ParsedDays {
  return { type: 'FAULT', reason };
}
