// Endpoint queues: one for each endpoint, leased by one deliverer at a time, who records how the endpoint fares.
// Endpoint queues of endpoints that fail are leased apart, so that they never take the slots of the others.
import type { ProcessTime } from '../../domain/clock.ts';
import type { AnnouncedKind } from '../../domain/payments/payment.ts';
import { ADDRESSED, dueCallbacks, dueFrom, type DueCallback } from './callbacks.ts';
import type { Tx } from '../database.ts';
import { columns, type Row } from '../columns.ts';
import { countChanged, unnested, valuesOf } from '../rows.ts';

const leasedQueues = columns({
  endpointId: 'uuid',
  failureCount: 'int',
  failingSince: 'timestamptz null',
});

export type LeasedEndpointQueue = Row<typeof leasedQueues> & {
  readonly leasedUntil: Date;
  /** The first few that are due, the longest due first. There is at least one. */
  readonly callbacks: readonly DueCallback[];
};

const dueInQueues = columns({ ...dueCallbacks.defs, ...leasedQueues.defs });

/** Whether any endpoint queue is free and has a due callback, but for those that the caller works on. */
export async function isAnyQueueDue(
  tx: Tx,
  { now, except }: { readonly now: ProcessTime; readonly except: readonly string[] },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select 1 from endpoint_queues l
     cross join lateral (
       select 1 from callbacks c
       where c.endpoint_id = l.endpoint_id and c.status = 'PENDING' and c.due_at <= $1
       order by c.due_at limit 1) as due
     where l.leased_until <= $1 and l.paused_until <= $1 and l.endpoint_id <> all ($2::uuid[]) limit 1`,
    [now, except],
  );
  return rowCount !== 0;
}

/**
 * Leases free endpoint queues with due callbacks and takes a few from each. No one else delivers to a leased endpoint
 * queue.
 */
export async function leaseEndpointQueues(
  tx: Tx,
  lease: {
    readonly now: Date;
    readonly leasedUntil: Date;
    /** SOUND: the last attempt was acknowledged, or there was none. FAILING: it was not. */
    readonly among: 'SOUND' | 'FAILING';
    readonly endpointQueuesMax: number;
    readonly callbacksPerEndpointQueueMax: number;
    /** Endpoints whose endpoint queues the caller still works on, even if a lease has run out. */
    readonly except: readonly string[];
  },
): Promise<readonly LeasedEndpointQueue[]> {
  const rows = await dueInQueues.query(
    tx,
    // Lateral, so that each queue's first callback is looked up. With "exists" PostgreSQL may begin with the callbacks:
    // then every lease reads all that wait for an endpoint that is dead.
    `with free as (
       select l.endpoint_id from endpoint_queues l
       cross join lateral (
         select 1 from callbacks c
         where c.endpoint_id = l.endpoint_id and c.status = 'PENDING' and c.due_at <= $1
         order by c.due_at limit 1) as due
       where l.leased_until <= $1 and l.paused_until <= $1 and (l.failure_count = 0) = $5
         and l.endpoint_id <> all ($6::uuid[])
       order by l.leased_until limit $3 for update of l skip locked),
     leased as (
       update endpoint_queues l set leased_until = $2 from free where l.endpoint_id = free.endpoint_id
       returning l.endpoint_id, l.failure_count, l.failing_since)
     select due.*, ${ADDRESSED}, ${leasedQueues.without('endpointId').namesIn('leased')}
     from leased
     ${dueFrom('leased', 'c.due_at <= $1', '$4')}`,
    [
      lease.now,
      lease.leasedUntil,
      lease.endpointQueuesMax,
      lease.callbacksPerEndpointQueueMax,
      lease.among === 'SOUND',
      lease.except,
    ],
  );
  const { leasedUntil } = lease;
  const queues = new Map<string, LeasedEndpointQueue & { readonly callbacks: DueCallback[] }>();
  for (const { failureCount, failingSince, ...callback } of rows) {
    const { endpointId } = callback;
    const known = queues.get(endpointId);
    const queue = known ?? { endpointId, leasedUntil, failureCount, failingSince, callbacks: [] };
    queue.callbacks.push(callback);
    queues.set(endpointId, queue);
  }
  return [...queues.values()];
}

const reports = columns({
  endpointId: 'uuid',
  /** The end of the lease, by which its holder is known. */
  leasedUntil: 'timestamptz',
  /** Its new end: later to keep the endpoint queue, now to give it back. */
  nextLeasedUntil: 'timestamptz',
  /** The address that was assessed. What was learnt of one says nothing about another. */
  url: 'text',
  failureCount: 'int',
  failingSince: 'timestamptz null',
  pausedUntil: 'timestamptz',
});

export type EndpointQueueReport = Row<typeof reports>;

/**
 * Keeps or gives back endpoint queues, and says how their endpoints fare. Answers the endpoints whose endpoint queues
 * were still held: a lease that ran out meanwhile belongs to somebody else, and is left alone.
 */
export async function reportEndpointQueues(
  tx: Tx,
  reported: readonly EndpointQueueReport[],
): Promise<ReadonlySet<string>> {
  if (reported.length === 0) return new Set();
  const { rows } = await tx.query<{ endpoint_id: string }>(
    `update endpoint_queues l set leased_until = r.next_leased_until,
       failure_count = case when e.url = r.url then r.failure_count else l.failure_count end,
       failing_since = case when e.url = r.url then r.failing_since else l.failing_since end,
       paused_until = case when e.url = r.url then r.paused_until else l.paused_until end
     from ${unnested(reports.cells, 'r')}
     join callback_endpoints e using (endpoint_id)
     where l.endpoint_id = r.endpoint_id and l.leased_until = r.leased_until
     returning l.endpoint_id`,
    valuesOf(reports.cells, reported),
  );
  return new Set(rows.map((row) => row.endpoint_id));
}

/** GONE: the endpoint answered 410. FAILING: it acknowledged nothing for days. */
export type SwitchedOffBecause = 'GONE' | 'FAILING';

export type Endpoint = {
  readonly merchantId: string;
  readonly kind: AnnouncedKind | 'STATEMENT';
  readonly url: string;
};

/**
 * Nothing is sent to this address any more. What waits is given up by `abandonSwitchedOff`: it can be very much. An
 * address set meanwhile is left alone. Answers the endpoint, or null when there was nothing to switch off.
 */
export async function disableEndpoint(
  tx: Tx,
  endpoint: {
    readonly endpointId: string;
    readonly url: string;
    readonly because: SwitchedOffBecause;
    readonly now: Date;
  },
): Promise<Endpoint | null> {
  const { rows } = await tx.query<{ merchant_id: string; kind: AnnouncedKind | null }>(
    `update callback_endpoints set disabled_at = $3, disabled_because = $4
     where endpoint_id = $1 and url = $2 and disabled_at is null returning merchant_id, kind`,
    [endpoint.endpointId, endpoint.url, endpoint.now, endpoint.because],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return { merchantId: row.merchant_id, kind: row.kind ?? 'STATEMENT', url: endpoint.url };
}

/**
 * Gives up some of what waits for an endpoint that is switched off, due or not. Answers how many; rows that somebody
 * else writes at this moment are passed over, and are given up when they are due.
 */
export async function abandonSwitchedOff(
  tx: Tx,
  { endpointId, countMax }: { readonly endpointId: string; readonly countMax: number },
): Promise<number> {
  return countChanged(
    tx,
    `with waiting as (
       select c.callback_id from callbacks c join callback_endpoints e using (endpoint_id)
       where c.endpoint_id = $1 and c.status = 'PENDING' and e.disabled_at is not null
       limit $2 for update of c skip locked)
     update callbacks c set status = 'ABANDONED' from waiting w
     where c.callback_id = w.callback_id`,
    [endpointId, countMax],
  );
}

/** Switches on again what was switched off, with nothing held against it. Answers the kinds that were off. */
export async function enableEndpoints(
  tx: Tx,
  endpoints: { readonly merchantId: string; readonly kinds: readonly AnnouncedKind[]; readonly now: Date },
): Promise<readonly AnnouncedKind[]> {
  const { rows } = await tx.query<{ kind: AnnouncedKind }>(
    `with enabled as (
       update callback_endpoints set disabled_at = null, disabled_because = null
       where merchant_id = $1 and kind::text = any ($2) and disabled_at is not null returning endpoint_id, kind),
     forgiven as (
       update endpoint_queues l set failure_count = 0, failing_since = null, paused_until = $3
       from enabled where l.endpoint_id = enabled.endpoint_id)
     select kind from enabled order by kind`,
    [endpoints.merchantId, endpoints.kinds, endpoints.now],
  );
  return rows.map(({ kind }) => kind);
}
