// Accepts a split payment: its own identifier, that of its collection (the same) and that of every payout are taken
// together or not at all. The payouts begin when the collection is COMPLETED, in that transaction.
import { defaultCustomerMessage } from '../../../domain/payments/customer-message.ts';
import { failureReason } from '../../../domain/failure.ts';
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import { renderAmount } from '../../../domain/money.ts';
import { paymentKeyText, type OperationKey, type PaymentKind } from '../../../domain/payments/payment.ts';
import { outgoing, settleDeposit, type Account } from '../../../domain/ledger/postings.ts';
import { CommitLost, inTransaction, type Tx } from '../../../store/database.ts';
import { ensureAccounts } from '../../../store/ledger/ledger.ts';
import { deletePaymentKeys, insertPaymentKeys } from '../../../store/payments/payment-keys.ts';
import { insertSplitPayment, type SplitPart } from '../../../store/payments/split-payments.ts';
import { loadDataKeys } from '../../../store/encryption/data-keys.ts';
import { drawPaymentNo } from '../../../store/timed-uuid.ts';
import type { Engine, TimedStore } from '../../engine.ts';
import { admit, checkAllowed, type Admission, type Admitted, type Refused } from '../admit.ts';
import { checkParts } from './admit-split.ts';
import { noteRefusal } from './note-refusals.ts';
import { countSplit } from './count-split.ts';
import { lockOneMerchant } from '../../cells/lock-merchant.ts';
import { fingerprintOf } from '../fingerprint.ts';
import type { InitiationAnswer } from './initiate.ts';
import { insertNewPayments } from '../insert-payments.ts';
import { firstStep, tokenOf, type DirectOrder } from '../payment-request.ts';
import { answerOfTaken, findTaken, readBack } from './read-back.ts';
import { initiationSpan } from '../../tracer.ts';

/** One recipient's share. */
export type SplitPartOrder = Pick<
  DirectOrder,
  'writtenId' | 'amount' | 'amountText' | 'currency' | 'provider' | 'details'
>;

/** What a merchant asks for: a deposit, and how it is shared. */
export type SplitOrder = Omit<DirectOrder, 'kind'> & { readonly parts: readonly SplitPartOrder[] };

/** Throws MerchantInOtherCell where the merchant is not, or no longer, in this cell. */
export async function initiateSplit(engine: Engine, order: SplitOrder): Promise<InitiationAnswer> {
  const since = performance.now();
  await loadDataKeys(engine.store, [order.merchant.merchantId]);
  const answer = await decideSplit(engine, order);
  engine.observer.initiated('SPLIT_PAYMENT', answer.type);
  noteRefusal(engine, { ...order, kind: 'SPLIT_PAYMENT' }, answer);
  const key = splitKey(order);
  engine.tracer.record(initiationSpan(key, answer, since));
  // Its collection has a trace of its own; the payouts' begin when they do.
  if (answer.type === 'ACCEPTED')
    engine.tracer.record(initiationSpan({ ...key, kind: 'DEPOSIT' }, answer, since));
  return answer;
}

/** Refused on its merits, the order still takes its identifier first: a twin that is being committed is waited for. */
async function decideSplit(engine: Engine, order: SplitOrder): Promise<InitiationAnswer> {
  const plan = await planSplit(engine, order);
  try {
    const answer = await inTransaction(engine.store.database, (tx) => insert(engine, tx, { order, plan }));
    engine.wake();
    return answer;
  } catch (error) {
    if (!(error instanceof CommitLost)) throw error;
    const key = splitKey(order);
    return answerOfTaken(key, order.paymentNo, await readBack(engine, [key]));
  }
}

async function planSplit(engine: Engine, order: SplitOrder): Promise<Admissions | Refused> {
  const refusal = checkAllowed({ merchant: order.merchant, kind: 'SPLIT_PAYMENT' });
  if (refusal !== null) return refusal;
  const collection = await admitPart(engine, { ...order, kind: 'DEPOSIT' });
  if (collection.type !== 'ADMITTED') return collection;
  const payouts: Admitted[] = [];
  for (const part of order.parts) {
    const admission = await admitPart(engine, { ...order, ...part, kind: 'PAYOUT' });
    if (admission.type !== 'ADMITTED') return admission;
    payouts.push(admission);
  }
  const reason = checkParts(order, collection.fee, payouts);
  return reason === null ? { collection, payouts } : { type: 'REJECTED', reason };
}

export type Admissions = { readonly collection: Admitted; readonly payouts: readonly Admitted[] };

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

async function insert(
  engine: TimedStore,
  tx: Tx,
  { order, plan }: { readonly order: SplitOrder; readonly plan: Admissions | Refused },
): Promise<InitiationAnswer> {
  const split = splitKey(order);
  const { merchant, paymentNo, apiVersion, tokenId: _, ...asked } = order;
  const fingerprint = fingerprintOf(engine, merchant.merchantId, asked);
  const { note } = await lockOneMerchant(tx, merchant.merchantId);
  const now = await engine.clock.timeOf(tx);
  const own = { ...split, createdAt: now, paymentNo, fingerprint };
  if ((await insertPaymentKeys(tx, [own])).size === 0) {
    return answerOfTaken(split, paymentNo, await findTaken(tx, [split]));
  }
  if ('reason' in plan) {
    await deletePaymentKeys(tx, [own]);
    return plan;
  }
  const inner = innerKeys(order).map((key) => ({
    ...key,
    createdAt: now,
    paymentNo: drawPaymentNo(),
    fingerprint,
  }));
  const inserted = await insertPaymentKeys(tx, inner);
  const used = inner.find((key) => !inserted.has(key.paymentNo));
  if (used !== undefined) {
    await deletePaymentKeys(tx, [own, ...inner.filter((key) => inserted.has(key.paymentNo))]);
    return { type: 'REJECTED', reason: failureReason('DUPLICATE_IDENTIFIER', { id: used.paymentId }) };
  }
  const counted = await countSplit(engine, tx, { order, plan, now });
  if ('reason' in counted) {
    await deletePaymentKeys(tx, [own, ...inner]);
    return counted;
  }
  const { merchantId, paymentId: splitPaymentId } = split;
  const numberOf = (kind: PaymentKind, writtenId: string) => {
    const paymentId = canonicalIdentifier(writtenId);
    return inner.find((key) => key.kind === kind && key.paymentId === paymentId)?.paymentNo ?? '';
  };
  const parts = order.parts.map((part, index) => ({
    ...partOf(order, part, plan.payouts[index]),
    ...counted.parts[index],
    paymentNo: numberOf('PAYOUT', part.writtenId),
  }));
  await insertSplitPayment(tx, engine.store.keyring, {
    merchantId,
    splitPaymentId,
    writtenId: order.writtenId,
    apiVersion,
    createdAt: now,
    parts,
  });
  await ensureAccounts(tx, accountsOf(order, plan));
  const collection = {
    ...collectionOf(order, plan.collection, now),
    ...counted.collection,
    paymentNo: numberOf('DEPOSIT', order.writtenId),
  };
  await insertNewPayments(engine, tx, [collection], now);
  await note([own, ...inner]);
  return { type: 'ACCEPTED', createdAt: now };
}

/** Every account the split will ever touch, made now: when the money comes, wallets are locked and none is made. */
function accountsOf(order: SplitOrder, { collection, payouts }: Admissions): readonly Account[] {
  const { merchantId, walletPerProvider } = order.merchant;
  const { currency, provider, amount } = order;
  const place = { merchantId, currency, walletProvider: walletPerProvider ? provider : '' };
  // A fee of one makes the accounts of fees appear, whatever is charged.
  const settled = settleDeposit({
    ...place,
    country: collection.country,
    provider,
    amount: amount + 1n,
    fee: 1n,
  });
  const shared = order.parts.flatMap((part, index) => {
    const country = payouts[index]?.country ?? collection.country;
    const walletCountry = collection.country;
    return outgoing({
      ...place,
      country,
      walletCountry,
      provider: part.provider,
      amount: part.amount,
      fee: 1n,
    });
  });
  return [...settled, ...shared].flatMap(({ debit, credit }) => [debit, credit]);
}

function collectionOf(order: SplitOrder, admitted: Admitted, now: Date) {
  const { merchant, writtenId, apiVersion, amount, amountText, currency, provider, details } = order;
  const { customerMessage = defaultCustomerMessage(merchant.companyName) } = details;
  const paymentId = canonicalIdentifier(writtenId);
  return {
    ...firstStep(admitted, now),
    merchantId: merchant.merchantId,
    kind: 'DEPOSIT' as const,
    paymentId,
    splitPaymentId: paymentId,
    writtenId,
    apiVersion,
    amount,
    amountText,
    currency,
    provider,
    ...tokenOf(order),
    details: { ...details, customerMessage },
  };
}

function partOf(
  order: SplitOrder,
  part: SplitPartOrder,
  admitted: Admitted | undefined,
): Omit<SplitPart, 'paymentNo'> {
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
  return [collection, ...payouts].toSorted((a, b) => (paymentKeyText(a) < paymentKeyText(b) ? -1 : 1));
}
