// Ends checkouts without a payment: the payer cancels, the merchant expires, or the time is over. An attempt that is
// in progress is never cut off; it ends the checkout itself.
import type { CheckoutEvent, CheckoutStatus } from '../../domain/checkouts/checkout.ts';
import type { OperationKey } from '../../domain/payments/payment.ts';
import {
  listAttempts,
  listCheckoutsToEnd,
  lockCheckouts,
  type Checkout,
  type CheckoutKey,
} from '../../store/checkouts/checkouts.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import type { Engine } from '../engine.ts';
import { lockForWriting, inMerchant, type LockedMerchants } from '../cells/lock-merchant.ts';
import { moveCheckout } from '../payments/process/move-checkouts.ts';

export type EndAnswer =
  | { readonly type: 'ENDED'; readonly checkout: Checkout; readonly endedAt: Date }
  /** An attempt runs, or the checkout had ended before. */
  | { readonly type: 'NOT_NOW'; readonly status: CheckoutStatus }
  | { readonly type: 'NOT_FOUND' };

export async function endCheckout(
  engine: Engine,
  key: CheckoutKey,
  event: CheckoutEvent & { readonly type: 'EXPIRED_BY_MERCHANT' | 'CANCELLED_BY_PAYER' },
): Promise<EndAnswer> {
  const { merchantId } = key;
  const work = async (tx: Tx, { note }: LockedMerchants): Promise<EndAnswer> => {
    const [checkout] = await lockCheckouts(tx, [key]);
    if (checkout === undefined) return { type: 'NOT_FOUND' };
    const endedAt = await engine.clock.timeOf(tx);
    const status = await moveCheckout(tx, checkout, event, endedAt);
    if (status === null) return { type: 'NOT_NOW', status: checkout.status };
    await note([operationKeyOf(key)]);
    return { type: 'ENDED', checkout, endedAt };
  };
  const answer = await inMerchant(engine.store.database, merchantId, work);
  if (answer.type === 'ENDED') engine.wake();
  return answer;
}

/** Ends those whose time is over. Answers how many. */
export async function endOverdueCheckouts(
  engine: Engine,
  { countMax }: { readonly countMax: number },
): Promise<number> {
  const { database } = engine.store;
  const overdue = await listCheckoutsToEnd(database, { before: engine.clock.now(), countMax });
  if (overdue.length === 0) return 0;
  const ended = await inTransaction(database, async (tx) => {
    const { away, note } = await lockForWriting(
      tx,
      overdue.map(({ merchantId }) => merchantId),
    );
    const here = overdue.filter(({ merchantId }) => !away.has(merchantId));
    const now = await engine.clock.timeOf(tx);
    let count = 0;
    for (const checkout of await lockCheckouts(tx, here)) {
      const event = checkout.expiresAt > now ? null : await eventOf(tx, checkout);
      if (event !== null && (await moveCheckout(tx, checkout, event, now)) !== null) count += 1;
    }
    await note(here.map(operationKeyOf));
    return count;
  });
  if (ended > 0) engine.wake();
  return ended;
}

/** By which its callbacks are noted where the merchant is being copied. */
function operationKeyOf({ merchantId, checkoutId: paymentId }: CheckoutKey): OperationKey {
  return { merchantId, kind: 'CHECKOUT', paymentId };
}

/** Under the lock: an attempt may have begun or ended since the checkout was found. */
async function eventOf(tx: Tx, checkout: Checkout): Promise<CheckoutEvent | null> {
  if (checkout.status === 'WAITING_PAYMENT') return { type: 'TIME_PASSED' };
  const states = (await listAttempts(tx, [checkout])).map(({ state }) => state);
  if (states.includes('COMPLETED')) return { type: 'ATTEMPT_ENDED', state: 'COMPLETED' };
  return states.every((state) => state === 'FAILED') ? { type: 'ATTEMPT_ENDED', state: 'FAILED' } : null;
}
