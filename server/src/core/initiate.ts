// Accepts payments. A payment, its identifier, its first event and its first step are one transaction, so there is
// no moment in which a payment exists without its next step. Of N simultaneous requests with one identifier exactly
// one is ACCEPTED; the others are DUPLICATE_IGNORED, whatever else is now true.
import { defaultCustomerMessage } from '../domain/customer-message.ts';
import type { FailureReason } from '../domain/failure.ts';
import { canonicalIdentifier } from '../domain/identifier.ts';
import type { Amount } from '../domain/money.ts';
import {
  lockOrder,
  type Generation,
  type PaymentDetails,
  type PaymentKey,
  type PaymentKind,
} from '../domain/payment.ts';
import { CommitLost, inTransaction, type Tx } from '../store/database.ts';
import type { Merchant } from '../store/merchants.ts';
import { insertPaymentEvents } from '../store/payment-events.ts';
import { insertPaymentKeys, listPaymentKeys, type TakenPaymentKey } from '../store/payment-keys.ts';
import { insertSearchEntries } from '../store/payment-search.ts';
import { insertPayments, type StoredPayment } from '../store/payments.ts';
import { loadDataKeys } from '../store/store.ts';
import { admit, type Admission } from './admit.ts';
import type { Engine } from './engine.ts';
import { searchValuesOf } from './search.ts';

/** A schema-valid request of an authenticated merchant. */
export type InitiationOrder = {
  readonly requestId: string;
  readonly merchant: Merchant;
  readonly kind: PaymentKind;
  readonly generation: Generation;
  readonly writtenId: string;
  readonly amount: Amount;
  readonly amountText: string;
  readonly currency: string;
  readonly provider: string;
  readonly details: Omit<PaymentDetails, 'customerMessage'> & { readonly customerMessage?: string };
};

export type InitiationAnswer =
  | { readonly type: 'ACCEPTED'; readonly createdAt: Date }
  | { readonly type: 'DUPLICATE_IGNORED'; readonly createdAt: Date }
  | { readonly type: 'REJECTED'; readonly reason: FailureReason }
  | { readonly type: 'NOT_ALLOWED'; readonly reason: FailureReason }
  /** Nobody can say whether the payment was committed. The merchant must check its status. */
  | { readonly type: 'UNKNOWN' };

/** Answers in the order of `orders`. */
export async function initiate(
  engine: Engine,
  orders: readonly InitiationOrder[],
): Promise<readonly InitiationAnswer[]> {
  const now = engine.clock.now();
  await loadDataKeys(
    engine.store,
    orders.map(({ merchant }) => merchant.merchantId),
  );
  const admissions = await Promise.all(orders.map((order) => admitOrder(engine, order)));
  const answers = new Map<InitiationOrder, InitiationAnswer>();
  const admitted: StoredOrder[] = [];
  const refused: InitiationOrder[] = [];
  for (const [index, order] of orders.entries()) {
    const admission = admissions[index];
    if (admission?.type === 'ADMITTED') admitted.push({ order, payment: newPayment(order, admission, now) });
    else refused.push(order);
  }
  for (const [order, answer] of await accept(engine, admitted, now)) answers.set(order, answer);
  const takenByRefused = await findTaken(engine.store.database, refused);
  for (const [index, order] of orders.entries()) {
    const admission = admissions[index];
    if (admission === undefined || admission.type === 'ADMITTED') continue;
    const taken = takenByRefused.get(lockOrder(keyOf(order)));
    answers.set(
      order,
      taken === undefined ? admission : { type: 'DUPLICATE_IGNORED', createdAt: taken.createdAt },
    );
  }
  return orders.map((order) => {
    const answer = answers.get(order) ?? { type: 'UNKNOWN' };
    engine.observer.initiated(order.kind, answer.type);
    return answer;
  });
}

type StoredOrder = { readonly order: InitiationOrder; readonly payment: StoredPayment };

type Answers = ReadonlyMap<InitiationOrder, InitiationAnswer>;

async function admitOrder(engine: Engine, order: InitiationOrder): Promise<Admission> {
  return admit({
    ...order,
    phoneNumber: order.details.phoneNumber,
    availability: await engine.directory.availability(order.provider, order.kind),
    connector: engine.connectorOf(order.provider),
    testNumbersAllowed: engine.environment === 'sandbox',
  });
}

function newPayment(
  order: InitiationOrder,
  admission: Admission & { readonly type: 'ADMITTED' },
  now: Date,
): StoredPayment {
  const customerMessage = order.details.customerMessage ?? defaultCustomerMessage(order.merchant.companyName);
  return {
    ...keyOf(order),
    writtenId: order.writtenId,
    generation: order.generation,
    state: 'ACCEPTED',
    amount: order.amount,
    amountText: order.amountText,
    fee: 0n,
    currency: order.currency,
    country: admission.country,
    provider: order.provider,
    connector: admission.connector,
    details: { ...order.details, customerMessage },
    createdAt: now,
    nextAction: 'SUBMIT',
    nextActionAt: now,
    enquiryCount: 0,
    eventCount: 1,
  };
}

/** Inserts what was admitted; identifiers that are taken become duplicates. */
async function accept(engine: Engine, admitted: readonly StoredOrder[], now: Date): Promise<Answers> {
  if (admitted.length === 0) return new Map();
  const sorted = admitted.toSorted((a, b) => (lockOrder(a.payment) < lockOrder(b.payment) ? -1 : 1));
  try {
    const answers = await inTransaction(engine.store.database, (tx) => insert(engine, tx, sorted, now));
    engine.wake();
    return answers;
  } catch (error) {
    if (error instanceof CommitLost) return readBack(engine, sorted);
    throw error;
  }
}

async function insert(engine: Engine, tx: Tx, sorted: readonly StoredOrder[], now: Date): Promise<Answers> {
  const { keyring, queue } = engine.store;
  const inserted = await insertPaymentKeys(
    tx,
    sorted.map(({ order, payment }) => ({
      ...payment,
      requestId: order.requestId,
      fingerprint: fingerprintOf(engine, order),
    })),
  );
  const accepted = sorted.filter(({ order }) => inserted.has(order.requestId));
  const payments = accepted.map(({ payment }) => payment);
  await insertPayments(tx, keyring, payments);
  await insertPaymentEvents(
    tx,
    keyring,
    payments.map((payment) => ({
      key: payment,
      eventNo: 1,
      occurredAt: now,
      event: 'ACCEPTED',
      fromState: null,
      toState: payment.state,
    })),
  );
  await insertSearchEntries(tx, keyring, payments.flatMap(searchValuesOf));
  await queue.insert(
    tx,
    'submit',
    payments.map((payment) => ({ key: payment, eventNo: 1, at: now })),
  );
  const repeated = sorted.filter(({ order }) => !inserted.has(order.requestId)).map(({ order }) => order);
  const taken = await findTaken(tx, repeated);
  return new Map<InitiationOrder, InitiationAnswer>([
    ...accepted.map(({ order }) => [order, { type: 'ACCEPTED', createdAt: now }] as const),
    ...repeated.map((order) => [order, answerOfTaken(order, taken)] as const),
  ]);
}

/** The answer to COMMIT was lost: our own request id on the row says that it was us. */
async function readBack(engine: Engine, sorted: readonly StoredOrder[]): Promise<Answers> {
  const orders = sorted.map(({ order }) => order);
  const taken = await findTaken(engine.store.database, orders);
  return new Map(orders.map((order) => [order, answerOfTaken(order, taken)]));
}

function answerOfTaken(
  order: InitiationOrder,
  taken: ReadonlyMap<string, TakenPaymentKey>,
): InitiationAnswer {
  const key = taken.get(lockOrder(keyOf(order)));
  if (key === undefined) return { type: 'UNKNOWN' };
  const type = key.requestId === order.requestId ? 'ACCEPTED' : 'DUPLICATE_IGNORED';
  return { type, createdAt: key.createdAt };
}

async function findTaken(
  tx: Tx,
  orders: readonly InitiationOrder[],
): Promise<ReadonlyMap<string, TakenPaymentKey>> {
  const taken = await listPaymentKeys(tx, orders.map(keyOf));
  return new Map(taken.map((key) => [lockOrder(key), key]));
}

function keyOf(order: InitiationOrder): PaymentKey {
  const { merchant, kind, writtenId } = order;
  return { merchantId: merchant.merchantId, kind, paymentId: canonicalIdentifier(writtenId) };
}

/** Keyed, because it is made of personal data; equal for equal requests. */
function fingerprintOf(engine: Engine, order: InitiationOrder): Buffer {
  const { merchant, amountText, currency, provider, details } = order;
  const text = JSON.stringify([amountText, currency, provider, details]);
  return engine.store.keyring.searchHash(merchant.merchantId, text);
}
