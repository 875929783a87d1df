// The file of results: every row with its identifier and its result.
import { writeFile } from 'node:fs/promises';
import type { RowResult } from './journal.ts';
import type { PlannedPayout } from './read-payouts.ts';

const COLUMNS = [
  'row',
  'phoneNumber',
  'amount',
  'currency',
  'provider',
  'clientReferenceId',
  'payoutId',
  'outcome',
  'status',
  'failureCode',
  'failureMessage',
];

export type ResultRow = PlannedPayout & {
  readonly payoutId: string;
  readonly result: RowResult | undefined;
  /** The payout's own status, if it was requested. */
  readonly status: string;
};

export async function writeResults(path: string, rows: readonly ResultRow[]): Promise<void> {
  const lines = [COLUMNS, ...rows.map(renderRow)].map((cells) => cells.map(renderCell).join(','));
  await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 });
}

function renderRow({ rowNo, request, payoutId, result, status }: ResultRow): readonly string[] {
  const { phoneNumber, provider } = request.recipient.accountDetails;
  const { outcome = 'unknown', failureCode = '', failureMessage = '' } = result ?? {};
  return [
    String(rowNo),
    phoneNumber,
    request.amount,
    request.currency,
    provider,
    request.clientReferenceId ?? '',
    payoutId,
    outcome,
    status,
    failureCode,
    failureMessage,
  ];
}

/** A spreadsheet would execute a cell that starts like a formula. */
function renderCell(text: string): string {
  const safe = /^[=+@\t-]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
