// Statements that look for work, or read a page of it, and how many rows PostgreSQL reads for each.
import { randomUUID } from 'node:crypto';
import { PAYMENT_TABLES } from '../src/store/cells/moving/copied-tables.ts';
import { copyRows, readByKeys, readShapes } from '../src/store/cells/moving/copy-rows.ts';
import { listKeysAfter } from '../src/store/cells/moving/steps.ts';
import { leaseEndpointQueues } from '../src/store/callbacks/endpoint-queues.ts';
import { readProblems } from '../src/core/console/read-problems.ts';
import { DEFAULT_MONITOR } from '../src/core/monitoring/monitor.ts';
import { sumLedger } from '../src/core/monitoring/sum-ledger.ts';
import { ClockCheck } from '../src/core/operators/clock-check.ts';
import type { Database, Tx } from '../src/store/database.ts';
import { listPlatformAccounts } from '../src/store/ledger/ledger-sums.ts';
import { listTrialBalance, listUnbalancedWallets, readBalances } from '../src/store/ledger/ledger.ts';
import { DueFloors } from '../src/store/payments/due-floors.ts';
import {
  leaseEnquiries,
  LISTED_FOR_EACH,
  listDueEnquiries,
  listDueSubmits,
} from '../src/store/payments/due-steps.ts';
import { listEnqueued, listFormerlyHeld } from '../src/store/payments/enqueued.ts';
import { listUnsentBefore, listUnsentDeposits } from '../src/store/payments/unsent-payments.ts';
import { Keyring } from '../src/store/encryption/encryption.ts';
import { countHeldReviews, listHeldReviews } from '../src/store/reviews/payment-reviews.ts';
import { readProgress } from '../src/store/recovery/recoveries.ts';
import { timedUuid } from '../src/store/timed-uuid.ts';
import { clockAt } from './clocks.ts';
import { SATURATED, type ManyWaiting } from './many-waiting.ts';

export type WaitingLook = {
  readonly name: string;
  /** Before its rows are counted. */
  readonly prepare?: (tx: Tx) => Promise<void>;
  /** Answers how many rows it found. */
  readonly look: (tx: Tx) => Promise<number>;
};

/** As many as the worker takes at once. */
const BATCH = 100;

/** Of processes that run already: what their first look at everything taught them, they know. */
export async function createLooks(
  database: Database,
  { now, merchantId }: Pick<ManyWaiting, 'now' | 'merchantId'>,
): Promise<readonly WaitingLook[]> {
  const until = new Date(now.getTime() + 60_000);
  const longAgo = new Date(now.getTime() - 365 * 86_400_000);
  const taking = { now, countMax: BATCH, except: [SATURATED] };
  const [submits, enquiries] = [new DueFloors(), new DueFloors()];
  const shapes = await readShapes(database);
  const floats = (await listPlatformAccounts(database)).filter(({ type }) => type === 'FLOAT');
  const clockCheck = new ClockCheck({ realClock: { now: () => new Date() }, onCompared: () => undefined });
  await sumLedger({ store: { database }, clock: clockAt(() => now), clockCheck });
  const keyring = new Keyring({ encryptionKeys: [], searchKey: Buffer.alloc(32, 2) });
  const keys = await listKeysAfter(database, { merchantId, after: null, countMax: 500 });
  return [
    {
      name: 'release',
      look: async (tx) => {
        const startAt = randomUUID();
        return (await listEnqueued(tx, { countMax: 20, except: [], startAt, now })).length;
      },
    },
    {
      name: 'formerly held',
      look: async (tx) => (await listFormerlyHeld(tx, { countMax: 20, except: [], now })).length,
    },
    {
      name: 'unsent deposits',
      look: async (tx) => (await listUnsentDeposits(tx, { before: longAgo, countMax: BATCH })).length,
    },
    {
      // All that waits was made since.
      name: 'unsent before a restore',
      look: async (tx) => (await listUnsentBefore(tx, { before: longAgo, countMax: BATCH })).length,
    },
    {
      name: 'review queue',
      look: async (tx) => (await listHeldReviews(tx, keyring, { after: null, countMax: 50 })).length,
    },
    {
      name: 'later page of the review queue',
      look: async (tx) => {
        const after = { at: new Date(now.getTime() - 500_000), id: timedUuid(now) };
        return (await listHeldReviews(tx, keyring, { after, countMax: 50 })).length;
      },
    },
    { name: 'count of the review queue', look: (tx) => countHeldReviews(tx, BATCH) },
    {
      name: 'progress of a recovery',
      look: async (tx) => (await readProgress(tx, { begunAt: longAgo, endedAt: null }, BATCH)).waiting.count,
    },
    {
      name: 'due submits',
      look: async (tx) => (await listDueSubmits(tx, { ...taking, floors: submits })).length,
    },
    {
      name: 'due enquiries',
      look: async (tx) => {
        const { countMax } = taking;
        const listed = { ...taking, countMax: countMax * LISTED_FOR_EACH, floors: enquiries };
        return (await leaseEnquiries(tx, await listDueEnquiries(tx, listed), { now, until, countMax }))
          .length;
      },
    },
    {
      name: 'callback lease',
      look: async (tx) => {
        const queues = await leaseEndpointQueues(tx, {
          now,
          leasedUntil: until,
          among: 'FAILING',
          endpointQueuesMax: BATCH,
          callbacksPerEndpointQueueMax: 20,
          except: [],
        });
        return queues.reduce((sum, { callbacks }) => sum + callbacks.length, 0);
      },
    },
    {
      name: 'open problems',
      look: async (tx) => {
        const reader = { clock: clockAt(() => now), store: { database: tx as Database } };
        return (await readProblems(reader, DEFAULT_MONITOR)).problems.length;
      },
    },
    { name: 'trial balance', look: async (tx) => (await listTrialBalance(tx)).length },
    { name: 'unbalanced wallets', look: async (tx) => (await listUnbalancedWallets(tx)).length },
    {
      name: 'floats',
      look: async (tx) =>
        (
          await readBalances(
            tx,
            floats.map(({ accountId }) => accountId),
          )
        ).size,
    },
    {
      // Onto itself: everything is there already, and nothing is changed.
      name: 'page of a move',
      prepare: readByKeys,
      look: async (tx) => {
        await copyRows({ from: tx, to: database, shapes }, PAYMENT_TABLES, { merchantId, keys });
        return keys.length;
      },
    },
  ];
}

export type LookFigures = { readonly found: number; readonly rowsRead: number; readonly ms: number };

/** Looks once, and leaves everything as it was. */
export async function measureLook(database: Database, { prepare, look }: WaitingLook): Promise<LookFigures> {
  const client = await database.connect();
  try {
    await client.query('begin');
    await prepare?.(client);
    const before = await countRead(client);
    const since = performance.now();
    const found = await look(client);
    const ms = performance.now() - since;
    return { found, ms, rowsRead: (await countRead(client)) - before };
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Index entries and rows that this connection has read, by PostgreSQL's own count. Dead entries count. */
async function countRead(tx: Tx): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select coalesce(sum(pg_stat_get_xact_tuples_returned(oid)), 0)::int as count from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`,
  );
  return rows[0]?.count ?? 0;
}
