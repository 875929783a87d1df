// The payouts of batches as rows. Each has its identifiers from the beginning, so that sending it a second time makes
// no second payout; who is paid is encrypted.
import type { FailureCode } from '../../domain/failure.ts';
import { renderAmount } from '../../domain/money.ts';
import type { Metadata, PaymentState } from '../../domain/payments/payment.ts';
import type { BatchRowStatus } from '../../domain/payments/payout-batch.ts';
import type { Tx } from '../database.ts';
import type { BatchKey } from './payout-batches.ts';
import { column, columns, type Row } from '../columns.ts';
import { countChanged, isAmong, rowInserter, unnested, valuesOf } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

/** What is encrypted of a row. */
export type PayoutOrder = {
  readonly phoneNumber: string;
  readonly amountText: string;
  readonly recipientName?: string;
  readonly customerMessage?: string;
  readonly clientReferenceId?: string;
  readonly metadata?: Metadata;
};

const rowKeys = columns({ merchantId: 'uuid', batchId: 'uuid', rowNo: 'int' });
type RowKey = Row<typeof rowKeys>;

const newRows = columns({
  ...rowKeys.defs,
  payoutId: 'uuid',
  paymentNo: 'uuid',
  provider: 'text',
  currency: 'text',
  amount: 'numeric',
  fee: 'numeric',
  status: column<BatchRowStatus>('text'),
});
const hashes = columns({ ...rowKeys.defs, numberHash: 'bytea' }).cells;

export const storedRows = columns({
  ...newRows.defs,
  encryptedOrder: 'bytea null',
  /** Why it became no payout, or why the payout failed. */
  failureCode: column<FailureCode | null>('text null', 'coalesce(r.failure_code, p.failure_code)'),
  /** Null while it is no payout. */
  state: column<PaymentState | null>('payment_state null', 'p.state'),
  providerTransactionId: column<string | null>('text null', 'p.provider_transaction_id'),
});

/** A row and the outcome of its payout so far. */
export type BatchRow = Omit<StoredBatchRow, 'encryptedOrder'> & { readonly order: PayoutOrder };
export type StoredBatchRow = Row<typeof storedRows>;

export type NewBatchRow = Omit<Row<typeof newRows>, 'status'> & { readonly order: PayoutOrder };

const insertEncrypted = rowInserter(
  'payout_batch_rows',
  columns({ ...newRows.defs, encryptedOrder: 'bytea', numberHash: 'bytea' }).cells,
);

/** As many as one statement takes: ten thousand rows are a few megabytes of parameters. */
const INSERT_MAX = 1_000;

export async function insertBatchRows(tx: Tx, keyring: Keyring, rows: readonly NewBatchRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += INSERT_MAX) {
    const some = rows.slice(from, from + INSERT_MAX);
    await insertEncrypted(
      tx,
      some.map(({ order, ...row }) => ({
        ...row,
        status: 'WAITING',
        encryptedOrder: keyring.encrypt(identityOf(row), JSON.stringify(order)),
        numberHash: keyring.searchHash(row.merchantId, numberText(order.phoneNumber)),
      })),
    );
  }
}

/** In the order of the file, from behind `afterNo`. */
export async function listBatchRows(
  tx: Tx,
  keyring: Keyring,
  page: BatchKey & { readonly afterNo: number; readonly countMax: number },
): Promise<readonly BatchRow[]> {
  const rows = await storedRows.query(
    tx,
    `select ${storedRows.namesIn('r')}
     from payout_batch_rows r left join lateral (${PAYOUT_OF_ROW}) p on true
     where r.merchant_id = $1 and batch_id = $2 and row_no > $3 order by row_no limit $4`,
    [page.merchantId, page.batchId, page.afterNo, page.countMax],
  );
  return rows.map((row) => rowOf(keyring, row));
}

/** An identifier that somebody else used before leads to somebody else's payout. */
const PAYOUT_OF_ROW = `select state, failure_code, provider_transaction_id from payments
  where payment_no = (select payment_no from payment_keys k
      where k.merchant_id = r.merchant_id and k.kind = 'PAYOUT' and k.payment_id = r.payout_id)
    and r.status in ('CLAIMED', 'ACCEPTED') offset 0`;

/** How many payouts of a batch are in which state. Each is looked up by its key. */
export async function countStates(tx: Tx, key: BatchKey): Promise<ReadonlyMap<PaymentState, number>> {
  const { rows } = await tx.query<{ state: PaymentState; count: number }>(
    `select p.state, count(*)::integer as count
     from payout_batch_rows r cross join lateral (${PAYOUT_OF_ROW}) p
     where r.merchant_id = $1 and r.batch_id = $2 group by 1`,
    [key.merchantId, key.batchId],
  );
  return new Map(rows.map(({ state, count }) => [state, count]));
}

/** Of what all rows pay, by the identifiers to which the encrypted recipients are bound. */
export async function hashBatchRows(tx: Tx, key: BatchKey): Promise<string> {
  const { rows } = await tx.query<{ hash: string }>(
    `select encode(sha256(convert_to(coalesce(string_agg(
       concat_ws(' ', row_no, payout_id, payment_no, provider, currency, amount, fee), ',' order by row_no), ''),
       'UTF8')), 'hex') as hash
     from payout_batch_rows where merchant_id = $1 and batch_id = $2`,
    [key.merchantId, key.batchId],
  );
  return rows[0]?.hash ?? '';
}

/** Rows that wait become cancelled; what is on its way goes on. Answers how many. */
export async function cancelWaitingRows(tx: Tx, key: BatchKey): Promise<number> {
  return countChanged(
    tx,
    `update payout_batch_rows set status = 'CANCELLED'
     where merchant_id = $1 and batch_id = $2 and status = 'WAITING'`,
    [key.merchantId, key.batchId],
  );
}

/** Empties what rows say about anyone who has this number. Rows that are still to be sent keep it. */
export async function eraseBatchRows(
  tx: Tx,
  keyring: Keyring,
  { merchantId, phoneNumber }: { readonly merchantId: string; readonly phoneNumber: string },
): Promise<void> {
  await tx.query(
    `update payout_batch_rows set encrypted_order = null, number_hash = null
     where merchant_id = $1 and number_hash = any($2) and status not in ('WAITING', 'CLAIMED')`,
    [merchantId, keyring.searchHashes(merchantId, numberText(phoneNumber))],
  );
}

/** What is hashed of a number. */
function numberText(phoneNumber: string): string {
  return `payout_batch_rows/${phoneNumber}`;
}

const encryptedRows = columns({ ...rowKeys.defs, amount: 'numeric', encryptedOrder: 'bytea null' });

/** Makes the hashes of rows' numbers again. Answers how many were others. */
export async function rehashNumbers(tx: Tx, keyring: Keyring, keys: readonly RowKey[]): Promise<number> {
  const rows = await encryptedRows.select(
    tx,
    `from payout_batch_rows where encrypted_order is not null and ${isAmong(rowKeys.cells)}`,
    valuesOf(rowKeys.cells, keys),
  );
  const again = rows.map((row) => ({
    ...row,
    numberHash: keyring.searchHash(row.merchantId, numberText(orderOf(keyring, row).phoneNumber)),
  }));
  return countChanged(
    tx,
    `update payout_batch_rows r set number_hash = n.number_hash from ${unnested(hashes, 'n')}
     where (r.merchant_id, r.batch_id, r.row_no) = (n.merchant_id, n.batch_id, n.row_no)
       and r.number_hash <> n.number_hash`,
    valuesOf(hashes, again),
  );
}

export function rowOf(keyring: Keyring, row: StoredBatchRow): BatchRow {
  const { encryptedOrder: _, ...rest } = row;
  return { ...rest, order: orderOf(keyring, row) };
}

/** Of a person who was forgotten only the amount is left. */
function orderOf(keyring: Keyring, row: Row<typeof encryptedRows>): PayoutOrder {
  const { encryptedOrder, amount } = row;
  if (encryptedOrder === null) return { phoneNumber: '', amountText: renderAmount(amount) };
  return keyring.openJson(identityOf(row), encryptedOrder) as PayoutOrder;
}

function identityOf({ merchantId, batchId, rowNo }: RowKey) {
  return { merchantId, row: `payout_batch_rows/${batchId}/${rowNo}` };
}
