// Limits that hold for every merchant without being set: how much one API token may send out in a day, so that one that
// was stolen cannot empty a wallet. A limit of the platform for a merchant replaces the one with the same name.
import { listProviders } from '../operators/catalogue.ts';
import type { Amount } from '../money.ts';
import { OUTGOING_KINDS } from './freeze.ts';
import { limitName, type Limit } from './limit.ts';

/** By currency. Each kind of outgoing payment is counted apart. */
export type TokenLimits = ReadonlyMap<string, Amount>;

/**
 * In production: as much as this many of the largest payments that an operator takes. Small enough that a theft is
 * bounded, and enough for a shop; who pays wages by the API gets a higher limit from two people.
 */
const LARGEST_PAYMENTS = 20n;

export function productionTokenLimits(): TokenLimits {
  const limits = new Map<string, Amount>();
  for (const { currencies } of listProviders()) {
    for (const { currency, operations } of currencies) {
      const largest = OUTGOING_KINDS.map((kind) => operations[kind]?.maxAmount ?? 0n);
      const known = limits.get(currency) ?? 0n;
      limits.set(
        currency,
        largest.reduce((most, one) => (one * LARGEST_PAYMENTS > most ? one * LARGEST_PAYMENTS : most), known),
      );
    }
  }
  return limits;
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
