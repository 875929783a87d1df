// Cases, from what was found to what comes of it. One person proposes a resolution out of the closed list, another
// approves it; the approval makes the postings in its own transaction. The payment's state is never touched.
import {
  allowedResolutions,
  firstLegNoOf,
  isSamePerson,
  needsAmount,
  resolutionLegs,
  type Resolution,
} from '../../domain/reconciliation/cases.ts';
import { isFinal } from '../../domain/payments/lifecycle.ts';
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { Leg, Resolved } from '../../domain/ledger/postings.ts';
import {
  clearProposal,
  findCase,
  listCases,
  listOpenCases,
  listResolvedCases,
  lockCase,
  markProposed,
  markResolved,
  openProposalReason,
  openStatement,
  type CasePlace,
  type Proposal,
  type StoredCase,
} from '../../store/reconciliation/case-resolutions.ts';
import type { Tx } from '../../store/database.ts';
import { ensureAccounts, post, type Posting } from '../../store/ledger/ledger.ts';
import { accountId, lockFunds, type WalletFunds } from '../../store/ledger/wallet-funds.ts';
import { listPayments, lockPayments, type StoredPayment } from '../../store/payments/payments.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { listLatestAttempts } from '../../store/payments/attempts.ts';
import { accountsToMake } from '../ledger/administer-wallets.ts';
import { record, type Act, type ByHand } from '../audit.ts';
import { subjectOf } from '../payments/payment-postings.ts';
import type { Engine } from '../engine.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import { releaseForgotten } from '../payments/process/unmatched-payments.ts';
import { isIndependent } from '../approvals/independence.ts';

export type CaseView = StoredCase & {
  readonly allowed: readonly Resolution[];
  /** Why the proposer wants it so. */
  readonly reason: string | null;
};

/** The oldest first. */
export async function readCases(
  engine: Engine,
  options: { readonly onlyOpen: boolean },
): Promise<readonly CaseView[]> {
  const cases = await listCases(engine.store.database, options);
  await loadDataKeys(
    engine.store,
    cases.map(({ merchantId }) => merchantId),
  );
  return cases.map((found) => viewOf(engine, found));
}

/** A page of those that wait, the oldest first; or of those that were resolved, the newest first. */
export async function readCasePage(
  engine: Engine,
  page: { readonly isOpen: boolean; readonly after: CasePlace | null; readonly countMax: number },
): Promise<readonly CaseView[]> {
  const list = page.isOpen ? listOpenCases : listResolvedCases;
  const cases = await list(engine.store.database, page);
  await loadDataKeys(
    engine.store,
    cases.map(({ merchantId }) => merchantId),
  );
  return cases.map((found) => viewOf(engine, found));
}

/** A case with what the operator said, which is personal data: whoever reads it is written down. */
export async function readCase(
  engine: Engine,
  { by, caseId }: CaseAct,
): Promise<(CaseView & { readonly statement: string | null }) | null> {
  const { database, keyring } = engine.store;
  const found = await findCase(database, caseId);
  if (found === null) return null;
  await loadDataKeys(engine.store, [found.merchantId]);
  await record(engine, database, [entryOf(found, { by, act: 'CASE_READ', detail: {} })]);
  return { ...viewOf(engine, found), statement: openStatement(keyring, found) };
}

type CaseAct = ByHand & { readonly caseId: string };

export type CaseRefusal =
  | { readonly type: 'NO_SUCH_CASE' }
  | { readonly type: 'RESOLVED_BEFORE' }
  | { readonly type: 'PROPOSED_BEFORE'; readonly by: string }
  | { readonly type: 'NOTHING_PROPOSED' }
  | { readonly type: 'NOT_ALLOWED'; readonly allowed: readonly Resolution[] }
  /** A discrepancy needs a person's amount; every other case has the payment's. */
  | { readonly type: 'AMOUNT_NEEDED' }
  | { readonly type: 'AMOUNT_NOT_NEEDED' }
  /** Another answer of the operator could still move the same money. */
  | { readonly type: 'PAYMENT_NOT_FINAL' }
  /** Who proposed cannot approve. */
  | { readonly type: 'SAME_PERSON' }
  /** They onboarded the merchant, or belong to it. */
  | { readonly type: 'NOT_INDEPENDENT' };

export type CaseAnswer = { readonly type: 'DONE'; readonly resolution: Resolution } | CaseRefusal;

export type ProposalOrder = CaseAct & {
  readonly resolution: Resolution;
  readonly reason: string;
  /** What a discrepancy comes to, 0 where the books turn out to be right; null for every other case. */
  readonly amount: Amount | null;
};

export async function proposeResolution(engine: Engine, order: ProposalOrder): Promise<CaseAnswer> {
  const { by, caseId, resolution, reason, amount } = order;
  return withCase(engine, caseId, async (tx, found) => {
    const refusal = refuseProposal(found, order);
    if (refusal !== null) return refusal;
    const proposal = { resolution, amount, by, at: engine.clock.now(), reason };
    await markProposed(tx, engine.store.keyring, found, proposal);
    const detail = { resolution, ...amountDetail(amount) };
    await record(engine, tx, [{ ...entryOf(found, { by, act: 'RESOLUTION_PROPOSED', detail }), reason }]);
    return { type: 'DONE', resolution };
  });
}

function refuseProposal(found: StoredCase, order: ProposalOrder): CaseRefusal | null {
  if (found.proposal !== null) return { type: 'PROPOSED_BEFORE', by: found.proposal.by };
  const allowed = allowedResolutions(found);
  if (!allowed.includes(order.resolution)) return { type: 'NOT_ALLOWED', allowed };
  if (needsAmount(found) !== (order.amount !== null)) {
    return { type: needsAmount(found) ? 'AMOUNT_NEEDED' : 'AMOUNT_NOT_NEEDED' };
  }
  return isFinal(found.payment.state) ? null : { type: 'PAYMENT_NOT_FINAL' };
}

/** Takes a proposal back: by whoever does not agree, or by the proposer. */
export async function rejectResolution(
  engine: Engine,
  { by, caseId, reason }: CaseAct & { readonly reason: string },
): Promise<CaseAnswer> {
  return withCase(engine, caseId, async (tx, found) => {
    if (found.proposal === null) return { type: 'NOTHING_PROPOSED' };
    const { resolution, by: proposedBy } = found.proposal;
    await clearProposal(tx, caseId);
    const detail = { resolution, proposedBy };
    await record(engine, tx, [{ ...entryOf(found, { by, act: 'RESOLUTION_REJECTED', detail }), reason }]);
    return { type: 'DONE', resolution };
  });
}

export async function approveResolution(engine: Engine, { by, caseId }: CaseAct): Promise<CaseAnswer> {
  return withCase(engine, caseId, async (tx, found, payment) => {
    const { proposal } = found;
    if (proposal === null) return { type: 'NOTHING_PROPOSED' };
    if (isSamePerson(by, proposal.by)) return { type: 'SAME_PERSON' };
    const merchantIds = [found.merchantId];
    if (!(await isIndependent(tx, { by, merchantIds, as: 'PLATFORM' }))) return { type: 'NOT_INDEPENDENT' };
    const now = engine.clock.now();
    const released = await releaseOf(tx, { found, payment, now });
    const legs = await legsOf(engine, tx, { found, payment, proposal });
    const posting = {
      subject: subjectOf(payment),
      template: proposal.resolution,
      firstLegNo: firstLegNoOf(found),
      legs,
    };
    await post(tx, [posting, ...released], now);
    await markResolved(tx, { caseId, approvedBy: by, now });
    const { resolution, amount, by: proposedBy } = proposal;
    const detail = { resolution, proposedBy, ...amountDetail(amount) };
    await record(engine, tx, [entryOf(found, { by, act: 'RESOLUTION_APPROVED', detail })]);
    return { type: 'DONE', resolution };
  });
}

/** A discrepancy is resolved out of the float: what stood there for a forgotten payment must not stand there too. */
async function releaseOf(
  tx: Tx,
  {
    found,
    payment,
    now,
  }: { readonly found: StoredCase; readonly payment: StoredPayment; readonly now: Date },
): Promise<readonly Posting[]> {
  if (found.evidence !== 'DISCREPANCY') return [];
  const attempts = await listLatestAttempts(tx, [payment]);
  return releaseForgotten(
    tx,
    attempts.map((attempt) => ({ payment, attempt })),
    now,
  );
}

/** The transfers of the resolution, for what the wallet has at this moment. Leaves the wallet locked. */
async function legsOf(
  engine: Engine,
  tx: Tx,
  facts: { readonly found: StoredCase; readonly payment: StoredPayment; readonly proposal: Proposal },
): Promise<readonly Leg[]> {
  const { found, payment, proposal } = facts;
  const { merchantId, currency } = payment;
  const amount = proposal.amount ?? payment.amount;
  const { country: paidIn, provider: paidBy } = payment;
  const place = {
    merchantId,
    country: paidIn,
    currency,
    provider: paidBy,
    ...(await walletOf(engine, tx, payment)),
  };
  const resolve = (funds: WalletFunds): readonly Leg[] => {
    const resolved: Resolved = { ...place, amount, ...funds };
    return resolutionLegs(found, proposal.resolution, resolved);
  };
  // Wallets that pay in full or nothing, and owe all or nothing, need all the accounts that any other needs.
  const extremes = [0n, amount].flatMap((available) => [0n, amount].map((owed) => ({ available, owed })));
  await ensureAccounts(tx, accountsToMake(extremes.flatMap(resolve)));
  const { walletCountry: country, walletProvider: provider } = place;
  const wallet = { type: 'WALLET', merchantId, country, currency, provider } as const;
  const funds = await lockFunds(tx, [wallet]);
  return resolve(funds.get(accountId(wallet)) ?? { available: 0n, owed: 0n });
}

/** The wallet the payment was about. The shares of a split came out of the wallet its collection went into. */
async function walletOf(
  engine: Engine,
  tx: Tx,
  payment: StoredPayment,
): Promise<Required<Pick<Resolved, 'walletProvider' | 'walletCountry'>>> {
  const { merchantId, splitPaymentId } = payment;
  const merchant = await engine.directory.merchant(merchantId);
  if (merchant === null) throw new Error(`merchant ${merchantId} is not in the directory`);
  const keys =
    splitPaymentId === undefined ? [] : [{ merchantId, kind: 'DEPOSIT', paymentId: splitPaymentId } as const];
  const [collection] = await listPayments(tx, engine.store.keyring, keys);
  const { country, provider } = collection ?? payment;
  return { walletCountry: country, walletProvider: merchant.walletPerProvider ? provider : '' };
}

/** Runs `work` with the case and its payment locked, in the order of locks everywhere: payments first. */
async function withCase(
  engine: Engine,
  caseId: string,
  work: (tx: Tx, found: StoredCase, payment: StoredPayment) => Promise<CaseAnswer>,
): Promise<CaseAnswer> {
  const { store } = engine;
  const seen = await findCase(store.database, caseId);
  if (seen === null) return { type: 'NO_SUCH_CASE' };
  await loadDataKeys(store, [seen.merchantId]);
  return inMerchant(store.database, seen.merchantId, async (tx, { note }) => {
    await note([seen]);
    const [payment] = await lockPayments(tx, store.keyring, [seen]);
    const found = await lockCase(tx, caseId);
    if (payment === undefined || found === null) return { type: 'NO_SUCH_CASE' };
    return found.resolvedAt === null ? work(tx, found, payment) : { type: 'RESOLVED_BEFORE' };
  });
}

function viewOf(engine: Engine, found: StoredCase): CaseView {
  const reason = openProposalReason(engine.store.keyring, found);
  return { ...found, allowed: allowedResolutions(found), reason };
}

function entryOf(found: StoredCase, { by, act, detail }: Pick<Act, 'by' | 'act' | 'detail'>): Act {
  const { merchantId, caseId, evidence, kind, paymentId } = found;
  return { by, act, merchantId, subject: caseId, detail: { evidence, kind, paymentId, ...detail } };
}

function amountDetail(amount: Amount | null): { readonly amount?: string } {
  return amount === null ? {} : { amount: renderAmount(amount) };
}
