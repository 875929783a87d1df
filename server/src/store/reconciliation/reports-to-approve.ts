// Lines of operators' reports that would end payments, while they wait for an approval.
import { parseLineText } from '../../domain/reconciliation/operator-report.ts';
import type { Tx } from '../database.ts';
import { lines, shownOf, type KeptLine, type Report } from './operator-reports.ts';
import type { Keyring } from '../encryption/encryption.ts';

/**
 * Lines that wait for an approval, stand in this report too, and are requested with no other one, are requested with
 * this one.
 */
export async function takeLinesToApprove(tx: Tx, { reportId, provider }: Report): Promise<void> {
  await tx.query(
    `update operator_report_lines l
     set report_id = $1::uuid, line_no = split_part(c.here, '/', 2)::int,
       copies = array_remove(l.copies, c.here) || (l.report_id || '/' || l.line_no)
     from (select line_hash, (select min(one) from unnest(copies) one where one like $1::text || '/%') as here
       from operator_report_lines where provider = $2 and finding = 'TO_APPROVE' and report_id <> $1::uuid
       order by line_hash for no key update) c
     where l.provider = $2 and l.line_hash = c.line_hash and c.here is not null and not exists (
       select 1 from approvals a
       where a.kind = 'OPERATOR_REPORT' and a.subject = l.report_id::text and a.status = 'PENDING')`,
    [reportId, provider],
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
