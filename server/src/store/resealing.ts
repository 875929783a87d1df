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

/** A test finds every value in the database that names a sealing key, and compares. */
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
  readonly count: number;
  /** The key of the last row, where the next page begins; null after the last page. */
  readonly next: readonly string[] | null;
};

type SealedRow = { readonly key: readonly string[]; readonly sealed: Buffer | null };

/** Reads the rows after a key and seals anew those that need it. A row that changes meanwhile is left to its writer. */
export async function resealPage(
  tx: Tx,
  keyring: Keyring,
  of: SealedColumn,
  { after, countMax }: { readonly after: readonly string[] | null; readonly countMax: number },
): Promise<ResealedPage> {
  const rows = await listAfter(tx, of, { after, countMax });
  let count = 0;
  for (const { key, sealed } of rows) {
    if (sealed === null || keyring.isUnderFirstKey(sealed)) continue;
    if (await replace(tx, of, { key, sealed, resealed: reseal(keyring, of, key, sealed) })) count += 1;
  }
  return { count, next: rows.length < countMax ? null : (rows.at(-1)?.key ?? null) };
}

async function listAfter(
  tx: Tx,
  { table, column, key }: SealedColumn,
  { after, countMax }: { readonly after: readonly string[] | null; readonly countMax: number },
): Promise<readonly SealedRow[]> {
  const names = key.map(([name]) => name).join(', ');
  const texts = key.map(([name, type]) => (type === 'bytea' ? `encode(${name}, 'hex')` : `${name}::text`));
  const where = after === null ? '' : `where (${names}) > (${parametersOf(key, 2)})`;
  const { rows } = await tx.query<SealedRow>(
    `select array[${texts.join(', ')}] as key, ${column} as sealed from ${table} ${where} order by ${names} limit $1`,
    [countMax, ...(after ?? [])],
  );
  return rows;
}

async function replace(
  tx: Tx,
  { table, column, key: columns }: SealedColumn,
  { key, sealed, resealed }: { key: readonly string[]; sealed: Buffer; resealed: Buffer },
): Promise<boolean> {
  const names = columns.map(([name]) => name).join(', ');
  const { rowCount } = await tx.query(
    `update ${table} set ${column} = $1 where (${names}) = (${parametersOf(columns, 3)}) and ${column} = $2`,
    [resealed, sealed, ...key],
  );
  return rowCount === 1;
}

function parametersOf(key: SealedColumn['key'], first: number): string {
  return key
    .map(([, type], at) => (type === 'bytea' ? `decode($${first + at}, 'hex')` : `$${first + at}::${type}`))
    .join(', ');
}

function reseal(keyring: Keyring, { table }: SealedColumn, key: readonly string[], sealed: Buffer): Buffer {
  if (table === DATA_KEYS) return keyring.rewrapDataKey(key.join('/'), sealed);
  const identity = { merchantId: HOUSE, row: `${table}/${key.join('/')}` };
  return keyring.seal(identity, keyring.open(identity, sealed));
}
