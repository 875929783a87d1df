// Sums of a merchant's transfers are copied: adding up the copied transfers takes longer the more there are.
import type { Tx } from '../../database.ts';

/** The sums of a merchant as they are in the old cell, with how far they go, into the new one. */
export async function copyLedgerSums(
  { from, to }: { readonly from: Tx; readonly to: Tx },
  merchantId: string,
): Promise<void> {
  const { rows } = await from.query<{ until: string; days: string; totals: string }>(
    `select coalesce((select summed_until from ledger_progress where merchant_id = $1),
         (select summed_until from ledger_progress where merchant_id is null), '-infinity')::text as until,
       (select coalesce(json_agg(d), '[]')::text from ledger_days d where merchant_id = $1) as days,
       (select coalesce(json_agg(t), '[]')::text from ledger_totals t where merchant_id = $1) as totals`,
    [merchantId],
  );
  const { until = '-infinity', days = '[]', totals = '[]' } = rows[0] ?? {};
  await forgetSums(to, merchantId, until);
  for (const [table, copied] of Object.entries({ ledger_days: days, ledger_totals: totals }))
    await to.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`, [
      copied,
    ]);
}

/** Of a merchant that has no sums, and whose transfers are added up from then on: from the first unless told. */
export async function forgetSums(tx: Tx, merchantId: string, until = '-infinity'): Promise<void> {
  for (const table of ['ledger_days', 'ledger_totals', 'ledger_progress'])
    await tx.query(`delete from ${table} where merchant_id = $1`, [merchantId]);
  await tx.query('insert into ledger_progress (merchant_id, summed_until) values ($1, $2::timestamptz)', [
    merchantId,
    until,
  ]);
}
