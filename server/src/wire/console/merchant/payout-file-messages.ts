// What is wrong with a payout file, in English for the command line. The dashboard has words of its own.
import type { RowFault } from '../../../domain/payments/payout-batch.ts';

export function describeFault({ code, column, parameters }: RowFault): string {
  if (code === 'INVALID') return RULES[column] ?? 'Invalid value.';
  return (MESSAGES[code] ?? code).replace('{max}', parameters['max'] ?? '');
}

const MESSAGES: Readonly<Record<string, string>> = {
  FILE_UNREADABLE: 'This is not a CSV file.',
  FILE_EMPTY: 'The file has no payouts.',
  FILE_TOO_LONG: 'A file has at most {max} payouts. Split it.',
  COLUMN_MISSING: 'Missing column.',
  COLUMN_UNKNOWN: 'Unknown column.',
  COLUMN_REPEATED: 'Duplicate column.',
  TOO_MUCH_METADATA: 'A payout has at most {max} metadata fields.',
  TOO_MANY_CELLS: 'The row has more cells than the header. Put texts with a comma in quotes.',
  MISSING: 'Required.',
  TOO_LONG: 'At most {max} characters.',
};

/** The required format of a cell. */
const RULES: Readonly<Record<string, string>> = {
  phoneNumber: 'Invalid phone number. Use digits with the country code, formatted as text in a spreadsheet.',
  amount: 'Invalid amount. Use digits and a decimal point, e.g. 12500 or 12.50.',
  currency: 'Invalid currency. Use three capital letters, e.g. RWF.',
  provider: 'Invalid provider code. Use a code such as MTN_MOMO_RWA.',
  recipientName: 'At most 100 characters.',
  customerMessage: 'Use 4 to 22 letters, digits and spaces, without accents.',
  clientReferenceId: 'At most 1,000 characters.',
};
