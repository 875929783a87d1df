// Rows whose keyed hashes are made again from what is encrypted in them: listed page by page, then locked. Keys
// name the merchant, because a transaction enters it before it locks anything.
import type { Tx } from '../database.ts';
import { textsOf, typed, type PageRequest } from './re-encryption.ts';
import type { KeyColumns } from './encrypted-columns.ts';

/** A table, and what tells its rows apart and puts them in an order that an index has. */
export type KeyedTable = { readonly table: string; readonly key: KeyColumns };

/** The key of a row, as texts. */
export type RowKey = readonly string[];

export async function listKeysAfter(
  tx: Tx,
  { table, key }: KeyedTable,
  { after, countMax }: PageRequest,
): Promise<readonly RowKey[]> {
  const names = Object.keys(key).join(', ');
  const parameters = Object.entries(key)
    .map((one, at) => typed(one, `$${at + 2}`))
    .join(', ');
  const { rows } = await tx.query<{ key: RowKey }>(
    `select ${textsOf(Object.entries(key))} as key from ${table}
     ${after === null ? '' : `where (${names}) > (${parameters})`} order by ${names} limit $1`,
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
  const names = Object.keys(key).join(', ');
  const arrays = Object.keys(key)
    .map((_, at) => `$${at + 1}::text[]`)
    .join(', ');
  const columns = Object.entries(key)
    .map((one) => typed(one, `k.${one[0]}`))
    .join(', ');
  const { rows } = await tx.query<{ key: RowKey }>(
    `select ${textsOf(Object.entries(key))} as key from ${table}
     where (${names}) in (select ${columns} from unnest(${arrays}) as k (${names}))
     order by ${names} for no key update skip locked`,
    Object.keys(key).map((_, at) => keys.map((one) => one[at])),
  );
  return rows.map((row) => row.key);
}
