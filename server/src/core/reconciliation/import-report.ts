// Takes an operator's report to our books, line by line, after it was read once to see whether it can be right. What a
// line says of an open payment is brought to the single write path like an authentic message; what it says against a
// final one opens a case there. Everything can be done twice.
import { findProvider } from '../../domain/operators/catalogue.ts';
import type { ReadingCounts } from '../../domain/reconciliation/operator-report.ts';
import { inTransaction } from '../../store/database.ts';
import {
  insertReport,
  keepLines,
  type NumberedLine,
  type Period,
} from '../../store/reconciliation/operator-reports.ts';
import { markRead, type Coverage } from '../../store/reconciliation/report-coverage.ts';
import { lockReading, setRefusedReading } from '../../store/reconciliation/refused-readings.ts';
import { setReader } from '../../store/reconciliation/reports-to-approve.ts';
import { endPending } from '../approvals/decide.ts';
import { requestReport, requestUnrequested } from './approve-report.ts';
import { checkReading, type CheckedReading } from './check-reading.ts';
import { postUnposted } from '../payments/process/unmatched-payments.ts';
import { carryOutLines, heedReversals, proposeLines } from './compare-lines.ts';
import type { SecondApprover } from '../approvals/request.ts';
import { record, type Actor } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { withFileLease } from './file-lease.ts';
import { isMovement, postMovements, proposeMovements } from './reported-movements.ts';
import { takeBackVoided } from './void-file.ts';

/** CHECK: read to its end and compared with the books, before anything has an effect. IMPORT: as it counts. */
export type ReportPass = 'CHECK' | 'IMPORT';

export type ReportImport = Actor & {
  /** Of somebody who is signed in; left out on the command line. */
  readonly personId?: string;
  /** REQUIRED: lines that would end a payment, open a case or post money wait for an approval. */
  readonly secondApprover: SecondApprover;
  /** Who set how its columns are read; left out for our own format. */
  readonly mappingBy?: readonly string[] | undefined;
  readonly provider: string;
  /** Of the file's bytes. */
  readonly fileHash: Buffer;
  /** What the report covers; null: from its first line to its last. */
  readonly period: Period | null;
  /** Of the account that a report without lines covers; left out: of the operator's only one. */
  readonly currency?: string;
  /** Reads the file from its beginning. It is read twice, some lines at a time: it may be larger than the memory. */
  readonly batches: (pass: ReportPass) => AsyncIterable<readonly NumberedLine[]>;
  /** How many lines could not be read so far; left out where each was. */
  readonly faultCount?: () => number;
  readonly onError: (error: unknown) => void;
};

export type ImportedReport = {
  readonly reportId: string;
  /** False for a file that was imported before. */
  readonly isNew: boolean;
  readonly lineCount: number;
  /** Of these, those that were compared now; all others were settled before. */
  readonly comparedCount: number;
  /** Why nothing was imported: it was probably read wrongly. Null where it was imported. */
  readonly refused: ReadingCounts | null;
};

/** Throws FilesBusy where somebody works with files of the provider: nothing was done then. */
export async function importReport(engine: Engine, order: ReportImport): Promise<ImportedReport> {
  return withFileLease(engine, order, (renew) => importAlone(engine, order, renew));
}

async function importAlone(
  engine: Engine,
  order: ReportImport,
  renew: () => Promise<void>,
): Promise<ImportedReport> {
  await takeBackVoided(engine, order.provider, { renew, onError: order.onError });
  const checked = await checkReading(engine, order.provider, withEach(order.batches('CHECK'), renew));
  // What an earlier import has left behind is requested for the person who imported it, and not for this one.
  await requestUnrequested(engine, order.provider);
  const { isRefused, ...report } = await begin(engine, order, checked);
  if (isRefused) return { ...report, lineCount: 0, comparedCount: 0, refused: checked };
  await postUnposted(engine, order.provider);
  let [lineCount, comparedCount, askedCount] = [0, 0, 0];
  let covered: Coverage | null = null;
  const toApprove: Buffer[] = [];
  for await (const lines of withEach(order.batches('IMPORT'), renew)) {
    const kept = await inTransaction(engine.store.database, (tx) =>
      keepLines(tx, engine.store.keyring, report, lines),
    );
    const comparing = { ...report, onError: order.onError };
    const payments = kept.filter((one) => !isMovement(one));
    const movements = kept.filter(isMovement);
    if (order.secondApprover === 'OPTIONAL') {
      await carryOutLines(engine, comparing, payments);
      await postMovements(engine, { ...comparing, by: order.by }, movements);
    } else {
      const found = [
        ...(await proposeLines(engine, comparing, payments)),
        ...(await proposeMovements(engine, comparing, movements)),
      ];
      askedCount += await heedReversals(engine, comparing, {
        lines: payments,
        found,
        askedBefore: askedCount,
      });
      toApprove.push(...found.flatMap(({ hash, finding }) => (finding === 'TO_APPROVE' ? [hash] : [])));
    }
    lineCount += lines.length;
    comparedCount += kept.length;
    covered = widen(covered, lines);
  }
  const period = order.period ?? covered;
  const currencies = covered?.currencies ?? accountsWithoutLines(order);
  const faultCount = order.faultCount?.() ?? 0;
  if (period !== null)
    await markRead(engine.store.database, report.reportId, { ...period, currencies, faultCount });
  if (order.secondApprover === 'REQUIRED') await requestReport(engine, { ...report, toApprove }, order);
  return { ...report, lineCount, comparedCount, refused: null };
}

async function* withEach<One>(all: AsyncIterable<One>, before: () => Promise<void>): AsyncIterable<One> {
  for await (const one of all) {
    await before();
    yield one;
  }
}

/** Notes the file, and whether this reading of it is refused. */
async function begin(engine: Engine, order: ReportImport, checked: CheckedReading) {
  const { by, personId = null, provider, fileHash, mappingBy } = order;
  const { isWrong, isEmpty, ...reading } = checked;
  return inTransaction(engine.store.database, async (tx) => {
    const now = await engine.clock.timeOf(tx);
    const { isNew: isFirst, ...report } = await insertReport(tx, {
      provider,
      fileHash,
      emptyPeriod: isEmpty ? order.period : null,
      now,
    });
    const { reportId } = report;
    const before = await lockReading(tx, reportId);
    const isRefused = isWrong && before?.acceptedHash !== reading.linesHash;
    const wasRefused = (before?.refused ?? null) !== null;
    const act = { by, merchantId: null, subject: reportId };
    const detail = { provider, sha256: fileHash.toString('hex') };
    if (isRefused) {
      const refused = { ...reading, ...(mappingBy !== undefined && { mappingBy }) };
      await setRefusedReading(tx, reportId, refused);
      if (before?.refused?.linesHash !== reading.linesHash) {
        await endPending(engine, tx, { ...readingOf(reportId), by: { personId, by } });
        const { knownCount, differingCount } = reading;
        const counts = { knownCount, differingCount };
        await record(engine, tx, [{ ...act, act: 'REPORT_REFUSED', detail: { ...detail, ...counts } }]);
      }
    } else {
      if (wasRefused) {
        await setRefusedReading(tx, reportId, null);
        await endPending(engine, tx, { ...readingOf(reportId), by: { personId, by } });
      }
      await setReader(tx, { reportId, by, personId, ...(mappingBy !== undefined && { mappingBy }) });
      if (isFirst || wasRefused) await record(engine, tx, [{ ...act, act: 'REPORT_IMPORTED', detail }]);
    }
    return { ...report, isNew: isFirst || wasRefused, isRefused };
  });
}

/** What would be requested about a reading of this report. */
function readingOf(subject: string) {
  return { kind: 'REPORT_READING', merchantId: null, subject } as const;
}

/** A file with lines of other accounts only does not cover the account it was imported for. */
function accountsWithoutLines({ provider, currency }: ReportImport): readonly string[] {
  if (currency !== undefined) return [currency];
  const currencies = findProvider(provider)?.currencies ?? [];
  return currencies.length === 1 ? currencies.map((one) => one.currency) : [];
}

function widen(covered: Coverage | null, lines: readonly NumberedLine[]): Coverage | null {
  return lines.reduce<Coverage | null>((coverage, { line: { occurredAt, currency } }) => {
    if (coverage === null) return { from: occurredAt, to: occurredAt, currencies: [currency] };
    const { from, to, currencies } = coverage;
    return {
      from: occurredAt < from ? occurredAt : from,
      to: occurredAt > to ? occurredAt : to,
      currencies: currencies.includes(currency) ? currencies : [...currencies, currency],
    };
  }, covered);
}
