// Payments and amounts as people read them.
import { parseAmount } from '@malipo/server/money';
import { renderMoney } from '@malipo/server/terminal/money';
import { renderRecord } from './table.ts';

/** The fields of a payment, its amount with the decimals that money has in its country. */
export function renderPayment(payment: object): string {
  const { amount, currency, country } = payment as { readonly amount?: string } & Partial<MoneyPlace>;
  if (amount === undefined || currency === undefined) return renderRecord(payment);
  const place = { currency, ...(country !== undefined && { country }) };
  return renderRecord({ ...payment, amount: renderAmountText(amount, place) });
}

/** Where an amount of the API is. Without a country: in any where there is this currency. */
type MoneyPlace = { readonly currency: string; readonly country?: string; readonly provider?: string };

/** An amount of the API with the decimals that money has there. */
export function renderAmountText(text: string, place: MoneyPlace): string {
  const amount = parseAmount(text);
  return amount === null ? text : renderMoney(amount, place);
}
