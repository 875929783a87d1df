// How far the sums of a merchant's transfers go. They are copied with it: adding up the copied transfers takes longer
// the more there are.
import type { Tx } from '../../database.ts';
import { readDatabaseTimes } from '../../monitoring/database-time.ts';

/**
 * In one look with the sums that are copied. Answers false, and copies nothing, where they go further than the clock of
 * the new cell: everything that is written there would wait for that time.
 */
export async function copySummedUntil(
  { from, to }: { readonly from: Tx; readonly to: Tx },
  merchantId: string,
): Promise<boolean> {
  const { rows } = await from.query<{ until: string; is_ahead: boolean }>(
    `select until::text, until > $2::timestamptz as is_ahead from (
       select coalesce((select summed_until from ledger_progress where merchant_id = $1),
         (select summed_until from ledger_progress where merchant_id is null), '-infinity') as until) each`,
    [merchantId, (await readDatabaseTimes(to)).shown],
  );
  if (rows[0]?.is_ahead === true) return false;
  await markSummedUntil(to, merchantId, rows[0]?.until ?? '-infinity');
  return true;
}

async function markSummedUntil(tx: Tx, merchantId: string, until: string): Promise<void> {
  await tx.query(
    `insert into ledger_progress (merchant_id, summed_until) values ($1, $2::timestamptz)
     on conflict (merchant_id) do update set summed_until = excluded.summed_until`,
    [merchantId, until],
  );
}

/** Of a merchant whose transfers are to be added up again, from the first. */
export async function forgetSums(tx: Tx, merchantId: string): Promise<void> {
  for (const table of ['ledger_days', 'ledger_totals'])
    await tx.query(`delete from ${table} where merchant_id = $1`, [merchantId]);
  await markSummedUntil(tx, merchantId, '-infinity');
}
