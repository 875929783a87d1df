// Numbered events of merchants: pages of them, and what is deleted when it is old.
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import type { Pruning } from '../retention.ts';
import { NUMBERING_LOCK, type EventType } from './event-queue.ts';

const heads = columns({
  merchantId: 'uuid',
  epoch: 'uuid',
  lastNo: 'bigint',
  deletedNo: 'bigint',
  previousEpoch: 'uuid null',
  previousNo: 'bigint',
});

export type EventHead = Row<typeof heads>;

/** Null where nothing ever happened. */
export function findEventHead(tx: Tx, merchantId: string): Promise<EventHead | null> {
  return heads.find(tx, 'from event_heads where merchant_id = $1', [merchantId]);
}

/** The last numbers of merchants; one to whom nothing ever happened is left out. */
export async function listLastNumbers(
  tx: Tx,
  merchantIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await heads
    .only('merchantId', 'lastNo')
    .select(tx, 'from event_heads where merchant_id = any ($1::uuid[])', [merchantIds]);
  return new Map(rows.map(({ merchantId, lastNo }) => [merchantId, lastNo]));
}

const events = columns({
  number: column<number>('bigint', 'b.last_no - length(b.types) + u.place'),
  type: column<EventType>('text', 'substr(b.types, u.place::int, 1)'),
  subjectId: column<string>('uuid', 'u.subject_id'),
  no: column<number>('int', 'u.no'),
  numberedAt: column<Date>('timestamptz', 'b.numbered_at'),
});

export type NumberedEvent = Row<typeof events>;

/** The events behind a number, in their order. Those that are visible are always all up to the last one. */
export async function listEventsAfter(
  tx: Tx,
  page: { readonly merchantId: string; readonly afterNo: number; readonly countMax: number },
): Promise<readonly NumberedEvent[]> {
  const { merchantId, afterNo, countMax } = page;
  return events.select(
    tx,
    `from (select * from merchant_events where merchant_id = $1 and last_no > $2 order by last_no limit $3) b
     cross join lateral unnest(b.subject_ids, b.nos) with ordinality as u (subject_id, no, place)
     where b.last_no - length(b.types) + u.place > $2 order by b.last_no, u.place limit $3`,
    [merchantId, afterNo, countMax],
  );
}

/**
 * Answers how many rows of events it deleted. None while events are numbered, which changes the same heads, and none of
 * a merchant that is being moved: both cells have the same meanwhile.
 */
export async function pruneEvents(tx: Tx, { before, countMax }: Pruning): Promise<number> {
  const { rows } = await tx.query<{ deleted: number }>(
    `with turn as materialized (select pg_try_advisory_xact_lock($3::bigint) as is_ours),
     old as (
       select merchant_id, last_no from merchant_events e where (select is_ours from turn) and numbered_at < $1
         and not exists (select 1 from migration_locks f where f.merchant_id = e.merchant_id)
       order by numbered_at, last_no limit $2),
     deleted as (
       delete from merchant_events e using old
       where e.merchant_id = old.merchant_id and e.last_no = old.last_no returning e.merchant_id, e.last_no),
     heads as (
       update event_heads h set deleted_no = greatest(h.deleted_no, d.last_no)
       from (select merchant_id, max(last_no) as last_no from deleted group by 1) d
       where h.merchant_id = d.merchant_id)
     select count(*)::int as deleted from deleted`,
    [before, countMax, NUMBERING_LOCK],
  );
  return rows[0]?.deleted ?? 0;
}

/**
 * After a restore: what was numbered in the time that was lost gets other numbers. Up to the last number from before
 * that time, the events are the same as ever.
 */
export async function changeEpochs(tx: Tx, lostFrom: Date): Promise<void> {
  await tx.query(
    `update event_heads h set epoch = gen_random_uuid(), previous_epoch = epoch,
       previous_no = coalesce((
         select last_no from merchant_events e where e.merchant_id = h.merchant_id and e.numbered_at < $1
         order by last_no desc limit 1), h.deleted_no)`,
    [lostFrom],
  );
}
