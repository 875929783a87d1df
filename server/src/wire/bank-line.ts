// A line of a bank's file in the format of docs/operating/daily-close.md. Pure. An error names the column and never its
// value.
import { parseReference } from '../domain/ledger/money-reference.ts';
import { parseAmount } from '../domain/money.ts';
import { startOfDay } from '../domain/time-zone.ts';
import type { BankLine } from '../domain/reconciliation/bank-lines.ts';
import type { HeaderFault, LineFault } from '../domain/reconciliation/report-fault.ts';
import { parseTime } from './report-line.ts';

const BANK_COLUMNS = ['time', 'direction', 'amount', 'reference'] as const;

/** The error in the first line of a file, or null. */
export function findBankHeaderFault(header: readonly string[]): HeaderFault | null {
  const missing = BANK_COLUMNS.find((name) => !header.includes(name));
  return missing === undefined ? null : { code: 'COLUMN_MISSING', column: missing };
}

/** OUT left the bank, so it came to the operator. A bank may tell the day only. */
export function parseBankLine(
  cells: Readonly<Record<string, string | undefined>>,
  { timeZone }: { readonly timeZone: string },
): { readonly line: BankLine } | { readonly fault: LineFault } {
  const { time = '', direction = '', amount: amountText = '', reference: referenceText = '' } = cells;
  const at = /^\d{4}-\d\d-\d\d$/.test(time) ? dayStart(time, timeZone) : parseTime(time);
  const amount = parseAmount(amountText);
  const reference = referenceText === '' ? '' : parseReference(referenceText);
  if (at === null) return { fault: 'BANK_TIME_INVALID' };
  if (direction !== 'IN' && direction !== 'OUT') return { fault: 'DIRECTION_INVALID' };
  if (amount === null || amount === 0n) return { fault: 'AMOUNT_INVALID' };
  if (reference === null) return { fault: 'REFERENCE_INVALID' };
  return { line: { at, reference, amount: direction === 'OUT' ? amount : -amount } };
}

function dayStart(day: string, timeZone: string): Date | null {
  return Number.isNaN(Date.parse(`${day}T00:00:00Z`)) ? null : startOfDay(day, timeZone);
}
