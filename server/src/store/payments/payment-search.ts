// Exact-match search over encrypted values: a keyed hash of each value, never the value.
import type { Payment, PaymentKey } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { columns, type Row } from '../columns.ts';
import { numberedKeys, rowInserter, unnested, valuesOf } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type SearchEntry = {
  readonly payment: Pick<Payment, 'merchantId' | 'paymentNo' | 'createdAt'>;
  readonly value: string;
};

const hashes = columns({ valueHash: 'bytea', createdAt: 'timestamptz', paymentNo: 'uuid' });
const cells = hashes.cells;

type HashedEntry = Row<typeof hashes>;

/** With the time, as the index has it: one number may have a million payments. */
const IS_ENTRY = '(s.value_hash, s.created_at, s.payment_no) = (e.value_hash, e.created_at, e.payment_no)';

const insertHashed = rowInserter('payment_search', cells);

const insertMissing = rowInserter(
  'payment_search',
  cells,
  `as e (value_hash, created_at, payment_no)
   where not exists (select from payment_search s where ${IS_ENTRY}) returning payment_no`,
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
  return entries.map(({ payment, value }) => ({
    ...payment,
    valueHash: keyring.searchHash(payment.merchantId, value),
  }));
}

function hashedBefore(keyring: Keyring, entries: readonly SearchEntry[]): readonly HashedEntry[] {
  return entries.flatMap(({ payment, value }) =>
    keyring.olderSearchHashes(payment.merchantId, value).map((valueHash) => ({ ...payment, valueHash })),
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
  await deleteHashed(tx, hashedBefore(keyring, entries));
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

async function deleteHashed(tx: Tx, entries: readonly HashedEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.query(
    `delete from payment_search s using ${unnested(cells, 'e')} where ${IS_ENTRY}`,
    valuesOf(cells, entries),
  );
}

/** Payments of a merchant that hold exactly this value, the newest first: as many as are wanted under each hash. */
export async function searchPayments(
  tx: Tx,
  keyring: Keyring,
  query: { readonly merchantId: string; readonly value: string; readonly countMax: number },
): Promise<readonly PaymentKey[]> {
  return numberedKeys.select(
    tx,
    `from unnest($1::bytea[]) as hash cross join lateral (
       select payment_no from payment_search where value_hash = hash order by created_at desc limit $2) found
     join payments using (payment_no) order by created_at desc limit $2`,
    [keyring.searchHashes(query.merchantId, query.value), query.countMax],
  );
}

/** Of a number with more payments than this, before and after a time, the newest are looked at. */
const LOOKED_AT_MAX = 1_000;

/**
 * Those of the hashes, as hexadecimal digits, under which a payout or remittance was completed by then, or later after
 * people released it: otherwise a small payout would open the way for a large one.
 */
export async function listKnownRecipients(
  tx: Tx,
  { valueHashes, by }: { readonly valueHashes: readonly Buffer[]; readonly by: Date },
): Promise<ReadonlySet<string>> {
  if (valueHashes.length === 0) return new Set();
  const { rows } = await tx.query<{ hash: string }>(
    `select encode(asked.hash, 'hex') as hash from unnest($1::bytea[]) as asked (hash)
     where exists (
       select 1 from (${newestOf('<= $2')} union all ${newestOf('> $2')}) looked_at
       join payments p using (payment_no)
       left join lateral (select status from payment_reviews r where r.payment_no = p.payment_no limit 1) r on true
       where p.state = 'COMPLETED' and p.kind in ('PAYOUT', 'REMITTANCE')
         and (p.final_at <= $2 or r.status = 'RELEASED'))`,
    [valueHashes, by],
  );
  return new Set(rows.map(({ hash }) => hash));
}

function newestOf(span: string): string {
  return `(select payment_no from payment_search where value_hash = asked.hash and created_at ${span}
    order by created_at desc limit ${LOOKED_AT_MAX})`;
}
