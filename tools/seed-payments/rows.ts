// The rows of past payments, as the product would have left them. Rows that the product writes in one statement use
// that statement; rows of several steps are built here.
import { createHash } from 'node:crypto';
import { renderCallback } from '../../server/src/callbacks/render.ts';
import { searchValuesOf } from '../../server/src/core/payments/search-terms.ts';
import { renderAmount } from '../../server/src/domain/money.ts';
import type { PaymentState } from '../../server/src/domain/payments/payment.ts';
import { outgoing, settleDeposit, type Leg } from '../../server/src/domain/ledger/postings.ts';
import { claimProviderTransactions, insertAttempts } from '../../server/src/store/payments/attempts.ts';
import { encryptBody } from '../../server/src/store/callbacks/callbacks.ts';
import type { Tx } from '../../server/src/store/database.ts';
import { accountId } from '../../server/src/store/ledger/wallet-funds.ts';
import { insertPaymentEvents, type NewEvent } from '../../server/src/store/payments/payment-events.ts';
import { insertPaymentKeys } from '../../server/src/store/payments/payment-keys.ts';
import { insertSearchEntries } from '../../server/src/store/payments/payment-search.ts';
import { encryptDetails, type StoredPayment } from '../../server/src/store/payments/payments.ts';
import { paymentKeyColumns, rowInserter } from '../../server/src/store/rows.ts';
import type { Keyring } from '../../server/src/store/encryption/encryption.ts';
import { timedUuid } from '../../server/src/store/timed-uuid.ts';
import { derivedUuid } from '../../server/src/store/derived-uuid.ts';

export type SeedContext = {
  readonly keyring: Keyring;
  /** Where callbacks of each kind went. */
  readonly endpoints: ReadonlyMap<string, string>;
};

const SUBMIT_MS = 120;
const SEND_DEADLINE_MS = 10_000;

export async function insertLives(
  tx: Tx,
  { keyring, endpoints }: SeedContext,
  payments: readonly StoredPayment[],
): Promise<void> {
  const ended = payments.filter(isEnded);
  const sent = payments.filter(({ state }) => state !== 'ENQUEUED');
  const callbacks = ended.flatMap((payment) => callbackOf(payment, endpoints.get(payment.kind)));
  await insertPaymentKeys(tx, payments.map(keyRow));
  await Promise.all([
    insertPaymentRows(
      tx,
      payments.map((payment) => ({ ...payment, encryptedDetails: encryptDetails(keyring, payment) })),
    ),
    insertPaymentEvents(tx, keyring, payments.flatMap(eventsOf)),
    insertAttempts(tx, sent.map(attemptOf)),
    claimProviderTransactions(tx, ended.flatMap(claimOf)),
    insertSearchEntries(tx, keyring, payments.flatMap(searchValuesOf)),
    insertTransferRows(tx, payments.flatMap(transfersOf)),
    insertCallbackRows(
      tx,
      callbacks.map((callback) => ({ ...callback, encryptedBody: encryptedBodyOf(keyring, callback) })),
    ),
    insertCallbackAttempts(tx, callbacks.flatMap(attemptsOf)),
  ]);
}

const isEnded = ({ state }: { readonly state: PaymentState }) => state === 'COMPLETED' || state === 'FAILED';

function keyRow(payment: StoredPayment) {
  const fingerprint = createHash('sha256').update(payment.paymentId).digest();
  return { ...payment, fingerprint };
}

const insertPaymentRows = rowInserter<StoredPayment & { readonly encryptedDetails: Buffer }>('payments', [
  ...paymentKeyColumns,
  ['payment_no', 'uuid', (payment) => payment.paymentNo],
  ['api_version', 'text', (payment) => payment.apiVersion],
  ['state', 'payment_state', (payment) => payment.state],
  ['amount', 'numeric', (payment) => renderAmount(payment.amount)],
  ['amount_text', 'text', (payment) => payment.amountText],
  ['fee', 'numeric', (payment) => renderAmount(payment.fee)],
  ['currency', 'text', (payment) => payment.currency],
  ['country', 'text', (payment) => payment.country],
  ['provider', 'text', (payment) => payment.provider],
  ['connector', 'text', (payment) => payment.connector],
  ['deposit_id', 'uuid', (payment) => payment.depositId ?? null],
  ['wallet_id', 'uuid', (payment) => payment.walletId ?? null],
  ['encrypted_details', 'bytea', (payment) => payment.encryptedDetails],
  ['created_at', 'timestamptz', (payment) => payment.createdAt],
  ['final_at', 'timestamptz', (payment) => payment.finalAt ?? null],
  ['next_action', 'next_action', (payment) => payment.nextAction],
  ['next_action_at', 'timestamptz', (payment) => payment.nextActionAt],
  ['event_count', 'int', (payment) => payment.eventCount],
  ['provider_transaction_id', 'text', (payment) => payment.providerTransactionId ?? null],
  ['failure_code', 'text', (payment) => payment.failureCode ?? null],
]);

function eventsOf(payment: StoredPayment): readonly NewEvent[] {
  const { state, createdAt, finalAt } = payment;
  const first = state === 'ENQUEUED' ? 'ENQUEUED' : 'ACCEPTED';
  const of = (
    eventNo: number,
    at: Date,
    event: string,
    fromState: PaymentState | null,
    to: PaymentState,
  ) => ({
    key: payment,
    eventNo,
    occurredAt: at,
    event,
    fromState,
    toState: to,
  });
  const sentAt = later(createdAt, SUBMIT_MS);
  const accepted = of(1, createdAt, 'ACCEPTED', null, first);
  if (state === 'ENQUEUED') return [accepted];
  const claimed = of(2, sentAt, 'SUBMIT_CLAIMED', 'ACCEPTED', 'PROCESSING');
  if (state === 'PROCESSING') return [accepted, claimed];
  if (state === 'IN_RECONCILIATION') {
    const passed = of(3, later(createdAt, 600_000), 'HORIZON_PASSED', 'PROCESSING', 'IN_RECONCILIATION');
    return [accepted, claimed, passed];
  }
  const told = of(3, finalAt ?? sentAt, 'OPERATOR_ANSWERED', 'PROCESSING', state);
  return [accepted, claimed, { ...told, detail: detailOf(payment), evidence: evidenceOf(payment) }];
}

function detailOf({ state, failureCode }: StoredPayment): string {
  return state === 'COMPLETED' ? 'COMPLETED' : `FAILED ${failureCode}`;
}

function evidenceOf({ state, providerTransactionId, details }: StoredPayment): string {
  const said = { status: state, transactionId: providerTransactionId, phoneNumber: details.phoneNumber };
  return JSON.stringify({ step: 'notification', body: JSON.stringify(said) });
}

function attemptOf(payment: StoredPayment) {
  const claimedAt = later(payment.createdAt, SUBMIT_MS);
  return {
    ...payment,
    attemptNo: 1,
    reference: referenceOf(payment),
    claimedAt,
    sendDeadlineAt: later(claimedAt, SEND_DEADLINE_MS),
    sendCount: 1,
    unsentCount: 0,
  };
}

/** The reference at the operator. */
export function referenceOf({ paymentId }: StoredPayment): string {
  return derivedUuid(`reference/${paymentId}`);
}

function claimOf(payment: StoredPayment) {
  const { providerTransactionId, state } = payment;
  if (state !== 'COMPLETED' || providerTransactionId === undefined) return [];
  return [{ ...payment, providerTransactionId, claimedAt: payment.finalAt ?? payment.createdAt }];
}

type TransferRow = Leg & {
  readonly payment: StoredPayment;
  readonly legNo: number;
  readonly template: string;
  readonly state: 'PENDING' | 'POSTED' | 'VOIDED';
  readonly createdAt: Date;
  readonly settledAt: Date | null;
};

const insertTransferRows = rowInserter<TransferRow>('transfers', [
  ['merchant_id', 'uuid', ({ payment }) => payment.merchantId],
  ['subject_kind', 'text', ({ payment }) => payment.kind],
  ['subject_id', 'uuid', ({ payment }) => payment.paymentNo],
  ['leg_no', 'int', (transfer) => transfer.legNo],
  ['template', 'text', (transfer) => transfer.template],
  ['debit_account_id', 'uuid', (transfer) => accountId(transfer.debit)],
  ['credit_account_id', 'uuid', (transfer) => accountId(transfer.credit)],
  ['amount', 'numeric', (transfer) => renderAmount(transfer.amount)],
  ['state', 'transfer_state', (transfer) => transfer.state],
  ['created_at', 'timestamptz', (transfer) => transfer.createdAt],
  ['settled_at', 'timestamptz', (transfer) => transfer.settledAt],
]);

/** The transfers of a payment, by the product's own templates. */
export function transfersOf(payment: StoredPayment): readonly TransferRow[] {
  const { state, createdAt, finalAt = null } = payment;
  const posted = { ...payment, walletProvider: '' };
  if (payment.kind === 'DEPOSIT') {
    if (state !== 'COMPLETED') return [];
    const row = {
      template: 'SETTLE',
      state: 'POSTED',
      createdAt: finalAt ?? createdAt,
      settledAt: null,
    } as const;
    return settleDeposit(posted).map((leg, legNo) => ({ ...leg, ...row, payment, legNo }));
  }
  const becomes = state === 'COMPLETED' ? 'POSTED' : state === 'FAILED' ? 'VOIDED' : 'PENDING';
  const row = { template: 'OUTGOING', state: becomes, createdAt, settledAt: finalAt } as const;
  return outgoing(posted).map((leg, legNo) => ({ ...leg, ...row, payment, legNo }));
}

type CallbackRow = {
  readonly payment: StoredPayment;
  readonly callbackId: string;
  readonly endpointId: string;
  readonly isAcknowledged: boolean;
  readonly at: Date;
};

const insertCallbackRows = rowInserter<CallbackRow & { readonly encryptedBody: Buffer }>('callbacks', [
  ['merchant_id', 'uuid', ({ payment }) => payment.merchantId],
  ['callback_id', 'uuid', (callback) => callback.callbackId],
  ['endpoint_id', 'uuid', (callback) => callback.endpointId],
  ['kind', 'payment_kind', ({ payment }) => payment.kind],
  ['payment_id', 'uuid', ({ payment }) => payment.paymentId],
  ['subject_id', 'uuid', ({ payment }) => payment.paymentNo],
  ['announced_state', 'payment_state', ({ payment }) => payment.state],
  ['status', 'text', ({ isAcknowledged }) => (isAcknowledged ? 'DELIVERED' : 'ABANDONED')],
  ['attempt_count', 'int', (callback) => attemptsOf(callback).length],
  ['due_at', 'timestamptz', (callback) => callback.at],
  ['created_at', 'timestamptz', (callback) => callback.at],
  ['encrypted_body', 'bytea', (callback) => callback.encryptedBody],
]);

function callbackOf(payment: StoredPayment, endpointId: string | undefined): readonly CallbackRow[] {
  const { finalAt: at } = payment;
  if (endpointId === undefined || at === undefined) return [];
  // One in fifty was never acknowledged.
  const isAcknowledged = at.getTime() % 50 !== 0;
  return [{ payment, callbackId: timedUuid(at), endpointId, isAcknowledged, at }];
}

function encryptedBodyOf(keyring: Keyring, { payment }: CallbackRow): Buffer {
  const announced = { ...payment, announcedState: payment.state };
  return encryptBody(keyring, announced, renderCallback(payment, payment.state));
}

type AttemptRow = CallbackRow & { readonly attemptNo: number; readonly httpStatus: number };

const insertCallbackAttempts = rowInserter<AttemptRow>('callback_attempts', [
  ['merchant_id', 'uuid', ({ payment }) => payment.merchantId],
  ['callback_id', 'uuid', (attempt) => attempt.callbackId],
  ['attempt_no', 'int', (attempt) => attempt.attemptNo],
  ['started_at', 'timestamptz', ({ at, attemptNo }) => later(at, 5_000 * (attemptNo - 1))],
  ['duration_ms', 'int', ({ at }) => 20 + (at.getTime() % 400)],
  ['http_status', 'int', (attempt) => attempt.httpStatus],
]);

function attemptsOf(callback: CallbackRow): readonly AttemptRow[] {
  if (callback.isAcknowledged) return [{ ...callback, attemptNo: 1, httpStatus: 200 }];
  return [1, 2, 3].map((attemptNo) => ({ ...callback, attemptNo, httpStatus: 503 }));
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}
