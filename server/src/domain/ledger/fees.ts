// The fee of an operation for a merchant: a percentage and a fixed part; default: nothing.
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

/** Decimal places of a currency's smallest unit (ISO 4217). */
export function decimalsOf(currency: string): number {
  const known = knownDecimals.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2;
  knownDecimals.set(currency, decimals);
  return decimals;
}

/**
 * Cached, because creating a number format took a fifth of a simulated payment's time. There are fewer than 200
 * currencies.
 */
const knownDecimals = new Map<string, number>();
