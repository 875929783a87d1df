// Whether the shares of a split payment fit its collection. Pure.
import { failureReason, type FailureReason } from '../../../domain/failure.ts';
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import { renderAmount, type Amount } from '../../../domain/money.ts';
import type { Admitted } from '../admit.ts';

export type SplitWish = {
  readonly amount: Amount;
  readonly amountText: string;
  readonly currency: string;
  readonly provider: string;
  readonly parts: readonly {
    readonly writtenId: string;
    readonly amount: Amount;
    readonly currency: string;
  }[];
};

/** One currency, distinct identifiers, and no more shared out than comes in. */
export function checkParts(
  order: SplitWish,
  collectionFee: Amount,
  payouts: readonly Pick<Admitted, 'fee'>[],
): FailureReason | null {
  const { currency, provider } = order;
  if (order.parts.some((part) => part.currency !== currency))
    return failureReason('INVALID_CURRENCY', { currency, provider });
  const ids = order.parts.map(({ writtenId }) => canonicalIdentifier(writtenId));
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) return failureReason('DUPLICATE_IDENTIFIER', { id: repeated });
  const shares = order.parts.reduce((sum, { amount }) => sum + amount, 0n);
  const needed = payouts.reduce((sum, { fee }) => sum + fee, shares + collectionFee);
  if (needed <= order.amount) return null;
  return failureReason('PAYOUT_EXCEEDS_DEPOSIT', {
    needed: renderAmount(needed),
    amount: order.amountText,
    currency,
  });
}
