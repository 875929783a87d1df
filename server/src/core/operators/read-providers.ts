// How every provider of the catalogue fares here: who carries it, whether it is available, how its operator answers.
import { listProviders, type ProviderFacts } from '../../domain/operators/catalogue.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../../domain/payments/payment.ts';
import {
  listUnavailabilities,
  type Availability,
  type AvailabilitySetter,
} from '../../store/operators/availability.ts';
import { listProviderCalls } from '../../store/operators/provider-calls.ts';
import type { Engine } from '../engine.ts';
import { addMs } from '../../domain/time.ts';

export type ProviderState = {
  readonly facts: ProviderFacts;
  readonly operations: readonly OperationState[];
};

export type OperationState = {
  readonly operation: PaymentKind;
  /** Null where no one carries it here. */
  readonly connector: string | null;
  readonly status: Availability;
  readonly setBy: AvailabilitySetter | null;
  readonly since: Date | null;
  readonly calls: number;
  readonly failures: number;
};

/** Counts are kept for a few minutes only. */
const LOOKED_BACK_MS = 5 * 60_000;

export async function readProviders(engine: Engine): Promise<readonly ProviderState[]> {
  const { database } = engine.store;
  const away = new Map((await listUnavailabilities(database)).map((one) => [nameOf(one), one]));
  const buckets = await listProviderCalls(database, addMs(engine.clock.now(), -LOOKED_BACK_MS));
  const counts = Map.groupBy(buckets, nameOf);
  return listProviders().map((facts) => ({
    facts,
    operations: PAYMENT_KINDS.map((operation) => {
      const name = nameOf({ provider: facts.code, operation });
      const { status = 'OPERATIONAL', setBy = null, changedAt = null } = away.get(name) ?? {};
      const own = counts.get(name) ?? [];
      const failures = sum(own.map(({ failing, silent }) => failing + silent));
      const calls = failures + sum(own.map(({ answered }) => answered));
      const connector = engine.connectorOf(facts.code, operation);
      return { operation, connector, status, setBy, since: changedAt, calls, failures };
    }),
  }));
}

function nameOf({
  provider,
  operation,
}: {
  readonly provider: string;
  readonly operation: PaymentKind;
}): string {
  return `${provider} ${operation}`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
