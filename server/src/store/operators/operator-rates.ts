// How often all workers together may call an operator: the time up to which an account's slots are given away. It is
// the database's time, which is the same for all workers: a wrong clock would give away the slots of a later minute.
import type { SlotRequest, SlotsRequest } from '../../connectors/rate-gate.ts';
import type { Tx } from '../database.ts';

const TIME = 'clock_timestamp()';
const milliseconds = (count: string) => `${count}::float8 * interval '1 millisecond'`;

/**
 * The next slot, where $2 is how long after now the first one is (after a pause it lies in the past). No one takes
 * slots five minutes ahead; a database whose clock was set back would find some.
 */
const NEXT_SLOT = `case when rates.taken_until > ${TIME} + interval '5 minutes' then ${TIME} + ${milliseconds('$2')}
  else greatest(rates.taken_until, ${TIME} + ${milliseconds('$2')}) end`;

/**
 * Takes the next slot, unless it comes too late. Slots stand `1 / perSecond` apart; after a pause the first `burst` of
 * them lie in the past and can be used at once. Answers in how many milliseconds it is.
 */
export async function takeRateSlot(tx: Tx, request: SlotRequest): Promise<number | null> {
  const { stepMs, firstMs } = spacingOf(request);
  const { rows } = await tx.query<{ wait: number }>(
    `insert into operator_rates as rates (account, taken_until)
     values ($1, ${TIME} + ${milliseconds('$2')} + ${milliseconds('$3')})
     on conflict (account) do update set taken_until = ${NEXT_SLOT} + ${milliseconds('$3')}
       where ${NEXT_SLOT} <= ${TIME} + ${milliseconds('$4')}
     returning extract(epoch from taken_until - ${TIME})::float8 * 1000 - $3::float8 as wait`,
    [request.account, firstMs, stepMs, request.withinMs],
  );
  return rows[0]?.wait ?? null;
}

/** Takes the next slots, as many as there are within the time. */
export async function takeRateSlots(tx: Tx, request: SlotsRequest): Promise<readonly number[]> {
  const { stepMs, firstMs } = spacingOf(request);
  await tx.query(
    `insert into operator_rates (account, taken_until) values ($1, ${TIME} + ${milliseconds('$2')})
     on conflict (account) do nothing`,
    [request.account, firstMs],
  );
  const { rows } = await tx.query<{ wait: number; count: number }>(
    `with rate as (select ${NEXT_SLOT} as slot from operator_rates rates where account = $1 for update),
     timed as (select slot, extract(epoch from slot - ${TIME})::float8 * 1000 as wait from rate),
     counted as (
       select slot, wait, least($5::int, 1 + floor(($4::float8 - wait) / $3::float8)::int) as count
       from timed where wait <= $4::float8)
     update operator_rates set taken_until = slot + count * ${milliseconds('$3')}
     from counted where account = $1 returning wait, count`,
    [request.account, firstMs, stepMs, request.withinMs, request.countMax],
  );
  const [taken] = rows;
  if (taken === undefined) return [];
  return Array.from({ length: taken.count }, (_, index) => taken.wait + index * stepMs);
}

/** No slot for so long. */
export async function pauseRate(tx: Tx, account: string, pauseMs: number): Promise<void> {
  await tx.query(
    `insert into operator_rates as rates (account, taken_until) values ($1, ${TIME} + ${milliseconds('$2')})
     on conflict (account) do update set taken_until = greatest(rates.taken_until, excluded.taken_until)`,
    [account, pauseMs],
  );
}

function spacingOf({ perSecond, burst }: SlotRequest) {
  const stepMs = 1_000 / perSecond;
  return { stepMs, firstMs: -(burst - 1) * stepMs };
}
