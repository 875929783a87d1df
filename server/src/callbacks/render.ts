// The body of a callback: the payment's record, in the words of the generation that started it.
import { findProvider } from '../domain/catalogue.ts';
import type { Payment, PaymentState } from '../domain/payment.ts';
import { renderDeposit } from '../wire/v2/deposit-record.ts';

/** `announcedState` is the state the callback is about; the payment may have moved on since. */
export function renderCallback(payment: Payment, announcedState: PaymentState): string {
  const announced = { ...payment, state: announcedState };
  return JSON.stringify(renderDeposit(announced, findProvider(payment.provider)?.authType ?? null));
}
