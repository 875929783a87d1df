// Payments as rows: inserted once, changed only under their lock by core/payments/process/advance.
import type { FailureCode } from '../../domain/failure.ts';
import type {
  ApiVersion,
  NextAction,
  Payment,
  PaymentDetails,
  PaymentKey,
  PaymentState,
} from '../../domain/payments/payment.ts';
import { renderAmount, type Amount } from '../../domain/money.ts';
import { loadDataKeys } from '../encryption/data-keys.ts';
import type { Tx } from '../database.ts';
import { NOT_SUSPENDED } from '../merchants/merchants.ts';
import { amountOfNumeric, paymentKeyColumns, rowInserter, unnested, valuesOf, type Column } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

/** A payment as stored: what the domain knows, and the connector it is bound to. */
export type StoredPayment = Payment & { readonly connector: string };

export type PaymentRow = {
  merchant_id: string;
  kind: PaymentKey['kind'];
  payment_id: string;
  written_id: string | null;
  api_version: ApiVersion;
  state: PaymentState;
  amount: string;
  amount_text: string;
  fee: string;
  currency: string;
  country: string;
  provider: string;
  connector: string;
  deposit_id: string | null;
  split_payment_id: string | null;
  checkout_id: string | null;
  encrypted_details: Buffer;
  created_at: Date;
  final_at: Date | null;
  next_action: NextAction | null;
  next_action_at: Date | null;
  enquiry_count: number;
  event_count: number;
  provider_transaction_id: string | null;
  failure_code: FailureCode | null;
};

export const PAYMENT_COLUMNS = `merchant_id, kind, payment_id, written_id, api_version, state, amount, amount_text, fee,
  currency, country, provider, connector, deposit_id, split_payment_id, checkout_id, encrypted_details, created_at,
  next_action, next_action_at, enquiry_count, event_count, provider_transaction_id, failure_code, final_at`;

const KEY_ARRAYS = unnested(paymentKeyColumns);

type EncryptedPayment = StoredPayment & { readonly encryptedDetails: Buffer | null };

const insertEncrypted = rowInserter<EncryptedPayment>('payments', [
  ...paymentKeyColumns,
  ['written_id', 'text', (payment) => (payment.writtenId === payment.paymentId ? null : payment.writtenId)],
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
  ['split_payment_id', 'uuid', (payment) => payment.splitPaymentId ?? null],
  ['checkout_id', 'uuid', (payment) => payment.checkoutId ?? null],
  ['encrypted_details', 'bytea', (payment) => payment.encryptedDetails],
  ['created_at', 'timestamptz', (payment) => payment.createdAt],
  ['next_action', 'next_action', (payment) => payment.nextAction],
  ['next_action_at', 'timestamptz', (payment) => payment.nextActionAt],
  ['event_count', 'int', (payment) => payment.eventCount],
]);

const changedColumns: readonly Column<EncryptedPayment>[] = [
  ...paymentKeyColumns,
  ['state', 'payment_state', (payment) => payment.state],
  ['encrypted_details', 'bytea', (payment) => payment.encryptedDetails],
  ['next_action', 'next_action', (payment) => payment.nextAction],
  ['next_action_at', 'timestamptz', (payment) => payment.nextActionAt],
  ['enquiry_count', 'int', (payment) => payment.enquiryCount],
  ['event_count', 'int', (payment) => payment.eventCount],
  ['provider_transaction_id', 'text', (payment) => payment.providerTransactionId ?? null],
  ['failure_code', 'text', (payment) => payment.failureCode ?? null],
  ['final_at', 'timestamptz', (payment) => payment.finalAt ?? null],
];
const changedNames = changedColumns.map(([name]) => name);
const assignments = changedNames
  .slice(paymentKeyColumns.length)
  .map((name) =>
    name === 'encrypted_details'
      ? 'encrypted_details = coalesce(changed.encrypted_details, p.encrypted_details)'
      : `${name} = changed.${name}`,
  );

/** Details that a row holds as they are. They change seldom; encrypting them again at every step is not needed. */
const unchangedDetails = new WeakSet<PaymentDetails>();

export async function insertPayments(
  tx: Tx,
  keyring: Keyring,
  payments: readonly StoredPayment[],
): Promise<void> {
  await insertEncrypted(
    tx,
    payments.map((payment) => encrypted(keyring, payment)),
  );
}

/** Locks payments in lock order: merchant, kind, identifier. Unknown keys are left out. */
export async function lockPayments(
  tx: Tx,
  keyring: Keyring,
  keys: readonly PaymentKey[],
): Promise<readonly StoredPayment[]> {
  return selectPayments(tx, keyring, keys, 'order by merchant_id, kind, payment_id for update');
}

export async function listPayments(
  tx: Tx,
  keyring: Keyring,
  keys: readonly PaymentKey[],
): Promise<readonly StoredPayment[]> {
  return selectPayments(tx, keyring, keys, '');
}

/** Writes the changed facts of payments whose locks are held. */
export async function updatePayments(
  tx: Tx,
  keyring: Keyring,
  payments: readonly StoredPayment[],
): Promise<void> {
  if (payments.length === 0) return;
  const { rowCount } = await tx.query(
    `update payments p set ${assignments.join(', ')}
     from ${unnested(changedColumns)} as changed (${changedNames.join(', ')})
     where (p.merchant_id, p.kind, p.payment_id) = (changed.merchant_id, changed.kind, changed.payment_id)`,
    valuesOf(
      changedColumns,
      payments.map((payment) =>
        unchangedDetails.has(payment.details)
          ? { ...payment, encryptedDetails: null }
          : encrypted(keyring, payment),
      ),
    ),
  );
  if (rowCount !== payments.length) throw new Error(`${rowCount} of ${payments.length} payments updated`);
}

/** Replaces what final payments say about people. The only change of a payment beside its steps; nothing else moves. */
export async function replaceDetails(
  tx: Tx,
  keyring: Keyring,
  payments: readonly StoredPayment[],
): Promise<void> {
  const columns: readonly Column<EncryptedPayment>[] = [
    ...paymentKeyColumns,
    ['encrypted_details', 'bytea', (payment) => payment.encryptedDetails],
  ];
  await tx.query(
    `update payments p set encrypted_details = e.encrypted_details
     from ${unnested(columns)} as e (merchant_id, kind, payment_id, encrypted_details)
     where (p.merchant_id, p.kind, p.payment_id) = (e.merchant_id, e.kind, e.payment_id)
       and p.state in ('COMPLETED', 'FAILED')`,
    valuesOf(
      columns,
      payments.map((payment) => encrypted(keyring, payment)),
    ),
  );
}

export type RefundOfDeposit = PaymentKey & {
  readonly depositId: string;
  readonly amount: Amount;
  readonly state: PaymentState;
};

/** All refunds of these deposits. Under the deposits' locks, no other can appear. */
export async function listRefunds(
  tx: Tx,
  deposits: readonly PaymentKey[],
): Promise<readonly RefundOfDeposit[]> {
  if (deposits.length === 0) return [];
  const { rows } = await tx.query<{
    merchant_id: string;
    payment_id: string;
    deposit_id: string;
    amount: string;
    state: PaymentState;
  }>(
    `select merchant_id, payment_id, deposit_id, amount, state from payments
     where kind = 'REFUND' and (merchant_id, deposit_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    [deposits.map(({ merchantId }) => merchantId), deposits.map(({ paymentId }) => paymentId)],
  );
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    kind: 'REFUND',
    paymentId: row.payment_id,
    depositId: row.deposit_id,
    amount: amountOfNumeric(row.amount),
    state: row.state,
  }));
}

/**
 * Payments that wait for their provider, except at the places named ("PROVIDER KIND"): at most `countMax` of each
 * provider and kind, every merchant's oldest before anybody's second oldest.
 */
export async function listEnqueued(
  tx: Tx,
  { countMax, except }: { readonly countMax: number; readonly except: readonly string[] },
): Promise<readonly (PaymentKey & { readonly provider: string })[]> {
  const { rows } = await tx.query<PaymentKey & { readonly provider: string }>(
    `select merchant_id as "merchantId", kind, payment_id as "paymentId", provider from (
       select *, row_number() over (partition by provider, kind order by turn, created_at) as place from (
         select merchant_id, kind, payment_id, provider, created_at,
           row_number() over (partition by provider, kind, merchant_id order by created_at) as turn from payments
         where state = 'ENQUEUED' and next_action is null and ${NOT_SUSPENDED}
           and provider || ' ' || kind <> all ($2)) turns) places
     where place <= $1`,
    [countMax, except],
  );
  return rows;
}

async function selectPayments(tx: Tx, keyring: Keyring, keys: readonly PaymentKey[], suffix: string) {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<PaymentRow>(
    `select ${PAYMENT_COLUMNS} from payments
     where (merchant_id, kind, payment_id) in (select * from ${KEY_ARRAYS}) ${suffix}`,
    valuesOf(paymentKeyColumns, keys),
  );
  return paymentsOf(tx, keyring, rows);
}

/** Opens what the rows say. Keys this process has not seen are read on the same connection. */
export async function paymentsOf(
  tx: Tx,
  keyring: Keyring,
  rows: readonly PaymentRow[],
): Promise<readonly StoredPayment[]> {
  await loadDataKeys(
    { database: tx, keyring },
    rows.map((row) => row.merchant_id),
  );
  return rows.map((row) => paymentOf(row, keyring));
}

function paymentOf(row: PaymentRow, keyring: Keyring): StoredPayment {
  const key: PaymentKey = { merchantId: row.merchant_id, kind: row.kind, paymentId: row.payment_id };
  return {
    ...key,
    writtenId: row.written_id ?? row.payment_id,
    apiVersion: row.api_version,
    state: row.state,
    amount: amountOfNumeric(row.amount),
    amountText: row.amount_text,
    fee: amountOfNumeric(row.fee),
    currency: row.currency,
    country: row.country,
    provider: row.provider,
    connector: row.connector,
    ...(row.deposit_id === null ? {} : { depositId: row.deposit_id }),
    ...(row.split_payment_id === null ? {} : { splitPaymentId: row.split_payment_id }),
    ...(row.checkout_id === null ? {} : { checkoutId: row.checkout_id }),
    details: openDetails(keyring, key, row.encrypted_details),
    createdAt: row.created_at,
    ...(row.final_at === null ? {} : { finalAt: row.final_at }),
    nextAction: row.next_action,
    nextActionAt: row.next_action_at,
    enquiryCount: row.enquiry_count,
    eventCount: row.event_count,
    ...(row.provider_transaction_id === null ? {} : { providerTransactionId: row.provider_transaction_id }),
    ...(row.failure_code === null ? {} : { failureCode: row.failure_code }),
  };
}

function encrypted(keyring: Keyring, payment: StoredPayment): EncryptedPayment {
  return { ...payment, encryptedDetails: encryptDetails(keyring, payment) };
}

/** Details as a row holds them. */
export function encryptDetails(keyring: Keyring, payment: StoredPayment): Buffer {
  const identity = { merchantId: payment.merchantId, row: detailsRow(payment) };
  return keyring.encrypt(identity, JSON.stringify(payment.details));
}

/** The merchant's data key must be loaded. */
export function openDetails(keyring: Keyring, key: PaymentKey, encryptedDetails: Buffer): PaymentDetails {
  const opened = keyring.open({ merchantId: key.merchantId, row: detailsRow(key) }, encryptedDetails);
  const details = JSON.parse(opened.toString()) as PaymentDetails;
  unchangedDetails.add(details);
  return details;
}

const detailsRow = ({ kind, paymentId }: PaymentKey): string => `payments/${kind}/${paymentId}`;
