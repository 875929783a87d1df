// The body of a callback: the payment's record, in the words of the generation that started it.
import { findProvider } from '../domain/catalogue.ts';
import type { Payment, PaymentState } from '../domain/payment.ts';
import { renderDeposit } from '../wire/v2/deposit-record.ts';
import { renderPayout } from '../wire/v2/payout-record.ts';
import { renderRefund } from '../wire/v2/refund-record.ts';
import { renderRemittance } from '../wire/v2/remittance-record.ts';

/** `announcedState` is the state the callback is about; the payment may have moved on since. */
export function renderCallback(payment: Payment, announcedState: PaymentState): string {
  return JSON.stringify(renderRecord({ ...payment, state: announcedState }));
}

function renderRecord(payment: Payment): object {
  switch (payment.kind) {
    case 'DEPOSIT':
      return renderDeposit(payment, findProvider(payment.provider)?.authType ?? null);
    case 'PAYOUT':
      return renderPayout(payment);
    case 'REFUND':
      return renderRefund(payment);
    case 'REMITTANCE':
      return renderRemittance(payment);
  }
}
