// What an imported report leaves for a person to look at.
import { paymentKeyText } from '../../domain/payments/payment.ts';
import { TO_LOOK_AT, type ShownFinding } from '../../domain/reconciliation/operator-report.ts';
import { listMissing, type MissingPayment } from '../../store/reconciliation/missing-payments.ts';
import {
  countFindings,
  listLines,
  type Period,
  type ShownLine,
  type Report,
} from '../../store/reconciliation/operator-reports.ts';
import { listPayments, type StoredPayment } from '../../store/payments/payments.ts';
import { listProposals, type ProposedLine } from '../../store/reconciliation/reports-to-approve.ts';
import { findPeriod } from '../../store/reconciliation/report-coverage.ts';
import type { StorePart } from '../engine.ts';

export type ReportFindings = {
  readonly period: Period | null;
  readonly counts: readonly { readonly finding: ShownFinding | null; readonly count: number }[];
  /** Lines to look at, at most `countMax`. */
  readonly lines: readonly ShownLine[];
  /** Payments of ours that should be in it, at most `countMax`. */
  readonly missing: readonly MissingPayment[];
};

export async function readFindings(
  engine: StorePart,
  { reportId, provider }: Report,
  countMax: number,
): Promise<ReportFindings> {
  const { database, keyring } = engine.store;
  const period = await findPeriod(database, reportId);
  return {
    period,
    counts: await countFindings(database, reportId),
    lines: await listLines(database, keyring, { reportId, findings: TO_LOOK_AT, countMax }),
    missing: period === null ? [] : await listMissing(database, { provider, period, countMax }),
  };
}

/** A line that waits beside our payment, as far as it is in this cell. */
export type ShownProposal = ProposedLine & { readonly payment: StoredPayment | null };

/** The first lines of each effect that wait for the approval of a report. */
export async function readProposals(
  engine: StorePart,
  { reportId, countMax }: { readonly reportId: string; readonly countMax: number },
): Promise<readonly ShownProposal[]> {
  const { database, keyring } = engine.store;
  const lines = await listProposals(database, keyring, { reportId, countMax });
  const found = await listPayments(
    database,
    keyring,
    lines.flatMap(({ key }) => key ?? []),
  );
  const payments = new Map(found.map((payment) => [paymentKeyText(payment), payment]));
  return lines.map((line) => {
    return { ...line, payment: line.key === null ? null : (payments.get(paymentKeyText(line.key)) ?? null) };
  });
}
