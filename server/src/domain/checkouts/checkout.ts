// A checkout: a payer has a limited time to pay, with several attempts, of which one can succeed. Each attempt is a
// deposit. Here is decided what its start and end mean for the checkout.
import type { PaymentState } from '../payments/payment.ts';

export const CHECKOUT_STATUSES = [
  'WAITING_PAYMENT',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
] as const;
export type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number];

export type CheckoutEvent =
  | { readonly type: 'ATTEMPT_STARTED' }
  | { readonly type: 'ATTEMPT_ENDED'; readonly state: PaymentState }
  | { readonly type: 'TIME_PASSED' }
  | { readonly type: 'EXPIRED_BY_MERCHANT' }
  | { readonly type: 'CANCELLED_BY_PAYER' };

/** How many minutes a checkout can be open: minimum, maximum and default. */
export const CHECKOUT_MINUTES = { min: 3, max: 60, default: 15 } as const;

/** More than a payer with a wrong PIN and two providers needs. */
export const CHECKOUT_ATTEMPTS_MAX = 10;

export const RETURN_METHODS = ['INSTANT', 'COUNTDOWN', 'CUSTOMER_ACTION'] as const;
export type ReturnMethod = (typeof RETURN_METHODS)[number];

export function isCheckoutFinal(status: CheckoutStatus): boolean {
  return status !== 'WAITING_PAYMENT' && status !== 'PROCESSING';
}

/** The next status, or null if the event does not apply. `isOver`: the time has run out. */
export function nextCheckoutStatus(
  status: CheckoutStatus,
  event: CheckoutEvent,
  { isOver }: { readonly isOver: boolean },
): CheckoutStatus | null {
  switch (status) {
    case 'WAITING_PAYMENT':
      return afterWaiting(event, isOver);
    case 'PROCESSING':
      return event.type === 'ATTEMPT_ENDED' ? afterAttempt(event.state, isOver) : null;
    case 'COMPLETED':
    case 'FAILED':
    case 'EXPIRED':
    case 'CANCELLED':
      return null;
  }
}

function afterWaiting(event: CheckoutEvent, isOver: boolean): CheckoutStatus | null {
  switch (event.type) {
    case 'ATTEMPT_STARTED':
      return isOver ? null : 'PROCESSING';
    case 'TIME_PASSED':
      return isOver ? 'EXPIRED' : null;
    case 'EXPIRED_BY_MERCHANT':
      return 'EXPIRED';
    case 'CANCELLED_BY_PAYER':
      return 'CANCELLED';
    case 'ATTEMPT_ENDED':
      return null;
  }
}

/** An attempt in progress at the end of the time may finish; if it fails, there is no other. */
function afterAttempt(state: PaymentState, isOver: boolean): CheckoutStatus | null {
  if (state === 'COMPLETED') return 'COMPLETED';
  if (state !== 'FAILED') return null;
  return isOver ? 'FAILED' : 'WAITING_PAYMENT';
}
