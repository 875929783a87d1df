// Batches of payouts as rows: who prepared them, and how far they are. The database refuses to send one that needs an
// approval and has none.
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { ApiVersion } from '../../domain/payments/payment.ts';
import type { BatchSource, BatchStatus } from '../../domain/payments/payout-batch.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric, rowInserter } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type BatchKey = { readonly merchantId: string; readonly batchId: string };

/** A person, by identifier and by the name that the audit log has of them. */
export type Preparer = { readonly personId: string; readonly by: string };

export type BatchSum = {
  readonly country: string;
  readonly currency: string;
  /** Empty when the wallet is not tied to one provider. */
  readonly walletProvider: string;
  readonly rowCount: number;
  readonly amount: Amount;
  readonly fee: Amount;
};

export type NewBatch = BatchKey & {
  readonly source: BatchSource;
  readonly apiVersion: ApiVersion;
  readonly title: string;
  readonly contentHash: Buffer;
  readonly rowCount: number;
  readonly preparedBy: Preparer;
  readonly preparedAt: Date;
  readonly needsApproval: boolean;
  readonly sums: readonly BatchSum[];
};

export type Batch = BatchKey & {
  readonly source: BatchSource;
  readonly apiVersion: ApiVersion;
  readonly title: string;
  readonly rowCount: number;
  readonly status: BatchStatus;
  readonly preparedBy: Preparer;
  readonly preparedAt: Date;
  readonly needsApproval: boolean;
  readonly cancelledByName: string | null;
  readonly acceptedCount: number;
  readonly rejectedCount: number;
  readonly cancelledCount: number;
  readonly endedAt: Date | null;
};

type BatchRow = {
  merchant_id: string;
  batch_id: string;
  source: BatchSource;
  api_version: ApiVersion;
  encrypted_title: Buffer;
  row_count: number;
  status: BatchStatus;
  prepared_by: string;
  prepared_by_name: string;
  prepared_at: Date;
  needs_approval: boolean;
  cancelled_by_name: string | null;
  accepted_count: number;
  rejected_count: number;
  cancelled_count: number;
  ended_at: Date | null;
};

const SELECTED = `merchant_id, batch_id, source, api_version, encrypted_title, row_count, status, prepared_by,
  prepared_by_name, prepared_at, needs_approval, cancelled_by_name, accepted_count,
  rejected_count, cancelled_count, ended_at`;

const insertSums = rowInserter<BatchKey & BatchSum>('payout_batch_sums', [
  ['merchant_id', 'uuid', (sum) => sum.merchantId],
  ['batch_id', 'uuid', (sum) => sum.batchId],
  ['country', 'text', (sum) => sum.country],
  ['currency', 'text', (sum) => sum.currency],
  ['wallet_provider', 'text', (sum) => sum.walletProvider],
  ['row_count', 'integer', (sum) => sum.rowCount],
  ['amount', 'numeric', (sum) => renderAmount(sum.amount)],
  ['fee', 'numeric', (sum) => renderAmount(sum.fee)],
]);

export async function insertBatch(tx: Tx, keyring: Keyring, batch: NewBatch): Promise<void> {
  const { merchantId, batchId, preparedBy } = batch;
  await tx.query(
    `insert into payout_batches (merchant_id, batch_id, source, api_version, encrypted_title, content_hash, row_count,
       status, prepared_by, prepared_by_name, prepared_at, needs_approval)
     values ($1, $2, $3, $4, $5, $6, $7, 'WAITING', $8, $9, $10, $11)`,
    [
      merchantId,
      batchId,
      batch.source,
      batch.apiVersion,
      keyring.encrypt(identityOf(batch), batch.title),
      batch.contentHash,
      batch.rowCount,
      preparedBy.personId,
      preparedBy.by,
      batch.preparedAt,
      batch.needsApproval,
    ],
  );
  await insertSums(
    tx,
    batch.sums.map((sum) => ({ ...sum, merchantId, batchId })),
  );
}

/** The newest first, of one status or of all. */
export async function listBatches(
  tx: Tx,
  keyring: Keyring,
  page: {
    readonly merchantId: string;
    readonly status: BatchStatus | null;
    readonly beforeId: string | null;
    readonly countMax: number;
  },
): Promise<readonly Batch[]> {
  const ofStatus = page.status === null ? '$2::text is null' : 'status = $2';
  const { rows } = await tx.query<BatchRow>(
    `select ${SELECTED} from payout_batches
     where merchant_id = $1 and ${ofStatus} and batch_id < coalesce($3, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
     order by batch_id desc limit $4`,
    [page.merchantId, page.status, page.beforeId, page.countMax],
  );
  return rows.map((row) => batchOf(keyring, row));
}

export async function findBatch(tx: Tx, keyring: Keyring, key: BatchKey): Promise<Batch | null> {
  return selectBatch(tx, keyring, key, '');
}

export async function lockBatch(tx: Tx, keyring: Keyring, key: BatchKey): Promise<Batch | null> {
  return selectBatch(tx, keyring, key, 'for update');
}

async function selectBatch(tx: Tx, keyring: Keyring, key: BatchKey, suffix: string): Promise<Batch | null> {
  const { rows } = await tx.query<BatchRow>(
    `select ${SELECTED} from payout_batches where merchant_id = $1 and batch_id = $2 ${suffix}`,
    [key.merchantId, key.batchId],
  );
  return rows[0] === undefined ? null : batchOf(keyring, rows[0]);
}

export async function listBatchSums(tx: Tx, key: BatchKey): Promise<readonly BatchSum[]> {
  const { rows } = await tx.query<{
    country: string;
    currency: string;
    wallet_provider: string;
    row_count: number;
    amount: string;
    fee: string;
  }>(
    `select country, currency, wallet_provider, row_count, amount, fee from payout_batch_sums
     where merchant_id = $1 and batch_id = $2 order by country, currency, wallet_provider`,
    [key.merchantId, key.batchId],
  );
  return rows.map(({ wallet_provider: walletProvider, row_count: rowCount, ...row }) => ({
    ...row,
    walletProvider,
    rowCount,
    amount: amountOfNumeric(row.amount),
    fee: amountOfNumeric(row.fee),
  }));
}

/** Those that no one cancelled and that pay the same to the same. The newest one's identifier. */
export async function findBatchOfContent(
  tx: Tx,
  of: { readonly merchantId: string; readonly contentHashes: readonly Buffer[] },
): Promise<string | null> {
  const { rows } = await tx.query<{ batch_id: string }>(
    `select batch_id from payout_batches
     where merchant_id = $1 and content_hash = any($2) and status <> 'CANCELLED' order by batch_id desc limit 1`,
    [of.merchantId, of.contentHashes],
  );
  return rows[0]?.batch_id ?? null;
}

/** The same content, hashed again. Answers whether the hash was another. */
export async function replaceContentHash(tx: Tx, key: BatchKey, contentHash: Buffer): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update payout_batches set content_hash = $3 where merchant_id = $1 and batch_id = $2 and content_hash <> $3',
    [key.merchantId, key.batchId, contentHash],
  );
  return rowCount === 1;
}

/** Those that prepare or send at the same time wait for each other, so that each counts what the others did. */
export async function lockAlone(tx: Tx, merchantId: string): Promise<void> {
  await tx.query('select 1 from merchants where merchant_id = $1 for no key update', [merchantId]);
}

/** What needs no second person since then, by currency. */
export async function sumAlone(
  tx: Tx,
  of: { readonly merchantId: string; readonly since: Date; readonly exceptBatchId?: string },
): Promise<ReadonlyMap<string, Amount>> {
  const { rows } = await tx.query<{ currency: string; amount: string }>(
    `select currency, sum(amount) as amount from payout_batches join payout_batch_sums using (merchant_id, batch_id)
     where merchant_id = $1 and prepared_at > $2 and not needs_approval and status <> 'CANCELLED'
       and batch_id is distinct from $3::uuid group by 1`,
    [of.merchantId, of.since, of.exceptBatchId ?? null],
  );
  return new Map(rows.map(({ currency, amount }) => [currency, amountOfNumeric(amount)]));
}

/** Of a batch that waits. */
export async function markSending(tx: Tx, key: BatchKey, now: Date): Promise<void> {
  await tx.query(
    `update payout_batches set status = 'SENDING', next_send_at = $3
     where merchant_id = $1 and batch_id = $2 and status = 'WAITING'`,
    [key.merchantId, key.batchId, now],
  );
}

/** Of a batch that is locked; `cancelledCount` are the rows that no longer wait. What is claimed is still sent. */
export async function markEndedManually(
  tx: Tx,
  key: BatchKey,
  end: {
    readonly status: 'STOPPED' | 'CANCELLED';
    readonly by: string;
    readonly cancelledCount: number;
    readonly now: Date;
  },
): Promise<void> {
  await tx.query(
    `update payout_batches set status = $3, cancelled_by_name = $4, cancelled_count = cancelled_count + $5,
       ended_at = $6, next_send_at = case when exists (
         select 1 from payout_batch_rows r
         where r.merchant_id = $1 and r.batch_id = $2 and r.status = 'CLAIMED') then next_send_at end
     where merchant_id = $1 and batch_id = $2`,
    [key.merchantId, key.batchId, end.status, end.by, end.cancelledCount, end.now],
  );
}

function batchOf(keyring: Keyring, row: BatchRow): Batch {
  const key = { merchantId: row.merchant_id, batchId: row.batch_id };
  return {
    ...key,
    source: row.source,
    apiVersion: row.api_version,
    title: keyring.open(identityOf(key), row.encrypted_title).toString(),
    rowCount: row.row_count,
    status: row.status,
    preparedBy: { personId: row.prepared_by, by: row.prepared_by_name },
    preparedAt: row.prepared_at,
    needsApproval: row.needs_approval,
    cancelledByName: row.cancelled_by_name,
    acceptedCount: row.accepted_count,
    rejectedCount: row.rejected_count,
    cancelledCount: row.cancelled_count,
    endedAt: row.ended_at,
  };
}

function identityOf({ merchantId, batchId }: BatchKey) {
  return { merchantId, row: `payout_batches/${batchId}` };
}
