// The deposit that a payer starts on a hosted page, as an order of the merchant.
import { canonicalIdentifier } from '../../domain/identifier.ts';
import type { Amount } from '../../domain/money.ts';
import { drawPaymentNo } from '../../store/timed-uuid.ts';
import type { Engine } from '../engine.ts';
import type { DirectOrder } from '../payments/payment-request.ts';
import { attemptDepositId } from './page-code.ts';
import type { HostedPage } from './read-page.ts';

export type PayersChoice = {
  readonly provider: string;
  readonly currency: string;
  readonly phoneNumber: string;
  readonly amount: Amount;
  readonly amountText: string;
  readonly preAuthorisationCode?: string;
  /** Where an operator with a page of its own sends the payer back to. */
  readonly backUrl?: string;
};

/**
 * The payment page's deposit has the merchant's identifier, a checkout's attempt one that follows from its number: of
 * forms that are sent twice, whatever the reason, all have the same, and one becomes a deposit.
 */
export function orderPagePayment(
  engine: Pick<Engine, 'referenceKey'>,
  page: HostedPage,
  choice: PayersChoice & { readonly attemptNo: number },
): DirectOrder {
  const { merchant, apiVersion, checkout } = page;
  const { backUrl, preAuthorisationCode, attemptNo } = choice;
  const { provider, currency, amount, amountText } = choice;
  return {
    kind: 'DEPOSIT',
    paymentNo: drawPaymentNo(),
    merchant,
    apiVersion,
    writtenId:
      checkout === null ? page.writtenId : attemptDepositId(engine.referenceKey, checkout, attemptNo),
    provider,
    currency,
    amount,
    amountText,
    ...(checkout !== null && {
      attemptOf: { checkoutId: canonicalIdentifier(checkout.checkoutId), attemptNo },
    }),
    details: {
      ...page.order.details,
      phoneNumber: choice.phoneNumber,
      isFromPage: true,
      ...(preAuthorisationCode !== undefined && { preAuthorisationCode }),
      ...(backUrl !== undefined && { successfulUrl: backUrl, failedUrl: backUrl }),
    },
  };
}
