// Batches of payouts as rows: who prepared them, and how far they are. The database refuses to send one that needs an
// approval and has none.
import type { Amount } from '../../domain/money.ts';
import type { ApiVersion } from '../../domain/payments/payment.ts';
import type { BatchSource, BatchStatus } from '../../domain/payments/payout-batch.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric, column, columns, type Row } from '../columns.ts';
import { isChanged, oneRowInserter, rowInserter } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type BatchKey = { readonly merchantId: string; readonly batchId: string };

/** A person, by identifier and by the name that the audit log has of them. */
export type Preparer = { readonly personId: string; readonly by: string };

const sums = columns({
  country: 'text',
  currency: 'text',
  /** Empty when the wallet is not tied to one provider. */
  walletProvider: 'text',
  rowCount: 'int',
  amount: 'numeric',
  fee: 'numeric',
});

export type BatchSum = Row<typeof sums>;

const insertSums = rowInserter(
  'payout_batch_sums',
  columns({ merchantId: 'uuid', batchId: 'uuid', ...sums.defs }).cells,
);

const preparedBatches = columns({
  merchantId: 'uuid',
  batchId: 'uuid',
  source: column<BatchSource>('text'),
  apiVersion: column<ApiVersion>('text'),
  encryptedTitle: 'bytea',
  rowCount: 'int',
  status: column<BatchStatus>('text'),
  preparedBy: 'text',
  preparedByName: 'text',
  preparedAt: 'timestamptz',
  needsApproval: 'bool',
});
const batches = columns({
  ...preparedBatches.defs,
  cancelledByName: 'text null',
  acceptedCount: 'int',
  rejectedCount: 'int',
  cancelledCount: 'int',
  endedAt: 'timestamptz null',
});
type BatchRow = Row<typeof batches>;

type Opened<Stored> = Omit<Stored, 'encryptedTitle' | 'preparedBy' | 'preparedByName'> & {
  readonly title: string;
  readonly preparedBy: Preparer;
};

export type Batch = Opened<BatchRow>;

export type NewBatch = Omit<Opened<Row<typeof preparedBatches>>, 'status'> & {
  readonly contentHash: Buffer;
  readonly sums: readonly BatchSum[];
};

const insertEncrypted = oneRowInserter(
  'payout_batches',
  columns({ ...preparedBatches.defs, contentHash: 'bytea' }).cells,
);

export async function insertBatch(tx: Tx, keyring: Keyring, batch: NewBatch): Promise<void> {
  const { merchantId, batchId, preparedBy } = batch;
  await insertEncrypted(tx, {
    ...batch,
    encryptedTitle: keyring.encrypt(identityOf(batch), batch.title),
    status: 'WAITING',
    preparedBy: preparedBy.personId,
    preparedByName: preparedBy.by,
  });
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
  const rows = await batches.select(
    tx,
    `from payout_batches
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
  const tail = `from payout_batches where merchant_id = $1 and batch_id = $2 ${suffix}`;
  const found = await batches.find(tx, tail, [key.merchantId, key.batchId]);
  return found === null ? null : batchOf(keyring, found);
}

export async function listBatchSums(tx: Tx, key: BatchKey): Promise<readonly BatchSum[]> {
  return sums.select(
    tx,
    `from payout_batch_sums where merchant_id = $1 and batch_id = $2
     order by country, currency, wallet_provider`,
    [key.merchantId, key.batchId],
  );
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
  return isChanged(
    tx,
    'update payout_batches set content_hash = $3 where merchant_id = $1 and batch_id = $2 and content_hash <> $3',
    [key.merchantId, key.batchId, contentHash],
  );
}

/** Those that prepare or send at the same time wait for each other, so that each counts what the others did. */
export async function lockAlone(tx: Tx, merchantId: string): Promise<void> {
  await tx.query('select 1 from merchants where merchant_id = $1 for no key update', [merchantId]);
}

/** What was sent since then, or waits to be sent, without a second approver, by currency. */
export async function sumAlone(
  tx: Tx,
  of: { readonly merchantId: string; readonly since: Date; readonly exceptBatchId?: string },
): Promise<ReadonlyMap<string, Amount>> {
  const { rows } = await tx.query<{ currency: string; amount: string }>(
    `select currency, sum(amount) as amount from payout_batches join payout_batch_sums using (merchant_id, batch_id)
     where merchant_id = $1 and coalesce(sent_at, 'infinity') > $2 and not needs_approval and status <> 'CANCELLED'
       and batch_id is distinct from $3::uuid group by 1`,
    [of.merchantId, of.since, of.exceptBatchId ?? null],
  );
  return new Map(rows.map(({ currency, amount }) => [currency, amountOfNumeric(amount)]));
}

/** Of a batch that waits. */
export async function markSending(tx: Tx, key: BatchKey, now: Date): Promise<void> {
  await tx.query(
    `update payout_batches set status = 'SENDING', next_send_at = $3, sent_at = $3
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
  const { encryptedTitle, preparedByName, ...batch } = row;
  return {
    ...batch,
    title: keyring.openText(identityOf(row), encryptedTitle),
    preparedBy: { personId: row.preparedBy, by: preparedByName },
  };
}

function identityOf({ merchantId, batchId }: BatchKey) {
  return { merchantId, row: `payout_batches/${batchId}` };
}
