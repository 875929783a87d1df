// Parses a payout file: CSV with a header row, as spreadsheets write it. All errors are returned, row by row, and never
// contain a value, because it may be personal data. Only this file uses csv-parse.
import { parse } from 'csv-parse/sync';
import { Type, type TSchema } from 'typebox';
import {
  isLongerThan,
  METADATA_ENTRIES_MAX,
  METADATA_NAME_LENGTH_MAX,
  METADATA_VALUE_LENGTH_MAX,
} from '../../../domain/metadata.ts';
import type { MetadataEntry } from '../../../domain/payments/payment.ts';
import { BATCH_ROWS_MAX, type RowFault, type WrittenPayout } from '../../../domain/payments/payout-batch.ts';
import { findFault, shownName } from '../../fault.ts';
import { amountSchema, currencySchema } from '../../v2/amount.ts';
import { customerMessageSchema } from '../../v2/customer-message.ts';
import { clientReferenceIdSchema } from '../../v2/identifier.ts';

export type PayoutFile = {
  readonly rows: readonly { readonly rowNo: number; readonly payout: WrittenPayout }[];
  readonly rowCount: number;
  readonly faults: readonly RowFault[];
};

/** Digits as people write them. A spreadsheet that turned a number into 2.5E+11 has lost it. */
export const writtenNumberSchema = Type.String({ maxLength: 40, pattern: "^'?[+(]?[0-9][0-9 ()/-]*$" });

const SCHEMAS: Readonly<Record<string, TSchema>> = {
  phoneNumber: writtenNumberSchema,
  amount: amountSchema,
  currency: currencySchema,
  provider: Type.String({ pattern: '^[A-Z0-9_]{1,40}$' }),
  customerMessage: customerMessageSchema,
  clientReferenceId: clientReferenceIdSchema,
};
/** Each column alone, so that every error of a row is returned. */
const COLUMNS = new Map(
  Object.entries(SCHEMAS).map(([name, schema]) => [name, Type.Object({ [name]: schema })]),
);
const REQUIRED = ['phoneNumber', 'amount', 'currency'];
const METADATA = 'metadata.';
/** Marks the values of a column as personal: "metadata.name (personal)". */
const PERSONAL = / \(personal\)$/;

export function parsePayoutFile(text: string): PayoutFile {
  const records = readRecords(text);
  if (records === null) return faulty('FILE_UNREADABLE', 'This is no file of comma-separated values.');
  const [heading = [], ...rest] = records;
  const columns = heading.map((name) => name.trim());
  const fault = findHeadingFault(columns);
  if (fault !== null) return { rows: [], rowCount: rest.length, faults: [fault] };
  if (rest.length === 0) return faulty('FILE_EMPTY', 'There is no payout in this file.');
  if (rest.length > BATCH_ROWS_MAX) {
    return faulty('FILE_TOO_LONG', `A file has at most ${BATCH_ROWS_MAX} payouts. Cut it in parts.`);
  }
  const read = rest.map((cells, index) => readRow(columns, cells, index + 1));
  return {
    rows: read.flatMap(({ rowNo, payout }) => (payout === null ? [] : [{ rowNo, payout }])),
    rowCount: rest.length,
    faults: read.flatMap(({ faults }) => faults),
  };
}

/** In countries with a decimal comma, Excel separates cells by semicolons. It also starts with a byte order mark. */
function readRecords(text: string): readonly (readonly string[])[] | null {
  const [firstLine = ''] = text.split('\n', 1);
  const delimiter = firstLine.includes(';') && !firstLine.includes(',') ? ';' : ',';
  try {
    return parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
      // One more than allowed, and the header.
      to: BATCH_ROWS_MAX + 2,
    });
  } catch {
    // The library's message contains the value it could not read.
    return null;
  }
}

function findHeadingFault(columns: readonly string[]): RowFault | null {
  const missing = REQUIRED.find((name) => !columns.includes(name));
  if (missing !== undefined) return fileFault('COLUMN_MISSING', 'The file has no such column.', missing);
  const unknown = columns.find((name) => !COLUMNS.has(name) && !isMetadata(name));
  if (unknown !== undefined) {
    return fileFault('COLUMN_UNKNOWN', 'Nothing is known of such a column.', shownName(unknown));
  }
  const names = columns.map((name) => name.replace(PERSONAL, ''));
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) {
    return fileFault('COLUMN_REPEATED', 'The file has this column twice.', shownName(repeated));
  }
  if (columns.filter(isMetadata).length <= METADATA_ENTRIES_MAX) return null;
  return fileFault('TOO_MUCH_METADATA', `A payout has at most ${METADATA_ENTRIES_MAX} metadata fields.`, '');
}

type ReadRow = {
  readonly rowNo: number;
  readonly payout: WrittenPayout | null;
  readonly faults: readonly RowFault[];
};

function readRow(columns: readonly string[], cells: readonly string[], rowNo: number): ReadRow {
  if (cells.length > columns.length) {
    const message = 'The row has more cells than the heading; texts with a comma must stand in quotes.';
    return { rowNo, payout: null, faults: [{ rowNo, column: '', code: 'TOO_MANY_CELLS', message }] };
  }
  const byName = new Map(columns.map((name, index) => [name, cells[index] ?? '']));
  const faults = columns.flatMap((name) => faultsOfCell(name, byName.get(name) ?? '', rowNo));
  return { rowNo, payout: faults.length > 0 ? null : payoutOf(byName), faults };
}

function faultsOfCell(column: string, value: string, rowNo: number): readonly RowFault[] {
  const message = causeOfCell(column, value);
  if (message === null) return [];
  return [{ rowNo, column: shownName(column), code: value === '' ? 'MISSING' : 'INVALID', message }];
}

function causeOfCell(column: string, value: string): string | null {
  if (value === '') return REQUIRED.includes(column) ? 'This must be filled in.' : null;
  const schema = COLUMNS.get(column);
  if (schema === undefined) {
    const isLong = isLongerThan(value, METADATA_VALUE_LENGTH_MAX);
    return isLong ? `At most ${METADATA_VALUE_LENGTH_MAX} characters fit here.` : null;
  }
  return findFault(schema, { [column]: value }) === null ? null : (RULES[column] ?? null);
}

/** The required format of a cell, for people. */
const RULES: Readonly<Record<string, string>> = {
  phoneNumber: 'This is no phone number: digits with the country code. Spreadsheets must keep it as text.',
  amount: 'This is no amount: digits, and a point before decimals; no spaces, no signs, no commas.',
  currency: 'This is no currency: three capital letters, such as RWF.',
  provider: 'This is no code of a provider, such as MTN_MOMO_RWA.',
  customerMessage: 'A message has 4 to 22 letters, digits and spaces, without accents.',
  clientReferenceId: 'A reference has at most 1,000 letters.',
};

function payoutOf(cells: ReadonlyMap<string, string>): WrittenPayout {
  const filled = (name: string) => cells.get(name) || undefined;
  const customerMessage = filled('customerMessage');
  const clientReferenceId = filled('clientReferenceId');
  const metadata = [...cells].flatMap(([name, value]) => metadataOf(name, value));
  return {
    phoneNumber: cells.get('phoneNumber') ?? '',
    amountText: cells.get('amount') ?? '',
    currency: cells.get('currency') ?? '',
    provider: filled('provider') ?? null,
    ...(customerMessage !== undefined && { customerMessage }),
    ...(clientReferenceId !== undefined && { clientReferenceId }),
    ...(metadata.length > 0 && { metadata }),
  };
}

function metadataOf(column: string, value: string): readonly MetadataEntry[] {
  if (!isMetadata(column) || value === '') return [];
  const name = column.slice(METADATA.length).replace(PERSONAL, '');
  return [{ name, value, isPii: PERSONAL.test(column) }];
}

function isMetadata(column: string): boolean {
  const name = column.slice(METADATA.length).replace(PERSONAL, '');
  return column.startsWith(METADATA) && name !== '' && !isLongerThan(name, METADATA_NAME_LENGTH_MAX);
}

function faulty(code: string, message: string): PayoutFile {
  return { rows: [], rowCount: 0, faults: [fileFault(code, message, '')] };
}

function fileFault(code: string, message: string, column: string): RowFault {
  return { rowNo: 0, column, code, message };
}
