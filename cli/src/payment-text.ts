// Payments and amounts as people read them.
import { parseAmount } from '@malipo/server/money';
import { renderMoney } from '@malipo/server/terminal/money';
import { renderRecord } from './table.ts';

/** The fields of a payment, its amount with the decimals of the currency. */
export function renderPayment(payment: object): string {
  const { amount, currency } = payment as { readonly amount?: string; readonly currency?: string };
  if (amount === undefined || currency === undefined) return renderRecord(payment);
  return renderRecord({ ...payment, amount: renderAmountText(amount, currency) });
}

/** An amount of the API with the decimals of its currency. */
export function renderAmountText(text: string, currency: string): string {
  const amount = parseAmount(text);
  return amount === null ? text : renderMoney(amount, currency);
}
