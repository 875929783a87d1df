// What is wrong with a limit that somebody wants to set. One of what does not exist would count nothing, and its author
// would feel safe.
import { findCountry, findProvider, listProviders } from '../operators/catalogue.ts';
import type { Limit } from './limit.ts';

export type LimitFault =
  | 'NOTHING_LIMITED'
  | 'SUBJECT_NOT_ALLOWED'
  | 'PROVIDER_UNKNOWN'
  | 'COUNTRY_UNKNOWN'
  | 'CURRENCY_UNKNOWN'
  | 'CURRENCY_MISSING';

export function findLimitFault(limit: Omit<Limit, 'setBy' | 'kind' | 'period'>): LimitFault | null {
  const { countMax, amountMax, currency } = limit;
  if (countMax === null && amountMax === null) return 'NOTHING_LIMITED';
  if (amountMax !== null && currency === '') return 'CURRENCY_MISSING';
  return findKeyFault(limit);
}

/** The same of what a limit is called. */
export function findKeyFault({
  scope,
  subject,
  currency,
}: Pick<Limit, 'scope' | 'subject' | 'currency'>): LimitFault | null {
  if (currency !== '' && !isPaidIn(currency)) return 'CURRENCY_UNKNOWN';
  if (subject === '') return null;
  switch (scope) {
    case 'MERCHANT':
    case 'NUMBER':
      return 'SUBJECT_NOT_ALLOWED';
    case 'PROVIDER':
      return findProvider(subject) === null ? 'PROVIDER_UNKNOWN' : null;
    case 'COUNTRY':
      return findCountry(subject) === null ? 'COUNTRY_UNKNOWN' : null;
    case 'TOKEN':
      return null;
  }
}

function isPaidIn(currency: string): boolean {
  return listProviders().some(({ currencies }) => currencies.some((one) => one.currency === currency));
}
