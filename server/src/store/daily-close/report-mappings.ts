// How the files of an account are read.
import type { ReportMapping, ReportSource } from '../../domain/reconciliation/report-mapping.ts';
import type { MappingAuthors } from '../../domain/reconciliation/mapping-authors.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { oneRowInserter, replacedOn } from '../rows.ts';
import type { AccountName } from './report-lines.ts';

const mappings = columns({
  provider: 'text',
  currency: 'text',
  source: column<ReportSource>('text'),
  mapping: column<ReportMapping>('jsonb'),
  setBy: 'text',
  setAt: 'timestamptz',
  authors: column<MappingAuthors>('jsonb'),
});

export type StoredMapping = Row<typeof mappings>;

export const putMapping = oneRowInserter(
  'report_mappings',
  mappings.cells,
  replacedOn('provider, currency, source', mappings.cells),
);

export async function deleteMapping(
  tx: Tx,
  { provider, currency, source }: AccountName & { readonly source: ReportSource },
): Promise<void> {
  await tx.query('delete from report_mappings where provider = $1 and currency = $2 and source = $3', [
    provider,
    currency,
    source,
  ]);
}

/** Until the transaction ends nobody else changes it. Null where none is set. */
export async function lockMapping(
  tx: Tx,
  { provider, currency, source }: AccountName & { readonly source: ReportSource },
): Promise<StoredMapping | null> {
  return mappings.find(
    tx,
    'from report_mappings where provider = $1 and currency = $2 and source = $3 for update',
    [provider, currency, source],
  );
}

export async function listMappings(
  tx: Tx,
  { provider, currency }: AccountName,
): Promise<readonly StoredMapping[]> {
  return mappings.select(tx, 'from report_mappings where provider = $1 and currency = $2 order by source', [
    provider,
    currency,
  ]);
}
