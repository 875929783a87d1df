// Reads a column of encrypted values page by page and writes those again that are under another key than they should
// be.
import { estimateRows, type Tx } from '../database.ts';
import type { EncryptedColumn, KeyColumns, RowName } from './encrypted-columns.ts';

/** What is to be done with a column. */
export type ReEncryption = {
  readonly of: EncryptedColumn;
  /** Only the rows of this merchant; null where all belong to the platform. */
  readonly merchantId: string | null;
  /** Values that name this key are left as they are. */
  readonly keyNo: number;
  readonly reEncrypt: (name: RowName, encrypted: Buffer) => Buffer;
};

export type PageRequest = { readonly after: readonly string[] | null; readonly countMax: number };

export type ReEncryptedPage = {
  readonly read: number;
  readonly reEncrypted: number;
  /** Rows that somebody else had locked: left alone, so that no one waits for a re-encrypting, nor it for anybody. */
  readonly left: number;
  /** Other keys that values of this page were under. */
  readonly keyNos: readonly number[];
  /** Where the next page begins; null after the last page. */
  readonly next: readonly string[] | null;
};

/**
 * Triggers that guard the past let values be encrypted again by a transaction that has said so, of the tables' owner.
 */
export async function declareReEncryption(tx: Tx): Promise<void> {
  await tx.query(`select set_config('malipo.re_encrypting', 'on', true)`);
}

/** Reads the rows after a key and encrypts again those that need it. */
export async function reEncryptPage(
  tx: Tx,
  reEncryption: ReEncryption,
  page: PageRequest,
): Promise<ReEncryptedPage> {
  const rows = await listAfter(tx, reEncryption, page);
  const older = rows.flatMap(({ encrypted, ...row }) => (encrypted === null ? [] : [{ ...row, encrypted }]));
  const reEncrypted = older.map((row) => ({
    ...row,
    reEncrypted: reEncryption.reEncrypt(row, row.encrypted),
  }));
  const count = older.length === 0 ? 0 : await replace(tx, reEncryption, reEncrypted);
  return {
    read: rows.length,
    reEncrypted: count,
    left: older.length - count,
    keyNos: [...new Set(older.flatMap(({ encrypted }) => encrypted[1] ?? []))],
    next: rows.length < page.countMax ? null : (rows.at(-1)?.at ?? null),
  };
}

/** All rows that are read, by which the remaining time is estimated. */
export async function estimateReEncryption(
  tx: Tx,
  { of: { table, paged }, merchantId }: Pick<ReEncryption, 'of' | 'merchantId'>,
): Promise<number> {
  const { from = `${table} t`, merchant = 't.merchant_id' } = paged ?? {};
  if (merchantId === null) return estimateRows(tx, `select from ${from}`, []);
  return estimateRows(tx, `select from ${from} where ${merchant} = $1`, [merchantId]);
}

type KeyedRow = RowName & { readonly at: readonly string[]; readonly encrypted: Buffer | null };

/** Values that are under the right key already stay in the database. */
async function listAfter(
  tx: Tx,
  { of: { table, column, key, paged, named = [] }, merchantId, keyNo }: ReEncryption,
  { after, countMax }: PageRequest,
): Promise<readonly KeyedRow[]> {
  const { from = `${table} t`, merchant = 't.merchant_id', order = key } = paged ?? {};
  const names = Object.keys(order).join(', ');
  const parameters = Object.entries(order)
    .map((one, at) => typed(one, `$${at + 4}`))
    .join(', ');
  const conditions = [
    merchantId === null ? '$3::uuid is null' : `${merchant} = $3`,
    ...(after === null ? [] : [`(${names}) > (${parameters})`]),
  ];
  const texts = (columns: readonly string[]) => textsOf(columns.map((name) => [name, 'text']));
  const { rows } = await tx.query<Omit<KeyedRow, 'merchantId'>>(
    `select ${textsOf(Object.entries(order))} as at, ${textsOf(Object.entries(key))} as key,
       ${texts(named)} as named, case when get_byte(t.${column}, 1) <> $2 then t.${column} end as encrypted
     from ${from} where ${conditions.join(' and ')} order by ${names} limit $1`,
    [countMax, keyNo, merchantId, ...(after ?? [])],
  );
  return rows.map((row) => ({ ...row, merchantId: merchantId ?? '' }));
}

/** Answers how many: a value that has changed meanwhile is left to its writer, a row that is locked to its holder. */
async function replace(
  tx: Tx,
  { of: { table, column, key, paged }, merchantId }: ReEncryption,
  rows: readonly (RowName & { readonly encrypted: Buffer; readonly reEncrypted: Buffer })[],
): Promise<number> {
  const names = Object.keys(key).join(', ');
  const arrays = Object.keys(key)
    .map((_, at) => `$${at + 4}::text[]`)
    .join(', ');
  const isRow = [
    merchantId === null || paged !== undefined ? '($3::uuid is null or true)' : 't.merchant_id = $3',
    ...Object.entries(key).map((one) => `t.${one[0]} = ${typed(one, `p.${one[0]}`)}`),
  ].join(' and ');
  const { rowCount } = await tx.query(
    `with page as (select * from unnest($1::bytea[], $2::bytea[], ${arrays}) as p (encrypted, re_encrypted, ${names})),
     locked as (
       select p.* from ${table} t join page p on ${isRow} and t.${column} = p.encrypted
       for no key update of t skip locked)
     update ${table} t set ${column} = p.re_encrypted from locked p where ${isRow}`,
    [
      rows.map(({ encrypted }) => encrypted),
      rows.map(({ reEncrypted }) => reEncrypted),
      merchantId,
      ...Object.keys(key).map((_, at) => rows.map((row) => row.key[at])),
    ],
  );
  return rowCount ?? 0;
}

type KeyEntry = readonly [name: string, type: KeyColumns[string]];

/** Keys are read as texts, and given back as they are in the table. */
export function textsOf(columns: readonly KeyEntry[]): string {
  const texts = columns.map(([name, type]) =>
    type === 'bytea' ? `encode(${name}, 'hex')` : `${name}::text`,
  );
  return `array[${texts.join(', ')}]::text[]`;
}

export function typed([, type]: KeyEntry, text: string): string {
  return type === 'bytea' ? `decode(${text}, 'hex')` : `${text}::${type}`;
}
