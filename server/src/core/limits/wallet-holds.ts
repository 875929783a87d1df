// Money that must not leave yet: what a manually COMPLETED deposit brought, for a day, and what an open case could cost
// the merchant. A hold is a claim on a wallet: what is wanted, and what of it is held. It holds what is there when it
// is made and what becomes available later (store/ledger/ledger.ts), and it ends when its reason ends. What is held are
// pending transfers that always end as voided: what a case costs, its resolution posts.
import { beside, lesser, type Account, type MerchantAccount } from '../../domain/ledger/postings.ts';
import { parseSigned, renderAmount, type Amount } from '../../domain/money.ts';
import type { Evidence } from '../../domain/payments/lifecycle.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { derivedUuid } from '../../store/derived-uuid.ts';
import { book } from '../../store/ledger/ledger.ts';
import { accountId, lockFunds, NO_FUNDS } from '../../store/ledger/wallet-funds.ts';
import {
  findHold,
  findReportedHold,
  insertHolds,
  legNoOfPart,
  listHoldsToRelease,
  lockWalletsOfHolds,
  markHoldDue,
  markHoldsReleased,
  raiseHold,
  refreshUnheld,
  type StandingHold,
  type WalletHold,
} from '../../store/ledger/wallet-holds.ts';
import { isCaseResolved } from '../../store/payments/cases.ts';
import { sumUnpaid } from '../../store/ledger/wallet-debts.ts';
import { lockPaymentNo } from '../../store/payments/payments.ts';
import { lockForWriting } from '../cells/lock-merchant.ts';
import type { Engine } from '../engine.ts';
import { isHeldForOthers } from '../../store/reconciliation/reports-to-approve.ts';
import { recordRisk, type RiskRecorder } from './risk-log.ts';

/** What a person has found to be paid can still turn out not to be. */
export const MANUAL_HOLD_MS = 24 * 3_600_000;

/** What is to be held, however much of it is there. */
export type WantedHold = Pick<WalletHold, 'holdId' | 'reason' | 'evidence' | 'caseNo' | 'releaseAt'> & {
  readonly key: PaymentKey;
  readonly wallet: MerchantAccount;
  readonly provider: string;
  readonly amount: Amount;
  /** The line of a report that opened the case; left out where the operator itself did. */
  readonly lineHash?: Buffer | undefined;
};

/**
 * How much must stay in the wallet while the hold cannot be made. A reversal's is owed, and what is owed and not held
 * for stays in any case.
 */
export function wantedOf({ wallet, evidence, amount }: WantedHold) {
  return evidence === 'LATE_FAILURE' || amount <= 0n
    ? null
    : { accountId: accountId(wallet), wanted: amount };
}

/** A wanted hold as it is noted where it could not be made. */
export function renderHold(hold: WantedHold): Record<string, unknown> {
  const { key: _key, lineHash: _line, amount, releaseAt, ...rest } = hold;
  return { ...rest, amount: renderAmount(amount), releaseAt: releaseAt?.toISOString() ?? null };
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
 * Wants these holds, and holds as much of each as its wallet has available; the rest is held when it becomes available.
 * A hold that exists is left as it is, unless more is wanted of it, so that the same can be wanted again. Whatever the
 * wallets have free afterwards goes to their other claims. Leaves the wallets locked.
 */
export async function holdFunds(
  engine: RiskRecorder,
  tx: Tx,
  wanted: readonly WantedHold[],
  now: Date,
): Promise<void> {
  if (wanted.length === 0) return;
  const wallets = wanted.map(({ wallet }) => wallet);
  await lockFunds(tx, wallets);
  for (const hold of wanted) {
    await releaseReported(engine, tx, hold, now);
    await holdOne(engine, tx, hold, now);
  }
  const freed = wanted.map(({ key, holdId, wallet }) => ({
    walletId: accountId(wallet),
    subject: subjectOf({ merchantId: key.merchantId, holdId }),
  }));
  await refreshUnheld(
    tx,
    freed.map(({ walletId }) => walletId),
  );
  await book(tx, { freed }, now);
}

async function holdOne(
  engine: RiskRecorder,
  tx: Tx,
  { key, wallet, provider, amount: asked, ...one }: WantedHold,
  now: Date,
): Promise<void> {
  const walletId = accountId(wallet);
  const { available } = (await lockFunds(tx, [wallet])).get(walletId) ?? NO_FUNDS;
  const known = await findHold(tx, one.holdId);
  if (known?.isReleased === true) return;
  const { amount: before, parts } = known ?? { amount: 0n, parts: 0 };
  const isReversal = one.evidence === 'LATE_FAILURE';
  // What later credits have paid of a reversal is not held any more.
  const wanted = isReversal && known === null ? lesser(asked, await sumUnpaid(tx, key)) : asked;
  if (wanted <= (known?.wanted ?? 0n)) return;
  const more = lesser(wanted - before, available);
  // What a reversal finds later is collected, not held.
  if (isReversal && more === 0n) return;
  const held = { wanted, amount: before + more, parts: more > 0n ? parts + 1 : parts };
  const hold = { ...one, ...namesOf(key), ...held, accountId: walletId, heldAt: now };
  if (known === null) await insertHolds(tx, [hold]);
  else await raiseHold(tx, hold);
  if (more === 0n) return;
  const legs = [{ debit: wallet, credit: beside(wallet, 'RECEIVABLE'), amount: more }];
  const posting = { subject: subjectOf(hold), template: 'HOLD', firstLegNo: legNoOfPart(parts), legs };
  await book(tx, { held: [posting] }, now);
  const { merchantId, kind } = key;
  const about = { merchantId, kind, provider, subject: one.reason, currency: wallet.currency };
  await recordRisk(engine, tx, { event: 'FUNDS_HELD', ...about, amount: more });
}

/**
 * What only a report said of a payment is a case now. The hold for the report ends in the transaction that makes the
 * case's, under the wallet's lock, so that the money is free at no moment and held twice at none. A discrepancy takes
 * only the place of what its own line holds: while other lines wait, one of them may still say that all was taken back.
 */
async function releaseReported(
  engine: RiskRecorder,
  tx: Tx,
  { key, evidence, lineHash, provider }: WantedHold,
  now: Date,
): Promise<void> {
  const isReversal = evidence === 'LATE_FAILURE';
  if (!isReversal && lineHash === undefined) return;
  const holdId = await findReportedHold(tx, key);
  if (holdId === null) return;
  if (isReversal || !(await isHeldForOthers(tx, { holdId, provider, lineHash })))
    await releaseFunds(engine, tx, [holdId], now);
}

/**
 * Ends holds for something that needs their money first: no debt and no other hold takes it, until a later booking of
 * the transaction names the wallet in `freed`. Those that were released before, or never made, need nothing. Leaves
 * their wallets locked.
 */
export async function releaseFunds(
  engine: RiskRecorder,
  tx: Tx,
  holdIds: readonly string[],
  now: Date,
): Promise<void> {
  if (holdIds.length === 0) return;
  await lockWalletsOfHolds(tx, holdIds);
  const released = await markHoldsReleased(tx, holdIds, now);
  if (released.length === 0) return;
  const kept = new Set(released.map(({ accountId: walletId }) => walletId));
  await refreshUnheld(tx, [...kept]);
  await book(tx, { ended: released.flatMap(endOf), kept }, now);
  await recordReleases(engine, tx, released);
}

/** Makes a hold that could not be made with its case or deposit, unless the case is resolved by now. */
export async function holdMissing(
  engine: RiskRecorder,
  tx: Tx,
  wanted: WantedHold,
  now: Date,
): Promise<void> {
  const { key, evidence, caseNo, holdId, wallet } = wanted;
  const isOver =
    evidence !== null && caseNo !== null && (await isCaseResolved(tx, { ...key, evidence, caseNo }));
  if (!isOver) return holdFunds(engine, tx, [wanted], now);
  const walletId = accountId(wallet);
  await lockFunds(tx, [wallet]);
  await refreshUnheld(tx, [walletId]);
  const subject = subjectOf({ merchantId: key.merchantId, holdId });
  await book(tx, { freed: [{ walletId, subject }] }, now);
}

/** A hold that never found anything to hold has no transfer. */
function endOf(hold: StandingHold) {
  return hold.amount === 0n ? [] : [{ subject: subjectOf(hold), state: 'VOIDED' } as const];
}

async function recordReleases(
  engine: RiskRecorder,
  tx: Tx,
  released: readonly StandingHold[],
): Promise<void> {
  for (const { reason: subject, merchantId, kind, currency, amount } of released.filter(isHolding))
    await recordRisk(engine, tx, { event: 'FUNDS_RELEASED', merchantId, kind, currency, amount, subject });
}

function isHolding({ amount }: StandingHold): boolean {
  return amount > 0n;
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
    // One that fails must not keep the others.
    const isReleased = await releaseIfDue(engine, hold).catch((error: unknown) => {
      onError(error);
      return false;
    });
    if (isReleased) count += 1;
  }
  return count;
}

/** Ends a hold whose reason has ended. Answers false where it has not, and where the hold ended before. */
export async function releaseIfDue(engine: Engine, hold: WalletHold): Promise<boolean> {
  return inTransaction(engine.store.database, (tx) => releaseInTime(engine, tx, hold));
}

/**
 * The money of a manually COMPLETED deposit counts as arrived when its hold ends: what the merchant owes is collected
 * from it in this transaction. What ends otherwise pays what no hold covers. Other holds take the rest, as far as they
 * are short. Answers whether the hold ended.
 */
async function releaseInTime(engine: Engine, tx: Tx, { holdId, ...key }: WalletHold): Promise<boolean> {
  const { away, note } = await lockForWriting(tx, [key.merchantId]);
  if (away.has(key.merchantId)) return false;
  const paymentNo = await lockPaymentNo(tx, key);
  await lockWalletsOfHolds(tx, [holdId]);
  // What was found by this process's clock is judged again by the transaction's time.
  const now = await engine.clock.timeOf(tx);
  const released = await markHoldDue(tx, holdId, now);
  if (released === null) return false;
  const { accountId: walletId, merchantId, kind, amount, country, currency, provider, reason } = released;
  const wallet = { type: 'WALLET', merchantId, country, currency, provider } as const;
  await refreshUnheld(tx, [walletId]);
  const subject = paymentNo === null ? subjectOf(released) : { merchantId, kind, id: paymentNo };
  const credit = { subject, firstLegNo: 0, wallet, walletId, amount };
  await book(tx, { ended: endOf(released), credits: reason === 'MANUAL_DEPOSIT' ? [credit] : [] }, now);
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
