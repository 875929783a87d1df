// What events mean for checkouts, in the transaction of whatever caused them: the status, and with a final one the
// callback. Checkouts are locked after payments and wallets, in the order of their keys.
import {
  isCheckoutFinal,
  nextCheckoutStatus,
  type CheckoutEvent,
  type CheckoutStatus,
} from '../../../domain/checkouts/checkout.ts';
import { insertCallbacks } from '../../../store/callbacks/callbacks.ts';
import {
  lockCheckouts,
  setCheckoutStatus,
  type Checkout,
  type CheckoutKey,
} from '../../../store/checkouts/checkouts.ts';
import type { Tx } from '../../../store/database.ts';
import { queueEvent } from '../../../store/events/event-queue.ts';
import type { StoredPayment } from '../../../store/payments/payments.ts';
import { statusNoOf } from '../../../domain/event-status.ts';

/** `ended` are payments that became final now. */
export async function advanceCheckouts(tx: Tx, ended: readonly StoredPayment[], now: Date): Promise<void> {
  const attempts = ended.flatMap(({ merchantId, checkoutId, state }) =>
    checkoutId === undefined ? [] : [{ merchantId, checkoutId, state }],
  );
  const states = new Map(attempts.map((attempt) => [nameOf(attempt), attempt.state]));
  for (const checkout of await lockCheckouts(tx, attempts)) {
    const state = states.get(nameOf(checkout));
    if (state !== undefined) await moveCheckout(tx, checkout, { type: 'ATTEMPT_ENDED', state }, now);
  }
}

/** Of a checkout whose lock is held. Answers the new status, or null when the event is not for it. */
export async function moveCheckout(
  tx: Tx,
  checkout: Checkout,
  event: CheckoutEvent,
  now: Date,
): Promise<CheckoutStatus | null> {
  const status = nextCheckoutStatus(checkout.status, event, { isOver: now >= checkout.expiresAt });
  if (status === null) return null;
  const isFinal = isCheckoutFinal(status);
  await setCheckoutStatus(tx, checkout, { status, endedAt: isFinal ? now : null });
  if (!isFinal) return status;
  const { merchantId, checkoutId: paymentId } = checkout;
  const announcedState = status === 'COMPLETED' ? 'COMPLETED' : 'FAILED';
  const about = { merchantId, kind: 'CHECKOUT', paymentId, subjectId: paymentId } as const;
  await insertCallbacks(tx, [{ ...about, announcedState, createdAt: now }]);
  await queueEvent(tx, 'C', { merchantId, subjectId: paymentId, no: statusNoOf(status) });
  return status;
}

export function nameOf({ merchantId, checkoutId }: CheckoutKey): string {
  return `${merchantId}/${checkoutId}`;
}
