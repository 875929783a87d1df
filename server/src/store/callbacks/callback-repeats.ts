// Announcing again what was announced before, or never was. A repetition is a callback of its own, with a schedule of
// its own; it is about the same event, so it takes over that event's identifier and, where there is one, its body.
import type { AnnouncedKind } from '../../domain/payments/payment.ts';
import type { NewCallback } from './callbacks.ts';
import type { Tx } from '../database.ts';
import { countChanged, isChanged } from '../rows.ts';
import { timedUuid } from '../timed-uuid.ts';

/** Answers whether the merchant has an endpoint for the kind. */
export async function repeatCallback(tx: Tx, callback: NewCallback): Promise<boolean> {
  const { merchantId, kind, paymentId, subjectId, announcedState, createdAt } = callback;
  return isChanged(
    tx,
    `insert into callbacks (merchant_id, callback_id, kind, payment_id, announced_state, created_at, due_at,
       subject_id, endpoint_id, status, encrypted_body)
     select $1, $2, $3, $4, $5, $6, $6, $7, endpoint_id, 'PENDING', (
       select encrypted_body from callbacks
       where subject_id = $7 and merchant_id = $1 and kind = $3 and announced_state = $5
         and encrypted_body is not null limit 1)
     from callback_endpoints where merchant_id = $1 and kind = $3 and disabled_at is null`,
    [merchantId, timedUuid(createdAt), kind, paymentId, announcedState, createdAt, subjectId],
  );
}

/** As `timedUuid` makes them: of $6, in hexadecimal digits, before random ones. */
const TIMED_UUID = `overlay(overlay(gen_random_uuid()::text
  placing left(lpad(to_hex((extract(epoch from $6::timestamptz) * 1000)::bigint), 12, '0'), 8) from 1)
  placing right(lpad(to_hex((extract(epoch from $6::timestamptz) * 1000)::bigint), 12, '0'), 4) || '-7' from 10)::uuid`;

/** DELIVERED: acknowledged at least once. ABANDONED: tried without success. MISSING: there was no address. */
export const REPLAYED = ['DELIVERED', 'ABANDONED', 'MISSING'] as const;
export type Replayed = (typeof REPLAYED)[number];

export type Replay = {
  readonly merchantId: string;
  readonly kinds: readonly AnnouncedKind[];
  readonly statuses: readonly Replayed[];
  /** Of events from this time on, … */
  readonly from: Date;
  /** … and before this one. */
  readonly to: Date;
  readonly now: Date;
};

/**
 * Announces the ends of payments again that came to be in a span of time. What still waits is left to its schedule, and
 * kinds without an endpoint are passed over. Answers how many callbacks were made.
 */
export async function replayCallbacks(tx: Tx, replay: Replay): Promise<number> {
  return countChanged(
    tx,
    `with announced as (
       select distinct kind, payment_id, subject_id, announced_state from callbacks
       where merchant_id = $1 and created_at >= $2 and created_at < $3 and kind::text = any ($4)
         and announced_state in ('COMPLETED', 'FAILED')),
     known as (
       select a.*, case when bool_or(c.status = 'PENDING') then 'PENDING'
           when bool_or(c.status = 'DELIVERED') then 'DELIVERED' else 'ABANDONED' end as status
       from announced a join callbacks c on c.subject_id = a.subject_id and c.merchant_id = $1 and c.kind = a.kind
         and c.announced_state = a.announced_state
       group by a.kind, a.payment_id, a.subject_id, a.announced_state),
     unannounced as (
       ${UNANNOUNCED_PAYMENTS}
       union all
       ${UNANNOUNCED_SPLITS}
       union all
       ${UNANNOUNCED_CHECKOUTS})
     insert into callbacks (merchant_id, callback_id, kind, payment_id, subject_id, announced_state, created_at, due_at,
       endpoint_id, status, encrypted_body)
     select $1, ${TIMED_UUID}, o.kind, o.payment_id, o.subject_id, o.announced_state, $6, $6, e.endpoint_id,
       'PENDING', (
       select encrypted_body from callbacks c
       where c.subject_id = o.subject_id and c.merchant_id = $1 and c.kind = o.kind
         and c.announced_state = o.announced_state and c.encrypted_body is not null
       limit 1)
     from (select * from known union all select * from unannounced) o
     join callback_endpoints e on e.merchant_id = $1 and e.kind = o.kind and e.disabled_at is null
     where o.status = any ($5)`,
    [replay.merchantId, replay.from, replay.to, replay.kinds, replay.statuses, replay.now],
  );
}

/** Payments that ended in the span and have no callback about it. */
const UNANNOUNCED_PAYMENTS = `
  select p.kind, p.payment_id, p.payment_no as subject_id, p.state as announced_state, 'MISSING' as status
  from payments p
  where 'MISSING' = any ($5) and p.merchant_id = $1 and p.final_at >= $2 and p.final_at < $3
    and p.kind::text = any ($4)
    and not exists (select 1 from callbacks c where c.subject_id = p.payment_no and c.announced_state = p.state)`;

/** The same for split payments, whose end is that of their parts. */
const UNANNOUNCED_SPLITS = `
  select 'SPLIT_PAYMENT'::payment_kind, s.split_payment_id, s.split_payment_id, case when exists (
      select 1 from payments p where p.merchant_id = $1 and p.split_payment_id = s.split_payment_id
        and p.state = 'FAILED') then 'FAILED' else 'COMPLETED' end::payment_state, 'MISSING'
  from split_payments s
  where 'MISSING' = any ($5) and s.merchant_id = $1 and s.announced_at >= $2 and s.announced_at < $3
    and 'SPLIT_PAYMENT' = any ($4)
    and not exists (select 1 from callbacks c
      where c.subject_id = s.split_payment_id and c.merchant_id = $1 and c.kind = 'SPLIT_PAYMENT')`;

/** The same for checkouts. */
const UNANNOUNCED_CHECKOUTS = `
  select 'CHECKOUT'::payment_kind, k.checkout_id, k.checkout_id,
    case k.status when 'COMPLETED' then 'COMPLETED' else 'FAILED' end::payment_state, 'MISSING'
  from checkouts k
  where 'MISSING' = any ($5) and k.merchant_id = $1 and k.ended_at >= $2 and k.ended_at < $3 and 'CHECKOUT' = any ($4)
    and not exists (select 1 from callbacks c
      where c.subject_id = k.checkout_id and c.merchant_id = $1 and c.kind = 'CHECKOUT')`;
