// The body of a callback: the payment's record, in the format of the API version that started it.
import { findProvider } from '../domain/operators/catalogue.ts';
import type { ApiVersion, Payment, PaymentKind, PaymentState } from '../domain/payments/payment.ts';
import { renderDeposit as renderEarlierDeposit } from '../wire/v1/payments/deposit-record.ts';
import { renderPayout as renderEarlierPayout } from '../wire/v1/payments/payout-record.ts';
import { renderRefund as renderEarlierRefund } from '../wire/v1/payments/refund-record.ts';
import { renderDeposit } from '../wire/v2/payments/deposit-record.ts';
import { renderPayout } from '../wire/v2/payments/payout-record.ts';
import { renderRefund } from '../wire/v2/payments/refund-record.ts';
import { renderRemittance } from '../wire/v2/payments/remittance-record.ts';

/** `announcedState` is the state that the callback reports; the payment may have changed since. */
export function renderCallback(payment: Payment, announcedState: PaymentState): string {
  return JSON.stringify(renderRecord({ ...payment, state: announcedState }));
}

type Renderers = Readonly<Record<PaymentKind, (payment: Payment) => object>>;

const RENDERERS: Readonly<Record<ApiVersion, Renderers>> = {
  v1: {
    DEPOSIT: renderEarlierDeposit,
    PAYOUT: renderEarlierPayout,
    REFUND: renderEarlierRefund,
    // API v1 has no remittances.
    REMITTANCE: renderRemittance,
  },
  v2: {
    DEPOSIT: (deposit) => renderDeposit(deposit, findProvider(deposit.provider)?.authType ?? null),
    PAYOUT: renderPayout,
    REFUND: renderRefund,
    REMITTANCE: renderRemittance,
  },
};

function renderRecord(payment: Payment): object {
  return RENDERERS[payment.apiVersion][payment.kind](payment);
}
