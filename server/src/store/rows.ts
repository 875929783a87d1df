// Arrays from the first day: statements that write any number of rows in one round trip.
import type { OperationKey } from '../domain/payments/payment.ts';
import { column, columns, type Cell } from './columns.ts';
import type { Tx } from './database.ts';

/** Makes the function that inserts rows into `table` with one statement. `suffix` is added to it. */
export function rowInserter<Row>(table: string, cells: readonly Cell<Row>[], suffix = '') {
  const text = `insert into ${table} (${namesOf(cells)}) select * from ${unnested(cells)} ${suffix}`;
  return async <Returned extends Record<string, unknown> = never>(
    tx: Tx,
    rows: readonly Row[],
  ): Promise<readonly Returned[]> => {
    if (rows.length === 0) return [];
    const result = await tx.query<Returned>(text, valuesOf(cells, rows));
    return result.rows;
  };
}

/** Makes the function that inserts one row into `table`. Answers whether it did: a conflict may be let pass. */
export function oneRowInserter<Row>(table: string, cells: readonly Cell<Row>[], suffix = '') {
  const parameters = cells.map((_, index) => `$${index + 1}`).join(', ');
  const text = `insert into ${table} (${namesOf(cells)}) values (${parameters}) ${suffix}`;
  return (tx: Tx, row: Row): Promise<boolean> =>
    isChanged(
      tx,
      text,
      cells.map(([, , value]) => value(row)),
    );
}

/** What an insert does with a row that is there already: all of it becomes as the new one is. */
export function replacedOn<Row>(key: string, cells: readonly Cell<Row>[]): string {
  const changed = cells.filter(([name]) => !key.split(', ').includes(name));
  return `on conflict (${key}) do update set ${changed.map(([name]) => `${name} = excluded.${name}`).join(', ')}`;
}

/** `unnest(…)` over one array parameter for each column, beginning with $1; with an alias, its columns are named. */
export function unnested<Row>(cells: readonly Cell<Row>[], alias?: string): string {
  const arrays = cells.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');
  return `unnest(${arrays})${alias === undefined ? '' : ` as ${alias} (${namesOf(cells)})`}`;
}

/** Whether the columns are those of one of the rows that `valuesOf` gives. */
export function isAmong<Row>(cells: readonly Cell<Row>[]): string {
  return `(${namesOf(cells)}) in (select * from ${unnested(cells)})`;
}

/** The array parameters that belong to `unnested`. */
export function valuesOf<Row>(cells: readonly Cell<Row>[], rows: readonly Row[]): unknown[] {
  return cells.map(([, , value]) => rows.map(value));
}

/** The key of a payment, or of anything else that is announced. */
export const operationKeys = columns({
  merchantId: 'uuid',
  kind: column<OperationKey['kind']>('payment_kind'),
  paymentId: 'uuid',
});
export const paymentKeyColumns = operationKeys.cells;

export const paymentKeys = columns({ ...operationKeys.defs, kind: 'payment_kind' });

/** With the payment's number. */
export const numberedKeys = columns({ ...paymentKeys.defs, paymentNo: 'uuid' });

/** The number of the payment whose key is in $1, $2 and $3. */
export const PAYMENT_NO = `(
  select payment_no from payment_keys where merchant_id = $1 and kind = $2 and payment_id = $3)`;

/** The numbers of the keys that `valuesOf` gives as $1, $2 and $3. */
export const PAYMENT_NOS = `(select payment_no from payment_keys where ${isAmong(paymentKeyColumns)})`;

/** Where the number of every key is known, rows are found by numbers alone. */
export function byNumber(
  keys: readonly { readonly paymentNo?: string }[],
): { readonly where: string; readonly values: unknown[] } | null {
  const numbers = keys.flatMap(({ paymentNo }) => paymentNo ?? []);
  return numbers.length === keys.length
    ? { where: 'payment_no = any ($1::uuid[])', values: [numbers] }
    : null;
}

/** How many rows a statement changed. */
export async function countChanged(tx: Tx, text: string, values: readonly unknown[]): Promise<number> {
  const { rowCount } = await tx.query(text, values);
  return rowCount ?? 0;
}

/** Whether it changed the one it is about. */
export async function isChanged(tx: Tx, text: string, values: readonly unknown[]): Promise<boolean> {
  return (await countChanged(tx, text, values)) === 1;
}

function namesOf<Row>(cells: readonly Cell<Row>[]): string {
  return cells.map(([name]) => name).join(', ');
}
