// Turns providers DELAYED that stop answering, and OPERATIONAL again when they are back. Every worker writes down its
// counts and looks at everybody's; whichever sees a change first makes it, and the others find it made.
import { findProvider } from '../../domain/operators/catalogue.ts';
import {
  assessHealth,
  RELAPSES_REMEMBERED_MS,
  type HealthSettings,
  type HealthVerdict,
  type ProviderHealth,
} from '../../domain/operators/provider-health.ts';
import {
  listAvailabilityChangesSince,
  type AvailabilityChange,
} from '../../store/operators/availability-changes.ts';
import {
  claimProbes,
  listUnavailabilities,
  markGoodSince,
  type ProviderOperation,
  type Unavailability,
} from '../../store/operators/availability.ts';
import {
  addProviderCalls,
  listProviderCalls,
  pruneProviderCalls,
  type StoredBucket,
} from '../../store/operators/provider-calls.ts';
import type { Connector } from '../../connectors/port.ts';
import type { Engine, TimedStore } from '../engine.ts';
import { inTimedTransaction } from '../timed-transaction.ts';
import { applyAvailability } from './availability.ts';
import { balanceAccountFor } from './operator-calls.ts';
import { addMs } from '../../domain/time.ts';

/** The window slides in this many steps. */
const BUCKETS_IN_WINDOW = 12;

/** Writes down what this process counted, where every worker sees it. Counts that cannot be written are released. */
export async function recordCalls(engine: Engine, { windowMs }: HealthSettings): Promise<void> {
  const bucketMs = Math.ceil(windowMs / BUCKETS_IN_WINDOW);
  await inTimedTransaction(engine, async (tx, now) => {
    const startedAt = new Date(Math.floor(now.getTime() / bucketMs) * bucketMs);
    const counts = engine.callMeter.take();
    await addProviderCalls(
      tx,
      counts.map((count) => ({ ...count, startedAt })),
    );
    await pruneProviderCalls(tx, addMs(now, -2 * windowMs));
  });
}

/** Looks at every provider once and changes what has to be changed. */
export async function watchAvailability(engine: TimedStore, settings: HealthSettings): Promise<void> {
  const { database } = engine.store;
  const now = await engine.clock.timeOf(database);
  const buckets = await listProviderCalls(database, addMs(now, -settings.windowMs));
  const changes = await listAvailabilityChangesSince(database, addMs(now, -RELAPSES_REMEMBERED_MS));
  const unavailabilities = await listUnavailabilities(database);
  const seen: Seen = {
    buckets: Map.groupBy(buckets, nameOf),
    changes: Map.groupBy(changes, nameOf),
    unavailabilities: new Map(unavailabilities.map((one) => [nameOf(one), one])),
  };
  for (const subject of subjectsOf([...buckets, ...unavailabilities], seen)) {
    const health = healthOf(subject, seen);
    await follow(engine, subject, { health, verdict: assessHealth(health, settings, now) });
  }
}

/** Asks DELAYED providers something harmless, those whose turn it is. Answers one piece of work for each. */
export async function takeProbes(
  engine: Engine,
  { probeIntervalMs }: HealthSettings,
): Promise<readonly (() => Promise<void>)[]> {
  const due = await inTimedTransaction(engine, (tx, now) =>
    claimProbes(tx, { now, lastBefore: addMs(now, -probeIntervalMs) }),
  );
  return due.map((subject) => () => probe(engine, subject));
}

/** What was read, by "PROVIDER OPERATION". */
type Seen = {
  readonly buckets: ReadonlyMap<string, readonly StoredBucket[]>;
  readonly changes: ReadonlyMap<string, readonly AvailabilityChange[]>;
  readonly unavailabilities: ReadonlyMap<string, Unavailability>;
};

/** Each once: those that were called and those that wait to be found well. What a person set is not looked at. */
function subjectsOf(
  mentioned: readonly ProviderOperation[],
  { unavailabilities }: Seen,
): readonly ProviderOperation[] {
  const all = new Map(
    mentioned.map(({ provider, operation }) => {
      const subject = { provider, operation };
      return [nameOf(subject), subject];
    }),
  );
  return [...all].flatMap(([name, one]) => (unavailabilities.get(name)?.setBy === 'HAND' ? [] : one));
}

async function follow(
  engine: TimedStore,
  subject: ProviderOperation,
  { health, verdict }: { readonly health: ProviderHealth; readonly verdict: HealthVerdict },
): Promise<void> {
  switch (verdict.type) {
    case 'TURNS': {
      const order = { ...subject, status: verdict.to, why: verdict.why, setBy: 'MEASURED' } as const;
      await inTimedTransaction(engine, (tx, now) => applyAvailability(tx, { ...order, now }));
      return;
    }
    case 'STAYS':
      if (verdict.goodSince?.getTime() === health.goodSince?.getTime()) return;
      await markGoodSince(engine.store.database, subject, verdict.goodSince);
  }
}

function healthOf(subject: ProviderOperation, seen: Seen): ProviderHealth {
  const name = nameOf(subject);
  const delayed = seen.unavailabilities.get(name);
  const changes = seen.changes.get(name) ?? [];
  const changedAt = delayed?.changedAt ?? changes.at(-1)?.changedAt ?? null;
  const relapses = changes.filter(
    (one) => one.setBy === 'MEASURED' && one.to === 'DELAYED' && one.changedAt < (changedAt ?? one.changedAt),
  );
  return {
    status: delayed === undefined ? 'OPERATIONAL' : 'DELAYED',
    changedAt,
    goodSince: delayed?.goodSince ?? null,
    relapses: relapses.length,
    buckets: seen.buckets.get(name) ?? [],
  };
}

/** Counted like any other call. A balance that is told later is an answer too: somebody took the question. */
async function probe(engine: Engine, { provider, operation }: ProviderOperation): Promise<void> {
  const facts = findProvider(provider);
  const currency = facts?.currencies[0]?.currency;
  const connector = connectorOf(engine, { provider, operation });
  if (connector?.balance === undefined || facts === null || currency === undefined) return;
  const account = { provider, operation, country: facts.country, currency };
  const answer = await connector.balance(balanceAccountFor(engine, account));
  if (answer.type === 'NOT_ASKED') return;
  const result = answer.type === 'UNKNOWN' ? 'FAILING' : 'ANSWERED';
  engine.callMeter.count({ provider, operation, step: 'PROBE' }, result);
}

function connectorOf(engine: Engine, { provider, operation }: ProviderOperation): Connector | undefined {
  return engine.connectors.get(engine.connectorOf(provider, operation) ?? '');
}

function nameOf({ provider, operation }: ProviderOperation): string {
  return `${provider} ${operation}`;
}
