// Applies a report that a second person approved. Its lines are compared again: what a payment became meanwhile counts.
import type { Wanted } from '../../domain/approval.ts';
import type { Tx } from '../../store/database.ts';
import { listLinesToApprove } from '../../store/reconciliation/reports-to-approve.ts';
import { linesHashOf } from './request-report.ts';
import type { Engine } from '../engine.ts';
import { compareLines } from './import-report.ts';

type WantedReport = Extract<Wanted, { readonly kind: 'OPERATOR_REPORT' }>;

/** Whether the lines that wait are those that were asked about. */
export async function isReportUnchanged(engine: Engine, tx: Tx, wanted: WantedReport): Promise<boolean> {
  return linesHashOf(await listLinesToApprove(tx, engine.store.keyring, wanted)) === wanted.linesHash;
}

export async function applyReport(engine: Engine, wanted: WantedReport): Promise<void> {
  const { database, keyring } = engine.store;
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const lines = await listLinesToApprove(database, keyring, wanted);
  await compareLines(engine, { ...wanted, onError, mayEnd: true }, lines);
  if (errors.length > 0) throw errors[0];
}
