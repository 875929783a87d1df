// Operators' reports for a test: lines about payments of ours, and their import as somebody's file.
import { randomBytes, randomUUID } from 'node:crypto';
import { importReport, type ImportedReport } from '../src/core/reconciliation/import-report.ts';
import { parseAmount } from '../src/domain/money.ts';
import type { OperatorReportLine } from '../src/domain/reconciliation/operator-report.ts';
import type { TestGateway } from './gateway.ts';
import { nowOf } from './clocks.ts';

type Home = Pick<TestGateway, 'engine'>;

export const PROVIDER = 'MTN_MOMO_RWA';

/** What the operator's report says of a payment that was sent: that it completed as our books have it. */
export async function lineAbout(
  { engine }: Home,
  paymentId: string,
  changes: Partial<OperatorReportLine> = {},
): Promise<OperatorReportLine> {
  const { rows } = await engine.store.database.query<{
    kind: string;
    amount: string;
    currency: string;
    reference: string;
    transaction: string | null;
  }>(
    `select p.kind, p.amount::text as amount, p.currency, a.reference, p.provider_transaction_id as transaction
     from payments p join payment_attempts a using (payment_no) where p.payment_id = $1
     order by attempt_no desc limit 1`,
    [paymentId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`payment ${paymentId} was not sent`);
  return {
    occurredAt: nowOf(engine),
    direction: row.kind === 'DEPOSIT' ? 'IN' : 'OUT',
    status: 'COMPLETED',
    amount: parseAmount(row.amount.replace(/\.?0+$/, ''))!,
    currency: row.currency,
    reference: row.reference,
    providerTransactionId: row.transaction ?? randomUUID(),
    ...changes,
  };
}

export type FileOptions = {
  readonly by?: string;
  readonly personId?: string;
  readonly secondApprover?: 'REQUIRED' | 'OPTIONAL';
  readonly provider?: string;
  readonly fileHash?: Buffer;
  readonly period?: { readonly from: Date; readonly to: Date } | null;
  readonly mappingBy?: readonly string[];
  readonly onError?: (error: unknown) => void;
};

/** Imports a file, as somebody does in production: what it would do waits for a second approver. */
export async function importFile(
  { engine }: Home,
  lines: readonly OperatorReportLine[],
  options: FileOptions = {},
): Promise<ImportedReport> {
  const batch = lines.map((line, index) => ({ lineNo: index + 2, line }));
  async function* batches() {
    for (let first = 0; first < batch.length; first += 500) yield batch.slice(first, first + 500);
  }
  return importReport(engine, {
    by: 'Ana',
    secondApprover: 'REQUIRED',
    provider: PROVIDER,
    fileHash: randomBytes(32),
    period: null,
    onError: (error) => {
      throw error;
    },
    ...options,
    batches,
  });
}

/** What lines of a report were found to mean, in their order, with what those that wait would do. */
export async function findingsOf({ engine }: Home, reportId: string): Promise<readonly string[]> {
  const { rows } = await engine.store.database.query<{ finding: string | null; effect: string | null }>(
    'select finding, effect from operator_report_lines where report_id = $1 order by line_no',
    [reportId],
  );
  return rows.map(({ finding, effect }) =>
    [finding ?? 'NONE', ...(effect === null ? [] : [effect])].join(' '),
  );
}

/** The requests of a kind that wait for approval, the oldest first. */
export async function pendingApprovals({ engine }: Home, kind: string): Promise<readonly string[]> {
  const { rows } = await engine.store.database.query<{ id: string }>(
    `select approval_id as id from approvals where kind = $1 and status = 'PENDING' order by requested_at, approval_id`,
    [kind],
  );
  return rows.map(({ id }) => id);
}

/** The request that waits about a report. */
export async function approvalOfReport({ engine }: Home, reportId: string): Promise<string> {
  const { rows } = await engine.store.database.query<{ id: string }>(
    `select approval_id as id from approvals
     where kind = 'OPERATOR_REPORT' and subject = $1 and status = 'PENDING'`,
    [reportId],
  );
  return rows[0]?.id ?? 'no request';
}
