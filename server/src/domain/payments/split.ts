// A split payment consists of a collection, and of payouts that start when the collection is COMPLETED.
import { isFinal } from './lifecycle.ts';
import type { PaymentState } from './payment.ts';

export type SplitStatus =
  | 'ACCEPTED'
  | 'PROCESSING'
  | 'IN_RECONCILIATION'
  | 'COMPLETED'
  /** The money was collected, and at least one part could not be paid out. */
  | 'PAYOUT_FAILED'
  | 'FAILED';

/** `payouts` are the states of the parts; null for a part that has not started. */
export function splitStatus(deposit: PaymentState, payouts: readonly (PaymentState | null)[]): SplitStatus {
  switch (deposit) {
    case 'ACCEPTED':
    case 'ENQUEUED':
      return 'ACCEPTED';
    case 'PROCESSING':
    case 'IN_RECONCILIATION':
    case 'FAILED':
      return deposit;
    case 'COMPLETED':
      return statusOfPayouts(payouts);
  }
}

export function isSplitFinal(status: SplitStatus): boolean {
  return status === 'COMPLETED' || status === 'PAYOUT_FAILED' || status === 'FAILED';
}

function statusOfPayouts(payouts: readonly (PaymentState | null)[]): SplitStatus {
  if (payouts.some((state) => state === 'IN_RECONCILIATION')) return 'IN_RECONCILIATION';
  if (payouts.some((state) => state === null || !isFinal(state))) return 'PROCESSING';
  return payouts.some((state) => state === 'FAILED') ? 'PAYOUT_FAILED' : 'COMPLETED';
}
