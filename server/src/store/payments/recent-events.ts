// What happened lately to a merchant's newest payments, for anyone who watches a sandbox. Only those: an index by the
// time of events would cost every payment in production something, and no one watches there.
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';

const events = columns({
  at: 'timestamptz',
  type: column<'PAYMENT' | 'DELIVERY'>('text'),
  eventId: 'text',
  kind: 'payment_kind',
  paymentId: 'uuid',
  status: 'text',
  detail: 'text null',
});

export type RecentEvent = Row<typeof events>;

/** The oldest first. Of the `paymentsMax` payments that were started last. */
export async function listRecentEvents(
  tx: Tx,
  query: { readonly merchantId: string; readonly after: Date; readonly paymentsMax: number },
): Promise<readonly RecentEvent[]> {
  return events.query(
    tx,
    `with newest as materialized (
       select kind, payment_id, payment_no from payments where merchant_id = $1 order by created_at desc limit $3)
     select e.occurred_at as at, 'PAYMENT' as type, payment_id || '/' || e.event_no as "eventId", kind,
       payment_id as "paymentId",
       e.to_state::text as status, e.event as detail
     from newest join payment_events e using (payment_no)
     where e.occurred_at > $2 and e.from_state is distinct from e.to_state
     union all
     select a.started_at, 'DELIVERY', callback_id || '/' || a.attempt_no, c.kind, c.payment_id,
       coalesce(a.http_status::text, a.error_code), 'attempt ' || a.attempt_no
     from newest join callbacks c on c.subject_id = newest.payment_no
     join callback_attempts a using (callback_id)
     where a.started_at > $2
     order by at`,
    [query.merchantId, query.after, query.paymentsMax],
  );
}
