// Seals anew, under the first of the sealing keys, what the others have sealed: the data keys of merchants, and what
// belongs to no merchant. What is sealed under data keys stays as it is: they are wrapped anew, not changed.
import type { Tx } from './database.ts';
import { HOUSE, type Keyring } from './sealing.ts';

/** A column of sealed values, by the key of its table: names and types of columns. */
export type SealedColumn = {
  readonly table: string;
  readonly column: string;
  readonly key: readonly (readonly [name: string, type: 'uuid' | 'text' | 'int' | 'bytea'])[];
};

const DATA_KEYS = 'merchants';

/** A test finds every column of the database that could be sealed, and compares. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: DATA_KEYS, column: 'data_key', key: [['merchant_id', 'uuid']] },
  { table: 'service_signing_keys', column: 'sealed_private_key', key: [['key_no', 'int']] },
  {
    table: 'operator_credentials',
    column: 'sealed_values',
    key: [
      ['connector', 'text'],
      ['account', 'text'],
      ['product', 'text'],
    ],
  },
  { table: 'operator_tokens', column: 'sealed_token', key: [['account', 'text']] },
  {
    table: 'operator_statement_lines',
    column: 'sealed_line',
    key: [
      ['provider', 'text'],
      ['line_hash', 'bytea'],
    ],
  },
  { table: 'operator_notifications', column: 'sealed_message', key: [['notification_id', 'uuid']] },
  { table: 'operator_traffic', column: 'sealed_exchange', key: [['traffic_id', 'uuid']] },
];

export type ResealedPage = {
  readonly resealed: number;
  /** Rows that somebody else had locked: left alone, so that nobody waits for a resealing, nor it for anybody. */
  readonly left: number;
  /** Sealing keys other than the first that values of this page were under. */
  readonly keyIds: readonly number[];
  /** The key of the last row, where the next page begins; null after the last page. */
  readonly next: readonly string[] | null;
};

export type PageOrder = { readonly after: readonly string[] | null; readonly countMax: number };

type KeyedRow = { readonly key: readonly string[]; readonly sealed: Buffer | null };
type SealedRow = KeyedRow & { readonly sealed: Buffer };

/** Reads the rows after a key and seals anew those that need it. */
export async function resealPage(
  tx: Tx,
  keyring: Keyring,
  of: SealedColumn,
  order: PageOrder,
): Promise<ResealedPage> {
  const rows = await listAfter(tx, of, { ...order, keyId: keyring.firstKeyId });
  const older = rows.filter((row): row is SealedRow => row.sealed !== null);
  const resealed = older.map((row) => ({ ...row, resealed: reseal(keyring, of, row) }));
  const count = older.length === 0 ? 0 : await replace(tx, of, resealed);
  return {
    resealed: count,
    left: older.length - count,
    keyIds: [...new Set(older.flatMap(({ sealed }) => sealed[1] ?? []))],
    next: rows.length < order.countMax ? null : (rows.at(-1)?.key ?? null),
  };
}

/** Values that are under this key already stay in the database. */
async function listAfter(
  tx: Tx,
  { table, column, key }: SealedColumn,
  { after, countMax, keyId }: PageOrder & { readonly keyId: number },
): Promise<readonly KeyedRow[]> {
  const names = key.map(([name]) => name).join(', ');
  const texts = key.map(([name, type]) => (type === 'bytea' ? `encode(${name}, 'hex')` : `${name}::text`));
  const parameters = key.map((one, at) => typed(one, `$${at + 3}`)).join(', ');
  const where = after === null ? '' : `where (${names}) > (${parameters})`;
  const { rows } = await tx.query<KeyedRow>(
    `select array[${texts.join(', ')}] as key, case when get_byte(sealed, 1) <> $2 then sealed end as sealed
     from (select ${names}, ${column} as sealed from ${table} ${where} order by ${names} limit $1) page
     order by ${names}`,
    [countMax, keyId, ...(after ?? [])],
  );
  return rows;
}

/** Answers how many: a value that has changed meanwhile is left to its writer, a row that is locked to its holder. */
async function replace(
  tx: Tx,
  { table, column, key }: SealedColumn,
  rows: readonly (SealedRow & { readonly resealed: Buffer })[],
): Promise<number> {
  const names = key.map(([name]) => name).join(', ');
  const arrays = key.map((_, at) => `$${at + 3}::text[]`).join(', ');
  const own = key.map(([name]) => `t.${name}`).join(', ');
  const given = key.map((one) => typed(one, `p.${one[0]}`)).join(', ');
  const { rowCount } = await tx.query(
    `with page as (select * from unnest($1::bytea[], $2::bytea[], ${arrays}) as p (sealed, resealed, ${names})),
     locked as (
       select p.* from ${table} t join page p on (${own}) = (${given}) and t.${column} = p.sealed
       for no key update of t skip locked)
     update ${table} t set ${column} = p.resealed from locked p where (${own}) = (${given})`,
    [
      rows.map(({ sealed }) => sealed),
      rows.map(({ resealed }) => resealed),
      ...key.map((_, at) => rows.map((row) => row.key[at])),
    ],
  );
  return rowCount ?? 0;
}

/** Keys are read as texts, and given back as they are in the table. */
function typed([, type]: SealedColumn['key'][number], text: string): string {
  return type === 'bytea' ? `decode(${text}, 'hex')` : `${text}::${type}`;
}

function reseal(keyring: Keyring, { table }: SealedColumn, { key, sealed }: SealedRow): Buffer {
  if (table === DATA_KEYS) return keyring.rewrapDataKey(key.join('/'), sealed);
  const identity = { merchantId: HOUSE, row: `${table}/${key.join('/')}` };
  return keyring.seal(identity, keyring.open(identity, sealed));
}
