// What monitors count. Each statement reads only what is open, late or wrong, by an index that holds nothing else: what
// it costs follows from what there is to worry about, not from how many payments there ever were.
//
// Measured with 10 million payments of which 30,000 were open and 1,000 callback endpoint queues, on two busy cores:
// all of them together take 0.1 s, and 0.6 s when nothing is in memory yet.
import type { InFlight } from '../../domain/ledger/float.ts';
import type { Hold } from '../../domain/limits/freeze.ts';
import type { PaymentKind, NextAction } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric, column, columns, type Row } from '../columns.ts';
import { distinct, ENQUEUED, STEP_GROUPS } from '../payments/distinct.ts';

/** How many, and since when. */
export type Waiting = { readonly count: number; readonly oldestAt: Date };

/** Nothing is counted further: that it is this many says all, and in an outage counting must not add to the load. */
const COUNT_MAX = 100_000;

/** Steps whose time has come, by kind and action. A step is in here for an instant even when all is well. */
export async function countOverdue(
  tx: Tx,
  now: Date,
): Promise<readonly (Waiting & { readonly kind: PaymentKind; readonly action: NextAction })[]> {
  const { rows } = await tx.query<Waiting & { kind: PaymentKind; action: NextAction }>(
    `with recursive ${STEP_GROUPS}
     select kind, next_action as action, sum(count)::int as count, min(oldest_at) as "oldestAt"
     from step_groups g cross join lateral (
       select count(*), min(next_action_at) as oldest_at from (
         select next_action_at from payments
         where (next_action, provider, kind) = (g.next_action, g.provider, g.kind) and next_action_at <= $1
         order by next_action_at limit ${COUNT_MAX}) first) overdue
     where count > 0 group by 1, 2`,
    [now],
  );
  return rows;
}

/** Payments that no one will ever look at again. There must be none. */
export async function countWithoutStep(
  tx: Tx,
): Promise<readonly (Waiting & { readonly kind: PaymentKind })[]> {
  const { rows } = await tx.query<Waiting & { kind: PaymentKind }>(
    `select kind, count(*)::int as count, min(created_at) as "oldestAt" from payments
     where next_action is null and state not in ('COMPLETED', 'FAILED', 'ENQUEUED') group by 1`,
  );
  return rows;
}

type WaitingAtProvider = Waiting & { readonly kind: PaymentKind; readonly provider: string };

/** Payments that wait for their provider. The oldest is that of one of the wallets, each of which costs two steps. */
export async function countEnqueued(tx: Tx): Promise<readonly WaitingAtProvider[]> {
  const { rows } = await tx.query<WaitingAtProvider>(
    `with recursive ${distinct('waiting_wallets', 'provider, kind, merchant_id, wallet_id', ENQUEUED)}
     select kind, provider, count, "oldestAt" from (
       select provider, kind, min(created_at) as "oldestAt" from waiting_wallets w cross join lateral (
         select created_at from payments
         where ${ENQUEUED}
           and (provider, kind, merchant_id, wallet_id) = (w.provider, w.kind, w.merchant_id, w.wallet_id)
         order by created_at limit 1) first
       group by 1, 2) g
     cross join lateral (
       select count(*)::int from (
         select from payments where ${ENQUEUED} and (provider, kind) = (g.provider, g.kind)
         limit ${COUNT_MAX}) waiting) counted`,
  );
  return rows;
}

/** Payments that a freeze or people hold; the age is that of the payment. */
export async function countHeld(tx: Tx): Promise<readonly (Waiting & { readonly held: Hold })[]> {
  const { rows } = await tx.query<Waiting & { held: Hold }>(
    `select held, count(*)::int as count, min(created_at) as "oldestAt" from (
       select held, created_at from payments where held is not null limit ${COUNT_MAX}) waiting
     group by 1`,
  );
  return rows;
}

/** Payments in reconciliation, by kind and provider; the age is that of the payment. */
export async function countInReconciliation(tx: Tx): Promise<readonly WaitingAtProvider[]> {
  const { rows } = await tx.query<WaitingAtProvider>(
    `select kind, provider, count(*)::int as count, min(created_at) as "oldestAt" from (
       select kind, provider, created_at from payments where state = 'IN_RECONCILIATION'
       limit ${COUNT_MAX}) waiting
     group by 1, 2`,
  );
  return rows;
}

/**
 * What payments at their operators may have moved already, by "PROVIDER/CURRENCY". Null where there are so many that
 * adding them up would add to the load.
 */
export async function sumInFlight(tx: Tx): Promise<ReadonlyMap<string, InFlight> | null> {
  const { rows } = await tx.query<{ name: string; count: number; in: string; out: string }>(
    `select provider || '/' || currency as name, count(*)::int as count,
       coalesce(sum(amount) filter (where kind = 'DEPOSIT'), 0) as "in",
       coalesce(sum(amount) filter (where kind <> 'DEPOSIT'), 0) as "out"
     from (select provider, currency, kind, amount from payments where next_action = 'ENQUIRE' limit ${COUNT_MAX}) sent
     group by 1`,
  );
  if (rows.reduce((sum, { count }) => sum + count, 0) >= COUNT_MAX) return null;
  return new Map(
    rows.map((row) => [row.name, { in: amountOfNumeric(row.in), out: amountOfNumeric(row.out) }]),
  );
}

export async function countOpenCases(tx: Tx): Promise<readonly (Waiting & { readonly evidence: string })[]> {
  const { rows } = await tx.query<Waiting & { evidence: string }>(
    `select evidence, count(*)::int as count, min(opened_at) as "oldestAt" from (
       select evidence, opened_at from cases where resolved_at is null
       order by opened_at limit ${COUNT_MAX}) open
     group by 1`,
  );
  return rows;
}

export type EndpointQueueFigures = {
  /** Endpoint queues that have something to deliver. */
  readonly pending: number;
  /** Of these, those where nothing was delivered for several rounds, and since when something waits there. */
  readonly failing: number;
  readonly failingSince: Date | null;
  /** Of these, those whose address wants nothing any more. There should be none: what waited was given up. */
  readonly disabled: number;
  /** The earliest time at which something not yet delivered could have been tried. */
  readonly firstDueAt: Date | null;
};

/**
 * Each endpoint queue costs two or three steps in `callbacks_pending`, however much waits in it: the first callback
 * due, and in failing endpoint queues the last hundred, because who was tried longest waits longest.
 */
export async function readEndpointQueueFigures(tx: Tx, failuresMin: number): Promise<EndpointQueueFigures> {
  const { rows } = await tx.query<EndpointQueueFigures>(
    `select count(*)::int as pending,
       count(*) filter (where l.failure_count >= $1)::int as failing,
       min(longest.created_at) as "failingSince",
       count(*) filter (where e.disabled_at is not null)::int as disabled,
       min(greatest(first.due_at, l.paused_until)) as "firstDueAt"
     from endpoint_queues l
     join callback_endpoints e using (endpoint_id)
     cross join lateral (
       select due_at from callbacks c where c.endpoint_id = l.endpoint_id and c.status = 'PENDING'
       order by due_at limit 1) first
     left join lateral (
       select min(created_at) as created_at from (
         select created_at from callbacks c where c.endpoint_id = l.endpoint_id and c.status = 'PENDING'
         order by due_at desc limit 100) last) longest on l.failure_count >= $1`,
    [failuresMin],
  );
  const [figures] = rows;
  if (figures === undefined) throw new Error('a count has no row');
  return figures;
}

/** Wallets with less than nothing. Reads every balance row, of which there are a few for each merchant. */
export async function countOverdrawnWallets(tx: Tx): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::int as count from wallets where posted - held < 0 or held < 0',
  );
  return rows[0]?.count ?? 0;
}

const databaseFigures = columns({
  bytes: column<number>('bigint', 'pg_database_size(datid)'),
  sessions: column<number>('int', 'numbackends'),
  commits: column<number>('bigint', 'xact_commit'),
  rollbacks: column<number>('bigint', 'xact_rollback'),
  blocksHit: column<number>('bigint', 'blks_hit'),
  blocksRead: column<number>('bigint', 'blks_read'),
  rowsWritten: column<number>('bigint', 'tup_inserted + tup_updated + tup_deleted'),
});

/** What PostgreSQL counts about this database. */
export async function readDatabaseFigures(tx: Tx): Promise<Row<typeof databaseFigures>> {
  const figures = await databaseFigures.find(tx, 'from pg_stat_database where datname = current_database()');
  if (figures === null) throw new Error('PostgreSQL has no statistics of this database');
  return figures;
}
