// Copies a merchant's events in pages. They are only added to, so that a page that was copied is never copied again.
import type { Tx } from '../../database.ts';

const ROWS_PER_PAGE = 500;

type Both = { readonly from: Tx; readonly to: Tx };

/** Copies the next page, in one transaction of the new cell. Answers whether there may be another. */
export async function copyEventPage({ from, to }: Both, merchantId: string): Promise<boolean> {
  const through = await readEventsThrough(to, merchantId);
  const { rows } = await from.query<{ count: number; last: string | null; copied: string | null }>(
    `select count(*)::int as count, max(e.last_no)::text as last, json_agg(e)::text as copied
     from (select * from merchant_events where merchant_id = $1 and last_no > $2 order by last_no limit $3) e`,
    [merchantId, through, ROWS_PER_PAGE],
  );
  const { count = 0, last = null, copied = null } = rows[0] ?? {};
  // Whatever an earlier stay left there is replaced.
  await to.query(
    'delete from merchant_events where merchant_id = $1 and last_no > $2 and last_no <= coalesce($3, last_no)',
    [merchantId, through, last],
  );
  if (last === null) return false;
  await to.query(
    'insert into merchant_events select * from json_populate_recordset(null::merchant_events, $1::json)',
    [copied],
  );
  await to.query(
    `update migration_locks set events_through = $2 where merchant_id = $1 and state = 'ARRIVING'`,
    [merchantId, last],
  );
  return count === ROWS_PER_PAGE;
}

async function readEventsThrough(to: Tx, merchantId: string): Promise<string> {
  const { rows } = await to.query<{ through: string }>(
    'select events_through::text as through from migration_locks where merchant_id = $1',
    [merchantId],
  );
  return rows[0]?.through ?? '0';
}

/** How many rows of events there are, and their first and last number: read from an index alone. */
export async function measureEvents(tx: Tx, merchantId: string): Promise<string> {
  const { rows } = await tx.query<{ measure: string }>(
    `select concat_ws(' ', count(*), min(last_no), max(last_no)) as measure from merchant_events
     where merchant_id = $1`,
    [merchantId],
  );
  return rows[0]?.measure ?? '';
}
