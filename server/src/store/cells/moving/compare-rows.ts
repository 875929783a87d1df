// Compares rows of two cells: their number, and the sum of a hash of each as PostgreSQL writes it. All of it is text or
// whole numbers of any length; nothing is rounded.
import { paymentKeyText, type OperationKey } from '../../../domain/payments/payment.ts';
import type { Tx } from '../../database.ts';
import { DELIVERIES, OF_SUBJECT } from './copied-tables.ts';
import {
  KEYS,
  keysOf,
  keyValues,
  shapeOf,
  type CopiedOf,
  type CopyTools,
  type PiecesOf,
  type TableCopy,
} from './copy-rows.ts';

/** The table, and a row of the old cell that the new one does not have, or has otherwise. */
export type Difference = { readonly table: string; readonly row: string };

/** Must come first in both transactions: otherwise the same value could be written in two ways. */
export async function writeAlike(tx: Tx): Promise<void> {
  await tx.query(
    `select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true),
       set_config('intervalstyle', 'postgres', true), set_config('bytea_output', 'hex', true),
       set_config('extra_float_digits', '1', true)`,
  );
}

export async function listDifferences(
  tools: CopyTools,
  tables: readonly TableCopy[],
  of: CopiedOf | PiecesOf,
): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  for (const copy of await listUnequal(tools, tables, of)) {
    const row = await findMissing(tools, copy, of);
    // One that the new cell has besides: where it may, it was there before.
    if (row !== null || copy.mayHaveMore !== true)
      differences.push({ table: copy.table, row: row ?? 'one that the other cell does not have' });
  }
  return differences;
}

/** Those of these tables that are not the same in both cells. */
export async function listUnequal(
  tools: CopyTools,
  tables: readonly TableCopy[],
  of: CopiedOf | PiecesOf,
): Promise<readonly TableCopy[]> {
  const [here, there] = await Promise.all([tools.from, tools.to].map((tx) => measure(tools, tx, tables, of)));
  return tables.filter((_copy, index) => here?.[index] !== there?.[index]);
}

async function measure(
  tools: CopyTools,
  tx: Tx,
  tables: readonly TableCopy[],
  of: CopiedOf | PiecesOf,
): Promise<readonly (string | undefined)[]> {
  const measures = tables.map((copy, index) => {
    const { table, where } = copy;
    const hash = hashOf(comparedColumns(tools, copy));
    return `(select count(*) || ' ' || coalesce(sum(${hash}), 0) from ${table} t where ${where}) as t${index}`;
  });
  const { keys, values } = keysOf(of);
  const { rows } = await tx.query<Record<string, string>>(`${keys} select ${measures.join(', ')}`, values);
  return tables.map((_copy, index) => rows[0]?.[`t${index}`]);
}

function comparedColumns(tools: CopyTools, { table, ignored = [] }: TableCopy): readonly string[] {
  return shapeOf(tools, table).columns.filter((name) => !ignored.includes(name));
}

function hashOf(columns: readonly string[], alias = 't'): string {
  return `hashtextextended(${rowOf(columns, alias)}::text, 0)`;
}

function rowOf(columns: readonly string[], alias: string): string {
  return `row(${columns.map((name) => `${alias}.${name}`).join(', ')})`;
}

/**
 * The key of a row of the old cell that the new one lacks. A row that is there must be the same in `columns`, by
 * default in all that are compared; where the new cell may have more, it can also be another merchant's, who was first.
 */
export async function findMissing(
  tools: CopyTools,
  copy: TableCopy,
  of: CopiedOf | PiecesOf,
  columns = comparedColumns(tools, copy),
): Promise<string | null> {
  const { table, where, mayHaveMore } = copy;
  const { columns: all, key } = shapeOf(tools, table);
  const { keys, values } = keysOf(of);
  const { rows: read } = await tools.from.query<{ copied: string }>(
    `${keys} select coalesce(json_agg(c), '[]')::text as copied
     from (select ${all.join(', ')} from ${table} t where ${where}) c`,
    values,
  );
  const same = `${rowOf(columns, 't')} is not distinct from ${rowOf(columns, 'c')}`;
  const { rows } = await tools.to.query<{ row: string }>(
    `select concat_ws(' ', ${key.map((name) => `'${name}', c.${name}`).join(', ')}) as row
     from json_populate_recordset(null::${table}, $1::json) c
     where not exists (select 1 from ${table} t where ${rowOf(key, 't')} = ${rowOf(key, 'c')}
       and (${mayHaveMore === true ? 't.merchant_id is distinct from c.merchant_id or ' : ''}${same}))
     order by 1 limit 1`,
    [read[0]?.copied ?? '[]'],
  );
  return rows[0]?.row ?? null;
}

/** Payments of which callbacks or their attempts differ. Deliveries go on while a merchant is copied. */
export async function listDelivered(tools: CopyTools, of: CopiedOf): Promise<readonly OperationKey[]> {
  const attempts = `select sum(${hashOf(shapeOf(tools, DELIVERIES.table).columns, 'a')})
    from callback_attempts a where a.callback_id = t.callback_id`;
  const text = `${KEYS} select merchant_id as "merchantId", kind, payment_id as "paymentId",
      sum(${hashOf(shapeOf(tools, 'callbacks').columns)} + coalesce((${attempts}), 0))::text as hash
    from callbacks t where ${OF_SUBJECT} group by 1, 2, 3`;
  const [here, there] = await Promise.all(
    [tools.from, tools.to].map((tx) =>
      tx.query<OperationKey & { readonly hash: string }>(text, keyValues(of)),
    ),
  );
  const [old, copied] = [here, there].map(
    (read) => new Map(read?.rows.map(({ hash, ...key }) => [paymentKeyText(key), { key, hash }])),
  );
  const all = new Map([...(copied ?? []), ...(old ?? [])]);
  return [...all]
    .filter(([name]) => old?.get(name)?.hash !== copied?.get(name)?.hash)
    .map(([, { key }]) => key);
}

/**
 * Which payments are open and which ended since, as two numbers and hashes: a payment that was accepted or ended
 * without a note is seen by it. Read from indexes, however long the history is.
 */
export async function measureLatest(
  tx: Tx,
  { merchantId, since }: { readonly merchantId: string; readonly since: Date },
): Promise<string> {
  const hash = `count(*) || ' ' || coalesce(sum(hashtextextended(payment_no::text, 0)), 0)`;
  const { rows } = await tx.query<{ open: string; ended: string }>(
    `select
       (select ${hash} from payments where merchant_id = $1 and state not in ('COMPLETED', 'FAILED')) as open,
       (select ${hash} from payments where merchant_id = $1 and final_at >= $2) as ended`,
    [merchantId, since],
  );
  return `${rows[0]?.open} open, ${rows[0]?.ended} ended`;
}
