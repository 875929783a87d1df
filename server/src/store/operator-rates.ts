// How often all workers together may call an operator: the time up to which an account's slots are given away.
import type { SlotOrder, SlotsOrder } from '../connectors/rate-gate.ts';
import type { Tx } from './database.ts';

/**
 * Takes the next slot, unless it comes too late. Slots stand `1 / perSecond` apart; after a pause the first `burst` of
 * them lie in the past and can be used at once.
 */
export async function takeRateSlot(tx: Tx, order: SlotOrder): Promise<Date | null> {
  const { account, perSecond, burst, now, latest } = order;
  const stepMs = 1_000 / perSecond;
  const first = new Date(now.getTime() - (burst - 1) * stepMs);
  const { rows } = await tx.query<{ slot: Date }>(
    `insert into operator_rates as rates (account, taken_until)
     values ($1, $2::timestamptz + $3::float8 * interval '1 millisecond')
     on conflict (account) do update
       set taken_until = greatest(rates.taken_until, $2) + $3::float8 * interval '1 millisecond'
       where greatest(rates.taken_until, $2) <= $4
     returning taken_until - $3::float8 * interval '1 millisecond' as slot`,
    [account, first, stepMs, latest],
  );
  return rows[0]?.slot ?? null;
}

/** Takes the next slots, as many as there are up to `latest`. */
export async function takeRateSlots(tx: Tx, order: SlotsOrder): Promise<readonly Date[]> {
  const { account, perSecond, burst, now, latest, countMax } = order;
  const stepMs = 1_000 / perSecond;
  const first = new Date(now.getTime() - (burst - 1) * stepMs);
  await tx.query(
    `insert into operator_rates (account, taken_until) values ($1, $2) on conflict (account) do nothing`,
    [account, first],
  );
  const { rows } = await tx.query<{ slot: Date; count: number }>(
    `with rate as (
       select greatest(taken_until, $2) as slot from operator_rates where account = $1 for update),
     taken as (
       select slot, extract(epoch from $4::timestamptz - slot) * 1000 / $3::float8 as steps from rate
       where slot <= $4),
     counted as (select slot, least($5::int, 1 + floor(steps)::int) as count from taken)
     update operator_rates set taken_until = slot + count * $3::float8 * interval '1 millisecond'
     from counted where account = $1 returning slot, count`,
    [account, first, stepMs, latest, countMax],
  );
  const [taken] = rows;
  if (taken === undefined) return [];
  return Array.from({ length: taken.count }, (_, index) => new Date(taken.slot.getTime() + index * stepMs));
}

export async function pauseRate(tx: Tx, account: string, until: Date): Promise<void> {
  await tx.query(
    `insert into operator_rates as rates (account, taken_until) values ($1, $2)
     on conflict (account) do update set taken_until = greatest(rates.taken_until, excluded.taken_until)`,
    [account, until],
  );
}
