// Amounts as people read them.
import { decimalsOf } from '../../domain/ledger/fees.ts';
import { decimalsWritten, renderAmount, type Amount } from '../../domain/money.ts';

/** With the decimals of the currency: "12.50" in KES, "100" in RWF. Further decimals are kept. */
export function renderMoney(amount: Amount, currency: string): string {
  const text = renderAmount(amount);
  const lacking = decimalsOf(currency) - decimalsWritten(text);
  if (lacking <= 0) return text;
  return `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(lacking)}`;
}
