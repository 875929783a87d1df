// Split payments: a collection, and payouts that begin in the transaction that completes it.
import type { PaymentState } from '../../src/domain/payments/payment.ts';
import type { Merchant } from '../../src/store/merchants/merchants.ts';
import type { SplitPayment } from '../../src/store/payments/split-payments.ts';
import { announce, type Deliveries } from './callbacks.ts';
import { demand } from './violation.ts';
import type { Kept, World } from './world.ts';

export type Split = Pick<SplitPayment, 'merchantId' | 'splitPaymentId' | 'apiVersion' | 'parts'> & {
  readonly merchant: Merchant;
  collection: Kept | null;
  readonly payouts: Kept[];
  readonly callbacks: Deliveries;
};

/** `ended` has become final in this transaction. */
export function advanceSplit(world: World, split: Split, ended: Kept): void {
  const { kind, state } = ended.payment;
  if (kind === 'DEPOSIT' && state === 'COMPLETED') beginPayouts(world, split, ended);
  announceIfEnded(world, split);
}

/** The states of the parts; null for one that has not begun. */
export function payoutStates(split: Split): readonly (PaymentState | null)[] {
  return split.parts.map((_, index) => split.payouts[index]?.payment.state ?? null);
}

function beginPayouts(world: World, split: Split, collection: Kept): void {
  demand(split.payouts.length === 0, 'the shares of a split begin once', collection);
  const walletProvider = world.walletProviderOf(collection);
  for (const part of split.parts) {
    const payout = world.rules.payoutOf(split, part, collection.payment, {
      now: world.now(),
      sendAt: world.now(),
    });
    world.books.hold(world.rules.holdOf(payout, walletProvider, collection.payment.country));
    split.payouts.push(world.insert(payout, split.merchant, split));
  }
}

function announceIfEnded(world: World, split: Split): void {
  const { collection } = split;
  if (split.callbacks.announced > 0 || collection === null) return;
  const states = payoutStates(split);
  const announced = world.rules.splitEndOf(collection.payment.state, states);
  if (announced === null) return;
  const isInProgress = states.some((state) => state !== 'COMPLETED' && state !== 'FAILED');
  demand(
    collection.payment.state === 'FAILED' || !isInProgress,
    'a split is announced when its last share has ended',
    collection,
  );
  announce(world, split.callbacks);
}
