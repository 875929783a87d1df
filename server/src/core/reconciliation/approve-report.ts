// Lines of an operator's report that would end payments wait until another person approves the report. Then they are
// compared again: what a payment became meanwhile counts.
import { createHash } from 'node:crypto';
import { inTransaction } from '../../store/database.ts';
import {
  listLinesToApprove,
  listReportMerchants,
  listReportsToApprove,
} from '../../store/reconciliation/reports-to-approve.ts';
import { NotExecuted, type Executor } from '../approvals/executor.ts';
import { requestApproval } from '../approvals/request.ts';
import type { Actor } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { compareLines } from './compare-lines.ts';

/** A line is kept with the report it first came in, so that earlier reports of a provider may wait too. */
export async function requestReports(
  engine: Engine,
  { by, personId = null, provider }: Actor & { readonly personId?: string | null; readonly provider: string },
): Promise<void> {
  const { database, keyring } = engine.store;
  for (const reportId of await listReportsToApprove(database, provider)) {
    const lines = await listLinesToApprove(database, keyring, { reportId, provider });
    const completedCount = lines.filter(({ line }) => line.status === 'COMPLETED').length;
    const failedCount = lines.length - completedCount;
    const request = { provider, completedCount, failedCount, linesHash: linesHashOf(lines) };
    const wanted = { kind: 'OPERATOR_REPORT', subject: reportId, request } as const;
    const actor = { personId, by };
    await inTransaction(database, (tx) =>
      requestApproval(engine, tx, { ...wanted, actor, merchantId: null }),
    );
  }
}

/**
 * The approval permits to apply it. What is cut off then, or is no longer what was approved, is requested again by the
 * next import of the same file.
 */
export const reportExecutor: Executor<'OPERATOR_REPORT'> = {
  show: ({ provider, completedCount, failedCount, linesHash }) => ({
    provider,
    outcome: `${completedCount} COMPLETED, ${failedCount} FAILED`,
    linesHash,
  }),
  concerns: (tx, { subject }) => listReportMerchants(tx, subject),
  execute: async ({ engine, tx, approval: { subject: reportId, request } }) => {
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
