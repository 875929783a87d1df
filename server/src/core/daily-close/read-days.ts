// The days of an operator account, the newest first, without comparing them: each is signed, pending approval or open.
import { dayIn, addDays, countDays } from '../../domain/time-zone.ts';
import { dueAtOf } from '../../domain/reconciliation/due-day.ts';
import { findCloseAccount, listCloses, type ListedClose } from '../../store/daily-close/closes.ts';
import type { AccountName } from '../../store/daily-close/report-lines.ts';
import type { Engine } from '../engine.ts';

export type DayOfAccount = {
  readonly day: string;
  readonly status: 'OPEN' | 'REQUESTED' | 'CLOSED';
  readonly dueAt: Date;
  /** Not signed, and due. */
  readonly isLate: boolean;
  /** Of what was signed, or is to be signed. */
  readonly stored: ListedClose | null;
};

/** Null where the account's days are not closed here. `before` leaves out that day and what is newer. */
export async function readDays(
  engine: Engine,
  { before, countMax, ...name }: AccountName & { readonly before: string | null; readonly countMax: number },
): Promise<readonly DayOfAccount[] | null> {
  const { database } = engine.store;
  const account = await findCloseAccount(database, name);
  if (account === null) return null;
  const now = await engine.clock.timeOf(database);
  const today = dayIn(account.timeZone, now);
  const last = before === null || before > today ? today : addDays(before, -1);
  if (last < account.firstDay) return [];
  const count = Math.min(countMax, countDays(account.firstDay, last));
  const stored = await listCloses(database, name, { first: addDays(last, 1 - count), last });
  return Array.from({ length: count }, (_, index) => {
    const day = addDays(last, -index);
    // The signed one first: a request about a signed day is not there.
    const found = stored.find((one) => one.day === day) ?? null;
    const dueAt = dueAtOf(account, day);
    const status = found?.status ?? 'OPEN';
    return { day, status, dueAt, isLate: status !== 'CLOSED' && dueAt < now, stored: found };
  });
}
