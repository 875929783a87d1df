// A day of an operator account as comma-separated values.
import { harmless, renderCsvLine } from './csv.ts';

/** Without the line that names the columns. */
export function renderExport<Column extends string>(
  columns: readonly Column[],
  rows: readonly Partial<Record<Column, string>>[],
): string {
  return rows
    .map((row) => renderCsvLine(columns.map((column) => cellOf(column, row[column] ?? ''))))
    .join('');
}

/** An amount below zero is one, and no formula. */
function cellOf(column: string, text: string): string {
  return column === 'amount' && /^-?[\d.]+$/.test(text) ? text : harmless(text);
}
