// Deletes in the old cell what the new one has. PostgreSQL allows it only for merchants that are AWAY.
import type { OperationKey } from '../../../domain/payments/payment.ts';
import type { Tx } from '../../database.ts';
import { CLEARED_LAST, CLEARED_TABLES } from './copied-tables.ts';
import { KEYS, keyValues, type CopiedOf } from './copy-rows.ts';

/** How many rows of payments each table has, and what their transfers come to, by the table's name. */
export async function measurePayments(tx: Tx, of: CopiedOf): Promise<ReadonlyMap<string, string>> {
  // Identifiers are there with their payments. Those of a split's payouts can be free again in the new cell.
  const counts = CLEARED_TABLES.filter(({ table }) => table !== 'payment_keys').map(
    ({ table, where }) =>
      `select '${table}' as name, count(*)::text as measure from ${table} t where ${where}`,
  );
  const transfers = CLEARED_TABLES.find(({ table }) => table === 'transfers')?.where ?? 'false';
  const sum = `select 'sum of transfers', coalesce(sum(amount), 0)::text from transfers t where ${transfers}`;
  const { rows } = await tx.query<{ name: string; measure: string }>(
    `${KEYS} ${[...counts, sum].join(' union all ')}`,
    keyValues(of),
  );
  return new Map(rows.map(({ name, measure }) => [name, measure]));
}

export async function deletePayments(tx: Tx, of: CopiedOf): Promise<void> {
  for (const { table, where } of CLEARED_TABLES) {
    await tx.query(`${KEYS} delete from ${table} t where ${where}`, keyValues(of));
  }
}

/** What a merchant had besides its payments. Its row stays, and its tokens, to know it by. */
export async function deleteMerchantFacts(tx: Tx, merchantId: string): Promise<void> {
  for (const { table, where } of CLEARED_LAST) {
    await tx.query(`delete from ${table} t where ${where}`, [merchantId]);
  }
  await tx.query('update merchants set encrypted_contact_email = null where merchant_id = $1', [merchantId]);
}

/** Identifiers that are free again: they were copied before their split payment failed. */
export async function deleteFreedKeys(
  { from, to }: { readonly from: Tx; readonly to: Tx },
  { merchantId, keys }: { readonly merchantId: string; readonly keys: readonly OperationKey[] },
): Promise<void> {
  const values = keyValues({ merchantId, keys });
  const { rows } = await from.query<{ kind: OperationKey['kind']; payment_id: string }>(
    `select u.kind, u.payment_id from unnest($2::payment_kind[], $3::uuid[]) as u (kind, payment_id)
     where not exists (
       select 1 from payment_keys t where (t.merchant_id, t.kind, t.payment_id) = ($1, u.kind, u.payment_id))`,
    values,
  );
  const freed = rows.map((row) => ({ merchantId, kind: row.kind, paymentId: row.payment_id }));
  await to.query(
    `${KEYS} delete from payment_keys t where (t.merchant_id, t.kind, t.payment_id) in (
       select merchant_id, kind, payment_id from k)`,
    keyValues({ merchantId, keys: freed }),
  );
}
