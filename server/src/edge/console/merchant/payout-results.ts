// The results of a batch, as a file for a spreadsheet.
import { metadataToRecord } from '../../../domain/metadata.ts';
import type { BatchRow } from '../../../store/payout-batches/payout-batch-rows.ts';
import { harmless, renderCsvLine } from '../../../wire/csv.ts';
import { renderBatchRow } from './payout-records.ts';

/** The result of every payout of a batch, in the columns of the uploaded file and some more. */
export function renderBatchFile(
  rows: readonly BatchRow[],
  { isRevealed }: { readonly isRevealed: boolean },
): string {
  const lines = rows.map((row) => {
    const { order } = row;
    const rendered = renderBatchRow(row, isRevealed ? 'REVEALED' : 'MASKED');
    const metadata = (order.metadata ?? []).filter(({ isPii }) => isRevealed || !isPii);
    return [
      String(row.rowNo),
      rendered.phoneNumber,
      order.amountText,
      row.currency,
      row.provider,
      harmless(rendered.recipientName ?? ''),
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
  return [FILE_COLUMNS, ...lines].map(renderCsvLine).join('');
}

const FILE_COLUMNS = [
  'row',
  'phoneNumber',
  'amount',
  'currency',
  'provider',
  'recipientName',
  'customerMessage',
  'clientReferenceId',
  'metadata',
  'fee',
  'payoutId',
  'status',
  'failureCode',
  'providerTransactionId',
];
