// Of two payments in two cells with one transaction of their operator: which of them has it rightly, as far as we know.
import { paymentKeyText } from '../../../domain/payments/payment.ts';
import type { TransactionClaim } from '../../../store/payments/attempts.ts';
import type { TransactionConflict } from '../../../store/payments/transaction-conflicts.ts';

/** A claim, and the cell that it was made in. */
export type CellClaim = { readonly cell: string; readonly claim: TransactionClaim };

export type FoundConflict = Omit<TransactionConflict, 'foundAt'>;

/**
 * The conflict of the payment that claimed the transaction later, or at the same time in the higher cell. Null where
 * both claims are of one payment, which has moved.
 */
export function conflictBetween(one: CellClaim, other: CellClaim): FoundConflict | null {
  if (paymentKeyText(one.claim) === paymentKeyText(other.claim)) return null;
  const [first, later] = isLater(one, other) ? [other, one] : [one, other];
  const { merchantId, kind, paymentId, provider, providerTransactionId } = later.claim;
  const owner = {
    merchantId: first.claim.merchantId,
    kind: first.claim.kind,
    paymentId: first.claim.paymentId,
    cell: first.cell,
    claimedAt: first.claim.claimedAt.toISOString(),
  };
  return { merchantId, kind, paymentId, provider, providerTransactionId, owner };
}

function isLater(one: CellClaim, other: CellClaim): boolean {
  const byTime = one.claim.claimedAt.getTime() - other.claim.claimedAt.getTime();
  return byTime === 0 ? one.cell > other.cell : byTime > 0;
}
