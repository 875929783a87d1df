// Accepts payments. A payment, its identifier, its first event, the funds it holds and its first step are one
// transaction, so there is no moment in which a payment exists without its next step. Of N simultaneous requests with
// one identifier exactly one is ACCEPTED; the others are DUPLICATE_IGNORED, whatever else is now true.
import { defaultCustomerMessage } from '../../../domain/payments/customer-message.ts';
import type { FailureReason } from '../../../domain/failure.ts';
import { paymentKeyText, type PaymentState } from '../../../domain/payments/payment.ts';
import { CommitLost, inTransaction, type Tx } from '../../../store/database.ts';
import { deletePaymentKeys, insertPaymentKeys } from '../../../store/payments/payment-keys.ts';
import type { StoredPayment } from '../../../store/payments/payments.ts';
import { loadDataKeys } from '../../../store/encryption/data-keys.ts';
import { admit, type Admitted, type Refused } from '../admit.ts';
import type { Engine, StorePart } from '../../engine.ts';
import { lockForWriting } from '../../cells/lock-merchant.ts';
import { fingerprintOf } from '../fingerprint.ts';
import { limitDeposits, openOrderGate, settleGate } from './count-orders.ts';
import { holdFunds } from './hold-funds.ts';
import { limitPrompts } from './limit-prompts.ts';
import { noteRefusal } from './note-refusals.ts';
import { insertNewPayments } from '../insert-payments.ts';
import {
  firstStep,
  keyOf,
  tokenOf,
  type Candidate,
  type DirectOrder,
  type InitiationFacts,
  type InitiationOrder,
} from '../payment-request.ts';
import { answerOfTaken, findTaken, readBack } from './read-back.ts';
import { refuseListed } from './refuse-listed.ts';
import { resolveAttempts } from './resolve-attempts.ts';
import { resolveRefunds } from './resolve-refunds.ts';
import { initiationSpan } from '../../tracer.ts';

export type InitiationAnswer =
  /** `state` is that of the new payment; absent when the answer to COMMIT was lost and only its row was found. */
  | { readonly type: 'ACCEPTED'; readonly createdAt: Date; readonly state?: PaymentState }
  | { readonly type: 'DUPLICATE_IGNORED'; readonly createdAt: Date }
  | { readonly type: 'REJECTED'; readonly reason: FailureReason }
  | { readonly type: 'NOT_ALLOWED'; readonly reason: FailureReason; readonly isLimited?: true }
  /** No one can say whether the payment was committed. The merchant must check its status. */
  | { readonly type: 'UNKNOWN' };

/** Nothing was written: the merchant lives in another cell, or is on its way. */
export type NotHere = { readonly type: 'OTHER_CELL' };

/** Answers in the order of `orders`. */
export async function initiate(
  engine: Engine,
  orders: readonly InitiationOrder[],
): Promise<readonly (InitiationAnswer | NotHere)[]> {
  const since = performance.now();
  await loadDataKeys(
    engine.store,
    orders.map(({ merchant }) => merchant.merchantId),
  );
  const judged = await Promise.all(orders.map((order) => judge(engine, order)));
  const unavailable = await engine.directory.unavailable();
  const answers = await accept(engine, judged, unavailable);
  return orders.map((order) => {
    const answer = answers.get(order) ?? { type: 'UNKNOWN' };
    engine.observer.initiated(order.kind, answer.type);
    noteRefusal(engine, order, answer);
    engine.tracer.record(initiationSpan(keyOf(order), answer, since));
    return answer;
  });
}

type Answers = ReadonlyMap<InitiationOrder, InitiationAnswer | NotHere>;

/** What is known about a request before the transaction, and before its time. */
type Judged = {
  readonly order: InitiationOrder;
  /** What the request becomes at the time of the transaction. */
  readonly becomesAt: (now: Date) => Candidate['becomes'];
};

async function judge(engine: Engine, order: InitiationOrder): Promise<Judged> {
  if (order.kind === 'REFUND') return { order, becomesAt: () => 'RESOLVED_IN_TRANSACTION' };
  const admission = admit({
    ...order,
    phoneNumber: order.details.phoneNumber,
    availability: await engine.directory.availability(order.provider, order.kind),
    connector: engine.connectorOf(order.provider, order.kind),
    testNumbersAllowed: engine.environment === 'sandbox',
  });
  if (admission.type !== 'ADMITTED') return { order, becomesAt: () => admission };
  return { order, becomesAt: (now) => newPayment(order, admission, now) };
}

function newPayment(order: DirectOrder, admitted: Admitted, now: Date): StoredPayment {
  const { customerMessage = defaultCustomerMessage(order.merchant.companyName) } = order.details;
  return {
    ...keyOf(order),
    paymentNo: order.paymentNo,
    ...firstStep(admitted, now),
    writtenId: order.writtenId,
    apiVersion: order.apiVersion,
    amount: order.amount,
    amountText: order.amountText,
    currency: order.currency,
    provider: order.provider,
    ...tokenOf(order),
    ...(order.attemptOf !== undefined && { checkoutId: order.attemptOf.checkoutId }),
    details: { ...order.details, customerMessage },
  };
}

/**
 * Inserts what may become a payment; identifiers that are taken become duplicates. Orders refused on their merits take
 * the same way and free their identifier again: a twin that is just being committed is waited for, never overlooked.
 */
async function accept(
  engine: Engine,
  judged: readonly Judged[],
  unavailable: InitiationFacts['unavailable'],
): Promise<Answers> {
  if (judged.length === 0) return new Map();
  try {
    const answers = await inTransaction(engine.store.database, (tx) =>
      insert(engine, tx, judged, unavailable),
    );
    engine.wake();
    // A repeat of an order that was rejected in the same batch is decided on its own, and what a limit refused because
    // of one. Whatever the outcome of that, the others are committed and are told so.
    const undecided = judged.filter(({ order }) => !answers.has(order));
    const rest = await accept(engine, undecided, unavailable).catch((): Answers => new Map());
    return new Map([...answers, ...rest]);
  } catch (error) {
    if (!(error instanceof CommitLost)) throw error;
    const orders = judged.map(({ order }) => order);
    const taken = await readBack(engine, orders.map(keyOf));
    return new Map(orders.map((order) => [order, answerOfTaken(keyOf(order), order.paymentNo, taken)]));
  }
}

async function insert(
  engine: Engine,
  tx: Tx,
  judged: readonly Judged[],
  unavailable: InitiationFacts['unavailable'],
): Promise<Answers> {
  const { away, note } = await lockForWriting(
    tx,
    judged.map(({ order }) => order.merchant.merchantId),
  );
  const now = await engine.clock.timeOf(tx);
  const isAway = ({ order }: Pick<Judged, 'order'>) => away.has(order.merchant.merchantId);
  const here = judged.filter((one) => !isAway(one));
  const inserted = await insertPaymentKeys(tx, sortedKeys(engine, here, now));
  const fresh = here.flatMap(({ order, becomesAt }): readonly Candidate[] =>
    inserted.has(order.paymentNo) ? [{ order, becomes: becomesAt(now) }] : [],
  );
  const refundsResolved = await resolveRefunds(engine, tx, fresh, { now, unavailable });
  const screened = await refuseListed(engine, tx, refundsResolved, now);
  const gate = await openOrderGate(engine, tx, screened, now);
  const funded = await holdFunds(tx, limitDeposits(screened.candidates, gate), { gate, now });
  const attempted = await resolveAttempts(tx, await limitPrompts(engine, tx, funded, now), now);
  const { resolved, undecided } = await settleGate(attempted, gate);
  await deletePaymentKeys(
    tx,
    resolved.filter(({ becomes }) => 'reason' in becomes).map(({ order }) => keyOf(order)),
  );
  const payments = resolved.flatMap(({ becomes }) => ('reason' in becomes ? [] : becomes));
  await insertNewPayments(engine, tx, payments, now);
  await note(payments);
  const repeated = here.filter(({ order }) => !inserted.has(order.paymentNo)).map(({ order }) => order);
  const taken = await findTaken(tx, repeated.map(keyOf));
  return new Map<InitiationOrder, InitiationAnswer | NotHere>([
    ...judged.filter(isAway).map(({ order }) => [order, { type: 'OTHER_CELL' }] as const),
    ...resolved
      .filter(({ order }) => !undecided.has(order))
      .map(({ order, becomes }) => [order, answerOf(becomes, now)] as const),
    ...repeated
      .filter((order) => taken.has(paymentKeyText(keyOf(order))))
      .map((order) => [order, answerOfTaken(keyOf(order), order.paymentNo, taken)] as const),
  ]);
}

/** In lock order, so that batches of several processes never wait for each other in a ring. */
function sortedKeys(engine: StorePart, judged: readonly Judged[], now: Date) {
  return judged
    .map(({ order }) => ({
      ...keyOf(order),
      createdAt: now,
      paymentNo: order.paymentNo,
      fingerprint: fingerprintOf(engine, order.merchant.merchantId, askedOf(order)),
    }))
    .toSorted((a, b) => (paymentKeyText(a) < paymentKeyText(b) ? -1 : 1));
}

function answerOf(becomes: StoredPayment | Refused, now: Date): InitiationAnswer {
  return 'reason' in becomes ? becomes : { type: 'ACCEPTED', createdAt: now, state: becomes.state };
}

/** What the merchant asked for, without who asked and how. */
function askedOf(order: InitiationOrder): object {
  const { merchant: _merchant, paymentNo: _paymentNo, apiVersion: _apiVersion, tokenId: _, ...asked } = order;
  return asked;
}
