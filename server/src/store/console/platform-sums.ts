// The counted hours and days of all merchants, added up for the platform's overview. No payment is read.
import { livesHere } from '../cells/migration-locks.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { TIME_COLUMNS } from '../payments/payment-hours.ts';
import type { EndState } from '../payments/payment-sums.ts';

/** A span of whole days, and the time before it that it is compared with. */
export type ComparedDays = {
  /** The beginning of a day. */
  readonly previousFrom: Date;
  /** A whole hour: a day that has not passed is compared with as much of another one. */
  readonly previousUntil: Date;
  readonly from: Date;
  readonly until: Date;
};

const NAMES = ['provider, currency, state, payment_count, amount, fee', ...TIME_COLUMNS].join(', ');

const ends = columns({
  /** Of the span itself; otherwise of the one before it. */
  isCurrent: column<boolean>('bool', 'at >= $2'),
  merchantId: 'uuid',
  provider: 'text',
  currency: 'text',
  state: column<EndState>('text'),
  count: column<number>('int', 'sum(payment_count)::int'),
  amount: column<bigint>('numeric', 'sum(amount)'),
  /** What merchants paid for them. */
  fee: column<bigint>('numeric', 'sum(fee)'),
  /** How many took how long, in the order of the bounds. */
  times: column<readonly number[]>(
    'int[]',
    `array[${TIME_COLUMNS.map((name) => `sum(${name})::int`).join(', ')}]`,
  ),
});

export type PlatformEnds = Row<typeof ends>;

/**
 * Days as far as they are added up, and hours behind them and in the day that counts in part, merchant by merchant
 * (`offset 0` keeps it so).
 */
export async function sumPlatformEnds(tx: Tx, days: ComparedDays): Promise<readonly PlatformEnds[]> {
  const { previousFrom, previousUntil, from, until } = days;
  const partFrom = new Date(Math.floor(previousUntil.getTime() / DAY_MS) * DAY_MS);
  const hours = `select hour_at, ${NAMES} from payment_hours h where h.merchant_id = m.merchant_id`;
  return ends.select(
    tx,
    `from (
       select merchant_id, date_trunc('day', settled_until, 'UTC') as built_until
       from payment_hours_progress p where ${livesHere('p')}) m
     cross join lateral (
       select day_at as at, ${NAMES} from payment_days d
       where d.merchant_id = m.merchant_id and ${whole('day_at')} and day_at < m.built_until
       union all
       ${hours} and ${whole('hour_at')} and hour_at >= m.built_until
       union all
       ${hours} and hour_at >= $4 and hour_at < $5
       offset 0) counts
     group by 1, 2, 3, 4, 5`,
    [previousFrom, from, until, partFrom, previousUntil],
  );
}

const daySums = columns({
  dayAt: column<Date>('timestamptz', `date_trunc('day', at, 'UTC')`),
  currency: 'text',
  completed: column<number>('int', `coalesce(sum(payment_count) filter (where state = 'COMPLETED'), 0)::int`),
  failed: column<number>('int', `coalesce(sum(payment_count) filter (where state <> 'COMPLETED'), 0)::int`),
  completedAmount: column<bigint>('numeric', `coalesce(sum(amount) filter (where state = 'COMPLETED'), 0)`),
  fees: column<bigint>('numeric', 'sum(fee)'),
});

export type PlatformDay = Row<typeof daySums>;

type Days = { readonly from: Date; readonly until: Date };

/** The same for each day that has payments, without providers and merchants. */
export async function sumPlatformDays(tx: Tx, { from, until }: Days): Promise<readonly PlatformDay[]> {
  const names = 'currency, state, payment_count, amount, fee';
  return daySums.select(
    tx,
    `from (
       select merchant_id, date_trunc('day', settled_until, 'UTC') as built_until
       from payment_hours_progress p where ${livesHere('p')}) m
     cross join lateral (
       select day_at as at, ${names} from payment_days d
       where d.merchant_id = m.merchant_id and day_at >= $1 and day_at < $2 and day_at < m.built_until
       union all
       select hour_at, ${names} from payment_hours h
       where h.merchant_id = m.merchant_id and hour_at >= $1 and hour_at < $2
         and hour_at >= m.built_until
       offset 0) counts
     group by 1, 2`,
    [from, until],
  );
}

/** In the days that count as a whole. */
function whole(at: string): string {
  return `${at} >= $1 and ${at} < $3 and (${at} < $4 or ${at} >= $2)`;
}

const DAY_MS = 24 * 3_600_000;
