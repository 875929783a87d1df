// What people do with a batch that was prepared: approve it as a second person, send it where one is enough, or cancel
// what is not sent. Of two at the same moment one is first, and the other is told what the first did.
import type { ApprovalLimits, BatchStatus } from '../../domain/payments/payout-batch.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import type { Tx } from '../../store/database.ts';
import { cancelWaitingRows } from '../../store/payout-batches/payout-batch-rows.ts';
import {
  lockAlone,
  lockBatch,
  markEndedByHand,
  markSending,
  type Actor,
  type Batch,
  type BatchKey,
} from '../../store/payout-batches/payout-batches.ts';
import { record, type ByHand } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import { isIndependent } from '../approvals/independence.ts';
import { isSameActor } from './payout-limits.ts';
import { needsApprovalNow } from './one-person-rule.ts';

export type BatchAct = BatchKey & { readonly actor: Actor };

export type BatchAnswer =
  | { readonly type: 'DONE' }
  | { readonly type: 'NOT_FOUND' }
  /** It waits no longer, or has ended. */
  | { readonly type: 'NOT_NOW'; readonly status: BatchStatus }
  /** Who prepared cannot approve. */
  | { readonly type: 'SAME_PERSON' }
  /** They onboarded the merchant. */
  | { readonly type: 'NOT_INDEPENDENT' }
  /** One person is not enough for this one. */
  | { readonly type: 'APPROVAL_NEEDED' };

export type CancelAnswer =
  | Exclude<BatchAnswer, { readonly type: 'DONE' }>
  | { readonly type: 'DONE'; readonly cancelledCount: number };

export async function approvePayouts(engine: Engine, act: BatchAct): Promise<BatchAnswer> {
  return startSending(engine, act, async (tx, batch) => {
    if (isSameActor(act.actor, batch.preparedBy)) return { type: 'SAME_PERSON' };
    const merchantIds = [act.merchantId];
    const isOther = await isIndependent(tx, { by: act.actor.by, merchantIds, as: 'MERCHANT' });
    if (!isOther) return { type: 'NOT_INDEPENDENT' };
    await markSending(tx, act, { approvedBy: act.actor, now: engine.clock.now() });
    const detail = { preparedBy: batch.preparedBy.by, rowCount: batch.rowCount };
    await note(engine, tx, { ...act, by: act.actor.by }, { act: 'PAYOUTS_APPROVED', detail });
    return { type: 'DONE' };
  });
}

/** Without a second person, where none is needed: when it was prepared, and by the limits of now. */
export async function sendPayoutsAlone(
  engine: Engine,
  act: BatchAct & { readonly hostLimits: ApprovalLimits },
): Promise<BatchAnswer> {
  return startSending(engine, act, async (tx, batch) => {
    await lockAlone(tx, act.merchantId);
    if (await needsApprovalNow(engine, tx, batch, act.hostLimits)) return { type: 'APPROVAL_NEEDED' };
    await markSending(tx, act, { approvedBy: null, now: engine.clock.now() });
    const detail = { preparedBy: batch.preparedBy.by, rowCount: batch.rowCount };
    await note(engine, tx, { ...act, by: act.actor.by }, { act: 'PAYOUTS_SENT_ALONE', detail });
    return { type: 'DONE' };
  });
}

/** Whatever is not sent never will be. What is on its way goes on: a payout that waits is cancelled as a payment. */
export async function cancelPayouts(
  engine: Engine,
  act: BatchKey & ByHand & { readonly reason?: string },
): Promise<CancelAnswer> {
  return withBatch<CancelAnswer>(engine, act, async (tx, batch) => {
    if (batch.status !== 'WAITING' && batch.status !== 'SENDING') {
      return { type: 'NOT_NOW', status: batch.status };
    }
    const status = batch.status === 'WAITING' ? 'CANCELLED' : 'STOPPED';
    const cancelledCount = await cancelWaitingRows(tx, act);
    await markEndedByHand(tx, act, { status, by: act.by, cancelledCount, now: engine.clock.now() });
    const { reason } = act;
    const detail = { status, cancelledCount };
    await note(engine, tx, act, {
      act: 'PAYOUTS_CANCELLED',
      detail,
      ...(reason !== undefined && { reason }),
    });
    return { type: 'DONE', cancelledCount };
  });
}

async function startSending(
  engine: Engine,
  key: BatchKey,
  work: (tx: Tx, batch: Batch) => Promise<BatchAnswer>,
): Promise<BatchAnswer> {
  const answer = await withBatch<BatchAnswer>(engine, key, async (tx, batch) =>
    batch.status === 'WAITING' ? work(tx, batch) : { type: 'NOT_NOW', status: batch.status },
  );
  if (answer.type === 'DONE') engine.wake();
  return answer;
}

async function withBatch<Answer>(
  engine: Engine,
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

async function note(engine: Engine, tx: Tx, { merchantId, batchId, by }: BatchKey & ByHand, noted: Noted) {
  await record(engine, tx, [{ ...noted, by, merchantId, subject: batchId }]);
}
