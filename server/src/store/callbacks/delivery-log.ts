// The deliveries of a merchant, for the people who look after its endpoints. The newest first, along the index by time:
// what is rare among them is in no index, so each page walks a bounded way and says where the next one goes on.
import type { AnnouncedKind } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { attempts } from './callbacks.ts';

/** QUEUED: not attempted yet. RETRYING: attempted without success, and attempted again. FAILED: given up. */
export const DELIVERY_STATUSES = ['QUEUED', 'RETRYING', 'DELIVERED', 'FAILED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** So many callbacks are looked at for one page, however few of them fit. */
export const WALKED_MAX = 5_000;

const STATUS = `case when c.status = 'DELIVERED' then 'DELIVERED' when c.status = 'ABANDONED' then 'FAILED'
  when c.attempt_count = 0 then 'QUEUED' else 'RETRYING' end`;

const places = columns({ createdAt: 'timestamptz', callbackId: 'uuid' });
export type DeliveryCursor = Row<typeof places>;

const deliveries = columns({
  ...places.defs,
  kind: column<AnnouncedKind | 'STATEMENT'>('payment_kind'),
  paymentId: 'uuid',
  announcedState: 'payment_state',
  attemptCount: 'int',
  dueAt: 'timestamptz',
  status: column<DeliveryStatus>('text'),
  url: 'text null',
  startedAt: 'timestamptz null',
  durationMs: 'int null',
  httpStatus: 'int null',
  errorCode: 'text null',
});
export type Delivery = Row<typeof deliveries>;

export type DeliveryFilter = {
  readonly merchantId: string;
  readonly kinds: readonly (AnnouncedKind | 'STATEMENT')[] | null;
  readonly statuses: readonly DeliveryStatus[] | null;
  readonly from: Date | null;
  readonly to: Date | null;
};

export type DeliveryPage = { readonly deliveries: readonly Delivery[]; readonly next: DeliveryCursor | null };

type Walk = { readonly sql: string; readonly values: readonly unknown[] };

/** Only the bounds that there are: with one that may be missing, PostgreSQL reads and sorts all of a merchant's. */
function walkOf({ merchantId, from, to }: DeliveryFilter, after: DeliveryCursor | null): Walk {
  const values: unknown[] = [merchantId];
  const add = (...more: readonly unknown[]) => more.map((one) => `$${values.push(one)}`).join(', ');
  const bounds = [
    from !== null && `and c.created_at >= ${add(from)}`,
    to !== null && `and c.created_at < ${add(to)}`,
    after !== null && `and (c.created_at, c.callback_id) < (${add(after.createdAt, after.callbackId)})`,
  ];
  const sql = `from callbacks c where c.merchant_id = $1 ${bounds.filter(Boolean).join(' ')}
    order by c.created_at desc, c.callback_id desc`;
  return { sql, values };
}

/** `next` is null at the end of the list. A page that is not full may have a next one. */
export async function listDeliveries(
  tx: Tx,
  filter: DeliveryFilter,
  { after, countMax }: { readonly after: DeliveryCursor | null; readonly countMax: number },
): Promise<DeliveryPage> {
  const { kinds, statuses } = filter;
  const isNarrowed = kinds !== null || statuses !== null;
  const walkedMax = isNarrowed ? WALKED_MAX : countMax + 1;
  const { sql, values } = walkOf(filter, after);
  const [walked, kind, status, count] = [1, 2, 3, 4].map((no) => `$${values.length + no}`);
  const found = await deliveries.query(
    tx,
    `with walked as materialized (
       select c.created_at, c.callback_id, c.kind, c.payment_id, c.announced_state, c.attempt_count, c.due_at,
         c.endpoint_id, ${STATUS} as status ${sql} limit ${walked}),
     found as (
       select * from walked w
       where (${kind}::text[] is null or w.kind::text = any (${kind}))
         and (${status}::text[] is null or w.status = any (${status}))
       order by w.created_at desc, w.callback_id desc limit ${count})
     select ${deliveries.names} from (
       select f.*, (select url from callback_endpoints e where e.endpoint_id = f.endpoint_id) as url, last.*
       from found f
       left join lateral (
         select a.started_at, a.duration_ms, a.http_status, a.error_code from callback_attempts a
         where a.callback_id = f.callback_id order by a.attempt_no desc limit 1) last on true) logged
     order by created_at desc, callback_id desc`,
    [...values, walkedMax, kinds, statuses, countMax + 1],
  );
  const shown = found.slice(0, countMax);
  if (found.length > countMax) return { deliveries: shown, next: shown.at(-1) ?? null };
  const next = isNarrowed
    ? await places.find(tx, `${sql} offset ${walked} limit 1`, [...values, walkedMax - 1])
    : null;
  return { deliveries: shown, next };
}

const shownAttempts = attempts.without('encryptedAnswer');
export type DeliveryAttempt = Row<typeof shownAttempts>;

/** The attempts of one delivery, without what was answered: that may name people. */
export async function listDeliveryAttempts(
  tx: Tx,
  { merchantId, callbackId }: { readonly merchantId: string; readonly callbackId: string },
): Promise<readonly DeliveryAttempt[]> {
  const tail = 'from callback_attempts where callback_id = $1 and merchant_id = $2 order by attempt_no';
  return shownAttempts.select(tx, tail, [callbackId, merchantId]);
}
