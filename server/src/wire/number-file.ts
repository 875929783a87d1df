// Lists of phone numbers as files: comma-separated values with the columns number, reason and expires.
import { parse } from 'csv-parse/sync';
import { parseListedNumber } from '../domain/limits/listed-number.ts';

export type NumberLine = {
  readonly phoneNumber: string;
  readonly reason: string;
  /** Null: until it is removed. */
  readonly expiresAt: Date | null;
};

/** Never with a value of the file, which may be personal. */
export type NumberFileFault = {
  readonly type: 'FAULT';
  readonly fault: 'UNREADABLE' | 'NUMBER' | 'REASON' | 'EXPIRES';
  readonly line: number;
};

type FileLine = {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
};

export const NUMBER_FILE_HEADER = 'number,reason,expires';

/** The first fault where one line cannot be read. */
export function parseNumberFile(
  text: string,
): { readonly type: 'READ'; readonly entries: readonly NumberLine[] } | NumberFileFault {
  const lines = readLines(text);
  if (lines === null) return { type: 'FAULT', fault: 'UNREADABLE', line: 1 };
  const entries: NumberLine[] = [];
  for (const line of lines) {
    const read = entryOf(line);
    if ('fault' in read) return read;
    entries.push(read);
  }
  return { type: 'READ', entries };
}

function readLines(text: string): readonly FileLine[] | null {
  try {
    return parse(text, { bom: true, trim: true, columns: true, info: true }) as unknown as FileLine[];
  } catch {
    return null;
  }
}

function entryOf({ record, info: { lines: line } }: FileLine): NumberLine | NumberFileFault {
  const { number = '', reason = '', expires = '' } = record;
  const phoneNumber = parseListedNumber(number);
  const expiresAt = expires === '' ? null : new Date(expires);
  if (phoneNumber === null) return { type: 'FAULT', fault: 'NUMBER', line };
  if (reason === '') return { type: 'FAULT', fault: 'REASON', line };
  if (expiresAt !== null && Number.isNaN(expiresAt.getTime()))
    return { type: 'FAULT', fault: 'EXPIRES', line };
  return { phoneNumber, reason, expiresAt };
}

/** Without the end of the line. */
export function renderNumberLine({ phoneNumber, reason, expiresAt }: NumberLine): string {
  return [phoneNumber, quoted(reason), expiresAt?.toISOString() ?? ''].join(',');
}

/** Spreadsheets take a cell that begins like a formula for one; the space is trimmed when it is imported again. */
function quoted(text: string): string {
  const plain = /^[=+\-@\t]/.test(text) ? ` ${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
