// What a payment's end means for the split payment it is a part of, in the transaction that ends it: a completed
// collection begins every payout and holds its funds; the last part to end announces the whole.
import { insertCallbacks } from '../../../store/callbacks/callbacks.ts';
import { queueEvent } from '../../../store/events/event-queue.ts';
import { statusNoOf } from '../../../domain/event-status.ts';
import type { Tx } from '../../../store/database.ts';
import { book } from '../../../store/ledger/ledger.ts';
import { noteChanges } from '../../../store/cells/migration-locks.ts';
import { creditsOf } from '../../../store/ledger/receivables.ts';
import { accountId } from '../../../store/ledger/wallet-funds.ts';
import { deletePaymentKeys } from '../../../store/payments/payment-keys.ts';
import type { StoredPayment } from '../../../store/payments/payments.ts';
import {
  listSplitStates,
  lockSplitPayment,
  markSplitAnnounced,
  type SplitPayment,
} from '../../../store/payments/split-payments.ts';
import { holdOf, settlementOf, walletOf } from '../payment-postings.ts';
import type { StorePart } from '../../engine.ts';
import { insertNewPayments } from '../insert-payments.ts';
import { payoutOf, splitEndOf } from './split-payouts.ts';

type SplitFacts = {
  readonly now: Date;
  readonly walletProviderOf: (payment: StoredPayment) => string;
  /** When the payouts of a completed collection are sent. */
  readonly sendAtOf: (collection: StoredPayment) => Date;
};

/** `ended` are payments that became final now. Answers the payouts that begin by it. */
export async function advanceSplits(
  engine: StorePart,
  tx: Tx,
  ended: readonly StoredPayment[],
  facts: SplitFacts,
): Promise<readonly StoredPayment[]> {
  const begun: StoredPayment[] = [];
  for (const payment of ended) {
    const { merchantId, splitPaymentId } = payment;
    if (splitPaymentId === undefined) continue;
    const split = await lockSplitPayment(tx, engine.store.keyring, { merchantId, splitPaymentId });
    if (split === null) throw new Error(`split payment ${splitPaymentId} is missing`);
    if (payment.kind === 'DEPOSIT' && payment.state === 'COMPLETED') {
      begun.push(...(await beginPayouts(engine, tx, split, { ...facts, collection: payment })));
    }
    if (payment.kind === 'DEPOSIT' && payment.state === 'FAILED') await freeIdentifiers(tx, split);
    await announceIfEnded(tx, split, facts.now);
  }
  return begun;
}

async function beginPayouts(
  engine: StorePart,
  tx: Tx,
  split: SplitPayment,
  facts: SplitFacts & { readonly collection: StoredPayment },
): Promise<readonly StoredPayment[]> {
  const { now, collection } = facts;
  const times = { now, sendAt: facts.sendAtOf(collection) };
  // The shares come out of the wallet the collection went into, whatever the provider of each payout.
  const walletProvider = facts.walletProviderOf(collection);
  const walletId = accountId(walletOf(collection, walletProvider));
  const payouts = split.parts.map((part) => ({ ...payoutOf(split, part, collection, times), walletId }));
  const holds = payouts.map((payout) => holdOf(payout, walletProvider, collection.country));
  // The accounts were made when the split was accepted.
  const legs = holds.flatMap((hold) => hold.legs);
  const shared = legs.reduce((sum, { amount }) => sum + amount, 0n);
  const left = creditsOf({ ...settlementOf(collection, walletProvider), isKeptWhole: false });
  const credits = left.map((credit) => ({ ...credit, amount: credit.amount - shared }));
  // What is left of a manually COMPLETED collection is held for as long as its payouts wait.
  const isHeld = times.sendAt > now;
  await book(tx, { held: holds, credits: isHeld ? [] : credits }, now);
  await insertNewPayments(engine, tx, payouts, now);
  return payouts;
}

/** Nothing was collected: the payouts never were, and their identifiers are free for others. */
async function freeIdentifiers(tx: Tx, { merchantId, parts }: SplitPayment): Promise<void> {
  const keys = parts.map(({ payoutId }) => ({ merchantId, kind: 'PAYOUT', paymentId: payoutId }) as const);
  await deletePaymentKeys(tx, keys);
  await noteChanges(tx, keys);
}

async function announceIfEnded(tx: Tx, split: SplitPayment, now: Date): Promise<void> {
  if (split.isAnnounced) return;
  const states = await listSplitStates(tx, split);
  const deposit = states.find(({ kind }) => kind === 'DEPOSIT')?.state ?? 'ACCEPTED';
  const payouts = split.parts.map(
    ({ payoutId }) => states.find(({ paymentId }) => paymentId === payoutId)?.state ?? null,
  );
  const status = splitEndOf(deposit, payouts);
  if (status === null) return;
  // As that of a payment.
  const announcedState = status === 'COMPLETED' ? 'COMPLETED' : 'FAILED';
  const { merchantId, splitPaymentId: paymentId } = split;
  await insertCallbacks(tx, [
    { merchantId, kind: 'SPLIT_PAYMENT', paymentId, subjectId: paymentId, announcedState, createdAt: now },
  ]);
  await markSplitAnnounced(tx, split, now);
  await queueEvent(tx, 'S', { merchantId, subjectId: paymentId, no: statusNoOf(status) });
}
