// Lists of blocked and allowed phone numbers, of the platform or of one merchant. A file has the columns number, reason
// and expires, as an export writes them.
import { readFile } from 'node:fs/promises';
import { askedByCommand } from '../../../core/approvals/request.ts';
import type { Engine } from '../../../core/engine.ts';
import { exportNumbers, type NewEntry } from '../../../core/limits/listed-numbers.ts';
import {
  addNumbers,
  findOnList,
  removeNumber,
  type NumbersChanged,
} from '../../../core/limits/request-numbers.ts';
import { NUMBER_LISTS, parseListedNumber } from '../../../domain/limits/listed-number.ts';
import {
  NUMBER_FILE_HEADER,
  parseNumberFile,
  renderNumberLine,
  type NumberFileFault,
} from '../../../wire/number-file.ts';
import { gatewayCommand, REQUESTED } from '../../command.ts';
import { print } from '../../output.ts';
import { UsageError, type Options } from '../../options.ts';
import { warnOfCells } from './cells.ts';

const WHOSE = '--list BLOCKED|ALLOWED [--merchant ID]';

export const numberCommands = {
  'number add': gatewayCommand({
    usage: `${WHOSE} --number 250783456789 --reason TEXT [--until 2027-01-31T14:00:00Z] --by NAME`,
    summary: 'block a number, or exempt it from limits (after approval), for one merchant or all',
    read: (options) => ({ ...readList(options), entries: [readEntry(options)] }),
    run: async ({ engine }, order) => tell(await add(engine, order), 'added'),
  }),
  'number remove': gatewayCommand({
    usage: `${WHOSE} --number 250783456789 --by NAME`,
    summary: 'remove a phone number; a blocked one after approval',
    read: (options) => ({ ...readList(options), phoneNumber: readNumber(options.text('number')) }),
    run: async ({ engine }, { by, ...of }) => {
      const entry = await findOnList(engine, of);
      if (entry === null) return print('it was not on the list');
      const answer = await removeNumber(engine, { ...entry, ...askedByCommand(engine, by) });
      if (answer === 'NOT_FOUND') return print('it was not on the list');
      tell(answer, 'removed');
    },
  }),
  'number import': gatewayCommand({
    usage: `${WHOSE} --file NUMBERS.csv --by NAME`,
    summary: 'add the numbers of a file (number, reason, expires); allowed ones after approval',
    read: async (options) => ({ ...readList(options), entries: await readEntries(options.text('file')) }),
    run: async ({ engine }, order) => tell(await add(engine, order), `added ${order.entries.length} numbers`),
  }),
  'number export': gatewayCommand({
    usage: `${WHOSE} --by NAME`,
    summary: 'print a list as a file for number import',
    read: readList,
    run: async ({ engine }, list) => {
      print(NUMBER_FILE_HEADER);
      for await (const page of exportNumbers(engine, list))
        for (const entry of page) print(renderNumberLine(entry));
    },
  }),
};

const AGAIN = 'Run the command again.';

type Added = ReturnType<typeof readList> & { readonly entries: readonly NewEntry[] };

async function add(engine: Engine, { by, ...added }: Added): Promise<NumbersChanged> {
  return addNumbers(engine, { ...added, ...askedByCommand(engine, by) });
}

function tell({ outcome, cells }: NumbersChanged, done: string): void {
  warnOfCells(cells, AGAIN);
  print(outcome === 'REQUESTED' ? REQUESTED : done);
}

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

/** Nothing is added where one line cannot be read. */
async function readEntries(path: string): Promise<readonly NewEntry[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError('The file cannot be read.');
  });
  const parsed = parseNumberFile(text);
  if (parsed.type === 'READ') return parsed.entries;
  throw new UsageError(faultText(parsed));
}

function faultText({ fault, line }: NumberFileFault): string {
  switch (fault) {
    case 'UNREADABLE':
      return 'The file is not a list with the columns number, reason and expires.';
    case 'NUMBER':
      return `Line ${line}: this is not a phone number.`;
    case 'REASON':
      return `Line ${line}: the reason is missing.`;
    case 'EXPIRES':
      return `Line ${line}: expires must be a time such as 2027-01-31T14:00:00Z.`;
  }
}
