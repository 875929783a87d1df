// Whether one person is enough to send a batch of payouts.
import {
  ALONE_WINDOW_MS,
  needsSecondApprover,
  type ApprovalLimits,
} from '../../domain/payments/payout-batch.ts';
import type { Amount } from '../../domain/money.ts';
import type { Tx } from '../../store/database.ts';
import {
  listBatchSums,
  sumAlone,
  type Batch,
  type BatchSum,
} from '../../store/payout-batches/payout-batches.ts';
import type { Engine } from '../engine.ts';
import { readLimits } from './payout-limits.ts';
import { addMs } from '../../domain/time.ts';

/** A batch that needed a second approver when it was prepared always does; any other by the limits of now. */
export async function needsApprovalNow(
  { clock }: Pick<Engine, 'clock'>,
  tx: Tx,
  batch: Batch,
  hostLimits: ApprovalLimits,
): Promise<boolean> {
  if (batch.needsApproval) return true;
  const { merchantId, batchId: exceptBatchId } = batch;
  const since = addMs(await clock.timeOf(tx), -ALONE_WINDOW_MS);
  const alone = await sumAlone(tx, { merchantId, since, exceptBatchId });
  const limits = await readLimits(tx, merchantId, hostLimits);
  return needsSecondApprover(byCurrency(await listBatchSums(tx, batch)), { limits, alone });
}

export function byCurrency(
  sums: readonly Pick<BatchSum, 'currency' | 'amount'>[],
): ReadonlyMap<string, Amount> {
  const totals = new Map<string, Amount>();
  for (const { currency, amount } of sums) totals.set(currency, (totals.get(currency) ?? 0n) + amount);
  return totals;
}
