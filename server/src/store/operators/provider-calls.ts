// Counts of calls to operators in short spans of time, added up by all workers and kept for a few minutes.
import type { CallBucket, CallCounts, CallStep } from '../../domain/operators/provider-health.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { rowInserter } from '../rows.ts';

export type StoredBucket = CallBucket & { readonly provider: string; readonly operation: PaymentKind };

const addRows = rowInserter<StoredBucket>(
  'provider_calls',
  [
    ['bucket_at', 'timestamptz', ({ startedAt }) => startedAt],
    ['provider', 'text', ({ provider }) => provider],
    ['operation', 'text', ({ operation }) => operation],
    ['step', 'text', ({ step }) => step],
    ['answered', 'int', ({ answered }) => answered],
    ['failing', 'int', ({ failing }) => failing],
    ['silent', 'int', ({ silent }) => silent],
  ],
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

export async function listProviderCalls(tx: Tx, since: Date): Promise<readonly StoredBucket[]> {
  const { rows } = await tx.query<
    CallCounts & { provider: string; operation: PaymentKind; step: CallStep; bucket_at: Date }
  >(
    `select provider, operation, step, bucket_at, answered, failing, silent from provider_calls
     where bucket_at > $1`,
    [since],
  );
  return rows.map(({ bucket_at: startedAt, ...row }) => ({ ...row, startedAt }));
}

export async function pruneProviderCalls(tx: Tx, before: Date): Promise<void> {
  await tx.query('delete from provider_calls where bucket_at < $1', [before]);
}
