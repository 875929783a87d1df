// Payments counted by the hour in which they ended. Written by core/payments/read/count-hours alone, one worker at a
// time.
import { TIME_BOUNDS_SECONDS } from '../../domain/payments/time-to-final.ts';
import { livesHere } from '../cells/migration-locks.ts';
import type { Tx } from '../database.ts';
import { column, columns, type Row } from '../columns.ts';
import { replacedOn, rowInserter, unnested, valuesOf } from '../rows.ts';

/** The columns that count how long payments took, in the order of their bounds. */
export const TIME_COLUMNS = [...TIME_BOUNDS_SECONDS.map((bound) => `under_${bound}s`), 'longer'];

const SORT = 'kind, provider, currency, state, failure_code';
const GROUPED = `merchant_id, hour_at, ${SORT}`;
const BOUNDS = `'{${TIME_BOUNDS_SECONDS.join()}}'::numeric[]`;
const COUNTED = ['payment_count', 'amount', 'fee', 'duration_ms', ...TIME_COLUMNS];

/** Any fixed number will do; anyone who has it counts, in a transaction. */
const COUNTING_LOCK = 7_029;

/** Answers false while another worker counts. It is this one's turn until its transaction ends. */
export async function takeCountingTurn(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [
    COUNTING_LOCK,
  ]);
  return rows[0]?.taken === true;
}

/** How far a merchant is counted. */
const progresses = columns({
  merchantId: 'uuid',
  /** What ended before this is counted. */
  countedUntil: 'timestamptz',
  /** Hours before this are counted for good. */
  settledUntil: 'timestamptz',
});

export type CountProgress = Row<typeof progresses>;

const counted = columns({
  merchantId: column<string>('uuid', 'm.merchant_id'),
  countedUntil: 'timestamptz null',
  settledUntil: 'timestamptz null',
  /** The first end that is not counted. */
  firstUncountedAt: column<Date | null>('timestamptz null', 'next.final_at'),
});

export type MerchantToCount = Pick<Row<typeof counted>, 'merchantId' | 'firstUncountedAt'> & {
  /** Null for one that was never counted. */
  readonly progress: CountProgress | null;
};

/**
 * Merchants of which something is to be counted, or to be counted for good. One step in `payments_by_end` for each
 * merchant; one in which nothing happens is looked at and not written. Those that live elsewhere are left alone.
 */
export async function listMerchantsToCount(
  tx: Tx,
  { countUntil, settleUntil }: { readonly countUntil: Date; readonly settleUntil: Date },
): Promise<readonly MerchantToCount[]> {
  const rows = await counted.select(
    tx,
    `from merchants m
     left join payment_hours_progress p using (merchant_id)
     left join lateral (
       select final_at from payments
       where merchant_id = m.merchant_id and final_at >= coalesce(p.counted_until, '-infinity') and final_at < $1
       order by final_at limit 1) next on true
     where (next.final_at is not null or (p.settled_until < $2 and p.counted_until > p.settled_until))
       and ${livesHere('m')}
     order by p.settled_until nulls first`,
    [countUntil, settleUntil],
  );
  return rows.map(({ merchantId, countedUntil, settledUntil, firstUncountedAt }) => ({
    merchantId,
    progress:
      countedUntil === null || settledUntil === null ? null : { merchantId, countedUntil, settledUntil },
    firstUncountedAt,
  }));
}

/** From the first time on, before the second. */
const countSpans = columns({
  merchantId: 'uuid',
  from: column<Date>('timestamptz', 'from_at'),
  until: column<Date>('timestamptz', 'until_at'),
});

export type CountSpan = Row<typeof countSpans>;

const spanColumns = countSpans.cells;
const SPANS = unnested(spanColumns, 'span');

/** Of spans in which more than `countMax` payments ended, when the one behind those did. */
export async function listEndsBehind(
  tx: Tx,
  spans: readonly CountSpan[],
  countMax: number,
): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await tx.query<{ merchant_id: string; final_at: Date }>(
    `select span.merchant_id, p.final_at from ${SPANS} cross join lateral (
       select final_at from payments
       where merchant_id = span.merchant_id and final_at >= span.from_at and final_at < span.until_at
       order by final_at offset $4 limit 1) p`,
    [...valuesOf(spanColumns, spans), countMax],
  );
  return new Map(rows.map((row) => [row.merchant_id, row.final_at]));
}

/** Adds what ended in these spans to their hours. A span that is added twice is counted twice. */
export async function addHours(tx: Tx, spans: readonly CountSpan[]): Promise<void> {
  if (spans.length === 0) return;
  const times = TIME_COLUMNS.map((_, index) => `count(*) filter (where time_no = ${index})`);
  await tx.query(
    `insert into payment_hours as h (${GROUPED}, ${COUNTED.join(', ')})
     select ${GROUPED}, count(*), sum(amount), sum(fee), sum(duration_ms), ${times.join(', ')}
     from ${SPANS} cross join lateral (
       select date_trunc('hour', final_at, 'UTC') as hour_at, kind, provider, currency, state,
         coalesce(failure_code, '') as failure_code, amount,
         case when state = 'COMPLETED' then fee else 0 end as fee,
         greatest(extract(epoch from final_at - created_at) * 1000, 0)::bigint as duration_ms,
         width_bucket(extract(epoch from final_at - created_at), ${BOUNDS}) as time_no
       from payments p
       where p.merchant_id = span.merchant_id and p.final_at >= span.from_at and p.final_at < span.until_at) ended
     group by ${GROUPED}
     on conflict (${GROUPED}) do update
       set ${COUNTED.map((name) => `${name} = h.${name} + excluded.${name}`).join(', ')}`,
    valuesOf(spanColumns, spans),
  );
}

/** Forgets the hours of these spans, which begin and end with an hour. */
export async function deleteHours(tx: Tx, spans: readonly CountSpan[]): Promise<void> {
  if (spans.length === 0) return;
  await tx.query(
    `delete from payment_hours h using ${SPANS}
     where h.merchant_id = span.merchant_id and h.hour_at >= span.from_at and h.hour_at < span.until_at`,
    valuesOf(spanColumns, spans),
  );
}

/** Adds up the hours of these spans, which begin and end with a day and are settled. */
export async function buildDays(tx: Tx, spans: readonly CountSpan[]): Promise<void> {
  if (spans.length === 0) return;
  const sums = COUNTED.map((name) => `sum(h.${name})`).join(', ');
  await tx.query(
    `insert into payment_days (merchant_id, day_at, ${SORT}, ${COUNTED.join(', ')})
     select h.merchant_id, date_trunc('day', hour_at, 'UTC') as day_at, ${SORT}, ${sums}
     from ${SPANS} join payment_hours h
       on h.merchant_id = span.merchant_id and h.hour_at >= span.from_at and h.hour_at < span.until_at
     group by 1, 2, ${SORT}`,
    valuesOf(spanColumns, spans),
  );
}

export const writeProgress = rowInserter(
  'payment_hours_progress',
  progresses.cells,
  replacedOn('merchant_id', progresses.cells),
);

/** A merchant is counted again from its first payment on. */
export async function forgetHours(tx: Tx, merchantId: string): Promise<void> {
  await tx.query('delete from payment_hours where merchant_id = $1', [merchantId]);
  await tx.query('delete from payment_days where merchant_id = $1', [merchantId]);
  await tx.query('delete from payment_hours_progress where merchant_id = $1', [merchantId]);
}
