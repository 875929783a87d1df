// Why a line of an operator's or a bank's file, or its header, cannot be read. Never with a value of the file, which
// may be personal data. Pure.
import { REFERENCE_FORM } from '../ledger/money-reference.ts';

/** With the sentence that the command line prints. */
export const REPORT_FAULT_TEXTS = {
  TIME_INVALID: 'time must be as 2027-03-01T14:00:00Z, with its zone',
  BANK_TIME_INVALID: 'time must be as 2027-03-01 or 2027-03-01T14:00:00Z',
  DIRECTION_INVALID: 'direction must be IN or OUT',
  STATUS_INVALID: 'status must be COMPLETED or FAILED',
  AMOUNT_INVALID: 'amount must be as 1000 or 12.5',
  CURRENCY_INVALID: 'currency must be as RWF',
  NAMES_MISSING: 'reference or transactionId must be there',
  NAMES_INVALID: 'reference and transactionId must be plain text',
  PHONE_NUMBER_INVALID: 'phoneNumber must be digits with the country code',
  FAILURE_CODE_INVALID: 'failureCode must be one of a FAILED payment',
  MOVEMENT_INVALID: 'movement must be one of FLOAT_TOP_UP, FLOAT_WITHDRAWAL, OPERATOR_CHARGE',
  MOVEMENT_STATUS: 'status of a movement must be COMPLETED',
  MOVEMENT_AMOUNT: 'direction or amount does not fit the movement',
  MOVEMENT_TRANSACTION: `transactionId of a movement ${REFERENCE_FORM}`,
  REFERENCE_INVALID: `reference ${REFERENCE_FORM}`,
  CELL_COUNT: 'it has more or fewer cells than the first line',
} as const;

export type LineFault = keyof typeof REPORT_FAULT_TEXTS;

/** `column` is a name of the file's first line, or ours. */
export type HeaderFault =
  | { readonly code: 'COLUMN_UNKNOWN' | 'COLUMN_MISSING' | 'COLUMN_REPEATED'; readonly column: string }
  | { readonly code: 'NAME_COLUMN_MISSING'; readonly column: '' };

export function headerFaultText({ code, column }: HeaderFault): string {
  switch (code) {
    case 'COLUMN_UNKNOWN':
      return `there is no column "${column}"`;
    case 'COLUMN_MISSING':
      return `the column ${column} is missing`;
    case 'COLUMN_REPEATED':
      return `the column ${column} stands there twice`;
    case 'NAME_COLUMN_MISSING':
      return 'it needs a column reference or transactionId';
  }
}

/** What the console keeps of an upload. Line 0 is the whole file. */
export type ReportFault = {
  readonly line: number;
  readonly code: LineFault | HeaderFault['code'] | 'NOT_CSV' | 'INTERRUPTED' | 'FILES_BUSY';
  /** Of a fault of the header. FILES_BUSY: who works with files of the provider. Empty for others. */
  readonly column: string;
};

export const REPORT_FAULT_CODES: readonly ReportFault['code'][] = [
  ...(Object.keys(REPORT_FAULT_TEXTS) as LineFault[]),
  'COLUMN_UNKNOWN',
  'COLUMN_MISSING',
  'COLUMN_REPEATED',
  'NAME_COLUMN_MISSING',
  'NOT_CSV',
  'INTERRUPTED',
  'FILES_BUSY',
];
