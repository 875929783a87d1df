// Lines of operators' reports that would end payments, while they wait for an approval.
import { parseLineText } from '../../domain/reconciliation/operator-report.ts';
import type { Tx } from '../database.ts';
import { lines, shownOf, type KeptLine, type Report } from './operator-reports.ts';
import type { Keyring } from '../encryption/encryption.ts';

/**
 * Of this report, exactly these lines wait for its approval: also those that came in with another report and are
 * requested with none. What else it had was read by another person, or with other columns, and counts as not compared.
 */
export async function takeLinesToApprove(
  tx: Tx,
  { reportId, provider, toApprove }: Report & { readonly toApprove: readonly Buffer[] },
): Promise<void> {
  // Two files with the same lines may be imported at once.
  await tx.query(
    `select from operator_report_lines
     where provider = $1 and finding = 'TO_APPROVE' and (report_id = $2 or line_hash = any($3))
     order by line_hash for no key update`,
    [provider, reportId, toApprove],
  );
  await tx.query(
    `update operator_report_lines l
     set report_id = $2::uuid, line_no = split_part(c.here, '/', 2)::int,
       copies = array_remove(l.copies, c.here) || (l.report_id || '/' || l.line_no)
     from (select line_hash, (select min(one) from unnest(copies) one where one like $2::text || '/%') as here
       from operator_report_lines
       where provider = $1 and line_hash = any($3) and finding = 'TO_APPROVE' and report_id <> $2::uuid) c
     where l.provider = $1 and l.line_hash = c.line_hash and c.here is not null and not exists (
       select 1 from approvals a
       where a.kind = 'OPERATOR_REPORT' and a.subject = l.report_id::text and a.status = 'PENDING')`,
    [provider, reportId, toApprove],
  );
  await tx.query(
    `update operator_report_lines l set finding = null
     where provider = $1 and report_id = $2 and finding = 'TO_APPROVE'
       and not exists (select from unnest($3::bytea[]) one where one = l.line_hash)`,
    [provider, reportId, toApprove],
  );
}

/** Those that wait for an approval; without those that were erased meanwhile. */
export async function listLinesToApprove(
  tx: Tx,
  keyring: Keyring,
  { reportId }: Report,
): Promise<readonly KeptLine[]> {
  const rows = await lines.select(
    tx,
    `from operator_report_lines
     where report_id = $1 and finding = 'TO_APPROVE' and encrypted_line is not null order by line_no, line_hash`,
    [reportId],
  );
  return rows.map((row) => {
    const { lineNo, text } = shownOf(keyring, row);
    return { lineNo, hash: row.hash, line: parseLineText(text) };
  });
}

/** The merchants whose payments a report would end. */
export async function listReportMerchants(tx: Tx, reportId: string): Promise<readonly string[]> {
  const { rows } = await tx.query<{ merchant_id: string }>(
    `select distinct merchant_id from operator_report_lines
     where report_id = $1 and finding = 'TO_APPROVE' and merchant_id is not null`,
    [reportId],
  );
  return rows.map(({ merchant_id: merchantId }) => merchantId);
}
