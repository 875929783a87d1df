// Exact-match search over encrypted values: a keyed hash of each value, never the value.
import type { PaymentKey } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { columns, type Row } from '../columns.ts';
import { rowInserter, unnested, valuesOf } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type SearchEntry = { readonly key: PaymentKey; readonly createdAt: Date; readonly value: string };

const hashes = columns({
  merchantId: 'uuid',
  valueHash: 'bytea',
  kind: 'payment_kind',
  paymentId: 'uuid',
  createdAt: 'timestamptz',
});
const cells = hashes.cells;

type HashedEntry = Row<typeof hashes>;

const IS_ENTRY = `s.value_hash = e.value_hash and s.merchant_id = e.merchant_id and s.kind = e.kind
  and s.payment_id = e.payment_id`;

/** With the time, as the index has it: one number may have a million payments. */
const IS_ENTRY_OF_TIME = `${IS_ENTRY} and s.created_at = e.created_at`;

const insertHashed = rowInserter('payment_search', cells);

const insertMissing = rowInserter(
  'payment_search',
  cells,
  `as e (merchant_id, value_hash, kind, payment_id, created_at)
   where not exists (select from payment_search s where ${IS_ENTRY_OF_TIME}) returning payment_id`,
);

/** A value that a payment has several times should be given once: it would be found as often. */
export async function insertSearchEntries(
  tx: Tx,
  keyring: Keyring,
  entries: readonly SearchEntry[],
): Promise<void> {
  await insertHashed(tx, hashed(keyring, entries));
}

function hashed(keyring: Keyring, entries: readonly SearchEntry[]): readonly HashedEntry[] {
  return entries.map(({ key, createdAt, value }) => ({
    ...key,
    createdAt,
    valueHash: keyring.searchHash(key.merchantId, value),
  }));
}

function hashedBefore(keyring: Keyring, entries: readonly SearchEntry[]): readonly HashedEntry[] {
  return entries.flatMap(({ key, createdAt, value }) =>
    keyring.olderSearchHashes(key.merchantId, value).map((valueHash) => ({ ...key, createdAt, valueHash })),
  );
}

/**
 * Writes entries under the hashes of today, instead of older ones, and those that are missing. Answers how many
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
    `delete from payment_search s using ${unnested(cells, 'e')} where ${isEntry}`,
    valuesOf(cells, entries),
  );
}

const found = hashes.only('kind', 'paymentId');

/** Payments of a merchant that hold exactly this value, the newest first: as many as are wanted under each hash. */
export async function searchPayments(
  tx: Tx,
  keyring: Keyring,
  query: { readonly merchantId: string; readonly value: string; readonly countMax: number },
): Promise<readonly PaymentKey[]> {
  const rows = await found.select(
    tx,
    `from unnest($2::bytea[]) as hash cross join lateral (
       select kind, payment_id, created_at from payment_search where merchant_id = $1 and value_hash = hash
       order by created_at desc limit $3) found
     order by found.created_at desc limit $3`,
    [query.merchantId, keyring.searchHashes(query.merchantId, query.value), query.countMax],
  );
  return rows.map((row) => ({ ...row, merchantId: query.merchantId }));
}
