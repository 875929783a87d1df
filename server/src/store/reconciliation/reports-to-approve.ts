// Lines of operators' reports that would end payments, while they wait for an approval.
import { parseLineText } from '../../domain/reconciliation/operator-report.ts';
import type { Tx } from '../database.ts';
import { lines, shownOf, type KeptLine, type Report } from './operator-reports.ts';
import type { Keyring } from '../encryption/encryption.ts';

/** Reports of a provider with lines that wait for an approval. */
export async function listReportsToApprove(tx: Tx, provider: string): Promise<readonly string[]> {
  const { rows } = await tx.query<{ report_id: string }>(
    `select distinct report_id from operator_report_lines where finding = 'TO_APPROVE' and provider = $1`,
    [provider],
  );
  return rows.map(({ report_id: reportId }) => reportId);
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
