// Lots of a batch: a few rows that one worker sends at a time. A row is claimed before it is sent, so that anyone who
// cancels the rest knows what is on its way; a claim whose worker died is sent again under the same identifiers.
import type { FailureCode } from '../../domain/failure.ts';
import type { ApiVersion } from '../../domain/payments/payment.ts';
import type { BatchStatus } from '../../domain/payments/payout-batch.ts';
import type { ProcessTime } from '../../domain/clock.ts';
import { livesHere } from '../cells/migration-locks.ts';
import type { Tx } from '../database.ts';
import { rowOf, storedRows, type BatchRow } from './payout-batch-rows.ts';
import type { BatchKey } from './payout-batches.ts';
import { column, columns, type Row } from '../columns.ts';
import { isChanged, unnested, valuesOf } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

const batchKeys = columns({ merchantId: 'uuid', batchId: 'uuid' });
const dueBatches = columns({
  ...batchKeys.defs,
  apiVersion: column<ApiVersion>('text'),
  status: column<BatchStatus>('text'),
});

export type DueBatch = Row<typeof dueBatches>;

/** The batch that waits longest for its next lot, of a merchant that lives here. */
export async function findDueBatch(tx: Tx, now: ProcessTime): Promise<BatchKey | null> {
  return batchKeys.find(
    tx,
    `from payout_batches where next_send_at <= $1 and ${livesHere('payout_batches')}
     order by next_send_at limit 1`,
    [now],
  );
}

/** Takes a batch until then. Answers false where another worker did. */
export async function leaseBatch(
  tx: Tx,
  key: BatchKey,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<boolean> {
  return isChanged(
    tx,
    `update payout_batches set next_send_at = $4
     where merchant_id = $1 and batch_id = $2 and next_send_at <= $3`,
    [key.merchantId, key.batchId, now, until],
  );
}

/** Locks a batch that was taken until then; null where another worker has taken it since. */
export async function lockLeasedBatch(tx: Tx, key: BatchKey, until: Date): Promise<DueBatch | null> {
  return dueBatches.find(
    tx,
    'from payout_batches where merchant_id = $1 and batch_id = $2 and next_send_at = $3 for update',
    [key.merchantId, key.batchId, until],
  );
}

/** A row that was just claimed is no payout as far as is known. */
const claimedRows = columns({
  ...storedRows.defs,
  failureCode: column<null>('text null'),
  state: column<null>('payment_state null', 'null'),
  providerTransactionId: column<null>('text null', 'null'),
});

/** Claims left behind come first; rows that wait only where the batch is being sent. */
export async function claimLot(
  tx: Tx,
  keyring: Keyring,
  batch: DueBatch,
  countMax: number,
): Promise<readonly BatchRow[]> {
  const statuses = batch.status === 'SENDING' ? ['CLAIMED', 'WAITING'] : ['CLAIMED'];
  const rows = await claimedRows.query(
    tx,
    `update payout_batch_rows set status = 'CLAIMED'
     where merchant_id = $1 and batch_id = $2 and row_no in (
       select row_no from payout_batch_rows
       where merchant_id = $1 and batch_id = $2 and status in ('CLAIMED', 'WAITING') and status = any($3)
       order by status, row_no limit $4)
     returning ${claimedRows.names}`,
    [batch.merchantId, batch.batchId, statuses, countMax],
  );
  return rows.map((row) => rowOf(keyring, row)).toSorted((a, b) => a.rowNo - b.rowNo);
}

/** The outcome of a row; without a code it is a payout. */
const sentRows = columns({ rowNo: 'int', failureCode: column<FailureCode | null>('text null') });
export type SentRow = Row<typeof sentRows>;

/** Only rows that are still claimed change: anyone who comes second changes and counts nothing. */
export async function markSent(tx: Tx, key: BatchKey, sent: readonly SentRow[]): Promise<void> {
  await tx.query(
    `with changed as (
       update payout_batch_rows r set failure_code = s.failure_code,
         status = case when s.failure_code is null then 'ACCEPTED' else 'REJECTED' end
       from ${unnested(sentRows.cells, 's')}
       where r.merchant_id = $3 and r.batch_id = $4 and r.row_no = s.row_no and r.status = 'CLAIMED'
       returning r.status)
     update payout_batches set
       accepted_count = accepted_count + (select count(*) from changed where status = 'ACCEPTED'),
       rejected_count = rejected_count + (select count(*) from changed where status = 'REJECTED')
     where merchant_id = $3 and batch_id = $4`,
    [...valuesOf(sentRows.cells, sent), key.merchantId, key.batchId],
  );
}

/** What is next: another lot now, or nothing more. One that was being sent is then done. */
export async function settleBatch(tx: Tx, key: BatchKey, now: Date): Promise<void> {
  await tx.query(
    `update payout_batches b set
       next_send_at = case when is_left then $3::timestamptz end,
       status = case when is_left or status <> 'SENDING' then status else 'DONE' end,
       ended_at = case when is_left or status <> 'SENDING' then ended_at else $3 end
     from (select exists (select 1 from payout_batch_rows
       where merchant_id = $1 and batch_id = $2 and status in ('WAITING', 'CLAIMED')) as is_left) rest
     where merchant_id = $1 and batch_id = $2`,
    [key.merchantId, key.batchId, now],
  );
}
