// Of two payments in two cells with one transaction of their operator: which of them has it rightly, as far as we know.
import { paymentKeyText, type PaymentKind } from '../../../domain/payments/payment.ts';
import type { TransactionClaim } from '../../../store/payments/attempts.ts';
import type { TransactionUse } from '../../../store/payments/transaction-uses.ts';
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
  const { merchantId, kind, paymentId, claimedAt } = first.claim;
  return ofLater(later.claim, { merchantId, kind, paymentId, cell: first.cell, claimedAt });
}

/**
 * The same with whoever has the transaction in the other cell. Where that is a case or a movement of the float, people
 * have counted the money there, or are about to: the payment that its operator has completed gets the case.
 */
export function conflictWithUse(
  own: CellClaim,
  { cell, use }: { readonly cell: string; readonly use: TransactionUse },
): FoundConflict | null {
  const { merchantId, kind, paymentId, usedAt: claimedAt } = use;
  if (use.ownedBy !== 'PAYMENT') return ofLater(own.claim, { merchantId, kind, paymentId, cell, claimedAt });
  const claim = { ...own.claim, merchantId, kind: kind as PaymentKind, paymentId, claimedAt };
  return conflictBetween(own, { cell, claim });
}

function ofLater(
  { merchantId, kind, paymentId, provider, providerTransactionId }: TransactionClaim,
  { claimedAt, ...first }: Omit<TransactionConflict['owner'], 'claimedAt'> & { readonly claimedAt: Date },
): FoundConflict {
  const owner = { ...first, claimedAt: claimedAt.toISOString() };
  return { merchantId, kind, paymentId, provider, providerTransactionId, owner };
}

function isLater(one: CellClaim, other: CellClaim): boolean {
  const byTime = one.claim.claimedAt.getTime() - other.claim.claimedAt.getTime();
  return byTime === 0 ? one.cell > other.cell : byTime > 0;
}
