// How the files of an operator or a bank are read into our own columns: which of their columns is which, how they write
// times and amounts, and what their words mean. Pure.
import { FLOAT_MOVEMENT_TYPES } from '../ledger/float-movement.ts';

/** Whose file it is. */
export const REPORT_SOURCES = ['OPERATOR', 'BANK'] as const;
export type ReportSource = (typeof REPORT_SOURCES)[number];

/** Without a zone, a time is that of the account. */
export const TIME_FORMS = ['ISO', 'DAY_FIRST', 'MONTH_FIRST', 'YEAR_FIRST'] as const;
export type TimeForm = (typeof TIME_FORMS)[number];

/** What separates decimals: 1,000.50 or 1.000,50. */
export const DECIMAL_MARKS = ['POINT', 'COMMA'] as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** Ours, by source. `amountIn` and `amountOut`: where a file has one column for each direction. */
export const MAPPED_COLUMNS = {
  OPERATOR: [
    'time',
    'amount',
    'amountIn',
    'amountOut',
    'direction',
    'status',
    'currency',
    'reference',
    'transactionId',
    'phoneNumber',
    'movement',
  ],
  BANK: ['time', 'amount', 'amountIn', 'amountOut', 'direction', 'reference'],
} as const;
export type MappedColumn = (typeof MAPPED_COLUMNS)[ReportSource][number];

/** SKIP: lines with this word are left out. */
export const SKIP = 'SKIP';

/** What a word can mean, by column. */
export const MEANINGS = {
  direction: ['IN', 'OUT', SKIP],
  status: ['COMPLETED', 'FAILED', SKIP],
  movement: [...FLOAT_MOVEMENT_TYPES, SKIP],
} as const;
export type WordColumn = keyof typeof MEANINGS;

export type MappedWord = {
  readonly column: WordColumn;
  /** As the file has it. Capital and small letters are the same. */
  readonly word: string;
  readonly means: string;
};

export type ReportMapping = {
  /** The name of the file's column for each of ours. */
  readonly columns: Readonly<Partial<Record<MappedColumn, string>>>;
  readonly timeForm: TimeForm;
  readonly decimalMark: DecimalMark;
  readonly words: readonly MappedWord[];
};

export type MappingFault =
  | 'TIME_MISSING'
  | 'AMOUNT_MISSING'
  | 'AMOUNT_TWICE'
  | 'NAME_MISSING'
  | 'WORD_INVALID';

/** Why no file could be read with it; null where one can. */
export function findMappingFault(
  source: ReportSource,
  { columns, words }: ReportMapping,
): MappingFault | null {
  if (columns.time === undefined) return 'TIME_MISSING';
  const isSplit = columns.amountIn !== undefined || columns.amountOut !== undefined;
  if (columns.amount === undefined && !isSplit) return 'AMOUNT_MISSING';
  // Two columns say the direction themselves.
  if (isSplit && (columns.amount !== undefined || columns.direction !== undefined)) return 'AMOUNT_TWICE';
  const isNamed = columns.reference !== undefined || columns.transactionId !== undefined;
  if (source === 'OPERATOR' && !isNamed) return 'NAME_MISSING';
  const isMeant = ({ column, means }: MappedWord) =>
    columns[column] !== undefined && MEANINGS[column].some((one) => one === means);
  return words.every(isMeant) ? null : 'WORD_INVALID';
}
