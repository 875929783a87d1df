// Which day of an account is to be closed next, and by when. Pure.
import { addDays, startOfDay } from '../time-zone.ts';

export type DueDay = { readonly nextDay: string; readonly dueAt: Date };

const HOUR_MS = 3_600_000;

export function nextDay(account: {
  readonly firstDay: string;
  readonly lastDay: string | null;
  readonly timeZone: string;
  readonly dueHours: number;
}): DueDay {
  const { firstDay, lastDay, timeZone, dueHours } = account;
  const day = lastDay === null ? firstDay : addDays(lastDay, 1);
  const end = startOfDay(addDays(day, 1), timeZone);
  return { nextDay: day, dueAt: new Date(end.getTime() + dueHours * HOUR_MS) };
}
