// Lines of an operator's report that have an effect wait until another person approves the report. Then they are
// compared again: what a payment became meanwhile counts, and no line does anything but what was approved of it.
import { createHash } from 'node:crypto';
import type { EffectSummary } from '../../domain/approval.ts';
import { renderAmount } from '../../domain/money.ts';
import { FLOAT_MOVEMENT_TYPES } from '../../domain/ledger/float-movement.ts';
import { LINE_EFFECTS, type LineEffect } from '../../domain/reconciliation/operator-report.ts';
import { inTransaction } from '../../store/database.ts';
import { findPlatformApproval, type Approval } from '../../store/approvals/approvals.ts';
import type { Report } from '../../store/reconciliation/operator-reports.ts';
import {
  listLinesToApprove,
  listReportMerchants,
  listUnrequested,
  rejectLines,
  sumEffects,
  takeLinesToApprove,
  type EffectSum,
  type WaitingLine,
} from '../../store/reconciliation/reports-to-approve.ts';
import { withdrawUnapproved } from '../../store/recovery/unmatched-payments.ts';
import { refuseColumnsSetter } from '../approvals/columns-setter.ts';
import { endPending } from '../approvals/decide.ts';
import { refuseMerchantPeople } from '../approvals/merchant-people.ts';
import { askOtherCells, describeSilence } from '../cells/ask-other-cells.ts';
import { NotExecuted, type Executor } from '../approvals/executor.ts';
import { requestApproval } from '../approvals/request.ts';
import type { Actor } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { applyLines, heedReversals } from './compare-lines.ts';
import {
  beginWork,
  endWork,
  FilesBusy,
  refuseWhileBusy,
  takeTurn,
  whileRenewed,
  withFileLease,
} from './file-lease.ts';
import { isMovement, postMovements } from './reported-movements.ts';

type Requesting = Actor & {
  readonly personId?: string | null;
  readonly mappingBy?: readonly string[] | undefined;
};

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
    const isSame =
      before?.request.linesHash === linesHash && isSameNames(before.request.mappingBy, mappingBy);
    if (before?.status === 'PENDING' && isSame) return;
    await endPending(engine, tx, { ...subject, by: actor });
    if (lines.length === 0) return;
    const effects = summaryOf(await sumEffects(tx, reportId));
    const request = { provider, effects, linesHash, ...(mappingBy !== undefined && { mappingBy }) };
    await requestApproval(engine, tx, { ...subject, request, actor });
  });
}

function isSameNames(one: readonly string[] = [], other: readonly string[] = []): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function summaryOf(sums: readonly EffectSum[]): Readonly<Partial<Record<LineEffect, EffectSummary>>> {
  const byEffect = Map.groupBy(sums, ({ effect }) => effect);
  return Object.fromEntries(
    [...byEffect].map(([effect, some]) => [
      effect,
      {
        count: some.reduce((total, { count }) => total + count, 0),
        sums: some.map(({ amount, currency }) => `${renderAmount(amount)} ${currency}`),
      },
    ]),
  );
}

/** By the names under which an approver is shown them. */
const SHOWN_EFFECTS = {
  END_COMPLETED: 'endsCompleted',
  END_FAILED: 'endsFailed',
  CASE: 'opensCases',
  REVERSAL: 'reverses',
  LOST_PAYMENT: 'postsLost',
  FLOAT_TOP_UP: 'topsUp',
  FLOAT_WITHDRAWAL: 'withdraws',
  OPERATOR_CHARGE: 'charges',
} as const satisfies Record<LineEffect, string>;

/**
 * The approval permits to apply it. What is cut off then, or is no longer what was approved, waits again: whoever
 * requested it asks again, or `requestAllUnrequested` does for them.
 */
export const reportExecutor: Executor<'OPERATOR_REPORT'> = {
  show: ({ provider, effects, linesHash, mappingBy }) => ({
    provider,
    ...Object.fromEntries(
      LINE_EFFECTS.flatMap((effect) => {
        const summary = effects[effect];
        return summary === undefined
          ? []
          : [[SHOWN_EFFECTS[effect], `${summary.count}: ${summary.sums.join(', ')}`]];
      }),
    ),
    linesHash,
    ...(mappingBy !== undefined && { mappingBy: mappingBy.join(', ') }),
  }),
  concerns: (tx, { subject }) => listReportMerchants(tx, subject),
  mayApprove: async ({ engine, tx, decider, approval }) => {
    // A line about a lost payment names no merchant.
    if (approval.request.effects.LOST_PAYMENT !== undefined)
      await refuseMerchantPeople(engine, tx, decider, approval);
  },
  before: async ({ engine, approval: { request } }) => {
    // What each of these posts is once in all cells.
    const asking = ['LOST_PAYMENT', ...FLOAT_MOVEMENT_TYPES] as const;
    if (asking.every((effect) => request.effects[effect] === undefined)) return;
    const others = await askOtherCells(engine, (database) => database.query('select 1'));
    if (others.type === 'ANSWERED') return;
    const obstacle = { code: 'CELL_SILENT', parameters: { cell: others.cell } } as const;
    throw new NotExecuted(obstacle, describeSilence(others));
  },
  execute: async ({ engine, tx, decider, approval: { approvalId, subject: reportId, request } }) => {
    await refuseColumnsSetter(tx, decider, request);
    const work = { provider: request.provider, by: decider.by, owner: approvalId };
    await refuseWhileBusy(() => beginWork(engine, tx, work));
    const lines = await listLinesToApprove(tx, engine.store.keyring, { ...request, reportId });
    if (linesHashOf(lines) !== request.linesHash) throw new NotExecuted();
  },
  end: async ({ engine, tx, decider, approval: { approvalId, subject: reportId, request } }) => {
    const report = { ...request, reportId };
    const work = { provider: request.provider, by: decider.by, owner: approvalId };
    await refuseWhileBusy(() => beginWork(engine, tx, work));
    await withdrawUnapproved(tx, report, await engine.clock.timeOf(tx));
    await rejectLines(tx, report);
    await endWork(engine, tx, work);
  },
  notExecuted: async ({ engine, decider: { by }, approval: { approvalId, request } }, because) =>
    takeTurn(engine, { provider: request.provider, by, approvalId }, because),
  after: async ({ engine, approval, decider: { by } }) => {
    const { approvalId: owner, request } = approval;
    await whileRenewed(engine, { provider: request.provider, owner }, () =>
      applyApproved(engine, approval, by),
    );
  },
};

/** What the approval permits. Runs under the lease that the approval took. */
async function applyApproved(
  engine: Engine,
  { subject: reportId, request, requestedBy }: Approval<'OPERATOR_REPORT'>,
  by: string,
): Promise<void> {
  const { database, keyring } = engine.store;
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const report = { ...request, reportId };
  const all = await listLinesToApprove(database, keyring, report);
  if (linesHashOf(all) !== request.linesHash) return;
  const lines = all.filter((line) => !isMovement(line));
  const found = await applyLines(engine, { ...report, onError }, lines);
  await postMovements(engine, { ...report, onError, by }, all.filter(isMovement));
  await heedReversals(engine, { ...report, onError }, { lines, found, askedBefore: 0 });
  // What was to be done otherwise by now, or could not be done, waits again: the same person asks for that.
  await requestWaiting(engine, report, { ...requestedBy, ...request });
  if (errors.length > 0) throw errors[0];
}

/** Requests everything of a report that waits. Runs under the lease of the provider's files. */
async function requestWaiting(engine: Engine, report: Report, by: Requesting): Promise<void> {
  const { database, keyring } = engine.store;
  const toApprove = (await listLinesToApprove(database, keyring, report)).map(({ hash }) => hash);
  await requestReport(engine, { ...report, toApprove }, by);
}

/**
 * Requests lines of a provider's reports that wait although nothing asks anybody to approve them: the process that was
 * to ask has died. Whoever imported a report last asks. Runs under the lease of the provider's files.
 */
export async function requestUnrequested(engine: Engine, provider: string): Promise<void> {
  for (const report of await listUnrequested(engine.store.database, provider))
    await requestWaiting(engine, report, report);
}

/** The same for all providers, in the background. Where somebody works with files of one, the next look does it. */
export async function requestAllUnrequested(
  engine: Engine,
  { onError }: { readonly onError: (error: unknown) => void },
): Promise<void> {
  const found = await listUnrequested(engine.store.database, null);
  const names = new Map(found.map(({ provider, by }) => [provider, by]));
  for (const [provider, by] of names) {
    try {
      await withFileLease(engine, { provider, by }, () => requestUnrequested(engine, provider));
    } catch (error) {
      if (!(error instanceof FilesBusy)) onError(error);
    }
  }
}

function linesHashOf(lines: readonly Pick<WaitingLine, 'hash' | 'effect'>[]): string {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(line.hash).update(line.effect);
  return hash.digest('hex');
}
