// Ends a payment whose operator gives no clear answer, by what a person found out: at once in a sandbox, elsewhere when
// a second approver approves. The operator is asked again before: its clear answer counts more than the person's.
import { randomUUID } from 'node:crypto';
import { isFinal } from '../../../domain/payments/lifecycle.ts';
import type { ManualEnd } from '../../../domain/payments/outcome.ts';
import type { PaymentKey, PaymentState } from '../../../domain/payments/payment.ts';
import { listLatestAttempts } from '../../../store/payments/attempts.ts';
import { loadDataKeys } from '../../../store/encryption/data-keys.ts';
import { listPayments, type StoredPayment } from '../../../store/payments/payments.ts';
import { listApprovalsOf, openReason, type Approval } from '../../../store/approvals/approvals.ts';
import { advance, type Advanced } from '../process/advance.ts';
import { merchantOf, NotExecuted, type Executor } from '../../approvals/executor.ts';
import { isNeeded, requestApproval, type Ordered } from '../../approvals/request.ts';
import type { Engine } from '../../engine.ts';
import { askOperator } from '../process/enquire.ts';
import {
  claimTransaction,
  findTransactionOwner,
  notEnded,
  type NamedTransaction,
  type TransactionRefusal,
  type TransactionTaken,
} from './claim-transaction.ts';
import { giveBackClaims } from '../../cells/claim-reference.ts';
import { inMerchant, MerchantInOtherCell } from '../../cells/lock-merchant.ts';
import { connectorFor } from '../../operators/operator-calls.ts';
import { findReportToApprove, notWhileReported, type ReportToApprove } from './refuse-while-reported.ts';

export type EndOrder = Ordered & {
  readonly key: PaymentKey;
  readonly outcome: ManualEnd;
  /** What the person goes by: a line of a report, a letter of the operator. */
  readonly reason: string;
};

export type EndAnswer =
  | { readonly type: 'ENDED'; readonly state: PaymentState }
  /** Another person must approve. Nothing has changed. */
  | { readonly type: 'REQUESTED'; readonly state: PaymentState }
  /** Somebody has requested another end, which is pending. Nothing was requested now. */
  | { readonly type: 'REQUESTED_BEFORE'; readonly by: string; readonly outcome: string }
  /** The operator was asked once more and gave a clear answer: nothing was done manually. */
  | { readonly type: 'OPERATOR_ANSWERED'; readonly state: PaymentState }
  | { readonly type: 'NOT_FOUND' }
  | { readonly type: 'NOT_IN_RECONCILIATION'; readonly state: PaymentState }
  /** A report that waits says how it ended: that is decided on first. Nothing has changed. */
  | ReportToApprove
  | TransactionRefusal;

/** Throws MerchantInOtherCell where the merchant is not, or no longer, in this cell. */
export async function endPayment(engine: Engine, order: EndOrder): Promise<EndAnswer> {
  const { key, outcome, actor, reason } = order;
  const asked = await askOperatorAgain(engine, key);
  if (asked !== null && isFinal(asked)) return { type: 'OPERATOR_ANSWERED', state: asked };
  const reported = await findReportToApprove(engine.store.database, key);
  if (reported !== null) return reported;
  if (isNeeded(order)) return requestEnd(engine, order);
  const named = await findNamedTransaction(engine, key, outcome);
  const claimId = randomUUID();
  const refusal = named === null ? null : await claimTransaction(engine, named, claimId);
  if (refusal !== null) return refusal;
  const { by } = actor;
  const [advanced] = await advance(engine, [
    { key, event: { type: 'ENDED_MANUALLY', outcome }, evidence: `${by}: ${reason}`, actor: { by, reason } },
  ]);
  if (named !== null && advanced?.type !== 'MOVE') await giveBackClaims(engine, claimId);
  return answerOf(key, advanced);
}

async function requestEnd(engine: Engine, order: EndOrder): Promise<EndAnswer> {
  const { key, outcome, actor, reason } = order;
  const { merchantId, kind: paymentKind, paymentId } = key;
  const { database, keyring } = engine.store;
  const [payment] = await listPayments(database, keyring, [key]);
  if (payment === undefined) return { type: 'NOT_FOUND' };
  const { state } = payment;
  if (state !== 'IN_RECONCILIATION') return { type: 'NOT_IN_RECONCILIATION', state };
  const named = namedTransaction(payment, outcome);
  const refusal = named === null ? null : await findTransactionOwner(engine, named);
  if (refusal !== null) return refusal;
  const request = { paymentKind, paymentId, outcome };
  const subject = `${paymentKind} ${paymentId}`;
  const wanted = { actor, merchantId, kind: 'PAYMENT_END', subject, request, reason } as const;
  await loadDataKeys(engine.store, [merchantId]);
  return inMerchant(database, merchantId, async (tx) => {
    if ((await requestApproval(engine, tx, wanted)) !== null) return { type: 'REQUESTED', state };
    const of = { kind: 'PAYMENT_END', merchantIds: [merchantId], subjects: [subject] } as const;
    const pending = (await listApprovalsOf(tx, of)).get(subject);
    const requested = pending === undefined ? '' : describeEnd(pending.request.outcome);
    // The same request once more, after a lost answer for instance, is the request that is pending.
    if (requested === describeEnd(outcome)) return { type: 'REQUESTED', state };
    return { type: 'REQUESTED_BEFORE', by: pending?.requestedBy.by ?? '', outcome: requested };
  });
}

/** "COMPLETED, 10462517" or "FAILED, PAYER_NOT_FOUND": for people. */
function describeEnd(outcome: ManualEnd): string {
  const { type } = outcome;
  return `${type}, ${outcome.type === 'COMPLETED' ? outcome.providerTransactionId : outcome.code}`;
}

/** The approval and the end are one transaction. */
export const paymentEndExecutor: Executor<'PAYMENT_END'> = {
  claims: true,
  show: ({ paymentKind, paymentId, outcome }) => ({
    payment: `${paymentKind} ${paymentId}`,
    outcome: describeEnd(outcome),
  }),
  before: async ({ engine, approval }) => {
    const state = await askOperatorAgain(engine, keyOf(approval));
    if (state !== null && isFinal(state)) throw new NotExecuted();
    const reported = await findReportToApprove(engine.store.database, keyOf(approval));
    if (reported !== null) throw notWhileReported(reported);
    const named = await findNamedTransaction(engine, keyOf(approval), approval.request.outcome);
    const refusal = named === null ? null : await claimTransaction(engine, named, approval.approvalId);
    if (refusal !== null) throw notEnded(refusal);
  },
  transact: async ({ engine, approval, decider: { by } }, approve) => {
    const { request, requestedBy, merchantId } = approval;
    const reason = openReason(engine.store.keyring, approval) ?? '';
    const end = {
      key: keyOf(approval),
      event: { type: 'ENDED_MANUALLY', outcome: request.outcome },
      evidence: `${requestedBy.by}, approved by ${by}: ${reason}`,
      actor: { by, reason },
    } as const;
    await advance(engine, [end], async (tx, [answer]) => {
      if (answer?.type === 'OTHER_CELL') throw new MerchantInOtherCell(merchantId ?? '');
      if (answer?.type === 'TRANSACTION_TAKEN') throw notEnded(TAKEN_HERE);
      if (answer?.type !== 'MOVE') throw new NotExecuted();
      await approve(tx);
    });
  },
};

/** By another payment of this cell, which got it since it was looked for. */
const TAKEN_HERE: TransactionTaken = { type: 'TRANSACTION_TAKEN', owner: null, cell: null };

/** The operator's transaction that a payment is to be ended with; null where the end names none. */
function namedTransaction(payment: StoredPayment, outcome: ManualEnd): NamedTransaction | null {
  if (outcome.type !== 'COMPLETED') return null;
  const { provider } = payment;
  return { key: payment, provider, providerTransactionId: outcome.providerTransactionId };
}

async function findNamedTransaction(
  { store }: Pick<Engine, 'store'>,
  key: PaymentKey,
  outcome: ManualEnd,
): Promise<NamedTransaction | null> {
  if (outcome.type !== 'COMPLETED') return null;
  const [payment] = await listPayments(store.database, store.keyring, [key]);
  return payment === undefined ? null : namedTransaction(payment, outcome);
}

function keyOf(approval: Approval<'PAYMENT_END'>): PaymentKey {
  const { paymentKind: kind, paymentId } = approval.request;
  return { merchantId: merchantOf(approval), kind, paymentId };
}

/** Asks the operator about a payment in reconciliation. Answers the state after that; null where nothing was asked. */
async function askOperatorAgain(engine: Engine, key: PaymentKey): Promise<PaymentState | null> {
  const { database, keyring } = engine.store;
  const [payment] = await listPayments(database, keyring, [key]);
  return payment?.state === 'IN_RECONCILIATION' ? askOnceMore(engine, payment) : null;
}

/** The state in which the operator's answer left the payment; null where there is no one to ask. */
async function askOnceMore(engine: Engine, payment: StoredPayment): Promise<PaymentState | null> {
  const [attempt] = await listLatestAttempts(engine.store.database, [payment]);
  if (attempt === undefined) return null;
  const { outcome, evidence } = await askOperator(engine, connectorFor(engine, payment), payment, attempt);
  const told = { key: payment, event: { type: 'OPERATOR_ANSWERED', outcome }, evidence } as const;
  const [advanced] = await advance(engine, [told]);
  return advanced !== undefined && 'payment' in advanced ? advanced.payment.state : null;
}

function answerOf({ merchantId }: PaymentKey, advanced: Advanced | undefined): EndAnswer {
  switch (advanced?.type) {
    case 'OTHER_CELL':
      throw new MerchantInOtherCell(merchantId);
    case 'MOVE':
      return { type: 'ENDED', state: advanced.payment.state };
    case 'TRANSACTION_TAKEN':
      return TAKEN_HERE;
    case 'NOTHING':
    case 'CONTRADICTION':
    case 'UNCONFIRMED':
    case 'OTHER_EFFECT':
      return { type: 'NOT_IN_RECONCILIATION', state: advanced.payment.state };
    case 'NOT_FOUND':
    case undefined:
      return { type: 'NOT_FOUND' };
  }
}
