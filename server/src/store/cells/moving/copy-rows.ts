// Copies rows from one cell's database into another's. They travel as JSON that PostgreSQL writes and PostgreSQL reads:
// this process never parses an amount or an encrypted value, so it cannot change one.
import type { OperationKey } from '../../../domain/payments/payment.ts';
import type { Tx } from '../../database.ts';

/** KEEP: a row that is there stays. REPLACE: it becomes as it is in the other cell. */
export type OnRepeat = 'KEEP' | 'REPLACE';

export type TableCopy = {
  readonly table: string;
  /** Which rows, of `t`; $1 is the merchant, and `k` holds the keys of payments. */
  readonly where: string;
  readonly onRepeat: OnRepeat;
  /** The new cell may have rows besides, or in place of one another merchant's that was there first. */
  readonly mayHaveMore?: true;
  /** Columns that are not compared. */
  readonly ignored?: readonly string[];
};

/** What is copied: payments of a merchant, or with none of them what it has besides. */
export type CopiedOf = { readonly merchantId: string; readonly keys: readonly OperationKey[] };

/** Rows of a table that is copied in pieces. */
export type Piece = { readonly id: string; readonly piece: number };
export type PiecesOf = { readonly merchantId: string; readonly pieces: readonly Piece[] };

export type TableShape = { readonly columns: readonly string[]; readonly key: readonly string[] };

/** Columns that a row is given by the database are left to it. */
export async function readShapes(tx: Tx): Promise<ReadonlyMap<string, TableShape>> {
  const { rows } = await tx.query<{ table: string; columns: string[]; key: string[] | null }>(
    `select c.relname as table,
       array_agg(a.attname::text order by a.attname)
         filter (where a.attidentity = '' and a.attgenerated = '') as columns,
       array_agg(a.attname::text order by a.attname) filter (where a.attnum = any (i.indkey)) as key
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_index i on i.indrelid = c.oid and i.indisprimary
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') group by 1 order by 1`,
  );
  return new Map(rows.map(({ table, columns, key }) => [table, { columns, key: key ?? [] }]));
}

/** From here on the transaction reads what is there now, and by keys. */
export async function readByKeys(tx: Tx): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only');
  await findByKeys(tx);
}

/**
 * From here on rows are found by the keys of payments, one after the other: left to itself PostgreSQL may read all that
 * a merchant has, because every key begins with the merchant.
 */
export async function findByKeys(tx: Tx): Promise<void> {
  await tx.query('set local enable_hashjoin to off');
  await tx.query('set local enable_mergejoin to off');
}

/** The keys that are there, for statements that name payments. */
export const KEYS = `with k as materialized (
  select n.merchant_id, n.kind, n.payment_id, n.payment_no
  from unnest($2::payment_kind[], $3::uuid[]) as u (kind, payment_id)
  join payment_keys n on n.merchant_id = $1 and n.kind = u.kind and n.payment_id = u.payment_id)`;

export function keyValues({ merchantId, keys }: CopiedOf): unknown[] {
  return [merchantId, keys.map(({ kind }) => kind), keys.map(({ paymentId }) => paymentId)];
}

const PIECES = `with k as materialized (
  select u.id, u.piece from unnest($2::uuid[], $3::int[]) as u (id, piece) where $1::uuid is not null)`;

/** The beginning of a statement that names payments, or pieces, in `k`; and its values. */
export function keysOf(of: CopiedOf | PiecesOf): { readonly keys: string; readonly values: unknown[] } {
  if ('keys' in of) return { keys: KEYS, values: keyValues(of) };
  const { merchantId, pieces } = of;
  return {
    keys: PIECES,
    values: [merchantId, pieces.map(({ id }) => id), pieces.map(({ piece }) => piece)],
  };
}

export type CopyTools = {
  readonly from: Tx;
  readonly to: Tx;
  readonly shapes: ReadonlyMap<string, TableShape>;
};

/** Reads everything with one statement, then writes table by table: a merchant may be waiting. Counts the rows. */
export async function copyRows(
  tools: CopyTools,
  tables: readonly TableCopy[],
  of: CopiedOf | PiecesOf,
): Promise<number> {
  const { keys, values } = keysOf(of);
  const shaped = tables.map((copy) => ({ ...copy, shape: shapeOf(tools, copy.table) }));
  const read = shaped.map(({ table, where, shape }, index) => {
    const rows = `select ${shape.columns.join(', ')} from ${table} t where ${where}`;
    return `(select json_agg(c)::text from (${rows}) c) as t${index}`;
  });
  const { rows } = await tools.from.query<Record<string, string | null>>(
    `${keys} select ${read.join(', ')}`,
    values,
  );
  let count = 0;
  for (const [index, { table, shape, onRepeat }] of shaped.entries()) {
    const copied = rows[0]?.[`t${index}`] ?? null;
    if (copied !== null) count += await writeRows(tools.to, { table, shape, onRepeat }, copied);
  }
  return count;
}

async function writeRows(
  to: Tx,
  { table, shape, onRepeat }: Pick<TableCopy, 'table' | 'onRepeat'> & { readonly shape: TableShape },
  copied: string,
): Promise<number> {
  const names = shape.columns.join(', ');
  const { rowCount } = await to.query(
    `insert into ${table} as t (${names}) select ${names} from json_populate_recordset(null::${table}, $1::json)
     on conflict (${shape.key.join(', ')}) ${repeatClause(shape, onRepeat)}`,
    [copied],
  );
  return rowCount ?? 0;
}

export function shapeOf({ shapes }: Pick<CopyTools, 'shapes'>, table: string): TableShape {
  const shape = shapes.get(table);
  if (shape === undefined) throw new Error(`there is no table ${table}`);
  return shape;
}

/** A row that is the same is not touched: triggers guard what must never change, and would ask. */
function repeatClause({ columns, key }: TableShape, onRepeat: OnRepeat): string {
  const others = columns.filter((column) => !key.includes(column));
  if (onRepeat === 'KEEP' || others.length === 0) return 'do nothing';
  const assignments = others.map((column) => `${column} = excluded.${column}`).join(', ');
  const [here, there] = ['t', 'excluded'].map((name) => others.map((one) => `${name}.${one}`).join(', '));
  return `do update set ${assignments} where (${here}) is distinct from (${there})`;
}
