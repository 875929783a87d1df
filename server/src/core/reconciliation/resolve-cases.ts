// Cases, from what was found to what comes of it. One person requests a resolution out of the closed list, another
// approves it; the approval makes the postings in its own transaction.
import { allowedResolutions, needsAmount, type Resolution } from '../../domain/reconciliation/cases.ts';
import { movedByDiscrepancy } from '../../domain/reconciliation/given-back.ts';
import { isFinal } from '../../domain/payments/lifecycle.ts';
import { parseSigned, renderAmount, type Amount } from '../../domain/money.ts';
import {
  findCase,
  listCases,
  listOpenCases,
  listResolvedCases,
  lockCase,
  markResolved,
  openStatement,
  type CaseCursor,
  type StoredCase,
} from '../../store/reconciliation/case-resolutions.ts';
import { listApprovalsOf, type ActingPerson } from '../../store/approvals/approvals.ts';
import type { Tx } from '../../store/database.ts';
import { listDiscrepancies } from '../../store/payments/cases.ts';
import { listPayments, lockPayments, type StoredPayment } from '../../store/payments/payments.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { countableOf } from '../limits/countable.ts';
import { countersOfLateSuccess, recount } from '../limits/give-back.ts';
import { record, type Act, type Actor } from '../audit.ts';
import type { Engine, StorePart } from '../engine.ts';
import { inMerchant, type LockedMerchants } from '../cells/lock-merchant.ts';
import { isOfVoidedFiles } from '../../store/reconciliation/voided-effects.ts';
import { NotExecuted, type Executor } from '../approvals/executor.ts';
import { openApproval, readEffects, type ReadApproval } from '../approvals/read.ts';
import { requestApproval } from '../approvals/request.ts';
import {
  claimTransaction,
  findTransactionOwner,
  findTransactionTaken,
  notEnded,
  type NamedTransaction,
  type TransactionRefusal,
} from '../payments/act/claim-transaction.ts';
import { postResolution, previewResolution, renderLegs, type CaseResolution } from './case-postings.ts';

export type CaseView = StoredCase & {
  readonly allowed: readonly Resolution[];
  /** How it is requested to be resolved, or was approved to be. */
  readonly approval: ReadApproval<'CASE'> | null;
};

/** The oldest first. */
export async function readCases(
  engine: Engine,
  options: { readonly onlyOpen: boolean },
): Promise<readonly CaseView[]> {
  return viewsOf(engine, await listCases(engine.store.database, options));
}

/** A page of those that are open, the oldest first; or of those that were resolved, the newest first. */
export async function readCasePage(
  engine: Engine,
  page: { readonly isOpen: boolean; readonly after: CaseCursor | null; readonly countMax: number },
): Promise<readonly CaseView[]> {
  const list = page.isOpen ? listOpenCases : listResolvedCases;
  return viewsOf(engine, await list(engine.store.database, page));
}

/** A case with what the operator said, which is personal data: it is recorded who reads it. */
export async function readCase(
  engine: Engine,
  { by, caseId }: Actor & { readonly caseId: string },
): Promise<(CaseView & { readonly statement: string | null }) | null> {
  const { database, keyring } = engine.store;
  const found = await findCase(database, caseId);
  if (found === null) return null;
  const [view] = await viewsOf(engine, [found]);
  if (view === undefined) return null;
  await record(engine, database, [entryOf(found, { by, act: 'CASE_READ', detail: {} })]);
  return { ...view, statement: openStatement(keyring, found) };
}

export type CaseRefusal =
  | { readonly type: 'NO_SUCH_CASE' }
  | { readonly type: 'RESOLVED_BEFORE' }
  | { readonly type: 'REQUESTED_BEFORE'; readonly by: string }
  | { readonly type: 'NOT_ALLOWED'; readonly allowed: readonly Resolution[] }
  /** A discrepancy needs a person's amount; every other case has the payment's. */
  | { readonly type: 'AMOUNT_NEEDED' }
  | { readonly type: 'AMOUNT_NOT_NEEDED' }
  /** Another answer of the operator could still move the same money. */
  | { readonly type: 'PAYMENT_NOT_FINAL' }
  /** The money that it would credit belongs to somebody else. */
  | TransactionRefusal;

export type CaseAnswer = { readonly type: 'REQUESTED'; readonly approvalId: string } | CaseRefusal;

export type ResolutionRequest = {
  readonly actor: ActingPerson;
  readonly caseId: string;
  readonly resolution: Resolution;
  readonly reason: string;
  /** What a discrepancy comes to, 0 where the books turn out to be right; null for every other case. */
  readonly amount: Amount | null;
};

/** Requests to resolve a case out of the closed list. Another person approves. */
export async function requestResolution(engine: Engine, order: ResolutionRequest): Promise<CaseAnswer> {
  const { actor, caseId, resolution, reason, amount } = order;
  const { store } = engine;
  const seen = await findCase(store.database, caseId);
  if (seen === null) return { type: 'NO_SUCH_CASE' };
  const { merchantId, evidence, kind: paymentKind, paymentId } = seen;
  const credited = creditedTransaction(seen, { resolution, amount: amount ?? seen.payment.amount });
  const taken = credited === null ? null : await findTransactionOwner(engine, credited);
  if (taken !== null) return taken;
  await loadDataKeys(store, [merchantId]);
  return inMerchant(store.database, merchantId, async (tx, entered) => {
    const locked = await lockBoth(engine, tx, { seen, entered });
    if (locked === null) return { type: 'NO_SUCH_CASE' };
    const refusal = refuseRequest(locked.found, order);
    if (refusal !== null) return refusal;
    const { currency } = locked.payment;
    const comesTo = renderAmount(amount ?? locked.payment.amount);
    const request = { evidence, paymentKind, paymentId, resolution, currency, amount: comesTo };
    const wanted = { actor, merchantId, kind: 'CASE', subject: caseId, request, reason } as const;
    const approvalId = await requestApproval(engine, tx, wanted);
    if (approvalId !== null) return { type: 'REQUESTED', approvalId };
    const pending = (await listApprovalsOfCases(tx, [seen])).get(caseId);
    return { type: 'REQUESTED_BEFORE', by: pending?.requestedBy.by ?? '' };
  });
}

function refuseRequest(found: StoredCase, order: ResolutionRequest): CaseRefusal | null {
  if (found.resolvedAt !== null) return { type: 'RESOLVED_BEFORE' };
  const allowed = allowedResolutions(found);
  if (!allowed.includes(order.resolution)) return { type: 'NOT_ALLOWED', allowed };
  if (needsAmount(found) !== (order.amount !== null)) {
    return { type: needsAmount(found) ? 'AMOUNT_NEEDED' : 'AMOUNT_NOT_NEEDED' };
  }
  return isFinal(found.payment.state) ? null : { type: 'PAYMENT_NOT_FINAL' };
}

/** The operator's transaction whose money a resolution gives to somebody; null where it gives none, or names none. */
function creditedTransaction(
  found: StoredCase,
  { resolution, amount }: { readonly resolution: Resolution; readonly amount: Amount },
): NamedTransaction | null {
  const { providerTransactionId, payment } = found;
  const isCredited = resolution === 'CREDIT_MERCHANT' || resolution === 'RETURN_TO_PAYER';
  if (!isCredited || amount === 0n || providerTransactionId === null) return null;
  return { key: found, provider: payment.provider, providerTransactionId };
}

/** Makes the postings. The payment's state is never touched. */
export const caseExecutor: Executor<'CASE'> = {
  claims: true,
  show: ({ paymentKind, paymentId, ...request }) => ({ payment: `${paymentKind} ${paymentId}`, ...request }),
  before: async ({ engine, approval: { approvalId, subject, request } }) => {
    const found = await findCase(engine.store.database, subject);
    const wanted = { ...request, amount: parseSigned(request.amount) };
    const credited = found === null ? null : creditedTransaction(found, wanted);
    const taken = credited === null ? null : await claimTransaction(engine, credited, approvalId);
    if (taken !== null) throw notEnded(taken);
  },
  lock: async ({ engine, tx, entered, approval }) => {
    const seen = await findCase(tx, approval.subject);
    if (seen !== null) await lockBoth(engine, tx, { seen, entered });
  },
  preview: async (engine, tx, { subject, request }) => {
    const found = await findCase(tx, subject);
    if (found === null || found.resolvedAt !== null) return null;
    const [payment] = await listPayments(tx, engine.store.keyring, [found]);
    if (payment === undefined) return null;
    const { resolution, currency } = request;
    const amount = needsAmount(found) ? parseSigned(request.amount) : payment.amount;
    const { legs, after } = await previewResolution(engine, tx, { found, payment, resolution, amount });
    return { currency, legs, ...after };
  },
  execute: async ({ engine, tx, approval, decider: { by } }) => {
    const { request, subject: caseId, requestedBy } = approval;
    const locked = await lockBoth(engine, tx, { seen: await findCase(tx, caseId), entered: null });
    if (locked === null || locked.found.resolvedAt !== null) throw new NotExecuted();
    const { found, payment } = locked;
    const { resolution } = request;
    const amount = needsAmount(found) ? parseSigned(request.amount) : payment.amount;
    if (renderAmount(amount) !== request.amount) throw new NotExecuted();
    const credited = creditedTransaction(found, { resolution, amount });
    const taken = credited === null ? null : await findTransactionTaken(tx, credited);
    if (taken !== null) throw notEnded(taken);
    await resolve(engine, tx, { found, payment, resolution, amount }, { by, requestedBy: requestedBy.by });
  },
};

/** The payment and the case must be locked. */
async function resolve(
  engine: Engine,
  tx: Tx,
  asked: CaseResolution,
  { by, requestedBy }: Actor & { readonly requestedBy?: string },
): Promise<void> {
  const { found, resolution, amount } = asked;
  const now = await engine.clock.timeOf(tx);
  // Counters come before wallets, as everywhere.
  await recountResolved(engine, tx, asked, now);
  const { legs } = await postResolution(engine, tx, asked, now);
  await markResolved(tx, { caseId: found.caseId, resolution, amount, now });
  // As they were posted: what the approver was shown was of the moment when they looked.
  const postings = renderLegs(legs);
  const isRequested = requestedBy !== undefined;
  const detail = {
    resolution,
    ...(isRequested ? { requestedBy } : { reason: 'FILE_VOIDED' }),
    amount: renderAmount(amount),
    postings,
  };
  await record(engine, tx, [entryOf(found, { by, act: 'CASE_RESOLVED', detail })]);
}

/**
 * Ends an open case that nothing but voided files say, with the approval that voided the last of them: what was posted
 * when it was opened is posted back. Throws MerchantInOtherCell. A case that the operator itself has confirmed
 * meanwhile is left open.
 */
export async function reverseVoidedCase(
  engine: Engine,
  { caseId, merchantId, by }: Actor & { readonly caseId: string; readonly merchantId: string },
): Promise<void> {
  await loadDataKeys(engine.store, [merchantId]);
  await inMerchant(engine.store.database, merchantId, async (tx, entered) => {
    const locked = await lockBoth(engine, tx, { seen: await findCase(tx, caseId), entered });
    if (locked === null || !(await isOfVoidedFiles(tx, caseId))) return;
    const { found, payment } = locked;
    const amount = needsAmount(found) ? 0n : payment.amount;
    const resolution = 'REVERSE_EVIDENCE';
    await resolve(engine, tx, { found, payment, resolution, amount }, { by });
  });
}

/**
 * What the operator withdrew it has not paid: limits stop counting it. What a discrepancy turns out to have moved
 * counts in the windows of now; a payment that FAILED while that was open is given back when the last one is resolved.
 */
async function recountResolved(
  engine: Engine,
  tx: Tx,
  { found, payment, resolution, amount }: CaseResolution,
  now: Date,
): Promise<void> {
  const { merchantId, kind, state, finalAt, countedIn = [] } = payment;
  if (resolution === 'REVERSE_EVIDENCE' && found.evidence !== 'DISCREPANCY') {
    const { countedIn: late } = found;
    return recount(tx, { givenBack: [{ amount: payment.amount, countedIn: late }], countedAgain: [] });
  }
  if (found.evidence !== 'DISCREPANCY' || kind === 'DEPOSIT' || countedIn.length === 0) return;
  const discrepancies = await listDiscrepancies(tx, payment);
  const isLast = discrepancies.every(({ caseId, isOpen }) => caseId === found.caseId || !isOpen);
  const wasKept = state === 'FAILED' && discrepancies.some(({ openedAt }) => openedAt <= (finalAt ?? now));
  const moved = movedByDiscrepancy({ resolution, amount }, state);
  const merchant = await engine.directory.merchant(merchantId);
  const countable = countableOf(engine.store.keyring, payment, merchant?.limits ?? []);
  await recount(tx, {
    givenBack: isLast && wasKept ? [{ amount: payment.amount, countedIn }] : [],
    countedAgain:
      moved === 0n
        ? []
        : [{ merchantId, amount: moved, countedIn: countersOfLateSuccess(countable, countedIn, now) }],
  });
}

/** In the order of locks everywhere: payments first. */
async function lockBoth(
  engine: StorePart,
  tx: Tx,
  { seen, entered }: { readonly seen: StoredCase | null; readonly entered: LockedMerchants | null },
): Promise<{ readonly found: StoredCase; readonly payment: StoredPayment } | null> {
  if (seen === null) return null;
  await entered?.note([seen]);
  const [payment] = await lockPayments(tx, engine.store.keyring, [seen]);
  const found = await lockCase(tx, seen.caseId);
  return payment === undefined || found === null ? null : { found, payment };
}

async function viewsOf(engine: Engine, cases: readonly StoredCase[]): Promise<readonly CaseView[]> {
  const approvals = await listApprovalsOfCases(engine.store.database, cases);
  await loadDataKeys(
    engine.store,
    cases.map(({ merchantId }) => merchantId),
  );
  const effects = await readEffects(engine, [...approvals.values()]);
  return cases.map((found) => {
    const approval = approvals.get(found.caseId);
    const effect = approval === undefined ? undefined : effects.get(approval.approvalId);
    return {
      ...found,
      allowed: allowedResolutions(found),
      approval: approval === undefined ? null : openApproval(engine, approval, effect),
    };
  });
}

async function listApprovalsOfCases(tx: Tx, cases: readonly StoredCase[]) {
  return listApprovalsOf(tx, {
    kind: 'CASE',
    merchantIds: [...new Set(cases.map(({ merchantId }) => merchantId))],
    subjects: cases.map(({ caseId }) => caseId),
  });
}

function entryOf(found: StoredCase, { by, act, detail }: Pick<Act, 'by' | 'act' | 'detail'>): Act {
  const { merchantId, caseId, evidence, kind, paymentId } = found;
  return { by, act, merchantId, subject: caseId, detail: { evidence, kind, paymentId, ...detail } };
}
