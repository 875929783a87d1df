// How many decimal places money has, by where it is. What operators take counts, and not what ISO 4217 says of the
// currency: MTN Uganda and Airtel Gabon move hundredths of currencies that officially have none.
import { findProvider, listProviders } from '../operators/catalogue.ts';
import type { Amount } from '../money.ts';

/** A wallet, or as much as is known of where money is. */
export type MoneyPlace = {
  readonly currency: string;
  /** Left out where money of several countries is added up. */
  readonly country?: string;
  /** The provider of a wallet that is kept for one alone. Empty or left out: all providers of the country. */
  readonly provider?: string;
};

/**
 * The most decimal places that any of the place's providers takes. Fees are rounded to them, so that whatever comes
 * into a wallet can leave it again. Where no provider has the currency, ISO 4217 says how many there are.
 */
export function decimalsOf({ currency, country, provider = '' }: MoneyPlace): number {
  const where = country ?? findProvider(provider)?.country ?? '';
  return mostDecimals.get(nameOf(currency, where, provider)) ?? officialDecimalsOf(currency);
}

/** Whether the amount has no more decimal places than that, however many were written. */
export function fitsDecimals(amount: Amount, decimals: number): boolean {
  return amount % 10n ** BigInt(SCALE - decimals) === 0n;
}

/** Decimal places of every amount in code. */
const SCALE = 4;

/** By currency, by country too, and by provider too. */
const mostDecimals = new Map<string, number>();

for (const { code, country, currencies } of listProviders()) {
  for (const { currency, operations } of currencies) {
    const decimals = Math.max(0, ...Object.values(operations).map((limits) => limits.decimals));
    for (const name of [
      nameOf(currency, '', ''),
      nameOf(currency, country, ''),
      nameOf(currency, country, code),
    ]) {
      mostDecimals.set(name, Math.max(decimals, mostDecimals.get(name) ?? 0));
    }
  }
}

function nameOf(currency: string, country: string, provider: string): string {
  return `${currency} ${country} ${provider}`;
}

function officialDecimalsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
