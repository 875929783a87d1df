// Counts of calls to operators in short spans of time, added up by all workers and kept for a few minutes.
import type { CallStep } from '../../domain/operators/provider-health.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { ProcessTime } from '../../domain/clock.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { rowInserter } from '../rows.ts';

const calls = columns({
  startedAt: column<Date>('timestamptz', 'bucket_at'),
  provider: 'text',
  operation: column<PaymentKind>('text'),
  step: column<CallStep>('text'),
  answered: 'int',
  failing: 'int',
  silent: 'int',
});

export type StoredBucket = Row<typeof calls>;

const addRows = rowInserter(
  'provider_calls',
  calls.cells,
  `on conflict (bucket_at, provider, operation, step) do update set
     answered = provider_calls.answered + excluded.answered,
     failing = provider_calls.failing + excluded.failing,
     silent = provider_calls.silent + excluded.silent`,
);

/** Adds to what other workers have counted. In one order, so that two workers never wait for each other in a ring. */
export async function addProviderCalls(tx: Tx, buckets: readonly StoredBucket[]): Promise<void> {
  const nameOf = ({ provider, operation, step }: StoredBucket) => `${provider} ${operation} ${step}`;
  await addRows(
    tx,
    buckets.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
  );
}

export async function listProviderCalls(tx: Tx, since: ProcessTime): Promise<readonly StoredBucket[]> {
  return calls.select(tx, 'from provider_calls where bucket_at > $1', [since]);
}

export async function pruneProviderCalls(tx: Tx, before: Date): Promise<void> {
  await tx.query('delete from provider_calls where bucket_at < $1', [before]);
}
