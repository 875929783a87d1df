// Events that wait for their numbers. The transaction that changes something adds them; they are numbered after its
// commit, so that a reader who follows the numbers never passes over one that commits late.
import type { Tx } from '../database.ts';
import type { SubjectNo } from './event-subjects.ts';

/**
 * P: a status of a payment. M: a movement of a wallet. S, C, T: the end of a split payment, a checkout or a statement.
 */
export type EventType = 'P' | 'M' | 'S' | 'C' | 'T';

/** What happened, by what names it: nothing is copied. */
export type QueuedEvent = {
  readonly merchantId: string;
  /** A payment's number, or the identifier of what else it is about. */
  readonly subjectId: string;
  /** P: the number of the payment's event. M: that of the posting. Otherwise which status. */
  readonly no: number;
};

/**
 * The beginning of a statement that adds events to the queue and does something else: no round trip of its own. Its
 * three parameters, from $`first` on, are what `queuedValues` gives.
 */
export function queuedWith(type: EventType, first: number): string {
  const [merchants, subjects, nos] = [`$${first}::uuid[]`, `$${first + 1}::uuid[]`, `$${first + 2}::int[]`];
  return `with queued as (
    insert into event_queue (type, merchant_ids, subject_ids, nos)
    select '${type}', ${merchants}, ${subjects}, ${nos} where cardinality(${subjects}) > 0)`;
}

export function queuedValues(events: readonly QueuedEvent[]): unknown[] {
  return [
    events.map(({ merchantId }) => merchantId),
    events.map(({ subjectId }) => subjectId),
    events.map(({ no }) => no),
  ];
}

export async function queueEvent(tx: Tx, type: EventType, event: QueuedEvent): Promise<void> {
  await tx.query(
    `insert into event_queue (type, merchant_ids, subject_ids, nos)
     values ($1, $2::uuid[], $3::uuid[], $4::int[])`,
    [type, ...queuedValues([event])],
  );
}

/** Any fixed number. */
export const NUMBERING_LOCK = 7021;

/** Answers false while another process numbers. Otherwise it is this one's turn until its transaction ends. */
export async function tryToNumber(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ is_ours: boolean }>(
    'select pg_try_advisory_xact_lock($1::bigint) as is_ours',
    [NUMBERING_LOCK],
  );
  return rows[0]?.is_ours === true;
}

/** Waits for its turn. */
export async function waitToNumber(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1::bigint)', [NUMBERING_LOCK]);
}

export async function isAnyQueued(tx: Tx): Promise<boolean> {
  const { rowCount } = await tx.query('select 1 from event_queue order by queue_no limit 1');
  return rowCount === 1;
}

type EventQueueFigures = {
  readonly count: number;
  /** The status or movement that waits longest. Its time is with what it is about. */
  readonly first: (SubjectNo & { readonly type: 'P' | 'M' }) | null;
};

/** That so many rows wait says all, and counting must not add to the load. */
const COUNTED_ROWS_MAX = 100_000;

export async function readEventQueue(tx: Tx): Promise<EventQueueFigures> {
  const { rows } = await tx.query<{ count: number; first: EventQueueFigures['first'] }>(
    `select (
       select coalesce(sum(cardinality(subject_ids)), 0)::int
       from (select subject_ids from event_queue limit ${COUNTED_ROWS_MAX}) waiting) as count, (
       select json_build_object('type', type, 'subjectId', subject_ids[1], 'no', nos[1])
       from event_queue where type in ('P', 'M') order by queue_no limit 1) as first`,
  );
  return rows[0] ?? { count: 0, first: null };
}

/** Events in one row at most: a page that begins in the middle of a row reads no more than these for nothing. */
const EVENTS_PER_ROW = 64;

/**
 * Numbers what was queued first, up to so many rows of the queue; in a transaction whose turn it is. Answers how many
 * rows it took. Each statement sees what was committed before it: all that an earlier holder of the lock has done.
 */
export async function numberQueued(
  tx: Tx,
  { now, rowsMax }: { readonly now: Date; readonly rowsMax: number },
): Promise<number> {
  const { rows } = await tx.query<{ taken: number }>(
    `with taken as (
       delete from event_queue where queue_no <= (
         select max(queue_no) from (select queue_no from event_queue order by queue_no limit $1) first)
       returning *),
     events as (
       select u.merchant_id, t.type, u.subject_id, u.no,
         row_number() over (partition by u.merchant_id order by t.queue_no, u.place) as place
       from taken t cross join lateral unnest(t.merchant_ids, t.subject_ids, t.nos)
         with ordinality as u (merchant_id, subject_id, no, place)),
     heads as (
       insert into event_heads as h (merchant_id, epoch, last_no)
       select merchant_id, gen_random_uuid(), count(*) from events group by 1 order by 1
       on conflict (merchant_id) do update set last_no = h.last_no + excluded.last_no
       returning merchant_id, last_no),
     numbered as (
       insert into merchant_events (merchant_id, last_no, numbered_at, types, subject_ids, nos)
       select e.merchant_id, h.last_no - c.count + max(e.place), $2, string_agg(e.type, '' order by e.place),
         array_agg(e.subject_id order by e.place), array_agg(e.no order by e.place)
       from events e join heads h using (merchant_id)
       join (select merchant_id, count(*) from events group by 1) c using (merchant_id)
       group by e.merchant_id, h.last_no, c.count, (e.place - 1) / ${EVENTS_PER_ROW})
     select count(*)::int as taken from taken`,
    [rowsMax, now],
  );
  return rows[0]?.taken ?? 0;
}
