// A line of an operator report in the format of docs/operating/reconciliation.md. Pure: parses cells into a line or its
// one error. An error names the column and never its value, which may be personal data.
import { PAYMENT_FAILURE_CODES, type PaymentFailureCode } from '../domain/failure.ts';
import { FLOAT_MOVEMENT_TYPES, reportedAmount } from '../domain/ledger/float-movement.ts';
import { parseReference } from '../domain/ledger/money-reference.ts';
import { parseAmount } from '../domain/money.ts';
import type { OperatorReportLine } from '../domain/reconciliation/operator-report.ts';
import type { HeaderFault, LineFault } from '../domain/reconciliation/report-fault.ts';

export const REPORT_COLUMNS = [
  'time',
  'direction',
  'status',
  'amount',
  'currency',
  'reference',
  'transactionId',
  'phoneNumber',
  'failureCode',
  'movement',
] as const;

type Cells = Readonly<Record<string, string | undefined>>;

const REQUIRED = ['time', 'direction', 'status', 'amount', 'currency'] as const;

/** The error in the first line of a file, or null. */
export function findHeaderFault(header: readonly string[]): HeaderFault | null {
  const unknown = header.find((name) => !REPORT_COLUMNS.some((column) => column === name));
  if (unknown !== undefined) return { code: 'COLUMN_UNKNOWN', column: unknown };
  const repeated = header.find((name, index) => header.indexOf(name) < index);
  if (repeated !== undefined) return { code: 'COLUMN_REPEATED', column: repeated };
  const missing = REQUIRED.find((name) => !header.includes(name));
  if (missing !== undefined) return { code: 'COLUMN_MISSING', column: missing };
  const names = ['reference', 'transactionId'];
  return names.some((name) => header.includes(name)) ? null : { code: 'NAME_COLUMN_MISSING', column: '' };
}

/** Empty cells count as absent. */
export function parseReportLine(
  cells: Cells,
): { readonly line: OperatorReportLine } | { readonly fault: LineFault } {
  const occurredAt = parseTime(textOf(cells, 'time'));
  const direction = oneOf(['IN', 'OUT'] as const, textOf(cells, 'direction'));
  const status = oneOf(['COMPLETED', 'FAILED'] as const, textOf(cells, 'status'));
  const amount = parseAmount(textOf(cells, 'amount'));
  const currency = textOf(cells, 'currency');
  if (occurredAt === null) return { fault: 'TIME_INVALID' };
  if (direction === null) return { fault: 'DIRECTION_INVALID' };
  if (status === null) return { fault: 'STATUS_INVALID' };
  if (amount === null) return { fault: 'AMOUNT_INVALID' };
  if (!/^[A-Z]{3}$/.test(currency)) return { fault: 'CURRENCY_INVALID' };
  const names = namesOf(cells);
  if ('fault' in names) return names;
  const phoneNumber = textOf(cells, 'phoneNumber');
  if (!/^\d{0,20}$/.test(phoneNumber)) return { fault: 'PHONE_NUMBER_INVALID' };
  const failureCode = parseFailureCode(textOf(cells, 'failureCode'), status);
  if (failureCode === null) return { fault: 'FAILURE_CODE_INVALID' };
  const known = phoneNumber === '' ? {} : { phoneNumber };
  const line = { occurredAt, direction, status, amount, currency, ...names, ...known, ...failureCode };
  return withMovement(line, textOf(cells, 'movement'));
}

/** A line that is not about a payment is identified by the operator's transaction alone. */
function withMovement(
  line: OperatorReportLine,
  text: string,
): { readonly line: OperatorReportLine } | { readonly fault: LineFault } {
  if (text === '') return { line };
  const movement = oneOf(FLOAT_MOVEMENT_TYPES, text);
  if (movement === null) return { fault: 'MOVEMENT_INVALID' };
  if (line.status !== 'COMPLETED') return { fault: 'MOVEMENT_STATUS' };
  if (reportedAmount(movement, line.direction, line.amount) === null) return { fault: 'MOVEMENT_AMOUNT' };
  if (parseReference(line.providerTransactionId ?? '') === null) return { fault: 'MOVEMENT_TRANSACTION' };
  return { line: { ...line, movement } };
}

/** The reference by which the line names a payment. */
function namesOf(
  cells: Cells,
): Pick<OperatorReportLine, 'reference' | 'providerTransactionId'> | { readonly fault: LineFault } {
  const reference = textOf(cells, 'reference');
  const transactionId = textOf(cells, 'transactionId');
  if (reference === '' && transactionId === '') return { fault: 'NAMES_MISSING' };
  if (![reference, transactionId].every((text) => /^[\x20-\x7e]{0,255}$/.test(text)))
    return { fault: 'NAMES_INVALID' };
  return {
    ...(reference === '' ? {} : { reference }),
    ...(transactionId === '' ? {} : { providerTransactionId: transactionId }),
  };
}

function parseFailureCode(
  text: string,
  status: OperatorReportLine['status'],
): { readonly failureCode?: PaymentFailureCode } | null {
  if (text === '') return {};
  const failureCode = oneOf(PAYMENT_FAILURE_CODES, text);
  return failureCode !== null && status === 'FAILED' ? { failureCode } : null;
}

/** A time without a zone is ambiguous and refused. */
export function parseTime(text: string): Date | null {
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const time = new Date(text);
  return isWhole && !Number.isNaN(time.getTime()) ? time : null;
}

function oneOf<Value extends string>(allowed: readonly Value[], text: string): Value | null {
  return allowed.find((value) => value === text) ?? null;
}

function textOf(cells: Cells, name: string): string {
  return cells[name] ?? '';
}
