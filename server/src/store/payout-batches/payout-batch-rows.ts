// The payouts of batches as rows. Each has its identifiers from the beginning, so that sending it a second time makes
// no second payout; who is paid is encrypted.
import type { FailureCode } from '../../domain/failure.ts';
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { Metadata, PaymentState } from '../../domain/payments/payment.ts';
import type { BatchRowStatus } from '../../domain/payments/payout-batch.ts';
import type { Tx } from '../database.ts';
import type { BatchKey } from './payout-batches.ts';
import { amountOfNumeric, rowInserter, unnested, valuesOf, type Column } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

/** What is encrypted of a row. */
export type PayoutOrder = {
  readonly phoneNumber: string;
  readonly amountText: string;
  readonly customerMessage?: string;
  readonly clientReferenceId?: string;
  readonly metadata?: Metadata;
};

export type NewBatchRow = BatchKey & {
  readonly rowNo: number;
  readonly payoutId: string;
  readonly requestId: string;
  readonly provider: string;
  readonly currency: string;
  readonly amount: Amount;
  readonly fee: Amount;
  readonly order: PayoutOrder;
};

/** A row and the outcome of its payout so far. */
export type BatchRow = NewBatchRow & {
  readonly status: BatchRowStatus;
  /** Why it became no payout, or why the payout failed. */
  readonly failureCode: FailureCode | null;
  /** Null while it is no payout. */
  readonly state: PaymentState | null;
  readonly providerTransactionId: string | null;
};

type Encrypted = Omit<NewBatchRow, 'order'> & {
  readonly encryptedOrder: Buffer;
  readonly numberHash: Buffer;
};

const insertEncrypted = rowInserter<Encrypted>('payout_batch_rows', [
  ['merchant_id', 'uuid', (row) => row.merchantId],
  ['batch_id', 'uuid', (row) => row.batchId],
  ['row_no', 'integer', (row) => row.rowNo],
  ['payout_id', 'uuid', (row) => row.payoutId],
  ['request_id', 'uuid', (row) => row.requestId],
  ['provider', 'text', (row) => row.provider],
  ['currency', 'text', (row) => row.currency],
  ['amount', 'numeric', (row) => renderAmount(row.amount)],
  ['fee', 'numeric', (row) => renderAmount(row.fee)],
  ['encrypted_order', 'bytea', (row) => row.encryptedOrder],
  ['number_hash', 'bytea', (row) => row.numberHash],
  ['status', 'text', () => 'WAITING'],
]);

/** As many as one statement takes: ten thousand rows are a few megabytes of parameters. */
const INSERT_MAX = 1_000;

export async function insertBatchRows(tx: Tx, keyring: Keyring, rows: readonly NewBatchRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += INSERT_MAX) {
    const some = rows.slice(from, from + INSERT_MAX);
    await insertEncrypted(
      tx,
      some.map(({ order, ...row }) => ({
        ...row,
        encryptedOrder: keyring.encrypt(identityOf(row), JSON.stringify(order)),
        numberHash: keyring.searchHash(row.merchantId, numberText(order.phoneNumber)),
      })),
    );
  }
}

type StoredRow = {
  merchant_id: string;
  batch_id: string;
  row_no: number;
  payout_id: string;
  request_id: string;
  provider: string;
  currency: string;
  amount: string;
  fee: string;
  encrypted_order: Buffer | null;
  status: BatchRowStatus;
  failure_code: FailureCode | null;
  state: PaymentState | null;
  provider_transaction_id: string | null;
};

/** In the order of the file, from behind `afterNo`. */
export async function listBatchRows(
  tx: Tx,
  keyring: Keyring,
  page: BatchKey & { readonly afterNo: number; readonly countMax: number },
): Promise<readonly BatchRow[]> {
  const { rows } = await tx.query<StoredRow>(
    `select r.merchant_id, batch_id, row_no, r.payout_id, r.request_id, r.provider, r.currency, r.amount, r.fee,
       encrypted_order, status, coalesce(r.failure_code, p.failure_code) as failure_code, p.state,
       p.provider_transaction_id
     from payout_batch_rows r left join lateral (${PAYOUT_OF_ROW}) p on true
     where r.merchant_id = $1 and batch_id = $2 and row_no > $3 order by row_no limit $4`,
    [page.merchantId, page.batchId, page.afterNo, page.countMax],
  );
  return rows.map((row) => rowOf(keyring, row));
}

/** An identifier that somebody else used before leads to somebody else's payout. */
const PAYOUT_OF_ROW = `select state, failure_code, provider_transaction_id from payments
  where merchant_id = r.merchant_id and kind = 'PAYOUT' and payment_id = r.payout_id
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

/** Rows that wait become cancelled; what is on its way goes on. Answers how many. */
export async function cancelWaitingRows(tx: Tx, key: BatchKey): Promise<number> {
  const { rowCount } = await tx.query(
    `update payout_batch_rows set status = 'CANCELLED'
     where merchant_id = $1 and batch_id = $2 and status = 'WAITING'`,
    [key.merchantId, key.batchId],
  );
  return rowCount ?? 0;
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

type RowKey = BatchKey & { readonly rowNo: number };

const keyColumns: readonly Column<RowKey>[] = [
  ['merchant_id', 'uuid', (row) => row.merchantId],
  ['batch_id', 'uuid', (row) => row.batchId],
  ['row_no', 'integer', (row) => row.rowNo],
];

const hashColumns: readonly Column<RowKey & { readonly numberHash: Buffer }>[] = [
  ...keyColumns,
  ['number_hash', 'bytea', (row) => row.numberHash],
];

/** Makes the hashes of rows' numbers again. Answers how many were others. */
export async function rehashNumbers(tx: Tx, keyring: Keyring, keys: readonly RowKey[]): Promise<number> {
  const { rows } = await tx.query<StoredRow>(
    `select merchant_id, batch_id, row_no, amount, encrypted_order from payout_batch_rows
     where encrypted_order is not null
       and (merchant_id, batch_id, row_no) in (select * from ${unnested(keyColumns)})`,
    valuesOf(keyColumns, keys),
  );
  const again = rows.map((row) => ({
    ...placeOf(row),
    numberHash: keyring.searchHash(row.merchant_id, numberText(orderOf(keyring, row).phoneNumber)),
  }));
  const { rowCount } = await tx.query(
    `update payout_batch_rows r set number_hash = n.number_hash
     from ${unnested(hashColumns)} as n (merchant_id, batch_id, row_no, number_hash)
     where (r.merchant_id, r.batch_id, r.row_no) = (n.merchant_id, n.batch_id, n.row_no)
       and r.number_hash <> n.number_hash`,
    valuesOf(hashColumns, again),
  );
  return rowCount ?? 0;
}

export type StoredBatchRow = StoredRow;

export function rowOf(keyring: Keyring, row: StoredRow): BatchRow {
  return {
    ...placeOf(row),
    payoutId: row.payout_id,
    requestId: row.request_id,
    provider: row.provider,
    currency: row.currency,
    amount: amountOfNumeric(row.amount),
    fee: amountOfNumeric(row.fee),
    order: orderOf(keyring, row),
    status: row.status,
    failureCode: row.failure_code,
    state: row.state,
    providerTransactionId: row.provider_transaction_id,
  };
}

/** Of a person who was forgotten only the amount is left. */
function orderOf(keyring: Keyring, row: StoredRow): PayoutOrder {
  const { encrypted_order: encrypted } = row;
  if (encrypted === null) return { phoneNumber: '', amountText: renderAmount(amountOfNumeric(row.amount)) };
  return JSON.parse(keyring.open(identityOf(placeOf(row)), encrypted).toString()) as PayoutOrder;
}

type RowPlace = Pick<StoredRow, 'merchant_id' | 'batch_id' | 'row_no'>;

function placeOf({ merchant_id: merchantId, batch_id: batchId, row_no: rowNo }: RowPlace): RowKey {
  return { merchantId, batchId, rowNo };
}

function identityOf({ merchantId, batchId, rowNo }: RowKey) {
  return { merchantId, row: `payout_batch_rows/${batchId}/${rowNo}` };
}
