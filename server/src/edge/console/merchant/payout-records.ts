// Batches of payouts in the console. Phone numbers are masked here.
import type { Prepared } from '../../../core/payout-batches/prepare-payouts.ts';
import type { WalletSum } from '../../../core/payout-batches/check-payouts.ts';
import type { BatchView } from '../../../core/payout-batches/read-payout-batches.ts';
import { maskPhoneNumber } from '../../../domain/masking.ts';
import type { BatchRow } from '../../../store/payout-batches/payout-batch-rows.ts';
import type { Batch, BatchSum } from '../../../store/payout-batches/payout-batches.ts';
import type { describeApproval } from '../approvals.ts';
import { orNone, show } from '../../../wire/console/show.ts';

/** Only the first errors are returned; after fixing them the user uploads again. */
const FAULTS_SHOWN_MAX = 500;

export function renderPrepared({ batchId, faults, same, sameAs, sums }: Prepared, rowCount: number) {
  return {
    batchId,
    rowCount,
    faultCount: faults.length,
    faults: faults.slice(0, FAULTS_SHOWN_MAX).map((fault) => ({
      row: fault.rowNo,
      ...show(fault, 'column', 'code'),
      parameters: { ...fault.parameters },
    })),
    repeats: same.slice(0, FAULTS_SHOWN_MAX).map((one) => ({ same: one.same, rows: [...one.rowNos] })),
    sameAsBatchId: sameAs,
    wallets: sums.map(renderWalletSum),
  };
}

export function renderListedBatch(batch: Batch & { readonly sums: readonly BatchSum[] }) {
  return { ...renderBatchFields(batch), sums: batch.sums.map(renderSum) };
}

export function renderBatch(
  batch: BatchView,
  personId: string,
  approval: Awaited<ReturnType<typeof describeApproval>> | null,
) {
  return {
    ...renderBatchFields(batch),
    isOwn: batch.preparedBy.personId === personId,
    approval,
    wallets: batch.sums.map(renderWalletSum),
    states: Object.fromEntries(batch.states),
  };
}

function renderBatchFields(batch: Batch) {
  return {
    ...show(
      batch,
      'batchId',
      'title',
      'source',
      'status',
      'acceptedCount',
      'rejectedCount',
      'cancelledCount',
    ),
    ...show(batch, 'preparedAt', 'needsApproval', 'endedAt'),
    count: batch.rowCount,
    preparedBy: batch.preparedBy.by,
    cancelledBy: batch.cancelledByName,
  };
}

function renderSum(sum: BatchSum) {
  const [provider, count] = [orNone(sum.walletProvider), sum.rowCount];
  return { ...show(sum, 'country', 'currency', 'amount', 'fee'), provider, count };
}

function renderWalletSum(sum: WalletSum) {
  return { ...renderSum(sum), ...show(sum, 'available') };
}

/** How much of the recipient is shown: everything, the name with a masked number, or the masked number alone. */
export type RowView = 'REVEALED' | 'NAMED' | 'MASKED';

export function renderBatchRow(row: BatchRow, view: RowView) {
  const { order } = row;
  return {
    ...show(row, 'payoutId', 'provider', 'currency', 'fee', 'status', 'state', 'failureCode'),
    ...show(row, 'providerTransactionId'),
    row: row.rowNo,
    phoneNumber: view === 'REVEALED' ? order.phoneNumber : maskPhoneNumber(order.phoneNumber),
    recipientName: view === 'MASKED' ? null : (order.recipientName ?? null),
    amount: order.amountText,
    clientReferenceId: order.clientReferenceId ?? null,
  };
}
