// The event of a deposit that could not be sent in time. Pure.
import type { PaymentEvent } from '../../../domain/payments/lifecycle.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { isAwaited, isFromBefore, type Recovery } from '../../../domain/recovery.ts';
import { isUnsent, type Attempt } from '../../../store/payments/attempts.ts';

/** A payer who is asked for a PIN later than this has gone. */
export const DEPOSIT_SENT_WITHIN_MS = 120_000;

/**
 * Whether a deposit has waited too long to be sent. After a restore nothing is concluded from an attempt that is not
 * there: it may have been lost, with the payment's end.
 */
export function isExpired(
  { payment, attempt }: { readonly payment: Payment; readonly attempt: Attempt | null },
  { recovery, now }: { readonly recovery: Recovery | null; readonly now: Date },
): boolean {
  const { kind, createdAt, provider } = payment;
  const isLate = now.getTime() - createdAt.getTime() >= DEPOSIT_SENT_WITHIN_MS;
  const mayBeLost = isFromBefore(recovery, payment) || isAwaited(recovery, provider);
  return kind === 'DEPOSIT' && isLate && !mayBeLost && isUnsent(attempt);
}

/** A claim that comes too late for the payer ends the deposit instead. */
export function expiredEvent(
  event: PaymentEvent,
  waiting: Parameters<typeof isExpired>[0],
  facts: Parameters<typeof isExpired>[1],
): PaymentEvent {
  return event.type === 'SUBMIT_CLAIMED' && isExpired(waiting, facts) ? { type: 'SUBMIT_EXPIRED' } : event;
}
