// Reads the cells of an operator's or a bank's file, as its mapping says, into the cells of our own format. What they
// mean is decided there. Pure.
import type { HeaderFault, LineFault } from '../domain/reconciliation/report-fault.ts';
import {
  SKIP,
  type DecimalMark,
  type MappedColumn,
  type ReportMapping,
  type TimeForm,
  type WordColumn,
} from '../domain/reconciliation/report-mapping.ts';
import { isDay, momentIn } from '../domain/time-zone.ts';

type Cells = Readonly<Record<string, string | undefined>>;
export type MappedCells =
  | { readonly cells: Cells }
  | { readonly fault: LineFault }
  | { readonly isSkipped: true };

/** Every column that the mapping names must be there, once. */
export function findMappedHeaderFault(
  { columns }: ReportMapping,
  header: readonly string[],
): HeaderFault | null {
  const named = Object.values(columns);
  const missing = named.find((name) => !header.includes(name));
  if (missing !== undefined) return { code: 'COLUMN_MISSING', column: missing };
  const repeated = named.find((name) => header.indexOf(name) !== header.lastIndexOf(name));
  return repeated === undefined ? null : { code: 'COLUMN_REPEATED', column: repeated };
}

export function mapCells(
  mapping: ReportMapping,
  account: { readonly currency: string; readonly timeZone: string },
  cells: Cells,
): MappedCells {
  const { columns, timeForm, decimalMark } = mapping;
  const textOf = (column: MappedColumn) => cells[columns[column] ?? '']?.trim() ?? '';
  const [direction, status, movement] = (['direction', 'status', 'movement'] as const).map((column) =>
    meaningOf(mapping, column, textOf(column)),
  );
  if ([direction, status, movement].includes(SKIP)) return { isSkipped: true };
  const time = readTime(textOf('time'), timeForm, account.timeZone);
  const moved = readMoved(mapping, textOf, direction ?? '', decimalMark);
  if (moved === null) return { fault: 'AMOUNT_INVALID' };
  const own = {
    time,
    ...moved,
    status: columns.status === undefined ? 'COMPLETED' : (status ?? ''),
    currency: columns.currency === undefined ? account.currency : textOf('currency'),
    reference: textOf('reference'),
    transactionId: textOf('transactionId'),
    // Operators write numbers with spaces and a plus sign.
    phoneNumber: textOf('phoneNumber').replaceAll(/[\s+]/g, ''),
    movement: movement ?? '',
  };
  return { cells: own };
}

/** A direction or status that no word explains is read as it is; every other line is about a payment. */
function meaningOf({ words }: ReportMapping, column: WordColumn, text: string): string {
  const isSame = (word: string) => word.trim().toLowerCase() === text.toLowerCase();
  const found = words.find((one) => one.column === column && isSame(one.word));
  return found?.means ?? (column === 'movement' ? '' : text.toUpperCase());
}

/** Without a column for the direction, a minus sign says OUT. Null where the amount cannot be read. */
function readMoved(
  { columns }: ReportMapping,
  textOf: (column: MappedColumn) => string,
  direction: string,
  mark: DecimalMark,
): { readonly direction: string; readonly amount: string } | null {
  if (columns.amount === undefined) {
    const sides = (['amountIn', 'amountOut'] as const).map((column) => readNumber(textOf(column), mark));
    const [into = null, out = null] = sides;
    if (into === null || out === null) return null;
    // One of them is empty or zero.
    if (isZero(into.digits) === isZero(out.digits) || into.isNegative) return null;
    return isZero(out.digits)
      ? { direction: 'IN', amount: into.digits }
      : { direction: 'OUT', amount: out.digits };
  }
  const read = readNumber(textOf('amount'), mark);
  if (read === null || textOf('amount') === '') return null;
  const { digits: amount, isNegative } = read;
  if (columns.direction === undefined) return { direction: isNegative ? 'OUT' : 'IN', amount };
  // What came in with a minus sign is perhaps a reversal; people must look at it.
  return isNegative && direction !== 'OUT' ? null : { direction, amount };
}

function isZero(digits: string): boolean {
  return /^[0.]*$/.test(digits);
}

/** Groups must have three digits, so that 1,50 is never read as 150. An empty text is 0. */
function readNumber(
  text: string,
  mark: DecimalMark,
): { readonly digits: string; readonly isNegative: boolean } | null {
  const plain = text.replaceAll(/\s/g, '');
  if (plain === '') return { digits: '0', isNegative: false };
  const unsigned = plain.replace(/^[+-]/, '');
  const [group, point] = mark === 'POINT' ? [',', '.'] : ['.', ','];
  const [whole = '', fraction = '', ...rest] = unsigned.split(point);
  const groups = whole.split(group);
  const areGroups = groups.every((part, at) =>
    at === 0 ? /^\d+$/.test(part) && (groups.length === 1 || part.length <= 3) : /^\d{3}$/.test(part),
  );
  // As many decimals as money has; more must be zeros.
  const [decimals, more] = [fraction.slice(0, 4), fraction.slice(4)];
  if (!areGroups || rest.length > 0 || !/^\d*$/.test(decimals) || !/^0*$/.test(more)) return null;
  return {
    digits: groups.join('') + (decimals === '' ? '' : `.${decimals}`),
    isNegative: plain.startsWith('-'),
  };
}

const NUMBERS = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})(?:[T ]+(\d{1,2}):(\d\d)(?::(\d\d))?)?$/;

/** As our own format has it; empty where it cannot be read. A day alone stays one: a bank may tell no more. */
function readTime(text: string, form: TimeForm, timeZone: string): string {
  if (form === 'ISO') return text;
  const [, first = '', second = '', third = '', hour, minute = '00', seconds = '00'] =
    NUMBERS.exec(text) ?? [];
  const [year, month, dayOfMonth] = {
    DAY_FIRST: [third, second, first],
    MONTH_FIRST: [third, first, second],
    YEAR_FIRST: [first, second, third],
  }[form] as [string, string, string];
  const day = `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`;
  if (!isDay(day)) return '';
  if (hour === undefined) return day;
  const time = `${hour.padStart(2, '0')}:${minute}:${seconds}`;
  return momentIn(timeZone, { day, time })?.toISOString() ?? '';
}
