// The counted hours of a merchant, added up. What is read here are hours and days, never payments.
import type { Amount } from '../../domain/money.ts';
import type { Tx } from '../database.ts';
import { TIME_COLUMNS } from './payment-hours.ts';
import { column, columns, type Row } from '../columns.ts';

/** Whole hours: from the first time on, before the second. */
export type HoursSpan = { readonly merchantId: string; readonly from: Date; readonly until: Date };

export type EndState = 'COMPLETED' | 'FAILED';

const volumes = columns({
  at: 'timestamptz',
  kind: 'payment_kind',
  currency: 'text',
  state: column<EndState>('text'),
  count: 'int',
  amount: 'numeric',
  fee: 'numeric',
});

export type VolumeSum = Row<typeof volumes>;

/**
 * Whole days of UTC that lie in the span, as far as they are added up, and hours before and behind them: never the same
 * payment in both.
 */
function countsIn(names: string): string {
  const hours = `select hour_at as at, ${names} from payment_hours, built where merchant_id = $1`;
  return `(
    select day_at as at, ${names} from payment_days, built
    where merchant_id = $1 and day_at >= $4 and day_at < built.until
    union all
    ${hours} and hour_at >= $2 and hour_at < least($3::timestamptz, $4)
    union all
    ${hours} and hour_at >= greatest($4, built.until) and hour_at < $3) counts`;
}

/** Until when days are added up: the beginning of the day that is not settled to its end. */
const BUILT = `with built as materialized (
  select least($5::timestamptz, coalesce(
    (select date_trunc('day', settled_until, 'UTC') from payment_hours_progress where merchant_id = $1),
    '-infinity')) as until)`;
const HOURS_ALONE = `with built as materialized (select least($5::timestamptz, '-infinity') as until)`;

/** By the last of these times that is not after them. The first is the beginning of the span. */
export async function sumVolumes(
  tx: Tx,
  span: HoursSpan,
  starts: readonly Date[],
): Promise<readonly VolumeSum[]> {
  // Hours make up what lies before the first whole day, so the first time need not begin one.
  const areDays = starts.slice(1).every((start) => start.getTime() % DAY_MS === 0);
  return volumes.query(
    tx,
    `${areDays ? BUILT : HOURS_ALONE}
     select ($6::timestamptz[])[width_bucket(at, $6::timestamptz[])] as at, kind, currency, state,
       sum(payment_count)::int as count, sum(amount) as amount, sum(fee) as fee
     from ${countsIn('kind, currency, state, payment_count, amount, fee')} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    [...valuesOf(span), starts],
  );
}

const ALL = [
  'kind, provider, currency, state, failure_code, payment_count, amount, fee, duration_ms',
  ...TIME_COLUMNS,
].join(', ');

const ends = columns({
  kind: 'payment_kind',
  provider: 'text',
  currency: 'text',
  state: column<EndState>('text'),
  /** Empty for COMPLETED. */
  failureCode: 'text',
  count: column<number>('int', 'sum(payment_count)::int'),
  amount: column<Amount>('numeric', 'sum(amount)'),
  fee: column<Amount>('numeric', 'sum(fee)'),
  durationMs: column<number>('bigint', 'sum(duration_ms)'),
  /** How many took how long, in the order of the bounds. */
  times: column<readonly number[]>(
    'int[]',
    `array[${TIME_COLUMNS.map((name) => `sum(${name})::int`).join(', ')}]`,
  ),
});

export type EndSum = Row<typeof ends>;

/** How payments ended, whenever in the span. */
export async function sumEnds(tx: Tx, span: HoursSpan): Promise<readonly EndSum[]> {
  return ends.query(
    tx,
    `${BUILT}
     select ${ends.names} from ${countsIn(ALL)} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    valuesOf(span),
  );
}

export type Counted = {
  /** What ended before this is counted; null when nothing was ever counted. */
  readonly until: Date | null;
  /** Whether something ended before `expectedUntil` that is not counted. */
  readonly isBehind: boolean;
};

/** One step in `payments_by_end`. */
export async function readCounted(
  tx: Tx,
  { merchantId, expectedUntil }: { readonly merchantId: string; readonly expectedUntil: Date },
): Promise<Counted> {
  const { rows } = await tx.query<{ counted_until: Date | null; is_behind: boolean }>(
    `select p.counted_until, exists (
       select 1 from payments where merchant_id = $1 and final_at >= coalesce(p.counted_until, '-infinity')
         and final_at < $2) as is_behind
     from (values ($1::uuid)) as m (merchant_id) left join payment_hours_progress p using (merchant_id)`,
    [merchantId, expectedUntil],
  );
  return { until: rows[0]?.counted_until ?? null, isBehind: rows[0]?.is_behind === true };
}

const DAY_MS = 24 * 3_600_000;

/** With the whole days of UTC that lie in the span. */
function valuesOf({ merchantId, from, until }: HoursSpan): unknown[] {
  const firstDay = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const lastDay = new Date(Math.floor(until.getTime() / DAY_MS) * DAY_MS);
  return [merchantId, from, until, firstDay, lastDay];
}
