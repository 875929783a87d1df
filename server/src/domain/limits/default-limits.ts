// What holds for every merchant without being set: how much one API token may send out in a day, so that one that was
// stolen cannot empty a wallet, and which large payments people look at first. What the platform sets for a merchant
// replaces the one with the same name.
import { listProviders } from '../operators/catalogue.ts';
import type { Amount } from '../money.ts';
import { OUTGOING_KINDS } from './freeze.ts';
import { limitName, type Limit } from './limit.ts';

export type CurrencyAmounts = ReadonlyMap<string, Amount>;

/** By currency. Each kind of outgoing payment is counted apart. */
export type TokenLimits = CurrencyAmounts;

/**
 * In production: as much as this many of the largest payments that an operator takes. Small enough that a theft is
 * bounded, and enough for a shop; who pays wages by the API gets a higher limit from two people.
 */
const LARGEST_PAYMENTS = 20n;

export function productionTokenLimits(): TokenLimits {
  return largestPayments((largest) => largest * LARGEST_PAYMENTS);
}

/** In production people look at more than half of the largest payment: wages are seldom as large, thefts are. */
export function productionReviewAmounts(): CurrencyAmounts {
  return largestPayments((largest) => largest / 2n);
}

/** Of the largest payment that leaves in each currency. */
export function largestPayments(become: (largest: Amount) => Amount): CurrencyAmounts {
  const largest = new Map<string, Amount>();
  for (const { currencies } of listProviders()) {
    for (const { currency, operations } of currencies) {
      for (const kind of OUTGOING_KINDS) {
        const amount = operations[kind]?.maxAmount ?? 0n;
        if (amount >= (largest.get(currency) ?? 0n)) largest.set(currency, amount);
      }
    }
  }
  return new Map([...largest].map(([currency, amount]) => [currency, become(amount)]));
}

export function listDefaultLimits(limits: TokenLimits): readonly Limit[] {
  return OUTGOING_KINDS.flatMap((kind) =>
    [...limits].map(([currency, amountMax]) => ({
      setBy: 'PLATFORM' as const,
      kind,
      scope: 'TOKEN' as const,
      subject: '',
      period: 'DAY' as const,
      currency,
      countMax: null,
      amountMax,
    })),
  );
}

/** The merchant's limits, and the defaults that none of them replaces. */
export function withDefaults(own: readonly Limit[], defaults: readonly Limit[]): readonly Limit[] {
  const names = new Set(own.map(limitName));
  return [...own, ...defaults.filter((limit) => !names.has(limitName(limit)))];
}
