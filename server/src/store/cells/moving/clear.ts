// Deletes in the old cell what the new one has. PostgreSQL allows it only for merchants that are AWAY.
import type { OperationKey } from '../../../domain/payments/payment.ts';
import type { Tx } from '../../database.ts';
import { countChanged } from '../../rows.ts';
import { CLEARED_LAST, CLEARED_TABLES } from './copied-tables.ts';
import { KEYS, keyValues, type CopiedOf } from './copy-rows.ts';

export async function deletePayments(tx: Tx, of: CopiedOf): Promise<void> {
  // Checkouts stay to know the merchant by; only a checkout that has an identifier is left to be found.
  await tx.query(
    `${KEYS} update checkouts t set encrypted_order = null where t.merchant_id = $1
       and t.checkout_id in (select payment_id from k where kind = 'CHECKOUT')`,
    keyValues(of),
  );
  for (const { table, where } of CLEARED_TABLES) {
    await tx.query(`${KEYS} delete from ${table} t where ${where}`, keyValues(of));
  }
}

/** So many rows at once where a merchant can have any number of them. */
const ROWS_AT_ONCE = 5_000;

/** Pages stay to know the merchant by. What they say of payers is in the new cell, and erased there. */
const PAGES = ['payment_pages', 'checkouts'] as const;

/** Some of what a merchant can have hundreds of thousands of. Answers whether there may be more. */
export async function clearSomePieces(tx: Tx, merchantId: string): Promise<boolean> {
  const some = (table: string, which: string) => `(merchant_id, ctid) in (
    select merchant_id, ctid from ${table} where merchant_id = $1 ${which} limit ${ROWS_AT_ONCE})`;
  const counts = [
    await countChanged(tx, `delete from payout_batch_rows where ${some('payout_batch_rows', '')}`, [
      merchantId,
    ]),
  ];
  for (const table of PAGES) {
    const which = some(table, 'and encrypted_order is not null');
    counts.push(
      await countChanged(tx, `update ${table} set encrypted_order = null where ${which}`, [merchantId]),
    );
  }
  return counts.includes(ROWS_AT_ONCE);
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
