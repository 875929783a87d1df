// Amounts as people read them.
import { decimalsOf, type MoneyPlace } from '../../domain/ledger/decimals.ts';
import { decimalsWritten, renderAmount, type Amount } from '../../domain/money.ts';

/** With the decimals that money has there: "12.50" in KES, "100" in RWF. Further decimals are kept. */
export function renderMoney(amount: Amount, place: MoneyPlace): string {
  const text = renderAmount(amount);
  const lacking = decimalsOf(place) - decimalsWritten(text);
  if (lacking <= 0) return text;
  return `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(lacking)}`;
}
