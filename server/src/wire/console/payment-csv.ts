// A file of payments: one line for each, below the names of the columns.
import { metadataToRecord } from '../../domain/metadata.ts';
import { renderAmount } from '../../domain/money.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { renderInZone } from '../../domain/time-zone.ts';
import { harmless, renderCsvLine } from '../csv.ts';

/** Whose payment it is, in a file of the platform. */
export type PaymentOwner = { readonly merchantId: string; readonly merchant: string };

const OWNER_COLUMNS = ['merchantId', 'merchant'];
const COLUMNS = [
  'kind',
  'paymentId',
  'status',
  'amount',
  'fee',
  'currency',
  'country',
  'provider',
  'phoneNumber',
  'clientReferenceId',
  'providerTransactionId',
  'failureCode',
  'createdAt',
  'finalAt',
  'customerMessage',
  'metadata',
];

export function renderPaymentHeader({ isOwned }: { readonly isOwned: boolean }): string {
  return renderCsvLine(isOwned ? [...OWNER_COLUMNS, ...COLUMNS] : COLUMNS);
}

/** Times are those of the zone, with its offset. */
export function renderPaymentLine(payment: Payment, owner: PaymentOwner | null, timeZone: string): string {
  const { details } = payment;
  const metadata = details.metadata === undefined ? '' : JSON.stringify(metadataToRecord(details.metadata));
  return renderCsvLine([
    ...(owner === null ? [] : [owner.merchantId, harmless(owner.merchant)]),
    payment.kind,
    payment.writtenId,
    payment.state,
    payment.amountText,
    renderAmount(payment.fee),
    payment.currency,
    payment.country,
    payment.provider,
    details.phoneNumber,
    harmless(details.clientReferenceId ?? ''),
    harmless(payment.providerTransactionId ?? ''),
    payment.failureCode ?? '',
    renderInZone(payment.createdAt, timeZone),
    payment.finalAt === undefined ? '' : renderInZone(payment.finalAt, timeZone),
    harmless(details.customerMessage),
    harmless(metadata),
  ]);
}

/** The last line of a file that ends before the last payment that was found. The dashboard knows it. */
export function renderCutLine(rowsMax: number): string {
  return renderCsvLine([`TRUNCATED_AFTER_${rowsMax}_ROWS`]);
}
