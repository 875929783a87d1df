// Rows whose keyed hashes are made again from what is encrypted in them: listed page by page, then locked. Merchants
// come first in their keys, because a transaction enters them before it locks anything.
import type { Tx } from '../database.ts';
import { textsOf, typed, type PageOrder } from './re-encryption.ts';
import type { KeyColumn } from './encrypted-columns.ts';

/** A table, and what tells its rows apart and puts them in an order that an index has. */
export type KeyedTable = { readonly table: string; readonly key: readonly KeyColumn[] };

/** The key of a row, as texts. */
export type RowKey = readonly string[];

export async function listKeysAfter(
  tx: Tx,
  { table, key }: KeyedTable,
  { after, countMax }: PageOrder,
): Promise<readonly RowKey[]> {
  const names = namesOf(key);
  const parameters = key.map((one, at) => typed(one, `$${at + 2}`)).join(', ');
  const { rows } = await tx.query<{ key: RowKey }>(
    `select ${textsOf(key)} as key from ${table} ${after === null ? '' : `where (${names}) > (${parameters})`}
     order by ${names} limit $1`,
    [countMax, ...(after ?? [])],
  );
  return rows.map((row) => row.key);
}

/** Locks rows until the transaction ends. Answers those that no one else had locked, so that no one waits long. */
export async function lockFreeRows(
  tx: Tx,
  { table, key }: KeyedTable,
  keys: readonly RowKey[],
): Promise<readonly RowKey[]> {
  const names = namesOf(key);
  const arrays = key.map((_, at) => `$${at + 1}::text[]`).join(', ');
  const columns = key.map((one) => typed(one, `k.${one[0]}`)).join(', ');
  const { rows } = await tx.query<{ key: RowKey }>(
    `select ${textsOf(key)} as key from ${table}
     where (${names}) in (select ${columns} from unnest(${arrays}) as k (${names}))
     order by ${names} for no key update skip locked`,
    key.map((_, at) => keys.map((one) => one[at])),
  );
  return rows.map((row) => row.key);
}

function namesOf(key: readonly KeyColumn[]): string {
  return key.map(([name]) => name).join(', ');
}
