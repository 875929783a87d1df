// Lines of an operator's report that would end payments wait until another person approves the report.
import { createHash } from 'node:crypto';
import { inTransaction } from '../../store/database.ts';
import { listLinesToApprove, listReportsToApprove } from '../../store/reconciliation/reports-to-approve.ts';
import { ask } from '../approvals/request-approval.ts';
import type { ByHand } from '../audit.ts';
import type { Engine } from '../engine.ts';

/** A line is kept with the report it first came in, so that earlier reports of a provider may wait too. */
export async function askToApply(
  engine: Engine,
  { by, provider }: ByHand & { readonly provider: string },
): Promise<void> {
  const { database, keyring } = engine.store;
  for (const statementId of await listReportsToApprove(database, provider)) {
    const lines = await listLinesToApprove(database, keyring, { statementId, provider });
    const completedCount = lines.filter(({ line }) => line.status === 'COMPLETED').length;
    const failedCount = lines.length - completedCount;
    const counts = { completedCount, failedCount, linesHash: linesHashOf(lines) };
    const wanted = { kind: 'OPERATOR_REPORT', statementId, provider, ...counts } as const;
    await inTransaction(database, (tx) =>
      ask(engine, tx, { actor: { personId: null, by }, merchantId: null }, wanted),
    );
  }
}

export function linesHashOf(lines: readonly { readonly hash: Buffer }[]): string {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(line.hash);
  return hash.digest('hex');
}
