// Lists of blocked and allowed phone numbers, of the platform or of one merchant. A file has the columns number, reason
// and expires, as an export writes them.
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import {
  exportNumbers,
  listNumbers,
  unlistNumbers,
  type NewEntry,
} from '../../../core/limits/listed-numbers.ts';
import { NUMBER_LISTS, parseListedNumber } from '../../../domain/limits/listed-number.ts';
import { gatewayCommand } from '../../command.ts';
import { print } from '../../output.ts';
import { UsageError, type Options } from '../../options.ts';
import { warnOfCells } from './cells.ts';

const WHOSE = '--list BLOCKED|ALLOWED [--merchant ID]';

/** As many with one transaction. */
const PORTION = 1_000;

export const numberCommands = {
  'number add': gatewayCommand({
    usage: `${WHOSE} --number 250783456789 --reason TEXT [--until 2027-01-31T14:00:00Z] --by NAME`,
    summary:
      'block a phone number, or allow it: a blocked one neither pays nor is paid, an allowed one is not limited for ' +
      'itself. Without --merchant it holds for every merchant',
    read: (options) => ({ ...readList(options), entries: [readEntry(options)] }),
    run: async ({ engine }, order) => {
      warnOfCells(await listNumbers(engine, order), AGAIN);
      print('added');
    },
  }),
  'number remove': gatewayCommand({
    usage: `${WHOSE} --number 250783456789 --by NAME`,
    summary: 'remove a phone number from a list',
    read: (options) => ({ ...readList(options), phoneNumbers: [readNumber(options.text('number'))] }),
    run: async ({ engine }, order) => {
      const answers = await unlistNumbers(engine, order);
      warnOfCells(answers, AGAIN);
      const isRemoved = answers.some((one) => one.type === 'CONFIRMED' && one.answer > 0);
      print(isRemoved ? 'removed' : 'it was not on the list');
    },
  }),
  'number import': gatewayCommand({
    usage: `${WHOSE} --file NUMBERS.csv --by NAME`,
    summary: 'add every phone number of a file to a list: columns number, reason, expires',
    read: async (options) => ({ ...readList(options), entries: await readEntries(options.text('file')) }),
    run: async ({ engine }, { entries, ...list }) => {
      for (let at = 0; at < entries.length; at += PORTION) {
        const portion = entries.slice(at, at + PORTION);
        warnOfCells(await listNumbers(engine, { ...list, entries: portion }), AGAIN);
      }
      print(`added ${entries.length} numbers`);
    },
  }),
  'number export': gatewayCommand({
    usage: `${WHOSE} --by NAME`,
    summary: 'print a list as a file that number import reads',
    read: readList,
    run: async ({ engine }, list) => {
      print('number,reason,expires');
      for await (const page of exportNumbers(engine, list)) {
        for (const { phoneNumber, reason, expiresAt } of page)
          print([phoneNumber, quoted(reason), expiresAt?.toISOString() ?? ''].join(','));
      }
    },
  }),
};

const AGAIN = 'Run the command again.';

function readList(options: Options) {
  return {
    by: options.person(),
    list: options.oneOf('list', NUMBER_LISTS),
    merchantId: options.uuidOrNull('merchant'),
  };
}

function readEntry(options: Options): NewEntry {
  return {
    phoneNumber: readNumber(options.text('number')),
    reason: options.reason(),
    expiresAt: options.isGiven('until') ? options.time('until') : null,
  };
}

export function readNumber(text: string): string {
  const number = parseListedNumber(text);
  if (number === null) throw new UsageError('--number must have its country code, such as 250783456789.');
  return number;
}

type FileLine = {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
};

/** Nothing is added where one line cannot be read. */
async function readEntries(path: string): Promise<readonly NewEntry[]> {
  const text = await readFile(path).catch(() => {
    throw new UsageError('The file cannot be read.');
  });
  try {
    const lines = parse(text, { bom: true, trim: true, columns: true, info: true }) as unknown as FileLine[];
    return lines.map(entryOf);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError('The file is not a list with the columns number, reason and expires.');
  }
}

function entryOf({ record, info: { lines } }: FileLine): NewEntry {
  const { number = '', reason = '', expires = '' } = record;
  const phoneNumber = parseListedNumber(number);
  const expiresAt = expires === '' ? null : new Date(expires);
  if (phoneNumber === null) throw new UsageError(`Line ${lines}: this is not a phone number.`);
  if (reason === '') throw new UsageError(`Line ${lines}: the reason is missing.`);
  if (expiresAt !== null && Number.isNaN(expiresAt.getTime()))
    throw new UsageError(`Line ${lines}: expires must be a time such as 2027-01-31T14:00:00Z.`);
  return { phoneNumber, reason, expiresAt };
}

/** Spreadsheets take a cell that begins like a formula for one. */
function quoted(text: string): string {
  const plain = /^[=+\-@\t]/.test(text) ? ` ${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
