// Exact-match search over encrypted values: a keyed hash of each value, never the value.
import type { PaymentKey } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { rowInserter, unnested, valuesOf, type Column } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type SearchEntry = { readonly key: PaymentKey; readonly createdAt: Date; readonly value: string };

type HashedEntry = SearchEntry & { readonly valueHash: Buffer };

const columns: readonly Column<HashedEntry>[] = [
  ['merchant_id', 'uuid', (entry) => entry.key.merchantId],
  ['value_hash', 'bytea', (entry) => entry.valueHash],
  ['kind', 'payment_kind', (entry) => entry.key.kind],
  ['payment_id', 'uuid', (entry) => entry.key.paymentId],
  ['created_at', 'timestamptz', (entry) => entry.createdAt],
];

const IS_ENTRY = `s.value_hash = e.value_hash and s.merchant_id = e.merchant_id and s.kind = e.kind
  and s.payment_id = e.payment_id`;

/** With the time, as the index has it: one number may have a million payments. */
const IS_ENTRY_OF_TIME = `${IS_ENTRY} and s.created_at = e.created_at`;

const insertHashed = rowInserter('payment_search', columns);

const insertMissing = rowInserter(
  'payment_search',
  columns,
  `as e (${columns.map(([name]) => name).join(', ')})
   where not exists (select from payment_search s where ${IS_ENTRY_OF_TIME}) returning payment_id`,
);

/** A value that stands in several places of one payment should be given once: it would be found as often. */
export async function insertSearchEntries(
  tx: Tx,
  keyring: Keyring,
  entries: readonly SearchEntry[],
): Promise<void> {
  await insertHashed(tx, hashed(keyring, entries));
}

function hashed(keyring: Keyring, entries: readonly SearchEntry[]): readonly HashedEntry[] {
  return entries.map((entry) => ({
    ...entry,
    valueHash: keyring.searchHash(entry.key.merchantId, entry.value),
  }));
}

function hashedBefore(keyring: Keyring, entries: readonly SearchEntry[]): readonly HashedEntry[] {
  return entries.flatMap((entry) =>
    keyring
      .olderSearchHashes(entry.key.merchantId, entry.value)
      .map((valueHash) => ({ ...entry, valueHash })),
  );
}

/**
 * Writes entries under the hashes of today, in the place of older ones, and those that are missing. Answers how many
 * were not there. Call it while the payments are locked: anyone who erases a person locks them too.
 */
export async function rehashSearchEntries(
  tx: Tx,
  keyring: Keyring,
  entries: readonly SearchEntry[],
): Promise<number> {
  await deleteHashed(tx, hashedBefore(keyring, entries), IS_ENTRY_OF_TIME);
  return (await insertMissing(tx, hashed(keyring, entries))).length;
}

/** Takes entries out again: of payments that are made again, or leave. */
export async function deleteSearchEntries(
  tx: Tx,
  keyring: Keyring,
  entries: readonly SearchEntry[],
): Promise<void> {
  await deleteHashed(tx, [...hashed(keyring, entries), ...hashedBefore(keyring, entries)]);
}

async function deleteHashed(tx: Tx, entries: readonly HashedEntry[], isEntry = IS_ENTRY): Promise<void> {
  if (entries.length === 0) return;
  await tx.query(
    `delete from payment_search s
     using ${unnested(columns)} as e (merchant_id, value_hash, kind, payment_id, created_at) where ${isEntry}`,
    valuesOf(columns, entries),
  );
}

/** Payments of a merchant that hold exactly this value, the newest first: as many as are wanted under each hash. */
export async function searchPayments(
  tx: Tx,
  keyring: Keyring,
  query: { readonly merchantId: string; readonly value: string; readonly countMax: number },
): Promise<readonly PaymentKey[]> {
  const { rows } = await tx.query<{ kind: PaymentKey['kind']; payment_id: string }>(
    `select found.kind, found.payment_id from unnest($2::bytea[]) as hash cross join lateral (
       select kind, payment_id, created_at from payment_search where merchant_id = $1 and value_hash = hash
       order by created_at desc limit $3) found
     order by found.created_at desc limit $3`,
    [query.merchantId, keyring.searchHashes(query.merchantId, query.value), query.countMax],
  );
  return rows.map((row) => ({ merchantId: query.merchantId, kind: row.kind, paymentId: row.payment_id }));
}
