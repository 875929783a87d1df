// Cancels what no operator has heard of, everything of a merchant or one payment. For the platform's people: together
// with a suspension nothing more of the merchant's money leaves, and a payment that was given back unsent, which its
// merchant cannot cancel, ends. What may have been sent is left to its operator's answer.
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { listUnsentOf, type UnsentPayment } from '../../store/payments/unsent-payments.ts';
import { listBatches, type Batch } from '../../store/payout-batches/payout-batches.ts';
import { advance } from '../payments/process/advance.ts';
import { cancelPayouts } from './approve-payouts.ts';
import type { Actor } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { MerchantInOtherCell } from '../cells/lock-merchant.ts';

/** As many with one transaction. */
const PAGE = 200;

const CANCELLED = { type: 'CANCELLED', unsentAs: 'MANUALLY_CANCELLED' } as const;

/** Answers how many were cancelled. Each has an entry in the audit log, with the reason. */
export async function cancelUnsent(
  engine: Engine,
  order: Actor & { readonly merchantId: string; readonly reason: string },
): Promise<number> {
  const { by, reason, merchantId } = order;
  await loadDataKeys(engine.store, [merchantId]);
  // First, so that no row becomes a payment behind our back.
  let count = await cancelBatches(engine, order);
  let after: UnsentPayment | null = null;
  for (;;) {
    const page = { merchantId, after, countMax: PAGE };
    const keys: readonly UnsentPayment[] = await listUnsentOf(engine.store.database, page);
    const advanced = await advance(
      engine,
      keys.map((key) => ({ key, event: CANCELLED, actor: { by, reason } })),
    );
    if (advanced.some(({ type }) => type === 'OTHER_CELL')) throw new MerchantInOtherCell(merchantId);
    count += advanced.filter(({ type }) => type === 'MOVE').length;
    after = keys.at(-1) ?? null;
    if (after === null) return count;
  }
}

/** One of them alone. Answers whether it was cancelled. */
export async function cancelUnsentPayment(
  engine: Engine,
  { by, reason, key }: Actor & { readonly key: PaymentKey; readonly reason: string },
): Promise<boolean> {
  await loadDataKeys(engine.store, [key.merchantId]);
  const [advanced] = await advance(engine, [{ key, event: CANCELLED, actor: { by, reason } }]);
  if (advanced?.type === 'OTHER_CELL') throw new MerchantInOtherCell(key.merchantId);
  return advanced?.type === 'MOVE';
}

/** Answers how many rows. Payouts that a batch has started already are payments. */
async function cancelBatches(
  engine: Engine,
  order: Actor & { readonly merchantId: string; readonly reason: string },
): Promise<number> {
  const { database, keyring } = engine.store;
  const { merchantId } = order;
  let count = 0;
  for (const status of ['SENDING', 'WAITING'] as const) {
    let beforeId: string | null = null;
    do {
      const page = { merchantId, status, beforeId, countMax: PAGE };
      const batches: readonly Batch[] = await listBatches(database, keyring, page);
      for (const { batchId } of batches) {
        const answer = await cancelPayouts(engine, { ...order, batchId });
        if (answer.type === 'DONE') count += answer.cancelledCount;
      }
      beforeId = batches.at(-1)?.batchId ?? null;
    } while (beforeId !== null);
  }
  return count;
}
