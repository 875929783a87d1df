// Deposits that COMPLETED and that only an operator's report says were taken back: a FAILED line, whatever amount it
// names, because it opens a case that would hold the same. The report waits for its approval,
// and until then the merchant's wallet holds the money: it may be gone when two people have looked. One person's file
// can stop only so much: a few payments of an operator account in a day.
import type { Amount } from '../../domain/money.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { findMigrationLock } from '../../store/cells/migration-locks.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import {
  countReportedHolds,
  findManualHold,
  findReportedHold,
  findSmallestReported,
  lockReportedHolds,
  type WalletHold,
} from '../../store/ledger/wallet-holds.ts';
import { ensureAccounts } from '../../store/ledger/ledger.ts';
import { listPayments, lockPayments, type StoredPayment } from '../../store/payments/payments.ts';
import { forgetHold, setHoldOfLine } from '../../store/reconciliation/reports-to-approve.ts';
import { timedUuid } from '../../store/timed-uuid.ts';
import { addMs } from '../../domain/time.ts';
import { lockForWriting } from '../cells/lock-merchant.ts';
import type { Engine } from '../engine.ts';
import { accountsOfHolds, holdFunds, releaseIfDue } from '../limits/wallet-holds.ts';
import { walletOf } from '../payments/payment-postings.ts';

/** How many payments of one operator account reports alone may hold within 24 hours, over all files. */
export const REPORTED_HOLDS_MAX = 20;
const WINDOW_MS = 24 * 3_600_000;

/** A line that waits and says that a COMPLETED deposit was taken back. */
export type ReportedReversal = {
  readonly provider: string;
  readonly hash: Buffer;
  readonly key: PaymentKey;
  /** What the line's case would hold. */
  readonly atRisk: Amount;
};

/**
 * Holds what these waiting lines are about, as far as it may, and the largest amounts first: where the account has no
 * place left, a larger reversal takes the place of the smallest one that still waits. Otherwise whoever reads 20 small
 * reversals first, in this file or in an earlier one, would keep a large one free. A file is read in batches, and what
 * was read is held although the rest may never be, so that places are taken over and not given at the end of the file.
 * What is beyond, or cannot be held now, waits without a hold.
 */
export async function holdReversals(
  engine: Engine,
  reversals: readonly ReportedReversal[],
  onError: (error: unknown) => void,
): Promise<void> {
  const full = new Set<string>();
  const { database, keyring } = engine.store;
  const largestFirst = reversals.toSorted(
    (one, other) => Number(other.atRisk > one.atRisk) - Number(other.atRisk < one.atRisk),
  );
  for (const reversal of largestFirst) {
    const [payment] = await listPayments(database, keyring, [reversal.key]);
    if (payment === undefined || full.has(payment.currency)) continue;
    // One that fails must keep neither the others nor the file.
    try {
      const held = await inTransaction(database, (tx) => holdOne(engine, tx, reversal));
      if (held.type === 'FULL') full.add(payment.currency);
      // In a transaction of its own, because it is another merchant's. What a crash leaves, a worker releases.
      if (held.type === 'HELD' && held.replaced !== null) await releaseIfDue(engine, held.replaced);
    } catch (error) {
      onError(error);
    }
  }
}

type Held =
  /** `replaced`: the hold whose place it took, for which no line waits any more. */
  | { readonly type: 'HELD'; readonly replaced: WalletHold | null }
  /** FULL: nothing of this amount or less may be held of this account now. */
  | { readonly type: 'NOT_HELD' | 'FULL' };

async function holdOne(
  engine: Engine,
  tx: Tx,
  { provider, hash, key, atRisk }: ReportedReversal,
): Promise<Held> {
  const { merchantId } = key;
  const { away } = await lockForWriting(tx, [merchantId]);
  // A merchant that moves would take the hold along, to a cell that does not have the report.
  if (away.has(merchantId) || (await findMigrationLock(tx, merchantId)) !== null) return { type: 'NOT_HELD' };
  const [payment] = await lockPayments(tx, engine.store.keyring, [key]);
  if (payment?.state !== 'COMPLETED') return { type: 'NOT_HELD' };
  // What people ended as COMPLETED stays held for as long as the line waits.
  const known = (await findReportedHold(tx, key)) ?? (await findManualHold(tx, key));
  if (known !== null) {
    await setHoldOfLine(tx, { provider, hash, holdId: known });
    return { type: 'HELD', replaced: null };
  }
  const { currency } = payment;
  await lockReportedHolds(tx, { provider, currency });
  const now = await engine.clock.timeOf(tx);
  const account = { provider, currency, since: addMs(now, -WINDOW_MS) };
  const isFull = (await countReportedHolds(tx, account)) >= REPORTED_HOLDS_MAX;
  const replaced = isFull ? await findSmallestReported(tx, { ...account, below: atRisk }) : null;
  if (isFull && replaced === null) return { type: 'FULL' };
  if (replaced !== null) await forgetHold(tx, replaced.holdId);
  const wanted = await wantedHold(engine, { payment, atRisk }, now);
  await ensureAccounts(tx, accountsOfHolds([wanted]));
  // An empty wallet has nothing to hold yet: what arrives is held.
  await holdFunds(engine, tx, [wanted], now);
  await setHoldOfLine(tx, { provider, hash, holdId: wanted.holdId });
  return { type: 'HELD', replaced };
}

async function wantedHold(
  { directory }: Pick<Engine, 'directory'>,
  { payment, atRisk }: { readonly payment: StoredPayment; readonly atRisk: Amount },
  now: Date,
) {
  const merchant = await directory.merchant(payment.merchantId);
  const { provider } = payment;
  return {
    holdId: timedUuid(now),
    key: payment,
    wallet: walletOf(payment, merchant?.walletPerProvider === true ? provider : ''),
    provider,
    reason: 'REPORTED_REVERSAL',
    evidence: null,
    caseNo: null,
    amount: atRisk,
    releaseAt: null,
  } as const;
}
