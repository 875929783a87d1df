// How a merchant's callback addresses fare, for the people who look after them.
import type { AnnouncedKind } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';

/** Enough to say "many". */
const WAITING_MAX = 1_000;

const health = columns({
  kind: column<AnnouncedKind>('payment_kind'),
  url: 'text',
  /** Null while it is on. */
  disabledAt: 'timestamptz null',
  disabledBecause: 'text null',
  failureCount: 'int',
  failingSince: 'timestamptz null',
  pausedUntil: 'timestamptz',
  /** Callbacks that still wait; no more than this are counted. */
  waiting: column<number>(
    'int',
    `(select count(*)::int from (
       select 1 from callbacks c where c.endpoint_id = e.endpoint_id and c.status = 'PENDING' limit $2) pending)`,
  ),
});

export type EndpointHealth = Row<typeof health>;

export async function listEndpointHealth(tx: Tx, merchantId: string): Promise<readonly EndpointHealth[]> {
  return health.select(
    tx,
    `from callback_endpoints e join endpoint_queues using (endpoint_id) where e.merchant_id = $1 order by e.kind`,
    [merchantId, WAITING_MAX],
  );
}
