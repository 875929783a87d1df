// The results of a batch, as a file for a spreadsheet.
import { metadataToRecord } from '../../../domain/metadata.ts';
import type { BatchRow } from '../../../store/payout-batches/payout-batch-rows.ts';
import { renderBatchRow } from './payout-records.ts';

/** The result of every payout of a batch, in the columns of the uploaded file and some more. */
export function renderBatchFile(
  rows: readonly BatchRow[],
  { isRevealed }: { readonly isRevealed: boolean },
): string {
  const lines = rows.map((row) => {
    const { order } = row;
    const rendered = renderBatchRow(row);
    const metadata = (order.metadata ?? []).filter(({ isPii }) => isRevealed || !isPii);
    return [
      String(row.rowNo),
      isRevealed ? order.phoneNumber : rendered.phoneNumber,
      order.amountText,
      row.currency,
      row.provider,
      harmless(order.customerMessage ?? ''),
      harmless(order.clientReferenceId ?? ''),
      harmless(metadata.length === 0 ? '' : JSON.stringify(metadataToRecord(metadata))),
      rendered.fee,
      row.payoutId,
      row.state ?? row.status,
      row.failureCode ?? '',
      harmless(row.providerTransactionId ?? ''),
    ];
  });
  return [FILE_COLUMNS, ...lines].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

const FILE_COLUMNS = [
  'row',
  'phoneNumber',
  'amount',
  'currency',
  'provider',
  'customerMessage',
  'clientReferenceId',
  'metadata',
  'fee',
  'payoutId',
  'status',
  'failureCode',
  'providerTransactionId',
];

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets treat a cell that starts like this as a formula, which can send data to another server. */
function harmless(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}
