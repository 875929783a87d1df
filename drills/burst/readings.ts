// Queries of a run: the states of payouts, when the last one ended, and how often operators were called.
import type { Database } from '../../server/src/store/database.ts';

export type States = Readonly<Record<string, number>>;

/** How many payouts of a provider are in which state. */
export async function countStates(database: Database, provider: string): Promise<States> {
  const { rows } = await database.query<{ state: string; count: number }>(
    `select state, count(*)::int as count from payments where provider = $1 and kind = 'PAYOUT' group by state`,
    [provider],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** When the last payout of a provider ended, in milliseconds; now if one is open. */
export async function readLastEnd(database: Database, provider: string): Promise<number> {
  const { rows } = await database.query<{ ended_at: Date | null; is_open: boolean }>(
    `select max(final_at) as ended_at, bool_or(final_at is null) as is_open
     from payments where provider = $1 and kind = 'PAYOUT'`,
    [provider],
  );
  const [row] = rows;
  return row?.is_open === false && row.ended_at !== null ? row.ended_at.getTime() : Date.now();
}

/** The calls to an operator for payouts; its balance is requested independently. */
export async function countCalls(database: Database, operator: string, sinceMs: number) {
  const { rows } = await database.query<{ queries: number; others: number }>(
    `select count(*) filter (where step = 'query')::int as queries,
            count(*) filter (where step <> 'query')::int as others
     from operator_traffic where connector = $1 and step <> 'balance' and at >= $2`,
    [operator, new Date(sinceMs)],
  );
  return rows[0] ?? { queries: 0, others: 0 };
}

/** The last event of payouts that have not ended, and how many have it. */
export async function listOpenReasons(database: Database, provider: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ state: string; event: string; detail: string; count: number }>(
    `select state, event, coalesce(detail, '') as detail, count(*)::int as count
     from payments left join lateral (
       select event, detail from payment_events
       where payment_events.payment_no = payments.payment_no
       order by event_no desc limit 1) as last on true
     where provider = $1 and kind = 'PAYOUT' and final_at is null group by 1, 2, 3`,
    [provider],
  );
  return rows.map(({ state, event, detail, count }) => `${count} ${state} ${event} ${detail}`.trimEnd());
}
