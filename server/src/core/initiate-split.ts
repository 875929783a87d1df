// Accepts a split payment: its own identifier, that of its collection (the same) and that of every payout are taken
// together or not at all. The payouts begin when the collection is COMPLETED, in that transaction.
import { randomUUID } from 'node:crypto';
import { defaultCustomerMessage } from '../domain/customer-message.ts';
import { failureReason, type FailureReason } from '../domain/failure.ts';
import { canonicalIdentifier } from '../domain/identifier.ts';
import { renderAmount } from '../domain/money.ts';
import { lockOrder, type OperationKey } from '../domain/payment.ts';
import { CommitLost, inTransaction, type Tx } from '../store/database.ts';
import { deletePaymentKeys, insertPaymentKeys, listPaymentKeys } from '../store/payment-keys.ts';
import { insertSplitPayment, type SplitPart } from '../store/split-payments.ts';
import { loadDataKeys } from '../store/store.ts';
import { admit, checkAllowed, type Admission } from './admit.ts';
import type { Engine } from './engine.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { InitiationAnswer } from './initiate.ts';
import { insertNewPayments } from './insert-payments.ts';
import { firstStep, type DirectOrder } from './order.ts';

/** One recipient's share. */
export type SplitPartOrder = Pick<
  DirectOrder,
  'writtenId' | 'amount' | 'amountText' | 'currency' | 'provider' | 'details'
>;

/** What a merchant asks for: a deposit, and what becomes of it. */
export type SplitOrder = Omit<DirectOrder, 'kind'> & { readonly parts: readonly SplitPartOrder[] };

export async function initiateSplit(engine: Engine, order: SplitOrder): Promise<InitiationAnswer> {
  await loadDataKeys(engine.store, [order.merchant.merchantId]);
  const answer = await decideSplit(engine, order);
  engine.observer.initiated('SPLIT_PAYMENT', answer.type);
  return answer;
}

async function decideSplit(engine: Engine, order: SplitOrder): Promise<InitiationAnswer> {
  const taken = await findTaken(engine.store.database, splitKey(order));
  if (taken !== null) return taken;
  const refusal = checkAllowed({ merchant: order.merchant, kind: 'SPLIT_PAYMENT' });
  if (refusal !== null) return refusal;
  const collection = await admitPart(engine, { ...order, kind: 'DEPOSIT' });
  if (collection.type !== 'ADMITTED') return collection;
  const payouts: (Admission & { readonly type: 'ADMITTED' })[] = [];
  for (const part of order.parts) {
    const admission = await admitPart(engine, { ...order, ...part, kind: 'PAYOUT' });
    if (admission.type !== 'ADMITTED') return admission;
    payouts.push(admission);
  }
  const reason = checkParts(order, collection.fee, payouts);
  if (reason !== null) return { type: 'REJECTED', reason };
  return accept(engine, order, { collection, payouts });
}

type Admissions = {
  readonly collection: Admission & { readonly type: 'ADMITTED' };
  readonly payouts: readonly (Admission & { readonly type: 'ADMITTED' })[];
};

async function admitPart(engine: Engine, order: DirectOrder): Promise<Admission> {
  return admit({
    ...order,
    phoneNumber: order.details.phoneNumber,
    // That the collection's own kind may be switched off by itself does not matter: the split is what is enabled.
    merchant: { ...order.merchant, operations: [order.kind] },
    availability: await engine.directory.availability(order.provider, order.kind),
    connector: engine.connectorOf(order.provider, order.kind),
    testNumbersAllowed: engine.environment === 'sandbox',
  });
}

/** One currency, distinct identifiers, and no more shared out than comes in. */
function checkParts(
  order: SplitOrder,
  collectionFee: bigint,
  payouts: Admissions['payouts'],
): FailureReason | null {
  const { currency, provider } = order;
  if (order.parts.some((part) => part.currency !== currency))
    return failureReason('INVALID_CURRENCY', { currency, provider });
  const ids = order.parts.map(({ writtenId }) => canonicalIdentifier(writtenId));
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) return failureReason('DUPLICATE_IDENTIFIER', { id: repeated });
  const shares = order.parts.reduce((sum, { amount }) => sum + amount, 0n);
  const needed = payouts.reduce((sum, { fee }) => sum + fee, shares + collectionFee);
  if (needed <= order.amount) return null;
  return failureReason('PAYOUT_EXCEEDS_DEPOSIT', {
    needed: renderAmount(needed),
    amount: order.amountText,
    currency,
  });
}

async function accept(engine: Engine, order: SplitOrder, admissions: Admissions): Promise<InitiationAnswer> {
  const now = engine.clock.now();
  try {
    const answer = await inTransaction(engine.store.database, (tx) =>
      insert(engine, tx, order, admissions, now),
    );
    engine.wake();
    return answer;
  } catch (error) {
    if (!(error instanceof CommitLost)) throw error;
    const [key] = await listPaymentKeys(engine.store.database, [splitKey(order)]);
    if (key === undefined) return { type: 'UNKNOWN' };
    const type = key.requestId === order.requestId ? 'ACCEPTED' : 'DUPLICATE_IGNORED';
    return { type, createdAt: key.createdAt };
  }
}

async function insert(
  engine: Engine,
  tx: Tx,
  order: SplitOrder,
  admissions: Admissions,
  now: Date,
): Promise<InitiationAnswer> {
  const split = splitKey(order);
  const { merchant, requestId: _own, generation: _words, ...asked } = order;
  const fingerprint = fingerprintOf(engine, merchant.merchantId, asked);
  const own = { ...split, createdAt: now, requestId: order.requestId, fingerprint };
  if ((await insertPaymentKeys(tx, [own])).size === 0) {
    return (await findTaken(tx, split)) ?? { type: 'UNKNOWN' };
  }
  const inner = innerKeys(order).map((key) => ({
    ...key,
    createdAt: now,
    requestId: randomUUID(),
    fingerprint,
  }));
  const inserted = await insertPaymentKeys(tx, inner);
  const used = inner.find(({ requestId }) => !inserted.has(requestId));
  if (used !== undefined) {
    await deletePaymentKeys(tx, [own, ...inner.filter(({ requestId }) => inserted.has(requestId))]);
    return { type: 'REJECTED', reason: failureReason('DUPLICATE_IDENTIFIER', { id: used.paymentId }) };
  }
  await insertSplitPayment(tx, engine.store.keyring, {
    merchantId: split.merchantId,
    splitPaymentId: split.paymentId,
    writtenId: order.writtenId,
    generation: order.generation,
    createdAt: now,
    parts: order.parts.map((part, index) => partOf(order, part, admissions.payouts[index])),
  });
  await insertNewPayments(engine, tx, [collectionOf(order, admissions.collection, now)], now);
  return { type: 'ACCEPTED', createdAt: now };
}

function collectionOf(order: SplitOrder, admitted: Admissions['collection'], now: Date) {
  const { merchant, writtenId, generation, amount, amountText, currency, provider, details } = order;
  const { customerMessage = defaultCustomerMessage(merchant.companyName) } = details;
  const paymentId = canonicalIdentifier(writtenId);
  return {
    ...firstStep(admitted, now),
    merchantId: merchant.merchantId,
    kind: 'DEPOSIT' as const,
    paymentId,
    splitPaymentId: paymentId,
    writtenId,
    generation,
    amount,
    amountText,
    currency,
    provider,
    details: { ...details, customerMessage },
  };
}

function partOf(
  order: SplitOrder,
  part: SplitPartOrder,
  admitted: Admissions['payouts'][number] | undefined,
): SplitPart {
  if (admitted === undefined) throw new Error('a part of a split payment was not admitted');
  const {
    customerMessage = order.details.customerMessage ?? defaultCustomerMessage(order.merchant.companyName),
  } = part.details;
  return {
    payoutId: canonicalIdentifier(part.writtenId),
    writtenId: part.writtenId,
    amountText: part.amountText,
    feeText: renderAmount(admitted.fee),
    country: admitted.country,
    provider: part.provider,
    connector: admitted.connector,
    details: { ...part.details, customerMessage },
  };
}

function splitKey(order: SplitOrder): OperationKey {
  const { merchantId } = order.merchant;
  return { merchantId, kind: 'SPLIT_PAYMENT', paymentId: canonicalIdentifier(order.writtenId) };
}

/** In lock order: the collection, then the payouts by identifier. */
function innerKeys(order: SplitOrder): readonly OperationKey[] {
  const { merchantId } = order.merchant;
  const payouts = order.parts.map(({ writtenId }): OperationKey => ({
    merchantId,
    kind: 'PAYOUT',
    paymentId: canonicalIdentifier(writtenId),
  }));
  const collection: OperationKey = {
    merchantId,
    kind: 'DEPOSIT',
    paymentId: canonicalIdentifier(order.writtenId),
  };
  return [collection, ...payouts].toSorted((a, b) => (lockOrder(a) < lockOrder(b) ? -1 : 1));
}

async function findTaken(tx: Tx, key: OperationKey): Promise<InitiationAnswer | null> {
  const [taken] = await listPaymentKeys(tx, [key]);
  return taken === undefined ? null : { type: 'DUPLICATE_IGNORED', createdAt: taken.createdAt };
}
