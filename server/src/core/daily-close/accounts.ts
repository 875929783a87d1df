// Which accounts' days are closed, and when each is due.
import { findProvider } from '../../domain/operators/catalogue.ts';
import { timeZoneOf } from '../../domain/operators/time-zones.ts';
import { nextDay, type DueDay } from '../../domain/reconciliation/due-day.ts';
import {
  insertCloseAccount,
  listCloseAccounts,
  type FollowedAccount,
} from '../../store/daily-close/closes.ts';
import { waitForLines } from '../../store/daily-close/closed-lines.ts';
import type { AccountName } from '../../store/daily-close/report-lines.ts';
import { inTransaction } from '../../store/database.ts';
import { record, type Actor } from '../audit.ts';
import type { Engine } from '../engine.ts';

/** Hours after the end of a day by which it is due: the operator's report comes the next morning. */
export const DUE_HOURS = 36;

export type NewAccount = Actor &
  AccountName & {
    readonly firstDay: string;
    /** Null: the country's. */
    readonly timeZone: string | null;
    readonly dueHours: number;
  };

/** NOT_FOUND: the operator has no account in this currency. */
export async function startCloses(
  engine: Engine,
  { by, provider, currency, firstDay, timeZone, dueHours }: NewAccount,
): Promise<'DONE' | 'NOT_FOUND' | 'STARTED_BEFORE'> {
  const facts = findProvider(provider);
  if (facts?.currencies.some((one) => one.currency === currency) !== true) return 'NOT_FOUND';
  const { country } = facts;
  const zone = timeZone ?? timeZoneOf(country);
  const account = { provider, currency, country, timeZone: zone, firstDay, dueHours, startedBy: by };
  return inTransaction(engine.store.database, async (tx) => {
    await waitForLines(tx, account);
    const startedAt = await engine.clock.timeOf(tx);
    if (!(await insertCloseAccount(tx, { ...account, startedAt }))) return 'STARTED_BEFORE';
    const detail = { currency, firstDay, timeZone: zone, dueHours };
    await record(engine, tx, [
      { by, act: 'DAILY_CLOSE_STARTED', merchantId: null, subject: provider, detail },
    ]);
    return 'DONE';
  });
}

/** `isLate`: its next day should be signed by now. */
export type AccountToClose = FollowedAccount & DueDay & { readonly isLate: boolean };

export async function readCloseAccounts(engine: Engine): Promise<readonly AccountToClose[]> {
  const accounts = await listCloseAccounts(engine.store.database);
  const now = engine.clock.now();
  return accounts.map((account) => {
    const next = nextDay(account);
    return { ...account, ...next, isLate: next.dueAt < now };
  });
}
