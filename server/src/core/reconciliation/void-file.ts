// Two people void a file of an operator or a bank: what it said counts for nothing any more, as if it had never come.
// The approval voids the file; its lines are taken back afterwards, some at a time, because a file may have a million.
// When all are, what they posted is posted back.
// What is cut off there goes on with the next work on files of the provider, or by a worker.
import type { ApprovalRequests } from '../../domain/approval.ts';
import type { ActingPerson } from '../../store/approvals/approvals.ts';
import { keepSignatures } from '../../store/daily-close/closed-lines.ts';
import { takeOutBankLines } from '../../store/daily-close/voided-bank-lines.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import {
  findFile,
  listFileMerchants,
  listCaseRequests,
  listToTakeBack,
  markTakenBack,
  markVoided,
  readFileFacts,
  rejectRequested,
  type VoidableFile,
  type VoidedReport,
} from '../../store/reconciliation/voided-files.ts';
import { withdrawVoided } from '../../store/recovery/unmatched-payments.ts';
import { takeOutLines } from '../../store/reconciliation/voided-lines.ts';
import { rejectLines } from '../../store/reconciliation/reports-to-approve.ts';
import { endPending, endPendingRequest } from '../approvals/decide.ts';
import { NotExecuted, type Executor } from '../approvals/executor.ts';
import { requestApproval } from '../approvals/request.ts';
import { record } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { inTimedTransaction } from '../timed-transaction.ts';
import { postBackReport } from './post-back.ts';
import {
  beginWork,
  endWork,
  FilesBusy,
  refuseWhileBusy,
  takeTurn,
  whileRenewed,
  withFileLease,
} from './file-lease.ts';

export type VoidRequest = {
  readonly fileId: string;
  readonly actor: ActingPerson;
  readonly reason: string;
};

export type VoidAnswer =
  | { readonly type: 'REQUESTED'; readonly approvalId: string }
  /** NOT_IMPORTED: it was refused as a whole, or nothing of it came in, so that there is nothing to take back. */
  | { readonly type: 'NOT_FOUND' | 'NOT_IMPORTED' | 'VOIDED_BEFORE' | 'REQUESTED_BEFORE' };

/** Asks that a file be voided. Another person approves. */
export async function requestVoid(
  engine: Engine,
  { fileId, actor, reason }: VoidRequest,
): Promise<VoidAnswer> {
  return inTransaction(engine.store.database, async (tx) => {
    const file = await findFile(tx, fileId);
    if (file === null) return { type: 'NOT_FOUND' };
    if (file.voidedAt !== null) return { type: 'VOIDED_BEFORE' };
    if (file.isEmpty) return { type: 'NOT_IMPORTED' };
    const request = await describeFile(tx, file, reason);
    const wanted = { actor, merchantId: null, kind: 'FILE_VOID', subject: fileId, request } as const;
    const approvalId = await requestApproval(engine, tx, wanted);
    return approvalId === null ? { type: 'REQUESTED_BEFORE' } : { type: 'REQUESTED', approvalId };
  });
}

async function describeFile(
  tx: Tx,
  file: VoidableFile,
  reason: string,
): Promise<ApprovalRequests['FILE_VOID']> {
  const { source, provider, currencies, fileName, fileHash, importedAt } = file;
  const facts = await readFileFacts(tx, file);
  return {
    source,
    provider,
    currencies: currencies.toSorted(),
    ...(fileName !== null && { fileName }),
    fileHash,
    importedAt: importedAt.toISOString(),
    ...facts,
    reason,
  };
}

/** By the names under which an approver is shown them, where there are any. */
const SHOWN_COUNTS = [
  'elsewhereCount',
  'waitingCount',
  'endedCount',
  'openCaseCount',
  'keptCaseCount',
  'resolvedCaseCount',
  'lostCount',
  'keptLostCount',
] as const;

export const fileVoidExecutor: Executor<'FILE_VOID'> = {
  show: (request) => {
    const { source, provider, currencies, fileName, fileHash, importedAt, lineCount, signedDays } = request;
    const counts = SHOWN_COUNTS.flatMap((name) =>
      request[name] === 0 ? [] : [[name, String(request[name])] as const],
    );
    return {
      source,
      provider,
      currencies: currencies.join(', '),
      ...(fileName !== undefined && { fileName }),
      fileHash,
      importedAt,
      lineCount: String(lineCount),
      ...Object.fromEntries(counts),
      ...(request.postedBack.length > 0 && { postedBack: request.postedBack.join(', ') }),
      ...(signedDays.length > 0 && { signedDays: signedDays.join(', ') }),
      note: request.reason,
    };
  },
  concerns: (tx, { subject }) => listFileMerchants(tx, subject),
  execute: async ({ engine, tx, decider, approval: { approvalId, subject: fileId, request } }) => {
    const { source, provider, reason } = request;
    const work = { provider, by: decider.by, owner: approvalId };
    await refuseWhileBusy(() => beginWork(engine, tx, work));
    // Until this is committed no day is signed that counts the file.
    await keepSignatures(tx, provider);
    const file = await findFile(tx, fileId, { isLocked: true });
    if (file === null || file.voidedAt !== null) throw new NotExecuted();
    // A day that was signed since, or a case that was resolved, is not what the approver was shown.
    const now = await describeFile(tx, file, reason);
    if (JSON.stringify(comparable(now)) !== JSON.stringify(comparable(request))) throw new NotExecuted();
    const voidedAt = await engine.clock.timeOf(tx);
    const voiding = { fileId, source, voidedAt, voidedBy: approvalId, reason };
    if (!(await markVoided(tx, voiding))) throw new NotExecuted();
    if (source === 'OPERATOR') {
      const of = { merchantId: null, subject: fileId, by: decider } as const;
      for (const kind of ['OPERATOR_REPORT', 'REPORT_READING'] as const)
        await endPending(engine, tx, { ...of, kind });
      for (const caseRequestId of await listCaseRequests(tx, fileId))
        await endPendingRequest(engine, tx, { approvalId: caseRequestId, by: decider });
      // As if it had been rejected. A line that stands in another file too is asked about again with that file.
      await rejectLines(tx, { provider, reportId: fileId });
      await rejectRequested(tx, file);
    } else {
      for (const currency of file.currencies) await takeOutBankLines(tx, { provider, currency }, fileId);
      await endWork(engine, tx, work);
    }
    const { lineCount, elsewhereCount, signedDays } = request;
    const counts = { lineCount, elsewhereCount, signedDays, postedBack: request.postedBack };
    const detail = { provider, source, sha256: request.fileHash, ...counts };
    await record(engine, tx, [
      { by: decider.by, act: 'FILE_VOIDED', merchantId: null, subject: fileId, detail },
    ]);
  },
  notExecuted: async ({ engine, decider: { by }, approval: { approvalId, request } }, because) =>
    takeTurn(engine, { provider: request.provider, by, approvalId }, because),
  after: async ({ engine, approval }) => {
    const { approvalId: owner, request } = approval;
    if (request.source !== 'OPERATOR') return;
    const { provider } = request;
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    await whileRenewed(engine, { provider, owner }, () => takeBackVoided(engine, provider, { onError }));
    if (errors.length > 0) throw errors[0];
  },
};

/** Keys in one order, however they were stored. The same file can be uploaded again under another name. */
function comparable(request: ApprovalRequests['FILE_VOID']) {
  return Object.entries(request)
    .filter(([name]) => name !== 'fileName')
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** A transaction of some seconds: whoever signs a day of the account waits for it. */
const LINES_AT_ONCE = 5_000;

/**
 * Takes back what is left of the voided reports of a provider, the first one first. The lease of the provider's files
 * must be held; `renew` is called with each batch.
 */
export async function takeBackVoided(
  engine: Engine,
  provider: string,
  { onError, renew = async () => undefined }: TakingBack,
): Promise<void> {
  for (const report of await listToTakeBack(engine.store.database, provider)) {
    while (await takeBackSome(engine, report)) await renew();
    if (await postBackReport(engine, { report, renew, onError }))
      await inTimedTransaction(engine, (tx, now) => markTakenBack(tx, report.reportId, now));
  }
}

type TakingBack = {
  readonly renew?: () => Promise<void>;
  /** For what cannot be posted back now. A worker tries it again; lines that come meanwhile are not kept waiting. */
  readonly onError: (error: unknown) => void;
};

/** Answers whether there may be more. */
async function takeBackSome(engine: Engine, report: VoidedReport): Promise<boolean> {
  return inTransaction(engine.store.database, async (tx) => {
    const taken = await takeOutLines(tx, report, LINES_AT_ONCE);
    const gone = taken.flatMap(({ hash, voided }) => (voided ? [hash] : []));
    await withdrawVoided(tx, { provider: report.provider, lineHashes: gone }, await engine.clock.timeOf(tx));
    return taken.length > 0;
  });
}

/** Goes on with voided reports whose process has died. What somebody else works with is left to them. */
export async function continueVoids(
  engine: Engine,
  { onError }: { readonly onError: (error: unknown) => void },
): Promise<void> {
  const providers = new Set(
    (await listToTakeBack(engine.store.database, null)).map(({ provider }) => provider),
  );
  for (const provider of providers) {
    const work = { provider, by: 'worker' };
    await withFileLease(engine, work, (renew) => takeBackVoided(engine, provider, { renew, onError })).catch(
      (error) => {
        if (!(error instanceof FilesBusy)) onError(error);
      },
    );
  }
}
