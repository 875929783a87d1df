// What people do with a batch that was prepared: another person approves it, the preparer sends it where no approval is
// needed, or it is cancelled as far as it is not sent. Of two at the same moment one is first.
import { renderAmount } from '../../domain/money.ts';
import type { ApprovalLimits, BatchStatus } from '../../domain/payments/payout-batch.ts';
import type { ActingPerson, Approval } from '../../store/approvals/approvals.ts';
import type { Tx } from '../../store/database.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { cancelWaitingRows, hashBatchRows } from '../../store/payout-batches/payout-batch-rows.ts';
import {
  listBatchSums,
  lockAlone,
  lockBatch,
  markEndedManually,
  markSending,
  type Batch,
  type BatchKey,
  type BatchSum,
} from '../../store/payout-batches/payout-batches.ts';
import { endPending } from '../approvals/decide.ts';
import { merchantOf, NotExecuted, type Executor } from '../approvals/executor.ts';
import { requestApproval, type Outcome } from '../approvals/request.ts';
import { record } from '../audit.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import type { Engine, StorePart, TimedStore } from '../engine.ts';
import { needsApprovalNow } from './one-person-rule.ts';

export type BatchRefusal =
  | { readonly type: 'NOT_FOUND' }
  /** It waits no longer, or has ended. */
  | { readonly type: 'NOT_NOW'; readonly status: BatchStatus };

export type SendAnswer = { readonly type: Outcome } | BatchRefusal;
export type CancelAnswer = { readonly type: 'DONE'; readonly cancelledCount: number } | BatchRefusal;

/** Call it with the batch locked, or new, and its rows in it. The preparer is the requester. */
export async function requestBatch(
  engine: Engine,
  tx: Tx,
  batch: Pick<Batch, 'merchantId' | 'batchId' | 'preparedBy' | 'rowCount'> & {
    readonly sums: readonly BatchSum[];
  },
): Promise<void> {
  const { merchantId, batchId, preparedBy: actor, rowCount } = batch;
  const request = { rowCount, sums: sumTexts(batch.sums), rowsHash: await hashBatchRows(tx, batch) };
  await requestApproval(engine, tx, { actor, merchantId, kind: 'PAYOUT_BATCH', subject: batchId, request });
}

/** The approval permits to send it; workers do. */
export const batchExecutor: Executor<'PAYOUT_BATCH'> = {
  show: ({ rowCount, sums, rowsHash }) => ({ payouts: String(rowCount), sums: sums.join(', '), rowsHash }),
  lock: async ({ engine, tx, approval }) => {
    await lockBatch(tx, engine.store.keyring, keyOf(approval));
  },
  execute: async ({ engine, tx, approval, decider: { by } }) => {
    const batch = await lockBatch(tx, engine.store.keyring, keyOf(approval));
    if (batch?.status !== 'WAITING') throw new NotExecuted();
    const { rowCount, sums, rowsHash } = approval.request;
    const isSame = sums.join() === sumTexts(await listBatchSums(tx, batch)).join();
    if (!isSame || rowsHash !== (await hashBatchRows(tx, batch))) throw new NotExecuted();
    await markSending(tx, batch, await engine.clock.timeOf(tx));
    const detail = { preparedBy: batch.preparedBy.by, rowCount };
    await note(engine, tx, { ...batch, by }, { act: 'PAYOUTS_APPROVED', detail });
  },
  after: async ({ engine }) => engine.wake(),
  end: async ({ engine, tx, approval, decider: { by } }) => {
    const batch = await lockBatch(tx, engine.store.keyring, keyOf(approval));
    if (batch?.status === 'WAITING') await cancel(engine, tx, batch, { by });
  },
};

function keyOf(approval: Approval<'PAYOUT_BATCH'>): BatchKey {
  return { merchantId: merchantOf(approval), batchId: approval.subject };
}

/** What it takes from each wallet, as an approver reads it. */
function sumTexts(sums: readonly BatchSum[]): readonly string[] {
  return sums
    .map(({ country, currency, walletProvider, amount, fee }) => {
      const place = [country, walletProvider].join(' ').trim();
      return `${renderAmount(amount)} ${currency} + ${renderAmount(fee)} (${place})`;
    })
    .toSorted();
}

/** Without an approval, where none was needed when it was prepared and none is by the limits of now. */
export async function sendPayouts(
  engine: Engine,
  order: BatchKey & { readonly actor: ActingPerson; readonly hostLimits: ApprovalLimits },
): Promise<SendAnswer> {
  const { merchantId, actor, hostLimits } = order;
  const answer = await withBatch<SendAnswer>(engine, order, async (tx, batch) => {
    if (batch.status !== 'WAITING') return { type: 'NOT_NOW', status: batch.status };
    await lockAlone(tx, merchantId);
    if (await needsApprovalNow(engine, tx, batch, hostLimits)) {
      await requestBatch(engine, tx, { ...batch, sums: await listBatchSums(tx, batch) });
      return { type: 'REQUESTED' };
    }
    await markSending(tx, batch, await engine.clock.timeOf(tx));
    const detail = { preparedBy: batch.preparedBy.by, rowCount: batch.rowCount };
    await note(engine, tx, { ...batch, by: actor.by }, { act: 'PAYOUTS_SENT_ALONE', detail });
    return { type: 'DONE' };
  });
  if (answer.type === 'DONE') engine.wake();
  return answer;
}

type Cancelling = { readonly by: string; readonly reason?: string };

/** What is not sent never will be. What was sent goes on: a payout that waits is cancelled as a payment. */
export async function cancelPayouts(engine: Engine, order: BatchKey & Cancelling): Promise<CancelAnswer> {
  return withBatch<CancelAnswer>(engine, order, async (tx, batch) => {
    const { merchantId, batchId: subject, status } = batch;
    if (status !== 'WAITING' && status !== 'SENDING') return { type: 'NOT_NOW', status };
    const by = { personId: null, by: order.by };
    await endPending(engine, tx, { kind: 'PAYOUT_BATCH', merchantId, subject, by });
    return { type: 'DONE', cancelledCount: await cancel(engine, tx, batch, order) };
  });
}

async function cancel(engine: TimedStore, tx: Tx, batch: Batch, { by, reason }: Cancelling): Promise<number> {
  const status = batch.status === 'WAITING' ? 'CANCELLED' : 'STOPPED';
  const cancelledCount = await cancelWaitingRows(tx, batch);
  const now = await engine.clock.timeOf(tx);
  await markEndedManually(tx, batch, { status, by, cancelledCount, now });
  const noted = { act: 'PAYOUTS_CANCELLED', detail: { status, cancelledCount } } as const;
  await note(engine, tx, { ...batch, by }, { ...noted, ...(reason !== undefined && { reason }) });
  return cancelledCount;
}

async function withBatch<Answer>(
  engine: StorePart,
  key: BatchKey,
  work: (tx: Tx, batch: Batch) => Promise<Answer>,
): Promise<Answer | { readonly type: 'NOT_FOUND' }> {
  const { database, keyring } = engine.store;
  await loadDataKeys(engine.store, [key.merchantId]);
  return inMerchant(database, key.merchantId, async (tx) => {
    const batch = await lockBatch(tx, keyring, key);
    return batch === null ? { type: 'NOT_FOUND' } : work(tx, batch);
  });
}

type Noted = {
  readonly act: 'PAYOUTS_APPROVED' | 'PAYOUTS_SENT_ALONE' | 'PAYOUTS_CANCELLED';
  readonly detail: Readonly<Record<string, unknown>>;
  readonly reason?: string;
};

async function note(
  engine: TimedStore,
  tx: Tx,
  { merchantId, batchId: subject, by }: BatchKey & { readonly by: string },
  noted: Noted,
): Promise<void> {
  await record(engine, tx, [{ ...noted, by, merchantId, subject }]);
}
