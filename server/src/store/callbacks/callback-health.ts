// How a merchant's callback addresses fare, for the people who look after them.
import type { AnnouncedKind } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';

export type EndpointHealth = {
  readonly kind: AnnouncedKind;
  readonly url: string;
  /** Null while it is on. */
  readonly disabledAt: Date | null;
  readonly disabledBecause: string | null;
  readonly failureCount: number;
  readonly failingSince: Date | null;
  readonly pausedUntil: Date;
  /** Callbacks that still wait; no more than this are counted. */
  readonly waiting: number;
};

/** Enough to say "many". */
const WAITING_MAX = 1_000;

export async function listEndpointHealth(tx: Tx, merchantId: string): Promise<readonly EndpointHealth[]> {
  const { rows } = await tx.query<EndpointHealth>(
    `select e.kind, e.url, e.disabled_at as "disabledAt", e.disabled_because as "disabledBecause",
            l.failure_count as "failureCount", l.failing_since as "failingSince", l.paused_until as "pausedUntil",
            (select count(*)::int from (
               select 1 from callbacks c where c.endpoint_id = e.endpoint_id and c.status = 'PENDING' limit $2
             ) pending) as waiting
     from callback_endpoints e join endpoint_queues l using (endpoint_id)
     where e.merchant_id = $1 order by e.kind`,
    [merchantId, WAITING_MAX],
  );
  return rows;
}
