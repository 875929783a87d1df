// The payouts a completed collection begins, and how a split payment is announced. Pure.
import { parseAmount } from '../../../domain/money.ts';
import type { PaymentState } from '../../../domain/payments/payment.ts';
import { isSplitFinal, splitStatus, type SplitStatus } from '../../../domain/payments/split.ts';
import type { StoredPayment } from '../../../store/payments/payments.ts';
import type { SplitPart, SplitPayment } from '../../../store/payments/split-payments.ts';
import { firstStep, tokenOf } from '../payment-request.ts';

export function payoutOf(
  split: Pick<SplitPayment, 'merchantId' | 'splitPaymentId' | 'apiVersion'>,
  part: SplitPart,
  collection: Pick<StoredPayment, 'currency' | 'tokenId'>,
  { now, sendAt }: { readonly now: Date; readonly sendAt: Date },
): StoredPayment {
  const { merchantId, splitPaymentId, apiVersion } = split;
  const { payoutId, paymentNo, writtenId, amountText, provider, connector, details, countedIn } = part;
  const admitted = {
    type: 'ADMITTED',
    country: part.country,
    connector,
    fee: exact(part.feeText),
    state: 'ACCEPTED',
  } as const;
  return {
    ...firstStep(admitted, now),
    nextActionAt: sendAt,
    merchantId,
    kind: 'PAYOUT',
    paymentId: payoutId,
    paymentNo,
    splitPaymentId,
    writtenId,
    apiVersion,
    amount: exact(amountText),
    amountText,
    currency: collection.currency,
    provider,
    ...tokenOf(collection),
    ...(countedIn !== undefined && { countedIn }),
    details,
  };
}

/** What the payouts of a split payment count in limits. */
export function countsOf({ parts }: Pick<SplitPayment, 'parts'>) {
  return parts.map(({ amountText, countedIn }) => ({ amount: exact(amountText), countedIn }));
}

/** With which status a split has ended, or null while a part is still in progress; null in `payouts` has not begun. */
export function splitEndOf(
  deposit: PaymentState,
  payouts: readonly (PaymentState | null)[],
): SplitStatus | null {
  const status = splitStatus(deposit, payouts);
  return isSplitFinal(status) ? status : null;
}

/** The texts were accepted as amounts once. */
function exact(text: string): bigint {
  const amount = parseAmount(text);
  if (amount === null) throw new Error(`${text} is not an amount`);
  return amount;
}
