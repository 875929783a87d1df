// What an operation costs a merchant: a share of the amount and a fixed part, by default nothing.
import { shareOf, type Amount } from '../money.ts';

export type Fee = { readonly basisPoints: number; readonly fixed: Amount };

export const NO_FEE: Fee = { basisPoints: 0, fixed: 0n };

/** The fee for an amount, rounded half-even to the currency's smallest unit. */
export function quoteFee(
  fee: Fee,
  { amount, currency }: { readonly amount: Amount; readonly currency: string },
): Amount {
  const share = shareOf(amount, { basisPoints: BigInt(fee.basisPoints), decimals: decimalsOf(currency) });
  return share + fee.fixed;
}

/** Decimal places of a currency's smallest unit, as ISO 4217 has them. */
export function decimalsOf(currency: string): number {
  const known = knownDecimals.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2;
  knownDecimals.set(currency, decimals);
  return decimals;
}

/** Kept because making a format took a fifth of a simulated payment's time. There are fewer than 200 currencies. */
const knownDecimals = new Map<string, number>();
