// What an operator's report covers, and how much of it could be read.
import type { Tx } from '../database.ts';
import type { Period } from './operator-reports.ts';

/** The time that a report covers, and of which accounts. */
export type Coverage = Period & { readonly currencies: readonly string[] };

/** And how many of its lines could not be read. */
export type ReadCoverage = Coverage & { readonly faultCount: number };

/** An empty file is the same for every account: imported for another one too, it covers both. */
export async function markRead(
  tx: Tx,
  reportId: string,
  { from, to, currencies, faultCount }: ReadCoverage,
): Promise<void> {
  await tx.query(
    `update operator_reports set covers_from = $2, covers_to = $3, fault_count = $5, currencies = $4::text[] || case
       when covers_from = $2 and covers_to = $3
         then array(select unnest(currencies) except select unnest($4::text[]))
       else '{}' end
     where report_id = $1`,
    [reportId, from, to, currencies, faultCount],
  );
}

/** Null until the whole file was read once. */
export async function findPeriod(tx: Tx, reportId: string): Promise<Period | null> {
  const { rows } = await tx.query<{ from: Date | null; to: Date | null }>(
    'select covers_from as "from", covers_to as "to" from operator_reports where report_id = $1',
    [reportId],
  );
  const { from = null, to = null } = rows[0] ?? {};
  return from === null || to === null ? null : { from, to };
}
