// An operator's or a bank's file that somebody uploads in the console: read as the account's mapping says, imported by
// the same code as on the command line. How far it is stands in the database, so that any process can say.
import { createHash, randomUUID } from 'node:crypto';
import type { ReportFault } from '../../domain/reconciliation/report-fault.ts';
import type { ReportSource } from '../../domain/reconciliation/report-mapping.ts';
import { addMs } from '../../domain/time.ts';
import { findCloseAccount, type FollowedAccount } from '../../store/daily-close/closes.ts';
import type { AccountName } from '../../store/daily-close/report-lines.ts';
import {
  findUpload,
  insertUpload,
  listUploads,
  updateUpload,
  type ReportUpload,
  type UploadStatus,
} from '../../store/daily-close/report-uploads.ts';
import type { StoredMapping } from '../../store/daily-close/report-mappings.ts';
import type { Period } from '../../store/reconciliation/operator-reports.ts';
import {
  bankFormat,
  readReport,
  readWholeReport,
  reportFormat,
  UnreadableReport,
  type ReportWatch,
} from '../../wire/report-file.ts';
import type { Engine, TimedStore } from '../engine.ts';
import { FilesBusy } from '../reconciliation/file-lease.ts';
import { importReport, type ReportPass } from '../reconciliation/import-report.ts';
import { inTimedTransaction } from '../timed-transaction.ts';
import { importBankFile } from './import-bank.ts';
import { findMapping } from './report-mappings.ts';
import { namesOf } from '../../domain/reconciliation/mapping-authors.ts';

export type UploadOrder = AccountName & {
  readonly personId: string;
  readonly by: string;
  readonly source: ReportSource;
  readonly fileName: string;
  readonly bytes: Buffer;
  /** What an operator's report covers; null for a bank's file. */
  readonly period: Period | null;
  readonly onError: (error: unknown) => void;
};

/** As many are kept of one file; who has more has the wrong mapping. */
const FAULTS_MAX = 100;
/** Without news for so long, the process that imported it is gone. A batch takes seconds at most. */
const SILENT_MS = 120_000;
const PIECE_BYTES = 65_536;

/** Null where the account's days are not closed here. */
export async function uploadReport(engine: Engine, order: UploadOrder): Promise<ReportUpload | null> {
  const { provider, currency, source, fileName, bytes, by } = order;
  const { database } = engine.store;
  const account = await findCloseAccount(database, order);
  if (account === null) return null;
  const set = await findMapping(engine, { provider, currency, source });
  const fileHash = createHash('sha256').update(bytes).digest();
  const uploadId = randomUUID();
  await inTimedTransaction(engine, (tx, startedAt) =>
    insertUpload(tx, {
      uploadId,
      provider,
      currency,
      source,
      fileName,
      fileHash: fileHash.toString('hex'),
      uploadedBy: by,
      startedAt,
      updatedAt: startedAt,
    }),
  );
  const progress = new Progress(engine, uploadId);
  try {
    const file = { account, set, fileHash };
    const { fileId, lineCount, isRefused } = await (source === 'OPERATOR'
      ? importOfOperator(engine, order, file, progress)
      : importOfBank(engine, order, file, progress));
    progress.isKeptAs(fileId);
    await progress.end(isRefused ? 'REFUSED' : 'DONE', lineCount);
  } catch (error) {
    const isTheirs = error instanceof UnreadableReport || error instanceof FilesBusy;
    if (error instanceof FilesBusy) progress.note({ line: 0, code: 'FILES_BUSY', column: error.by });
    else if (error instanceof UnreadableReport) progress.note({ line: error.lineNo, ...error.fault });
    else progress.note({ line: 0, code: 'INTERRUPTED', column: '' });
    await progress.end('FAILED', null);
    if (!isTheirs) throw error;
  }
  return findUpload(database, uploadId);
}

type ReadFile = {
  readonly account: FollowedAccount;
  /** Null: our own format. */
  readonly set: StoredMapping | null;
  readonly fileHash: Buffer;
};

type ImportedFile = { readonly fileId: string; readonly lineCount: number; readonly isRefused: boolean };

/** What lines would do waits for a second approver, as everything does that people do in the dashboard. */
async function importOfOperator(
  engine: Engine,
  { by, personId, provider, currency, bytes, period, onError }: UploadOrder,
  { account, set, fileHash }: ReadFile,
  progress: Progress,
): Promise<ImportedFile> {
  const format = reportFormat(set?.mapping ?? null, account);
  const batches = (pass: ReportPass) =>
    readReport(inPieces(bytes), format, pass === 'CHECK' ? progress.ofCheck : progress);
  const faultCount = () => progress.faultCount;
  const order = {
    by,
    personId,
    mappingBy: set === null ? undefined : namesOf(set.authors),
    provider,
    currency,
    fileHash,
    period,
  };
  const reading = { ...order, secondApprover: 'REQUIRED', batches, faultCount, onError } as const;
  const { reportId: fileId, lineCount, refused } = await importReport(engine, reading);
  return { fileId, lineCount, isRefused: refused !== null };
}

async function importOfBank(
  engine: Engine,
  { by, provider, currency, bytes }: UploadOrder,
  { account, set, fileHash }: ReadFile,
  progress: Progress,
): Promise<ImportedFile> {
  const lines = await readWholeReport(inPieces(bytes), bankFormat(set?.mapping ?? null, account), progress);
  const file = {
    by,
    provider,
    currency,
    fileHash: fileHash.toString('hex'),
    lines,
    faultCount: progress.faultCount,
  };
  const { fileId } = await importBankFile(engine, file);
  return { fileId, lineCount: lines.length, isRefused: false };
}

function inPieces(bytes: Buffer) {
  async function* chunks() {
    for (let from = 0; from < bytes.length; from += PIECE_BYTES)
      yield bytes.subarray(from, from + PIECE_BYTES);
  }
  return { chunks: chunks(), size: bytes.length };
}

class Progress implements ReportWatch {
  readonly #engine: TimedStore;
  readonly #uploadId: string;
  readonly #faults: ReportFault[] = [];
  #lines = { done: 0, expected: 0 };
  #faultCount = 0;
  #fileId: string | null = null;

  constructor(engine: TimedStore, uploadId: string) {
    this.#engine = engine;
    this.#uploadId = uploadId;
  }

  get faultCount(): number {
    return this.#faultCount;
  }

  readonly onFault: ReportWatch['onFault'] = (line, code) => this.note({ line, code, column: '' });

  readonly onLines: ReportWatch['onLines'] = async (done, expected) => {
    this.#lines = { done, expected };
    await this.#write('RUNNING');
  };

  /** While a file is only compared: its faults are noted when it is imported, and this says that we are still there. */
  readonly ofCheck: ReportWatch = {
    onFault: () => {},
    onLines: (_done, expected) => this.onLines(0, expected),
  };

  isKeptAs(fileId: string): void {
    this.#fileId = fileId;
  }

  note(fault: ReportFault): void {
    this.#faultCount += 1;
    if (this.#faults.length < FAULTS_MAX) this.#faults.push(fault);
  }

  /** With how many lines were read; null where that is not known. */
  async end(status: UploadStatus, lineCount: number | null): Promise<void> {
    if (lineCount !== null) this.#lines = { done: lineCount, expected: lineCount };
    await this.#write(status);
  }

  #write(status: UploadStatus): Promise<void> {
    const { done: linesDone, expected: linesExpected } = this.#lines;
    return inTimedTransaction(this.#engine, (tx, updatedAt) =>
      updateUpload(tx, {
        uploadId: this.#uploadId,
        status,
        fileId: this.#fileId,
        linesDone,
        linesExpected,
        faultCount: this.#faultCount,
        faults: this.#faults,
        updatedAt,
      }),
    );
  }
}

/** One that has said nothing for minutes was cut off: it failed, and the file is uploaded again. */
export async function readUploads(
  engine: TimedStore,
  account: AccountName,
  countMax: number,
): Promise<readonly ReportUpload[]> {
  const uploads = await listUploads(engine.store.database, account, countMax);
  const silentSince = addMs(engine.clock.now(), -SILENT_MS);
  return uploads.map((upload) => {
    if (upload.status !== 'RUNNING' || upload.updatedAt >= silentSince) return upload;
    const fault = { line: 0, code: 'INTERRUPTED', column: '' } as const;
    return {
      ...upload,
      status: 'FAILED',
      faultCount: upload.faultCount + 1,
      faults: [...upload.faults, fault],
    };
  });
}
