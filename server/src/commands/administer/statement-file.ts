// Reads a statement file as CSV, a batch of lines at a time: a file of a million lines does not fit in memory.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import type { NumberedLine } from '../../store/reconciliation/operator-reports.ts';
import { findHeaderFault, parseStatementLine } from '../../wire/statement-line.ts';
import { UsageError } from '../options.ts';

/** As many as are compared in one transaction: what it locks is held for a moment only. */
const BATCH = 500;
/** Longer than any line of ours; a quote that is never closed must not swallow the file. */
const LINE_BYTES_MAX = 10_000;

/** By which the same file is known again. */
export async function hashFile(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash).catch((error: unknown) => {
    throw new UsageError(`The file cannot be read: ${codeOf(error)}.`);
  });
  return hash.digest();
}

export type ReadWatch = {
  /** Told of each line that cannot be read; the others go on. */
  readonly onFault: (lineNo: number, fault: string) => void;
  /** How many lines were imported so far, and how many there may be, by the size of the file. */
  readonly onLines: (done: number, total: number) => void;
};

export async function* readBatches(
  path: string,
  { onFault, onLines }: ReadWatch,
): AsyncGenerator<readonly NumberedLine[]> {
  const { size } = await stat(path);
  let batch: NumberedLine[] = [];
  for await (const { lineNo, cells, bytesRead } of readRecords(path)) {
    const read = parseStatementLine(cells);
    if ('fault' in read) onFault(lineNo, read.fault);
    else batch.push({ lineNo, line: read.line });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
    onLines(lineNo, Math.max(lineNo, Math.round((lineNo * size) / bytesRead)));
  }
  if (batch.length > 0) yield batch;
}

type FileRecord = {
  readonly lineNo: number;
  readonly cells: Readonly<Record<string, string>>;
  /** Of the file so far. */
  readonly bytesRead: number;
};

async function* readRecords(path: string): AsyncGenerator<FileRecord> {
  const parser = parse({
    bom: true,
    trim: true,
    info: true,
    skip_empty_lines: true,
    max_record_size: LINE_BYTES_MAX,
    columns: requireHeader,
  });
  const source = createReadStream(path);
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const one of parser) {
      const { record, info } = one as { record: Record<string, string>; info: { lines: number } };
      yield { lineNo: info.lines, cells: record, bytesRead: source.bytesRead };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as { readonly lines?: number };
    throw new UsageError(
      `Line ${lines ?? '?'} is not valid CSV: ${error.code}. The lines before it were imported.`,
    );
  } finally {
    source.destroy();
  }
}

function requireHeader(header: string[]): string[] {
  const fault = findHeaderFault(header);
  if (fault === null) return header;
  throw new UsageError(`The first line of the file must name its columns: ${fault}.`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
