// What the resolution of a case posts: shown to the person who approves it, for what the wallet has at that moment, and
// computed again from what the wallet has when the approval posts it. Both go by one plan.
import type { Leg, MerchantAccount, Resolved } from '../../domain/ledger/postings.ts';
import { renderAmount, type Amount } from '../../domain/money.ts';
import {
  firstLegNoOf,
  openingLegNoOf,
  opensDebt,
  resolutionLegs,
  type Resolution,
} from '../../domain/reconciliation/cases.ts';
import { planResolution, type ResolutionPlan } from '../../domain/reconciliation/resolution-plan.ts';
import type { Tx } from '../../store/database.ts';
import { book, ensureAccounts, type Posting } from '../../store/ledger/ledger.ts';
import { findDebt, type DebtName } from '../../store/ledger/wallet-debts.ts';
import {
  accountId,
  lockFunds,
  NO_FUNDS,
  readFunds,
  type WalletFunds,
} from '../../store/ledger/wallet-funds.ts';
import {
  findClaims,
  listHoldsToEnd,
  refreshUnheld,
  type StandingHold,
} from '../../store/ledger/wallet-holds.ts';
import { listLatestAttempts } from '../../store/payments/attempts.ts';
import { deleteMissingHold } from '../../store/payments/missing-follow-ups.ts';
import { listPayments, type StoredPayment } from '../../store/payments/payments.ts';
import type { StoredCase } from '../../store/reconciliation/case-resolutions.ts';
import type { Engine } from '../engine.ts';
import { accountsToMake } from '../ledger/administer-wallets.ts';
import { holdFunds, holdIdOfCase, holdIdOfRest, releaseFunds } from '../limits/wallet-holds.ts';
import { subjectOf } from '../payments/payment-postings.ts';
import { listUnmatchedReleases, releaseUnmatched } from '../payments/process/unmatched-payments.ts';

/** A case, its payment, and how it is resolved. */
export type CaseResolution = {
  readonly found: StoredCase;
  readonly payment: StoredPayment;
  readonly resolution: Resolution;
  /** The payment's, or of a discrepancy what people found. */
  readonly amount: Amount;
};

/** What is posted, and what the merchant's wallet has and owes afterwards. */
export type CasePostings = {
  readonly legs: readonly Leg[];
  readonly after: ResolutionPlan['after'];
};

/** Makes the postings of a resolution. The payment and the case must be locked. Leaves the wallet locked. */
export async function postResolution(
  engine: Engine,
  tx: Tx,
  asked: CaseResolution,
  now: Date,
): Promise<CasePostings> {
  const { found, payment, resolution } = asked;
  const released = await releaseOf(tx, asked, now);
  const place = await placeOf(engine, tx, payment);
  await ensureAccounts(tx, accountsOf(asked, place));
  const holds = await listHolds(tx, asked);
  await releaseFunds(
    engine,
    tx,
    holds.map(({ holdId }) => holdId),
    now,
  );
  const wallet = walletAt(place);
  const walletId = accountId(wallet);
  const locked = (await lockFunds(tx, [wallet])).get(walletId);
  const funds = locked ?? NO_FUNDS;
  await deleteMissingHold(tx, missingOf(asked));
  await refreshUnheld(tx, [walletId]);
  const plan = await planFor(tx, asked, { place, holds, funds });
  const posting: Posting = {
    subject: subjectOf(payment),
    template: resolution,
    firstLegNo: firstLegNoOf(found),
    legs: plan.legs,
    ...(opensDebt(found) && { debt: debtOf(asked) }),
  };
  const posted = [posting, ...released];
  const collected = await book(tx, { posted, kept: new Set([walletId]) }, now);
  await holdRest(engine, tx, { asked, wallet, holds, amount: plan.heldAgain, now });
  // Whatever the case leaves goes to the wallet's other claims. A merchant that nothing was ever credited to has none.
  const freed = locked === undefined ? [] : [{ walletId, subject: subjectOf(payment) }];
  const late = await book(tx, { freed }, now);
  return { legs: legsOf([...posted, ...collected, ...late]), after: plan.after };
}

/** What `postResolution` would do at this moment. Locks nothing and writes nothing. */
export async function previewResolution(
  engine: Engine,
  tx: Tx,
  asked: CaseResolution,
): Promise<CasePostings> {
  const place = await placeOf(engine, tx, asked.payment);
  const holds = await listHolds(tx, asked);
  const { available, owed } = await readFunds(tx, walletAt(place));
  const held = holds.reduce((sum, { amount }) => sum + amount, 0n);
  const funds = { available: available + held, owed };
  const plan = await planFor(tx, asked, { place, holds, funds });
  const released = await listReleases(tx, asked);
  return { legs: [...plan.legs, ...legsOf(released), ...plan.collected], after: plan.after };
}

type Place = Omit<Resolved, 'amount' | 'available' | 'collected'> &
  Required<Pick<Resolved, 'walletProvider' | 'walletCountry'>>;

type Found = {
  readonly place: Place;
  readonly holds: readonly StandingHold[];
  /** With what the holds held. */
  readonly funds: Pick<WalletFunds, 'available' | 'owed'>;
};

async function planFor(
  tx: Tx,
  { found, payment, resolution, amount }: CaseResolution,
  { place, holds, funds: { available, owed } }: Found,
): Promise<ResolutionPlan> {
  const debt = opensDebt(found) ? await findDebt(tx, debtOf({ found, payment })) : null;
  const wallet = walletAt(place);
  const without = [holdIdOfCase(found), ...holds.map(({ holdId }) => holdId)];
  const claims = await findClaims(tx, accountId(wallet), { without });
  return planResolution({
    wallet,
    claims: claims ?? { covered: 0n, short: 0n, noted: 0n },
    of: found,
    resolution,
    resolved: { ...place, amount, available, collected: debt?.paid ?? 0n },
    owed,
    heldOfDeposit: holds.filter(isOfDeposit).reduce((sum, hold) => sum + hold.amount, 0n),
  });
}

/** The debt that the case opened. */
function debtOf({ found, payment }: Pick<CaseResolution, 'found' | 'payment'>): DebtName {
  return { subject: subjectOf(payment), legNo: openingLegNoOf(found) };
}

/**
 * What was held for the case is what it can cost. For a discrepancy of a deposit that a person ended as COMPLETED, that
 * is the hold of the deposit.
 */
async function listHolds(
  tx: Tx,
  { found, payment, resolution }: CaseResolution,
): Promise<readonly StandingHold[]> {
  const { merchantId, kind, paymentId } = payment;
  const isRecovered = resolution === 'RECOVER_FROM_MERCHANT';
  return listHoldsToEnd(tx, {
    merchantId,
    kind,
    paymentId,
    holdId: holdIdOfCase(found),
    isOfDeposit: isRecovered,
  });
}

function isOfDeposit({ reason }: StandingHold): boolean {
  return reason === 'MANUAL_DEPOSIT';
}

/** The case's hold, where it could not be made: with the case it is wanted no more. */
function missingOf({ found, payment: { merchantId, kind, paymentId } }: CaseResolution) {
  return { merchantId, kind, paymentId, holdId: holdIdOfCase(found) };
}

/** A case takes what it costs. Whatever else the deposit brought stays held until its time is over. */
async function holdRest(
  engine: Engine,
  tx: Tx,
  rest: {
    readonly asked: CaseResolution;
    readonly wallet: MerchantAccount;
    readonly holds: readonly StandingHold[];
    readonly amount: Amount;
    readonly now: Date;
  },
): Promise<void> {
  const { asked, wallet, holds, amount, now } = rest;
  const [ofDeposit] = holds.filter(isOfDeposit);
  if (ofDeposit === undefined || amount === 0n) return;
  const { found, payment } = asked;
  const { reason, releaseAt } = ofDeposit;
  const { provider } = payment;
  const held = { reason, evidence: null, caseNo: null, releaseAt, provider, wallet, amount } as const;
  await holdFunds(engine, tx, [{ ...held, holdId: holdIdOfRest(found), key: payment }], now);
}

/** Wallets that have everything or nothing, and debts that are paid or not, need all accounts that any others need. */
function accountsOf({ found, resolution, amount }: CaseResolution, place: Place) {
  const extremes = [0n, amount].flatMap((available) =>
    [0n, amount].map((collected) => ({ ...place, amount, available, collected })),
  );
  // Whoever owes something has the account that it is collected into.
  return accountsToMake(extremes.flatMap((resolved) => resolutionLegs(found, resolution, resolved)));
}

/**
 * A discrepancy is resolved out of the float: what stood there for an unmatched operator payment must not stand there
 * too.
 */
async function releaseOf(tx: Tx, asked: CaseResolution, now: Date): Promise<readonly Posting[]> {
  return releaseUnmatched(tx, await listStandIns(tx, asked), now);
}

/** The same without releasing it. */
async function listReleases(tx: Tx, asked: CaseResolution): Promise<readonly Posting[]> {
  return listUnmatchedReleases(tx, await listStandIns(tx, asked));
}

async function listStandIns(tx: Tx, { found, payment, resolution }: CaseResolution) {
  if (found.evidence !== 'DISCREPANCY' || resolution === 'REVERSE_EVIDENCE') return [];
  const attempts = await listLatestAttempts(tx, [payment]);
  return attempts.map((attempt) => ({ payment, attempt }));
}

/** The wallet the payment was about. The shares of a split came out of the wallet its collection went into. */
async function placeOf(
  engine: Pick<Engine, 'directory' | 'store'>,
  tx: Tx,
  payment: StoredPayment,
): Promise<Place> {
  const { merchantId, currency, country, provider, splitPaymentId } = payment;
  const merchant = await engine.directory.merchant(merchantId);
  if (merchant === null) throw new Error(`merchant ${merchantId} is not in the directory`);
  const keys =
    splitPaymentId === undefined ? [] : [{ merchantId, kind: 'DEPOSIT', paymentId: splitPaymentId } as const];
  const [collection] = await listPayments(tx, engine.store.keyring, keys);
  const paidFrom = collection ?? payment;
  const walletProvider = merchant.walletPerProvider ? paidFrom.provider : '';
  return { merchantId, country, currency, provider, walletCountry: paidFrom.country, walletProvider };
}

function walletAt({ merchantId, currency, walletCountry, walletProvider }: Place): MerchantAccount {
  return { type: 'WALLET', merchantId, country: walletCountry, currency, provider: walletProvider };
}

function legsOf(postings: readonly Posting[]): readonly Leg[] {
  return postings.flatMap(({ legs }) => legs);
}

/** "WALLET > SUSPENSE 30.5, RECEIVABLE > SUSPENSE 69.5": for the audit log and the command line. */
export function renderLegs(legs: readonly Leg[]): string {
  return legs
    .map(({ debit, credit, amount }) => `${debit.type} > ${credit.type} ${renderAmount(amount)}`)
    .join(', ');
}
