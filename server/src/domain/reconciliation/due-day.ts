// Which day of an account is to be closed next, and by when. Pure.
import { addDays, startOfDay } from '../time-zone.ts';

export type DueDay = { readonly nextDay: string; readonly dueAt: Date };

const HOUR_MS = 3_600_000;

type Due = { readonly timeZone: string; readonly dueHours: number };

export function nextDay(
  account: Due & { readonly firstDay: string; readonly lastDay: string | null },
): DueDay {
  const { firstDay, lastDay } = account;
  const day = lastDay === null ? firstDay : addDays(lastDay, 1);
  return { nextDay: day, dueAt: dueAtOf(account, day) };
}

/** When a day is to be signed at the latest. */
export function dueAtOf({ timeZone, dueHours }: Due, day: string): Date {
  const end = startOfDay(addDays(day, 1), timeZone);
  return new Date(end.getTime() + dueHours * HOUR_MS);
}
