// Batches of payouts in the console. Phone numbers are masked here.
import type { Static } from 'typebox';
import { maskPhoneNumber } from '../../../domain/masking.ts';
import { renderAmount, type Amount } from '../../../domain/money.ts';
import type { Metadata, PaymentState } from '../../../domain/payments/payment.ts';
import type {
  BatchRowStatus,
  BatchSource,
  BatchStatus,
  RowFault,
  SameRows,
} from '../../../domain/payments/payout-batch.ts';
import type { approvalSchema } from '../approval.ts';
import type { preparedSchema, rowSchema } from './payout-batch.ts';

/** Only the first errors are returned; after fixing them the user uploads again. */
const FAULTS_SHOWN_MAX = 500;

type Sum = {
  readonly country: string;
  readonly currency: string;
  readonly walletProvider: string;
  readonly rowCount: number;
  readonly amount: Amount;
  readonly fee: Amount;
};

export function renderPrepared(
  prepared: {
    readonly batchId: string | null;
    readonly faults: readonly RowFault[];
    readonly same: readonly SameRows[];
    readonly sameAs: string | null;
    readonly sums: readonly (Sum & { readonly available: Amount })[];
  },
  rowCount: number,
): Static<typeof preparedSchema> {
  return {
    batchId: prepared.batchId,
    rowCount,
    faultCount: prepared.faults.length,
    faults: prepared.faults
      .slice(0, FAULTS_SHOWN_MAX)
      .map(({ rowNo, column, code, message }) => ({ row: rowNo, column, code, message })),
    repeats: prepared.same
      .slice(0, FAULTS_SHOWN_MAX)
      .map(({ same, rowNos }) => ({ same, rows: [...rowNos] })),
    sameAsBatchId: prepared.sameAs,
    wallets: prepared.sums.map(renderWalletSum),
  };
}

type RenderedBatch = {
  readonly batchId: string;
  readonly title: string;
  readonly source: BatchSource;
  readonly status: BatchStatus;
  readonly rowCount: number;
  readonly acceptedCount: number;
  readonly rejectedCount: number;
  readonly cancelledCount: number;
  readonly preparedBy: { readonly personId: string; readonly by: string };
  readonly preparedAt: Date;
  readonly needsApproval: boolean;
  readonly cancelledByName: string | null;
  readonly endedAt: Date | null;
};

export function renderListedBatch(batch: RenderedBatch & { readonly sums: readonly Sum[] }) {
  return { ...renderBatchFields(batch), sums: batch.sums.map(renderSum) };
}

export function renderBatch(
  batch: RenderedBatch & {
    readonly sums: readonly (Sum & { readonly available: Amount })[];
    readonly states: ReadonlyMap<PaymentState, number>;
  },
  {
    personId,
    approval,
  }: { readonly personId: string; readonly approval: Static<typeof approvalSchema> | null },
) {
  return {
    ...renderBatchFields(batch),
    isOwn: batch.preparedBy.personId === personId,
    approval,
    wallets: batch.sums.map(renderWalletSum),
    states: Object.fromEntries(batch.states),
  };
}

function renderBatchFields(batch: RenderedBatch) {
  const { batchId, title, source, status, needsApproval } = batch;
  const { acceptedCount, rejectedCount, cancelledCount } = batch;
  return {
    batchId,
    title,
    source,
    status,
    count: batch.rowCount,
    acceptedCount,
    rejectedCount,
    cancelledCount,
    preparedBy: batch.preparedBy.by,
    preparedAt: batch.preparedAt.toISOString(),
    needsApproval,
    cancelledBy: batch.cancelledByName,
    endedAt: batch.endedAt?.toISOString() ?? null,
  };
}

function renderSum({ country, currency, walletProvider, rowCount, amount, fee }: Sum) {
  const provider = walletProvider === '' ? null : walletProvider;
  return {
    country,
    currency,
    provider,
    count: rowCount,
    amount: renderAmount(amount),
    fee: renderAmount(fee),
  };
}

function renderWalletSum(sum: Sum & { readonly available: Amount }) {
  return { ...renderSum(sum), available: renderAmount(sum.available) };
}

export type RenderedRow = {
  readonly rowNo: number;
  readonly payoutId: string;
  readonly provider: string;
  readonly currency: string;
  readonly amount: Amount;
  readonly fee: Amount;
  readonly order: {
    readonly phoneNumber: string;
    readonly amountText: string;
    readonly customerMessage?: string;
    readonly clientReferenceId?: string;
    readonly metadata?: Metadata;
  };
  readonly status: BatchRowStatus;
  readonly state: PaymentState | null;
  readonly failureCode: string | null;
  readonly providerTransactionId: string | null;
};

export function renderBatchRow(row: RenderedRow): Static<typeof rowSchema> {
  const { payoutId, provider, currency, status, state, failureCode, providerTransactionId, order } = row;
  return {
    row: row.rowNo,
    payoutId,
    phoneNumber: maskPhoneNumber(order.phoneNumber),
    provider,
    currency,
    amount: order.amountText,
    fee: renderAmount(row.fee),
    clientReferenceId: order.clientReferenceId ?? null,
    status,
    state,
    failureCode,
    providerTransactionId,
  };
}
