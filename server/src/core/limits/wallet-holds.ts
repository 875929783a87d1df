// Money that must not leave yet: what a manually COMPLETED deposit brought, for a day, and what an open case could cost
// the merchant. A hold is a pending transfer that always ends as voided: what a case costs, its resolution posts.
import { beside, lesser, type Account, type MerchantAccount } from '../../domain/ledger/postings.ts';
import { parseSigned, renderAmount, type Amount } from '../../domain/money.ts';
import type { Evidence } from '../../domain/payments/lifecycle.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { derivedUuid } from '../../store/derived-uuid.ts';
import { book } from '../../store/ledger/ledger.ts';
import { accountId, lockFunds } from '../../store/ledger/wallet-funds.ts';
import {
  findReportedHold,
  insertHolds,
  isHoldThere,
  listHoldsToRelease,
  markHoldDue,
  markHoldsReleased,
  type StandingHold,
  type WalletHold,
} from '../../store/ledger/wallet-holds.ts';
import { lockPaymentNo } from '../../store/payments/payments.ts';
import { lockForWriting } from '../cells/lock-merchant.ts';
import type { Engine } from '../engine.ts';
import { recordRisk, type RiskRecorder } from './risk-log.ts';

/** What a person has found to be paid can still turn out not to be. */
export const MANUAL_HOLD_MS = 24 * 3_600_000;

/** Never more is held than is available. */
export type WantedHold = Pick<WalletHold, 'holdId' | 'reason' | 'evidence' | 'releaseAt'> & {
  readonly key: PaymentKey;
  readonly wallet: MerchantAccount;
  readonly provider: string;
  readonly amount: Amount;
};

/** A wanted hold as it is noted where it could not be made. */
export function renderHold(hold: WantedHold): Record<string, unknown> {
  const { holdId, wallet, provider, reason, evidence, amount, releaseAt } = hold;
  const end = releaseAt?.toISOString() ?? null;
  return { holdId, wallet, provider, reason, evidence, amount: renderAmount(amount), releaseAt: end };
}

/** Only for the output of `renderHold`. */
export function parseHold(key: PaymentKey, rendered: Readonly<Record<string, unknown>>): WantedHold {
  const { amount, releaseAt, ...hold } = rendered as Omit<WantedHold, 'key' | 'amount' | 'releaseAt'> & {
    readonly amount: string;
    readonly releaseAt: string | null;
  };
  return {
    ...hold,
    key,
    amount: parseSigned(amount),
    releaseAt: releaseAt === null ? null : new Date(releaseAt),
  };
}

export function holdIdOfDeposit({ merchantId, kind, paymentId }: PaymentKey): string {
  return derivedUuid(['hold', merchantId, kind, paymentId].join('/'));
}

/** Of what a case about a manually COMPLETED deposit has left of the deposit's hold. */
export function holdIdOfRest(found: CaseName): string {
  return derivedUuid(['rest', holdIdOfCase(found)].join('/'));
}

type CaseName = PaymentKey & { readonly evidence: Evidence; readonly caseNo: number };

export function holdIdOfCase({ merchantId, kind, paymentId, evidence, caseNo }: CaseName): string {
  return derivedUuid(['hold', merchantId, kind, paymentId, evidence, caseNo].join('/'));
}

/** To be made before any wallet is locked. */
export function accountsOfHolds(wanted: readonly WantedHold[]): readonly Account[] {
  return wanted.map(({ wallet }) => beside(wallet, 'RECEIVABLE'));
}

/**
 * Holds as much of each wanted amount as its wallet has available. A hold that exists is left as it is, so that the
 * same can be wanted again. Leaves the wallets locked.
 */
export async function holdFunds(
  engine: RiskRecorder,
  tx: Tx,
  wanted: readonly WantedHold[],
  now: Date,
): Promise<void> {
  for (const { key, wallet, provider, ...one } of wanted) {
    if (one.evidence === 'LATE_FAILURE') await releaseReported(engine, tx, key, now);
    if (await isHoldThere(tx, one.holdId)) continue;
    const walletId = accountId(wallet);
    const funds = await lockFunds(tx, [wallet]);
    const amount = lesser(one.amount, funds.get(walletId)?.available ?? 0n);
    if (amount <= 0n) continue;
    const hold = { ...one, ...namesOf(key), accountId: walletId, amount, heldAt: now };
    const legs = [{ debit: wallet, credit: beside(wallet, 'RECEIVABLE'), amount }];
    await book(tx, { held: [{ subject: subjectOf(hold), template: 'HOLD', firstLegNo: 0, legs }] }, now);
    await insertHolds(tx, [hold]);
    const { merchantId, kind } = key;
    const about = { merchantId, kind, provider, subject: one.reason, currency: wallet.currency, amount };
    await recordRisk(engine, tx, { event: 'FUNDS_HELD', ...about });
  }
}

/**
 * What only a report said of a payment is a case now. The hold for the report ends in the transaction that makes the
 * case's, under the wallet's lock, so that the money is free at no moment.
 */
async function releaseReported(engine: RiskRecorder, tx: Tx, key: PaymentKey, now: Date): Promise<void> {
  const holdId = await findReportedHold(tx, key);
  if (holdId !== null) await releaseFunds(engine, tx, [holdId], now);
}

/**
 * Ends holds for something that needs their money first, so nothing that the merchant owes is collected from it. Those
 * that were released before, or never made, need nothing. Leaves their wallets locked.
 */
export async function releaseFunds(
  engine: RiskRecorder,
  tx: Tx,
  holdIds: readonly string[],
  now: Date,
): Promise<void> {
  const released = await markHoldsReleased(tx, holdIds, now);
  if (released.length === 0) return;
  await book(tx, { ended: released.map(endOf) }, now);
  await recordReleases(engine, tx, released);
}

function endOf(hold: StandingHold) {
  return { subject: subjectOf(hold), state: 'VOIDED' } as const;
}

async function recordReleases(
  engine: RiskRecorder,
  tx: Tx,
  released: readonly StandingHold[],
): Promise<void> {
  for (const { reason: subject, merchantId, kind, currency, amount } of released)
    await recordRisk(engine, tx, { event: 'FUNDS_RELEASED', merchantId, kind, currency, amount, subject });
}

/** Releases what is due, each in a transaction of its own. Answers how many. */
export async function releaseDueFunds(
  engine: Engine,
  { countMax, onError }: { readonly countMax: number; readonly onError: (error: unknown) => void },
): Promise<number> {
  const { database } = engine.store;
  const due = await listHoldsToRelease(database, { now: engine.clock.now(), countMax });
  let count = 0;
  for (const hold of due) {
    const release = inTransaction(database, (tx) => releaseInTime(engine, tx, hold));
    // One that fails must not keep the others.
    const isReleased = await release.catch((error: unknown) => {
      onError(error);
      return false;
    });
    if (isReleased) count += 1;
  }
  return count;
}

/**
 * The money of a manually COMPLETED deposit counts as arrived when its hold ends: what the merchant owes is collected
 * from it in this transaction. Answers whether the hold ended.
 */
async function releaseInTime(engine: Engine, tx: Tx, { holdId, ...key }: WalletHold): Promise<boolean> {
  const { away, note } = await lockForWriting(tx, [key.merchantId]);
  if (away.has(key.merchantId)) return false;
  const paymentNo = await lockPaymentNo(tx, key);
  // What was found by this process's clock is judged again by the transaction's time.
  const now = await engine.clock.timeOf(tx);
  const released = await markHoldDue(tx, holdId, now);
  if (released === null) return false;
  const { merchantId, kind, amount, country, currency, provider, reason } = released;
  const wallet = { type: 'WALLET', merchantId, country, currency, provider } as const;
  const subject = paymentNo === null ? subjectOf(released) : { merchantId, kind, id: paymentNo };
  const credit = { subject, firstLegNo: 0, wallet, walletId: accountId(wallet), amount };
  await book(tx, { ended: [endOf(released)], credits: reason === 'MANUAL_DEPOSIT' ? [credit] : [] }, now);
  await recordReleases(engine, tx, [released]);
  await note([namesOf(key)]);
  return true;
}

function namesOf({ merchantId, kind, paymentId }: PaymentKey): PaymentKey {
  return { merchantId, kind, paymentId };
}

function subjectOf({ merchantId, holdId }: Pick<WalletHold, 'merchantId' | 'holdId'>) {
  return { merchantId, kind: 'HOLD', id: holdId };
}
