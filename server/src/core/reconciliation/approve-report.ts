// Lines of an operator's report that would end payments wait until another person approves the report. Then they are
// compared again: what a payment became meanwhile counts.
import { createHash } from 'node:crypto';
import { inTransaction } from '../../store/database.ts';
import { findPlatformApproval } from '../../store/approvals/approvals.ts';
import type { Report } from '../../store/reconciliation/operator-reports.ts';
import {
  listLinesToApprove,
  listReportMerchants,
  takeLinesToApprove,
} from '../../store/reconciliation/reports-to-approve.ts';
import { refuseColumnsSetter } from '../approvals/columns-setter.ts';
import { endPending } from '../approvals/decide.ts';
import { NotExecuted, type Executor } from '../approvals/executor.ts';
import { requestApproval } from '../approvals/request.ts';
import type { Actor } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { compareLines } from './compare-lines.ts';

type Requesting = Actor & { readonly personId?: string | null; readonly mappingBy?: string | undefined };

/**
 * Requests what was read of this file now, and nothing that another person read, of another file or with other columns
 * of the same one. A request for the same file that no longer fits is replaced.
 */
export async function requestReport(
  engine: Engine,
  report: Report & { readonly toApprove: readonly Buffer[] },
  { personId = null, by, mappingBy }: Requesting,
): Promise<void> {
  const { database, keyring } = engine.store;
  const { reportId, provider } = report;
  const actor = { personId, by };
  const subject = { kind: 'OPERATOR_REPORT', merchantId: null, subject: reportId } as const;
  await inTransaction(database, async (tx) => {
    await takeLinesToApprove(tx, report);
    // Another import of the file may have marked a line in this moment. The approval is refused then.
    const read = new Set(report.toApprove.map((hash) => hash.toString('hex')));
    const waiting = await listLinesToApprove(tx, keyring, report);
    const lines = waiting.filter(({ hash }) => read.has(hash.toString('hex')));
    const linesHash = linesHashOf(lines);
    const before = await findPlatformApproval(tx, subject);
    const isSame = before?.request.linesHash === linesHash && before.request.mappingBy === mappingBy;
    if (before?.status === 'PENDING' && isSame) return;
    await endPending(engine, tx, { ...subject, by: actor });
    if (lines.length === 0) return;
    const completedCount = lines.filter(({ line }) => line.status === 'COMPLETED').length;
    const failedCount = lines.length - completedCount;
    const counts = { completedCount, failedCount };
    const request = { provider, ...counts, linesHash, ...(mappingBy !== undefined && { mappingBy }) };
    await requestApproval(engine, tx, { ...subject, request, actor });
  });
}

/**
 * The approval permits to apply it. What is cut off then, or is no longer what was approved, is requested again by the
 * next import of the same file.
 */
export const reportExecutor: Executor<'OPERATOR_REPORT'> = {
  show: ({ provider, completedCount, failedCount, linesHash, mappingBy }) => ({
    provider,
    outcome: `${completedCount} COMPLETED, ${failedCount} FAILED`,
    linesHash,
    ...(mappingBy !== undefined && { mappingBy }),
  }),
  concerns: (tx, { subject }) => listReportMerchants(tx, subject),
  execute: async ({ engine, tx, decider, approval: { subject: reportId, request } }) => {
    await refuseColumnsSetter(tx, decider, request);
    const lines = await listLinesToApprove(tx, engine.store.keyring, { ...request, reportId });
    if (linesHashOf(lines) !== request.linesHash) throw new NotExecuted();
  },
  after: async ({ engine, approval: { subject: reportId, request } }) => {
    const { database, keyring } = engine.store;
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const report = { ...request, reportId };
    const lines = await listLinesToApprove(database, keyring, report);
    if (linesHashOf(lines) !== request.linesHash) return;
    await compareLines(engine, { ...report, onError, mayEnd: true }, lines);
    if (errors.length > 0) throw errors[0];
  },
};

function linesHashOf(lines: readonly { readonly hash: Buffer }[]): string {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(line.hash);
  return hash.digest('hex');
}
