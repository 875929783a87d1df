// Parses a payout file: CSV with a header row, as spreadsheets write it. All errors are returned, row by row, as codes
// that never contain a value, because it may be personal data.
import { parse } from 'csv-parse/sync';
import { Type, type TSchema } from 'typebox';
import {
  isLongerThan,
  METADATA_ENTRIES_MAX,
  METADATA_NAME_LENGTH_MAX,
  METADATA_VALUE_LENGTH_MAX,
} from '../../../domain/metadata.ts';
import type { MetadataEntry } from '../../../domain/payments/payment.ts';
import {
  BATCH_ROWS_MAX,
  type FaultCode,
  type RowFault,
  type WrittenPayout,
} from '../../../domain/payments/payout-batch.ts';
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

/** A person's name, for people. */
export const recipientNameSchema = Type.String({ minLength: 1, maxLength: 100 });

const SCHEMAS: Readonly<Record<string, TSchema>> = {
  phoneNumber: writtenNumberSchema,
  amount: amountSchema,
  currency: currencySchema,
  provider: Type.String({ pattern: '^[A-Z0-9_]{1,40}$' }),
  recipientName: recipientNameSchema,
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
  if (records === null) return faulty('FILE_UNREADABLE');
  const [heading = [], ...rest] = records;
  const columns = heading.map((name) => name.trim());
  const fault = findHeadingFault(columns);
  if (fault !== null) return { rows: [], rowCount: rest.length, faults: [fault] };
  if (rest.length === 0) return faulty('FILE_EMPTY');
  if (rest.length > BATCH_ROWS_MAX) return faulty('FILE_TOO_LONG', { max: String(BATCH_ROWS_MAX) });
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
  if (missing !== undefined) return fileFault('COLUMN_MISSING', missing);
  const unknown = columns.find((name) => !COLUMNS.has(name) && !isMetadata(name));
  if (unknown !== undefined) return fileFault('COLUMN_UNKNOWN', shownName(unknown));
  const names = columns.map((name) => name.replace(PERSONAL, ''));
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) return fileFault('COLUMN_REPEATED', shownName(repeated));
  if (columns.filter(isMetadata).length <= METADATA_ENTRIES_MAX) return null;
  return fileFault('TOO_MUCH_METADATA', '', { max: String(METADATA_ENTRIES_MAX) });
}

type ReadRow = {
  readonly rowNo: number;
  readonly payout: WrittenPayout | null;
  readonly faults: readonly RowFault[];
};

function readRow(columns: readonly string[], cells: readonly string[], rowNo: number): ReadRow {
  if (cells.length > columns.length) {
    const faults = [{ rowNo, column: '', code: 'TOO_MANY_CELLS', parameters: {} } as const];
    return { rowNo, payout: null, faults };
  }
  const byName = new Map(columns.map((name, index) => [name, cells[index] ?? '']));
  const faults = columns.flatMap((name) => faultsOfCell(name, byName.get(name) ?? '', rowNo));
  return { rowNo, payout: faults.length > 0 ? null : payoutOf(byName), faults };
}

function faultsOfCell(column: string, value: string, rowNo: number): readonly RowFault[] {
  const code = codeOfCell(column, value);
  if (code === null) return [];
  const parameters = code === 'TOO_LONG' ? { max: String(METADATA_VALUE_LENGTH_MAX) } : {};
  return [{ rowNo, column: shownName(column), code, parameters }];
}

/** What is wrong with a cell. */
function codeOfCell(column: string, value: string): 'MISSING' | 'INVALID' | 'TOO_LONG' | null {
  if (value === '') return REQUIRED.includes(column) ? 'MISSING' : null;
  const schema = COLUMNS.get(column);
  if (schema === undefined) return isLongerThan(value, METADATA_VALUE_LENGTH_MAX) ? 'TOO_LONG' : null;
  return findFault(schema, { [column]: value }) === null ? null : 'INVALID';
}

function payoutOf(cells: ReadonlyMap<string, string>): WrittenPayout {
  const filled = (name: string) => cells.get(name) || undefined;
  const recipientName = filled('recipientName');
  const customerMessage = filled('customerMessage');
  const clientReferenceId = filled('clientReferenceId');
  const metadata = [...cells].flatMap(([name, value]) => metadataOf(name, value));
  return {
    phoneNumber: cells.get('phoneNumber') ?? '',
    amountText: cells.get('amount') ?? '',
    currency: cells.get('currency') ?? '',
    provider: filled('provider') ?? null,
    ...(recipientName !== undefined && { recipientName }),
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

function faulty(code: FaultCode, parameters: RowFault['parameters'] = {}): PayoutFile {
  return { rows: [], rowCount: 0, faults: [fileFault(code, '', parameters)] };
}

function fileFault(code: FaultCode, column: string, parameters: RowFault['parameters'] = {}): RowFault {
  return { rowNo: 0, column, code, parameters };
}
