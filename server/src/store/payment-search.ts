// Exact-match search over sealed values: a keyed hash of each value, never the value.
import type { PaymentKey } from '../domain/payment.ts';
import type { Tx } from './database.ts';
import { rowInserter } from './rows.ts';
import type { Keyring } from './sealing.ts';

export type SearchEntry = { readonly key: PaymentKey; readonly createdAt: Date; readonly value: string };

const insertHashed = rowInserter<SearchEntry & { readonly valueHash: Buffer }>('payment_search', [
  ['merchant_id', 'uuid', (entry) => entry.key.merchantId],
  ['value_hash', 'bytea', (entry) => entry.valueHash],
  ['kind', 'payment_kind', (entry) => entry.key.kind],
  ['payment_id', 'uuid', (entry) => entry.key.paymentId],
  ['created_at', 'timestamptz', (entry) => entry.createdAt],
]);

/** A value that stands in several places of one payment should be given once: it would be found as often. */
export async function insertSearchEntries(
  tx: Tx,
  keyring: Keyring,
  entries: readonly SearchEntry[],
): Promise<void> {
  await insertHashed(
    tx,
    entries.map((entry) => ({ ...entry, valueHash: keyring.searchHash(entry.key.merchantId, entry.value) })),
  );
}

/** Takes entries out again: of payments that are made anew, or leave. */
export async function deleteSearchEntries(
  tx: Tx,
  keyring: Keyring,
  entries: readonly SearchEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await tx.query(
    `delete from payment_search s
     using unnest($1::bytea[], $2::uuid[], $3::payment_kind[], $4::uuid[])
       as e (value_hash, merchant_id, kind, payment_id)
     where s.value_hash = e.value_hash and s.merchant_id = e.merchant_id and s.kind = e.kind
       and s.payment_id = e.payment_id`,
    [
      entries.map(({ key, value }) => keyring.searchHash(key.merchantId, value)),
      entries.map(({ key }) => key.merchantId),
      entries.map(({ key }) => key.kind),
      entries.map(({ key }) => key.paymentId),
    ],
  );
}

/** Payments of a merchant that hold exactly this value, the newest first. */
export async function searchPayments(
  tx: Tx,
  keyring: Keyring,
  query: { readonly merchantId: string; readonly value: string; readonly countMax: number },
): Promise<readonly PaymentKey[]> {
  const { rows } = await tx.query<{ kind: PaymentKey['kind']; payment_id: string }>(
    `select kind, payment_id from payment_search where merchant_id = $1 and value_hash = $2
     order by created_at desc limit $3`,
    [query.merchantId, keyring.searchHash(query.merchantId, query.value), query.countMax],
  );
  return rows.map((row) => ({ merchantId: query.merchantId, kind: row.kind, paymentId: row.payment_id }));
}
