// A line of a bank's file in the format of docs/operating/daily-close.md. Pure. An error names the column and never its
// value.
import { parseReference, REFERENCE_FORM } from '../domain/ledger/money-reference.ts';
import { parseAmount } from '../domain/money.ts';
import { startOfDay } from '../domain/time-zone.ts';
import type { BankLine } from '../domain/reconciliation/bank-lines.ts';
import { parseTime } from './statement-line.ts';

export const BANK_COLUMNS = ['time', 'direction', 'amount', 'reference'] as const;

/** The error in the first line of a file, or null. */
export function findBankHeaderFault(header: readonly string[]): string | null {
  const missing = BANK_COLUMNS.find((name) => !header.includes(name));
  return missing === undefined ? null : `the column ${missing} is missing`;
}

/** OUT left the bank, so it came to the operator. A bank may tell the day only. */
export function parseBankLine(
  cells: Readonly<Record<string, string | undefined>>,
  { timeZone }: { readonly timeZone: string },
): { readonly line: BankLine } | { readonly fault: string } {
  const { time = '', direction = '', amount: amountText = '', reference: referenceText = '' } = cells;
  const at = /^\d{4}-\d\d-\d\d$/.test(time) ? dayStart(time, timeZone) : parseTime(time);
  const amount = parseAmount(amountText);
  const reference = referenceText === '' ? '' : parseReference(referenceText);
  if (at === null) return { fault: 'time must be as 2027-03-01 or 2027-03-01T14:00:00Z' };
  if (direction !== 'IN' && direction !== 'OUT') return { fault: 'direction must be IN or OUT' };
  if (amount === null || amount === 0n) return { fault: 'amount must be as 1000 or 12.5' };
  if (reference === null) return { fault: `reference ${REFERENCE_FORM}` };
  return { line: { at, reference, amount: direction === 'OUT' ? amount : -amount } };
}

function dayStart(day: string, timeZone: string): Date | null {
  return Number.isNaN(Date.parse(`${day}T00:00:00Z`)) ? null : startOfDay(day, timeZone);
}
