// Payments as rows: inserted once, changed only under their lock by core/payments/process/advance.
import type { FailureCode } from '../../domain/failure.ts';
import type { Hold } from '../../domain/limits/freeze.ts';
import type { ApiVersion, Payment, PaymentDetails, PaymentKey } from '../../domain/payments/payment.ts';
import { loadDataKeys } from '../encryption/data-keys.ts';
import type { Tx } from '../database.ts';
import { column, columns, type Row } from '../columns.ts';
import {
  byNumber,
  countChanged,
  numberedKeys,
  PAYMENT_NO,
  PAYMENT_NOS,
  paymentKeyColumns,
  rowInserter,
  unnested,
  valuesOf,
} from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';
import { packCounters, unpackCounters } from '../limits/limit-counters.ts';

/** A payment as stored: what the domain knows, and the connector it is bound to. */
export type StoredPayment = Payment & {
  readonly connector: string;
  /** Of what sends money: the wallet that it is taken from. */
  readonly walletId?: string;
};

const changingFacts = columns({
  state: 'payment_state',
  nextAction: 'next_action null',
  nextActionAt: 'timestamptz null',
  enquiryCount: 'int',
  eventCount: 'int',
  providerTransactionId: 'text?',
  failureCode: column<FailureCode | undefined>('text?'),
  finalAt: 'timestamptz?',
  held: column<Hold | undefined>('text?'),
  heldBy: 'uuid?',
});
const payments = columns({
  ...numberedKeys.defs,
  /** Null where it is written as it is stored. */
  writtenId: 'text null',
  apiVersion: column<ApiVersion>('text'),
  amount: 'numeric',
  amountText: 'text',
  fee: 'numeric',
  currency: 'text',
  country: 'text',
  provider: 'text',
  connector: 'text',
  depositId: 'uuid?',
  splitPaymentId: 'uuid?',
  checkoutId: 'uuid?',
  walletId: 'uuid?',
  tokenId: 'text?',
  countedIn: 'bytea?',
  encryptedDetails: 'bytea',
  createdAt: 'timestamptz',
  ...changingFacts.defs,
});
type PaymentRow = Row<typeof payments>;

const insertEncrypted = rowInserter(
  'payments',
  payments.without('enquiryCount', 'providerTransactionId', 'failureCode', 'finalAt', 'held', 'heldBy').cells,
);

const assignments = changingFacts.cells.map(([name]) => `${name} = changed.${name}`).join(', ');
/** With details where they have changed. */
const changed = columns({ paymentNo: 'uuid', ...changingFacts.defs, encryptedDetails: 'bytea null' }).cells;
const changedDetails = payments.only('paymentNo', 'encryptedDetails').cells;

/** Details that a row holds as they are. They change seldom; encrypting them again at every step is not needed. */
const unchangedDetails = new WeakSet<PaymentDetails>();

export async function insertPayments(
  tx: Tx,
  keyring: Keyring,
  accepted: readonly StoredPayment[],
): Promise<void> {
  await insertEncrypted(
    tx,
    accepted.map((payment) => encrypted(keyring, payment)),
  );
}

/** Locks payments in lock order: merchant, kind, identifier. Unknown keys are left out. */
export async function lockPayments(
  tx: Tx,
  keyring: Keyring,
  keys: readonly PaymentKey[],
): Promise<readonly StoredPayment[]> {
  return listByKeys(tx, keyring, keys, 'order by merchant_id, kind, payment_id for update');
}

/** Locks a payment without reading it. Answers its number, or null where there is none. */
export async function lockPaymentNo(
  tx: Tx,
  { merchantId, kind, paymentId }: PaymentKey,
): Promise<string | null> {
  const { rows } = await tx.query<{ payment_no: string }>(
    `select payment_no from payments where payment_no = ${PAYMENT_NO} for update`,
    [merchantId, kind, paymentId],
  );
  return rows[0]?.payment_no ?? null;
}

export async function listPayments(
  tx: Tx,
  keyring: Keyring,
  keys: readonly PaymentKey[],
): Promise<readonly StoredPayment[]> {
  return listByKeys(tx, keyring, keys, '');
}

export async function listPaymentsByNumber(
  tx: Tx,
  keyring: Keyring,
  numbers: readonly string[],
): Promise<readonly StoredPayment[]> {
  return selectPayments(tx, keyring, 'from payments where payment_no = any ($1::uuid[])', [numbers]);
}

/** Writes the changed facts of payments whose locks are held. */
export async function updatePayments(
  tx: Tx,
  keyring: Keyring,
  updated: readonly StoredPayment[],
): Promise<void> {
  if (updated.length === 0) return;
  const count = await countChanged(
    tx,
    `update payments p set ${assignments},
       encrypted_details = coalesce(changed.encrypted_details, p.encrypted_details)
     from ${unnested(changed, 'changed')}
     where p.payment_no = changed.payment_no`,
    valuesOf(
      changed,
      updated.map((payment) =>
        unchangedDetails.has(payment.details)
          ? { ...payment, encryptedDetails: null }
          : encrypted(keyring, payment),
      ),
    ),
  );
  if (count !== updated.length) throw new Error(`${count} of ${updated.length} payments updated`);
}

/** Replaces what final payments say about people. The only change of a payment beside its steps; nothing else moves. */
export async function replaceDetails(
  tx: Tx,
  keyring: Keyring,
  ended: readonly StoredPayment[],
): Promise<void> {
  await tx.query(
    `update payments p set encrypted_details = e.encrypted_details
     from ${unnested(changedDetails, 'e')}
     where p.payment_no = e.payment_no and p.state in ('COMPLETED', 'FAILED')`,
    valuesOf(
      changedDetails,
      ended.map((payment) => encrypted(keyring, payment)),
    ),
  );
}

const refunds = columns({
  ...payments.only('merchantId', 'kind', 'paymentId', 'paymentNo', 'amount', 'state').defs,
  depositId: 'uuid',
});
export type RefundOfDeposit = Row<typeof refunds>;

/** All refunds of these deposits. Under the deposits' locks, no other can appear. */
export async function listRefunds(
  tx: Tx,
  deposits: readonly PaymentKey[],
): Promise<readonly RefundOfDeposit[]> {
  if (deposits.length === 0) return [];
  return refunds.select(
    tx,
    `from payments
     where kind = 'REFUND' and (merchant_id, deposit_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    [deposits.map(({ merchantId }) => merchantId), deposits.map(({ paymentId }) => paymentId)],
  );
}

async function listByKeys(tx: Tx, keyring: Keyring, keys: readonly PaymentKey[], suffix: string) {
  if (keys.length === 0) return [];
  const { where, values } = byNumber(keys) ?? {
    where: `payment_no in ${PAYMENT_NOS}`,
    values: valuesOf(paymentKeyColumns, keys),
  };
  return selectPayments(tx, keyring, `from payments where ${where} ${suffix}`, values);
}

/** Opens what the rows say. Keys this process has not seen are read on the same connection. */
export async function selectPayments(
  tx: Tx,
  keyring: Keyring,
  tail: string,
  values: readonly unknown[],
): Promise<readonly StoredPayment[]> {
  const rows = await payments.select(tx, tail, values);
  await loadDataKeys(
    { database: tx, keyring },
    rows.map(({ merchantId }) => merchantId),
  );
  return rows.map((row) => paymentOf(keyring, row));
}

function paymentOf(
  keyring: Keyring,
  { encryptedDetails, writtenId, countedIn, ...row }: PaymentRow,
): StoredPayment {
  const details = openDetails(keyring, row, encryptedDetails);
  return {
    ...row,
    writtenId: writtenId ?? row.paymentId,
    details,
    ...(countedIn !== undefined && { countedIn: unpackCounters(countedIn) }),
  };
}

function encrypted(keyring: Keyring, { countedIn, ...payment }: StoredPayment): PaymentRow {
  const writtenId = payment.writtenId === payment.paymentId ? null : payment.writtenId;
  return {
    ...payment,
    writtenId,
    ...(countedIn !== undefined && { countedIn: packCounters(countedIn) }),
    encryptedDetails: encryptDetails(keyring, payment),
  };
}

/** Details as a row holds them. */
export function encryptDetails(keyring: Keyring, payment: StoredPayment): Buffer {
  const identity = { merchantId: payment.merchantId, row: detailsRow(payment) };
  return keyring.encrypt(identity, JSON.stringify(payment.details));
}

/** The merchant's data key must be loaded. */
export function openDetails(keyring: Keyring, key: PaymentKey, encryptedDetails: Buffer): PaymentDetails {
  const identity = { merchantId: key.merchantId, row: detailsRow(key) };
  const details = keyring.openJson(identity, encryptedDetails) as PaymentDetails;
  unchangedDetails.add(details);
  return details;
}

const detailsRow = ({ kind, paymentId }: PaymentKey): string => `payments/${kind}/${paymentId}`;
