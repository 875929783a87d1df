// Batches of payouts as people look at them. Who is paid is masked, unless somebody asks, and asking is recorded.
import type { PaymentState } from '../../domain/payments/payment.ts';
import type { ApprovalLimits, BatchStatus } from '../../domain/payments/payout-batch.ts';
import { listApprovalsOf, type ActingPerson } from '../../store/approvals/approvals.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import { countStates, listBatchRows, type BatchRow } from '../../store/payout-batches/payout-batch-rows.ts';
import {
  findBatch,
  listBatches,
  listBatchSums,
  type Batch,
  type BatchKey,
  type BatchSum,
} from '../../store/payout-batches/payout-batches.ts';
import { openApproval, type ReadApproval } from '../approvals/read.ts';
import { record } from '../audit.ts';
import { withAvailable, type WalletSum } from './check-payouts.ts';
import type { Engine, StorePart, TimedStore } from '../engine.ts';
import { needsApprovalNow } from './one-person-rule.ts';

export type BatchView = Batch & {
  readonly sums: readonly WalletSum[];
  /** How many of its payouts are in which state. */
  readonly states: ReadonlyMap<PaymentState, number>;
  /** Of the preparer's request: pending, or approved. */
  readonly approval: ReadApproval<'PAYOUT_BATCH'> | null;
};

export async function readBatches(
  engine: TimedStore,
  page: {
    readonly merchantId: string;
    readonly status: BatchStatus | null;
    readonly beforeId: string | null;
    readonly countMax: number;
    readonly hostLimits: ApprovalLimits;
  },
): Promise<readonly (Batch & { readonly sums: readonly BatchSum[] })[]> {
  const { database, keyring } = engine.store;
  await loadDataKeys(engine.store, [page.merchantId]);
  const batches = await listBatches(database, keyring, page);
  return Promise.all(
    batches.map(async (batch) => ({
      ...(await asOfNow(engine, batch, page.hostLimits)),
      sums: await listBatchSums(database, batch),
    })),
  );
}

export async function readBatch(
  engine: Engine,
  merchant: Merchant,
  { batchId, hostLimits }: { readonly batchId: string; readonly hostLimits: ApprovalLimits },
): Promise<BatchView | null> {
  const { database, keyring } = engine.store;
  const key = { merchantId: merchant.merchantId, batchId };
  await loadDataKeys(engine.store, [key.merchantId]);
  const batch = await findBatch(database, keyring, key);
  if (batch === null) return null;
  const [sums, states] = await Promise.all([listBatchSums(database, key), countStates(database, key)]);
  const shown = await asOfNow(engine, batch, hostLimits);
  const of = { kind: 'PAYOUT_BATCH', merchantIds: [key.merchantId], subjects: [batchId] } as const;
  const found = (await listApprovalsOf(database, of)).get(batchId);
  const approval = found === undefined ? null : openApproval(engine, found);
  return { ...shown, sums: await withAvailable(engine, merchant, sums), states, approval };
}

/** A limit that was lowered counts for batches that still wait. */
async function asOfNow(engine: TimedStore, batch: Batch, hostLimits: ApprovalLimits): Promise<Batch> {
  if (batch.status !== 'WAITING') return batch;
  const { database } = engine.store;
  return { ...batch, needsApproval: await needsApprovalNow(engine, database, batch, hostLimits) };
}

/** Null where there is no such batch. */
export async function readBatchRows(
  engine: StorePart,
  page: BatchKey & { readonly afterNo: number; readonly countMax: number },
): Promise<readonly BatchRow[] | null> {
  const { database, keyring } = engine.store;
  await loadDataKeys(engine.store, [page.merchantId]);
  if ((await findBatch(database, keyring, page)) === null) return null;
  return listBatchRows(database, keyring, page);
}

/** In full: anyone who reads it is recorded, before anything is shown. */
export async function revealBatchRows(
  engine: TimedStore,
  order: Parameters<typeof readBatchRows>[1] & { readonly actor: ActingPerson },
): Promise<readonly BatchRow[] | null> {
  const { merchantId, batchId, actor, afterNo, countMax } = order;
  const rows = await readBatchRows(engine, order);
  if (rows === null) return null;
  const detail = { of: 'PAYOUT_BATCH', afterNo, countMax };
  await record(engine, engine.store.database, [
    { by: actor.by, act: 'PERSONAL_DATA_SHOWN', merchantId, subject: batchId, detail },
  ]);
  return rows;
}
