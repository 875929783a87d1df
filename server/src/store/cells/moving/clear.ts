// Deletes in the old cell what the new one has. PostgreSQL allows it only for merchants that are AWAY.
import type { OperationKey } from '../../../domain/payments/payment.ts';
import type { Tx } from '../../database.ts';
import { CLEARED_LAST, CLEARED_TABLES } from './copied-tables.ts';
import { KEYS, keyValues, type CopiedOf } from './copy-rows.ts';

export async function deletePayments(tx: Tx, of: CopiedOf): Promise<void> {
  for (const { table, where } of CLEARED_TABLES) {
    await tx.query(`${KEYS} delete from ${table} t where ${where}`, keyValues(of));
  }
}

/** Pages stay to know the merchant by. What they say of payers is in the new cell, and erased there. */
const PAGES = ['payment_pages', 'checkouts'] as const;

/** What a merchant had besides its payments. Its row stays, and its tokens, to know it by. */
export async function deleteMerchantFacts(tx: Tx, merchantId: string): Promise<void> {
  for (const { table, where } of CLEARED_LAST) {
    await tx.query(`delete from ${table} t where ${where}`, [merchantId]);
  }
  for (const table of PAGES)
    await tx.query(`update ${table} set encrypted_order = null where merchant_id = $1`, [merchantId]);
  await tx.query('update merchants set encrypted_contact_email = null where merchant_id = $1', [merchantId]);
}

/** Identifiers that are free again: they were copied before their split payment failed. */
export async function deleteFreedKeys(
  { from, to }: { readonly from: Tx; readonly to: Tx },
  { merchantId, keys }: CopiedOf,
): Promise<void> {
  const freed = await listUnknownKeys(from, { merchantId, keys });
  await to.query(
    `${KEYS} delete from payment_keys t where (t.merchant_id, t.kind, t.payment_id) in (
       select merchant_id, kind, payment_id from k)`,
    keyValues({ merchantId, keys: freed }),
  );
}

/** Those of these identifiers that are not there. */
export async function listUnknownKeys(
  tx: Tx,
  { merchantId, keys }: CopiedOf,
): Promise<readonly OperationKey[]> {
  const { rows } = await tx.query<{ kind: OperationKey['kind']; payment_id: string }>(
    `select u.kind, u.payment_id from unnest($2::payment_kind[], $3::uuid[]) as u (kind, payment_id)
     where not exists (
       select 1 from payment_keys t where (t.merchant_id, t.kind, t.payment_id) = ($1, u.kind, u.payment_id))`,
    keyValues({ merchantId, keys }),
  );
  return rows.map((row) => ({ merchantId, kind: row.kind, paymentId: row.payment_id }));
}
