import { markFindings, type Found, type Report } from '../../store/reconciliation/operator-reports.ts';
import type { TimedStore } from '../engine.ts';
import { inTimedTransaction } from '../timed-transaction.ts';

/** A report whose lines are compared with the books, and where to tell what could not be done. */
export type Comparing = Report & { readonly onError: (error: unknown) => void };

/** Notes what lines were found to mean. */
export async function mark(
  engine: TimedStore,
  { provider }: Pick<Report, 'provider'>,
  found: readonly Found[],
): Promise<void> {
  await inTimedTransaction(engine, (tx, now) => markFindings(tx, { provider, found, now }));
}
