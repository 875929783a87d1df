// What a payment takes on the disk, table by table.
import type { Database } from '../../server/src/store/database.ts';
import { GROWING_TABLES } from './growth-load.ts';

export type Size = { readonly table: string; readonly part: string; readonly bytesPerPayment: number };

export async function readSizes(database: Database, payments: number): Promise<readonly Size[]> {
  const { rows } = await database.query<{ table: string; part: string; bytes: string }>(
    `select name as table, 'rows' as part, pg_table_size(name::regclass) as bytes from unnest($1::text[]) as name
     union all
     select i.indrelid::regclass::text, i.indexrelid::regclass::text, pg_relation_size(i.indexrelid) from pg_index i
     where i.indrelid = any (array(select name::regclass from unnest($1::text[]) as name))`,
    [GROWING_TABLES],
  );
  const sizes = rows.map((row) => ({ ...row, bytesPerPayment: Number(row.bytes) / payments }));
  return sizes
    .filter(({ bytesPerPayment }) => bytesPerPayment >= 0.5)
    .toSorted((a, b) => a.table.localeCompare(b.table) || b.bytesPerPayment - a.bytesPerPayment);
}

export function renderSizes(sizes: readonly Size[]): string {
  const lines = sizes.map(
    ({ table, part, bytesPerPayment }) =>
      `  ${table.padEnd(24)}${part.padEnd(40)}${bytesPerPayment.toFixed(0).padStart(8)}`,
  );
  return [
    '\nBytes for each payment',
    ...lines,
    `  ${'all'.padEnd(64)}${totalOf(sizes).toFixed(0).padStart(8)}`,
  ].join('\n');
}

export function totalOf(sizes: readonly Size[]): number {
  return sizes.reduce((sum, { bytesPerPayment }) => sum + bytesPerPayment, 0);
}
