// The review queue: payments that people have to look at. One person requests to release or to reject a payment,
// another approves; the approval and what follows from it are one transaction.
import type { ReviewDecision } from '../../domain/limits/review.ts';
import { renderAmount } from '../../domain/money.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { listApprovalsOf, type ActingPerson, type Approval } from '../../store/approvals/approvals.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import {
  countHeldReviews,
  findHeldReview,
  leaveToPeople,
  listHeldReviews,
  settleReview,
  type HeldReview,
  type ReviewCursor,
} from '../../store/reviews/payment-reviews.ts';
import { listPayments, listPaymentsByNumber, type StoredPayment } from '../../store/payments/payments.ts';
import { merchantOf, NotExecuted, type Executor } from '../approvals/executor.ts';
import { openApproval, type ReadApproval } from '../approvals/read.ts';
import { requestApproval } from '../approvals/request.ts';
import { record } from '../audit.ts';
import { inEveryCell, missingCells } from '../cells/in-every-cell.ts';
import { inMerchant, MerchantInOtherCell } from '../cells/lock-merchant.ts';
import type { Engine } from '../engine.ts';
import { recordRisk } from '../limits/risk-log.ts';
import { advance } from '../payments/process/advance.ts';

export type ReviewView = HeldReview & {
  readonly payment: StoredPayment;
  /** What is requested to be done with it. */
  readonly approval: ReadApproval<'REVIEW'> | null;
};

/** Of this cell, the oldest payments first. */
export async function readReviewQueue(
  engine: Engine,
  page: { readonly after: ReviewCursor | null; readonly countMax: number },
): Promise<readonly ReviewView[]> {
  const { database, keyring } = engine.store;
  const held = await listHeldReviews(database, keyring, page);
  const subjects = held.map(({ paymentNo }) => paymentNo);
  const merchantIds = [...new Set(held.map(({ merchantId }) => merchantId))];
  const approvals = await listApprovalsOf(database, { kind: 'REVIEW', merchantIds, subjects });
  await loadDataKeys(engine.store, merchantIds);
  const found = await listPaymentsByNumber(database, keyring, subjects);
  const payments = new Map(found.map((payment) => [payment.paymentNo, payment]));
  return held.flatMap((review) => {
    const payment = payments.get(review.paymentNo);
    const approval = approvals.get(review.paymentNo);
    const pending = approval?.status === 'PENDING' ? openApproval(engine, approval) : null;
    return payment === undefined ? [] : [{ ...review, payment, approval: pending }];
  });
}

export type OtherQueues = {
  readonly waiting: readonly { readonly cell: string; readonly count: number }[];
  readonly missingCells: readonly string[];
};

/** How many wait in other cells, counted up to a bound. They are decided about there, where their merchants live. */
export async function countOtherQueues(engine: Engine): Promise<OtherQueues> {
  const answers = await inEveryCell(engine, (database) => countHeldReviews(database));
  const waiting = answers.flatMap((one) =>
    one.type === 'CONFIRMED' && one.cell !== engine.home && one.answer > 0
      ? [{ cell: one.cell, count: one.answer }]
      : [],
  );
  return { waiting, missingCells: missingCells(answers) };
}

export type ReviewOrder = {
  readonly actor: ActingPerson;
  readonly key: PaymentKey;
  readonly decision: ReviewDecision;
  readonly reason: string;
};

export type ReviewAnswer =
  | { readonly type: 'REQUESTED'; readonly approvalId: string }
  /** No payment of this name waits for people. */
  | { readonly type: 'NOT_HELD' }
  /** The same or the opposite is pending already. */
  | { readonly type: 'REQUESTED_BEFORE' };

/** Another person must approve, also where no money is real. */
export async function requestReview(engine: Engine, order: ReviewOrder): Promise<ReviewAnswer> {
  const { actor, key, decision, reason } = order;
  const { merchantId, kind: paymentKind, paymentId } = key;
  const { database, keyring } = engine.store;
  await loadDataKeys(engine.store, [merchantId]);
  return inMerchant(database, merchantId, async (tx, { note }) => {
    const review = await findHeldReview(tx, keyring, key);
    const [payment] = review === null ? [] : await listPayments(tx, keyring, [key]);
    if (review === null || payment === undefined) return { type: 'NOT_HELD' };
    const { currency } = payment;
    const amount = renderAmount(payment.amount);
    const request = { paymentKind, paymentId, decision, amount, currency, reasons: review.reasons };
    const wanted = { actor, merchantId, kind: 'REVIEW', subject: review.paymentNo, request, reason } as const;
    const approvalId = await requestApproval(engine, tx, wanted);
    if (approvalId === null) return { type: 'REQUESTED_BEFORE' };
    // The end of a cooling-off must not send what somebody wants to be rejected, nor where the merchant moves to.
    if (decision === 'REJECT') await leaveToPeople(tx, review.paymentNo);
    await note([key]);
    return { type: 'REQUESTED', approvalId };
  });
}

/** Rejected, a payment ends as any other that was never sent. */
export const reviewExecutor: Executor<'REVIEW'> = {
  show: ({ paymentKind, paymentId, reasons, ...shown }) => ({
    payment: `${paymentKind} ${paymentId}`,
    ...shown,
    reasons: reasons.join(', '),
  }),
  transact: async ({ engine, approval, decider: { by } }, approve) => {
    const { subject: paymentNo, request } = approval;
    const { decision, reasons } = request;
    const key = keyOf(approval);
    const event =
      decision === 'RELEASE'
        ? ({ type: 'RELEASED', hold: 'REVIEW' } as const)
        : ({ type: 'CANCELLED', unsentAs: 'OTHER_ERROR' } as const);
    await advance(engine, [{ key, event }], async (tx, [answer]) => {
      if (answer?.type === 'OTHER_CELL') throw new MerchantInOtherCell(key.merchantId);
      if (answer?.type !== 'MOVE') throw new NotExecuted();
      await approve(tx);
      const status = decision === 'RELEASE' ? 'RELEASED' : 'REJECTED';
      const settled = { paymentNo, before: 'HELD', status, reasons, endsAt: null, reason: null } as const;
      if (!(await settleReview(tx, engine.store.keyring, settled))) throw new NotExecuted();
      const noted = decision === 'RELEASE' ? 'PAYMENT_RELEASED' : 'PAYMENT_REJECTED';
      await recordRisk(engine, tx, { ...answer.payment, event: noted, subject: 'REVIEW' });
      const { merchantId, kind, paymentId } = key;
      const entry = { by, act: 'REVIEW_DECIDED', merchantId, subject: paymentId } as const;
      await record(engine, tx, [{ ...entry, detail: { kind, decision } }]);
    });
  },
};

function keyOf(approval: Approval<'REVIEW'>): PaymentKey {
  const { paymentKind: kind, paymentId } = approval.request;
  return { merchantId: merchantOf(approval), kind, paymentId };
}
