// Reads an operator's or a bank's file (CSV), a batch of lines at a time: a file of a million lines does not fit in
// memory. For the command line and the console.
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { headerFaultText, type HeaderFault, type LineFault } from '../domain/reconciliation/report-fault.ts';
import type { BankLine } from '../domain/reconciliation/bank-lines.ts';
import type { OperatorReportLine } from '../domain/reconciliation/operator-report.ts';
import type { ReportMapping } from '../domain/reconciliation/report-mapping.ts';
import { findBankHeaderFault, parseBankLine } from './bank-line.ts';
import { findMappedHeaderFault, mapCells } from './report-mapping.ts';
import { findHeaderFault, parseReportLine } from './report-line.ts';

/** As many as are compared in one transaction: what it locks is held for a moment only. */
const BATCH = 500;
/** Longer than any line of ours; a quote that is never closed must not swallow the file. */
const LINE_BYTES_MAX = 10_000;

type Cells = Readonly<Record<string, string>>;
type ReadLine<Line> = { readonly line: Line } | { readonly fault: LineFault } | { readonly isSkipped: true };

export type ReportFormat<Line> = {
  readonly findHeaderFault: (header: readonly string[]) => HeaderFault | null;
  readonly parseLine: (cells: Cells) => ReadLine<Line>;
  /** OTHERS: commas, semicolons or tabs, as the first line has them. */
  readonly delimiters: 'COMMA' | 'OTHERS';
};

type ReportAccount = { readonly currency: string; readonly timeZone: string };

/** Our own, of docs/operating/reconciliation.md. */
export const OWN_FORMAT: ReportFormat<OperatorReportLine> = {
  findHeaderFault,
  parseLine: parseReportLine,
  delimiters: 'COMMA',
};

/** Without a mapping it is our own. */
export function reportFormat(
  mapping: ReportMapping | null,
  account: ReportAccount,
): ReportFormat<OperatorReportLine> {
  return mapping === null ? OWN_FORMAT : mappedFormat(mapping, account, parseReportLine);
}

/** Without a mapping it is that of docs/operating/daily-close.md. */
export function bankFormat(mapping: ReportMapping | null, account: ReportAccount): ReportFormat<BankLine> {
  const parseLine = (cells: Cells) => parseBankLine(cells, account);
  if (mapping === null) return { findHeaderFault: findBankHeaderFault, parseLine, delimiters: 'COMMA' };
  return mappedFormat(mapping, account, parseLine);
}

function mappedFormat<Line>(
  mapping: ReportMapping,
  account: ReportAccount,
  parseLine: (cells: Cells) => ReadLine<Line>,
): ReportFormat<Line> {
  return {
    findHeaderFault: (header) => findMappedHeaderFault(mapping, header),
    parseLine: (cells) => {
      const mapped = mapCells(mapping, account, cells);
      return 'cells' in mapped ? parseLine(mapped.cells as Cells) : mapped;
    },
    delimiters: 'OTHERS',
  };
}

/** The file as a whole cannot be read, or not from this line on. */
export class UnreadableReport extends Error {
  /** 1 for a fault of the header. */
  readonly lineNo: number;
  readonly fault: HeaderFault | { readonly code: 'NOT_CSV'; readonly column: '' };

  constructor(lineNo: number, fault: UnreadableReport['fault'], message: string) {
    super(message);
    this.lineNo = lineNo;
    this.fault = fault;
  }
}

export type ReportWatch = {
  /** Told of each line that cannot be read; the others go on. */
  readonly onFault: (lineNo: number, fault: LineFault) => void;
  /** How many lines were taken so far, and how many there may be, by the size of the file. */
  readonly onLines: (done: number, total: number) => void | Promise<void>;
};

export type ReportBytes = { readonly chunks: AsyncIterable<Buffer>; readonly size: number };

export async function* readReport<Line>(
  { chunks, size }: ReportBytes,
  format: ReportFormat<Line>,
  { onFault, onLines }: ReportWatch,
): AsyncGenerator<readonly { readonly lineNo: number; readonly line: Line }[]> {
  let batch: { readonly lineNo: number; readonly line: Line }[] = [];
  for await (const { lineNo, cells, bytesRead } of readRecords(chunks, format)) {
    const read: ReadLine<Line> = cells === null ? { fault: 'CELL_COUNT' } : format.parseLine(cells);
    if ('fault' in read) onFault(lineNo, read.fault);
    else if ('line' in read) batch.push({ lineNo, line: read.line });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
    await onLines(lineNo, Math.max(lineNo, Math.round((lineNo * size) / bytesRead)));
  }
  if (batch.length > 0) yield batch;
}

/** All lines at once, of a file that is small by nature: a bank's. */
export async function readWholeReport<Line>(
  ...asked: Parameters<typeof readReport<Line>>
): Promise<readonly { readonly lineNo: number; readonly line: Line }[]> {
  const lines: { readonly lineNo: number; readonly line: Line }[] = [];
  for await (const batch of readReport(...asked)) lines.push(...batch);
  return lines;
}

type FileRecord = {
  readonly lineNo: number;
  /** Null where there are more or fewer than in the first line. */
  readonly cells: Cells | null;
  /** Of the file so far. */
  readonly bytesRead: number;
};

type ParsedRecord = {
  readonly record: Cells;
  readonly info: { readonly lines: number; readonly invalid_field_length: number };
};

async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  { findHeaderFault: findFault, delimiters }: ReportFormat<unknown>,
): AsyncGenerator<FileRecord> {
  const { first, all } = await peek(chunks);
  let bytesRead = 0;
  let hasHeader = false;
  async function* counted() {
    for await (const chunk of all) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  const parser = parse({
    bom: true,
    trim: true,
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    delimiter: delimiters === 'COMMA' ? ',' : delimiterOf(first),
    max_record_size: LINE_BYTES_MAX,
    columns: (header: string[]) => {
      hasHeader = true;
      const fault = findFault(header);
      if (fault === null) return header;
      const text = `The first line of the file must name its columns: ${headerFaultText(fault)}.`;
      throw new UnreadableReport(1, fault, text);
    },
  });
  const source = Readable.from(counted());
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let unequal = 0;
  try {
    for await (const one of parser) {
      const { record, info } = one as ParsedRecord;
      const isWhole = info.invalid_field_length === unequal;
      unequal = info.invalid_field_length;
      yield { lineNo: info.lines, cells: isWhole ? record : null, bytesRead };
    }
    if (!hasHeader) throw unreadableFrom(1, 'The file is empty.');
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines = 1 } = error as { readonly lines?: number };
    const text = `Line ${lines} is not valid CSV: ${error.code}. Nothing of the file was imported.`;
    throw unreadableFrom(lines, text);
  } finally {
    source.destroy();
  }
}

function unreadableFrom(lineNo: number, text: string): UnreadableReport {
  return new UnreadableReport(lineNo, { code: 'NOT_CSV', column: '' }, text);
}

/** The first piece, and all of them. */
async function peek(chunks: AsyncIterable<Buffer>) {
  const pieces = chunks[Symbol.asyncIterator]();
  const { value, done } = await pieces.next();
  const first = done === true ? Buffer.alloc(0) : value;
  async function* all() {
    yield first;
    for (;;) {
      const next = await pieces.next();
      if (next.done === true) return;
      yield next.value;
    }
  }
  return { first, all: all() };
}

/** The one that stands most often in the first line. In countries with a decimal comma Excel writes semicolons. */
function delimiterOf(first: Buffer): string {
  const [line = ''] = first.toString().split('\n', 1);
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: line.split(mark).length }));
  return counts.toSorted((one, other) => other.count - one.count)[0]?.mark ?? ',';
}
