// An operator's or a bank's file on this machine.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { REPORT_FAULT_TEXTS, type LineFault } from '../../domain/reconciliation/report-fault.ts';
import { FilesBusy } from '../../core/reconciliation/file-lease.ts';
import { UnreadableReport, type ReportBytes } from '../../wire/report-file.ts';
import { refuse } from '../output.ts';
import { UsageError } from '../options.ts';

/** By which the same file is known again. */
export async function hashFile(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash).catch((error: unknown) => {
    throw new UsageError(`The file cannot be read: ${codeOf(error)}.`);
  });
  return hash.digest();
}

/**
 * Answers what opens the file at its beginning: it may be read more than once. What is appended to it from now on is
 * not read, so that each reading has the same lines.
 */
export async function openReport(path: string): Promise<() => ReportBytes> {
  const { size } = await stat(path);
  return () => ({ chunks: createReadStream(path, { end: Math.max(0, size - 1) }), size });
}

/** Reads with it; a file that cannot be read as a whole is the person's to fix. */
export async function readingReport<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  try {
    return await read();
  } catch (error) {
    const isTheirs = error instanceof UnreadableReport || error instanceof FilesBusy;
    throw isTheirs ? new UsageError(error.message) : error;
  }
}

/** Lines that could not be read: the first are told at once, and all are counted. */
export class Faults {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  readonly add = (lineNo: number, fault: LineFault): void => {
    this.#count += 1;
    if (this.#count <= 20) refuse(`line ${lineNo}: ${REPORT_FAULT_TEXTS[fault]}`);
  };

  refuse(): void {
    if (this.#count > 0)
      refuse(`${this.#count} lines could not be read. Fix them and import the file again.`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
