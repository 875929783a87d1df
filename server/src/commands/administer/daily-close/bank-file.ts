// Reads a bank's file as CSV.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { findBankHeaderFault } from '../../../wire/bank-line.ts';
import { UsageError } from '../../options.ts';

type BankRecords = {
  readonly hash: string;
  readonly records: readonly { readonly lineNo: number; readonly cells: Readonly<Record<string, string>> }[];
};

/** Larger than a year of a bank's lines. */
const BANK_BYTES_MAX = 5_000_000;

export async function readBank(path: string): Promise<BankRecords> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) throw new UsageError('The file cannot be read.');
  if (bytes.length > BANK_BYTES_MAX) throw new UsageError('The file must have at most 5 MB.');
  try {
    const found = parse(bytes, {
      bom: true,
      trim: true,
      info: true,
      skip_empty_lines: true,
      columns: (header: string[]) => {
        const fault = findBankHeaderFault(header);
        if (fault !== null)
          throw new UsageError(`The first line of the file must name its columns: ${fault}.`);
        return header;
      },
    }) as unknown as { record: Record<string, string>; info: { lines: number } }[];
    const hash = createHash('sha256').update(bytes).digest('hex');
    return { hash, records: found.map(({ record, info }) => ({ lineNo: info.lines, cells: record })) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError('The file is not valid CSV.');
  }
}
