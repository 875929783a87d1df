// The books as the host's people walk through them. Nothing here moves anything.
import type { Float } from '../../domain/ledger/float.ts';
import type { Amount } from '../../domain/money.ts';
import { PAYMENT_KINDS, type PaymentKey } from '../../domain/payments/payment.ts';
import type { Tx } from '../../store/database.ts';
import {
  findAccount,
  listAccountNames,
  listAccounts,
  listLegs,
  listMovements,
  type AccountName,
  type ListedAccount,
  type Movement,
  type MovementCursor,
} from '../../store/ledger/ledger-explorer.ts';
import { readBalances, type Subject } from '../../store/ledger/ledger.ts';
import { listReadings } from '../../store/monitoring/monitor-readings.ts';
import { listPayments, type StoredPayment } from '../../store/payments/payments.ts';
import type { StorePart, TimedStore } from '../engine.ts';
import { parseFloats } from '../monitoring/float-record.ts';
import { readBooks, type Books } from '../monitoring/measure-books.ts';
import { recountLedger } from '../monitoring/recount-ledger.ts';

export type AccountBalance = AccountName & {
  /** Credits less debits of what is posted. */
  readonly balance: Amount;
  /** What pending transfers are going to take; only of wallets. */
  readonly held: Amount | null;
};

/** A merchant's accounts, or those of the platform. */
export async function readAccounts(
  engine: StorePart,
  merchantId: string | null,
): Promise<readonly AccountBalance[]> {
  return withBalances(engine, await listAccounts(engine.store.database, merchantId));
}

async function withBalances(
  engine: StorePart,
  accounts: readonly ListedAccount[],
): Promise<readonly AccountBalance[]> {
  const summed = accounts.filter(({ wallet }) => wallet === null).map(({ accountId }) => accountId);
  const balances = await readBalances(engine.store.database, summed);
  return accounts.map(({ wallet, ...account }) => ({
    ...account,
    balance: wallet?.posted ?? balances.get(account.accountId) ?? 0n,
    held: wallet?.held ?? null,
  }));
}

/** A movement with the names of the accounts it went between. */
export type NamedMovement = Movement & { readonly debit: AccountName; readonly credit: AccountName };

/** Null where there is no such account. */
export async function readMovements(
  engine: StorePart,
  page: { readonly accountId: string; readonly after: MovementCursor | null; readonly countMax: number },
): Promise<{ readonly account: AccountBalance; readonly movements: readonly NamedMovement[] } | null> {
  const { database } = engine.store;
  const found = await findAccount(database, page.accountId);
  const [account] = found === null ? [] : await withBalances(engine, [found]);
  if (account === undefined) return null;
  return { account, movements: await named(database, await listMovements(database, page)) };
}

/** All that was moved for one subject, and the payment where it is one. Null where nothing was. */
export async function readSubject(
  engine: StorePart,
  subject: Subject,
): Promise<{ readonly legs: readonly NamedMovement[]; readonly payment: StoredPayment | null } | null> {
  const { database, keyring } = engine.store;
  const key = paymentKeyOf(subject);
  const [payment = null] = key === null ? [] : await listPayments(database, keyring, [key]);
  const legs = await named(database, await listLegs(database, subject));
  return legs.length === 0 && payment === null ? null : { legs, payment };
}

function paymentKeyOf({ merchantId, kind, id }: Subject): PaymentKey | null {
  const known = PAYMENT_KINDS.find((one) => one === kind);
  return known === undefined ? null : { merchantId, kind: known, paymentId: id };
}

async function named(tx: Tx, movements: readonly Movement[]): Promise<readonly NamedMovement[]> {
  const ids = movements.flatMap(({ debitAccountId, creditAccountId }) => [debitAccountId, creditAccountId]);
  const names = await listAccountNames(tx, ids);
  return movements.flatMap((movement) => {
    const [debit, credit] = [names.get(movement.debitAccountId), names.get(movement.creditAccountId)];
    return debit === undefined || credit === undefined ? [] : [{ ...movement, debit, credit }];
  });
}

export type TrialBalance = Books & { readonly asOf: Date };

/** As it is now: from sums, and from every transfer if all of them are to be added up again. */
export async function readTrialBalance(
  engine: TimedStore,
  { isAgain }: { readonly isAgain: boolean },
): Promise<TrialBalance> {
  const recount = isAgain ? await recountLedger(engine) : null;
  const asOf = await engine.clock.timeOf(engine.store.database);
  return { ...(await readBooks(engine, recount?.changedAccountIds ?? [])), asOf };
}

/** What operators say they hold for us, beside what our books have; null until that was measured once. */
export async function readMeasuredFloats(
  engine: StorePart,
): Promise<{ readonly asOf: Date; readonly floats: readonly Float[] } | null> {
  const readings = await listReadings(engine.store.database);
  const last = readings.find(({ part }) => part === 'float');
  return last === undefined ? null : { asOf: last.measuredAt, floats: parseFloats(last.checkpoint) };
}
