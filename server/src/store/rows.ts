// Arrays from the first day: statements that write any number of rows in one round trip.
import type { Amount } from '../domain/money.ts';
import type { OperationKey } from '../domain/payments/payment.ts';
import type { Tx } from './database.ts';

/** A column: its name, its SQL type, and its value in a row. */
export type Column<Row> = readonly [name: string, type: string, value: (row: Row) => unknown];

/** Makes the function that inserts rows into `table` with one statement. `suffix` is added to it. */
export function rowInserter<Row>(table: string, columns: readonly Column<Row>[], suffix = '') {
  const names = columns.map(([name]) => name).join(', ');
  const text = `insert into ${table} (${names}) select * from ${unnested(columns)} ${suffix}`;
  return async <Returned extends Record<string, unknown> = never>(
    tx: Tx,
    rows: readonly Row[],
  ): Promise<readonly Returned[]> => {
    if (rows.length === 0) return [];
    const result = await tx.query<Returned>(text, valuesOf(columns, rows));
    return result.rows;
  };
}

/** `unnest(…)` over one array parameter for each column, beginning with $1. */
export function unnested<Row>(columns: readonly Column<Row>[]): string {
  return `unnest(${columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')})`;
}

/** The array parameters that belong to `unnested`. */
export function valuesOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): unknown[] {
  return columns.map(([, , value]) => rows.map(value));
}

export const paymentKeyColumns: readonly Column<OperationKey>[] = [
  ['merchant_id', 'uuid', (key) => key.merchantId],
  ['kind', 'payment_kind', (key) => key.kind],
  ['payment_id', 'uuid', (key) => key.paymentId],
];

/** Exact: numeric(22,4) text, as PostgreSQL gives it, to ten-thousandths. Ledger sums may be negative. */
export function amountOfNumeric(text: string): Amount {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const absolute = BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0'));
  return text.startsWith('-') ? -absolute : absolute;
}
