// Sends the payouts of batches, a small lot at a time, through the same write path as every other payout. A lot is
// claimed, then initiated, then marked; a worker that dies between leaves claims that are sent again under the same
// identifiers, and initiate knows them by their request. Batches take turns.
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { listSuspended, type Merchant } from '../../store/merchants/merchants.ts';
import type { BatchRow } from '../../store/payout-batches/payout-batch-rows.ts';
import type { BatchKey } from '../../store/payout-batches/payout-batches.ts';
import {
  claimLot,
  findDueBatch,
  leaseBatch,
  lockLeasedBatch,
  markSent,
  settleBatch,
  type DueBatch,
  type SentRow,
} from '../../store/payout-batches/payout-lots.ts';
import type { Engine, StorePart } from '../engine.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import { initiate, type InitiationAnswer, type NotHere } from '../payments/accept/initiate.ts';
import type { DirectOrder } from '../payments/payment-request.ts';
import { addMs } from '../../domain/time.ts';

export type LotOptions = {
  readonly countMax: number;
  /** A lot whose worker does not come back is taken up by another after this. */
  readonly leaseMs: number;
  /** Told of a batch that cannot be sent now. It is tried again when its lease is over. */
  readonly onError: (error: unknown) => void;
};

/** Answers whether there was a batch to look after. */
export async function sendNextLot(engine: Engine, options: LotOptions): Promise<boolean> {
  const { database } = engine.store;
  const key = await findDueBatch(database, engine.clockCheck.notBehind(engine.clock.now()));
  if (key === null) return false;
  // Committed before anything of it is read: a batch that cannot be read stands back, and the others get their turn.
  const leasedUntil = await inMerchant(database, key.merchantId, async (tx) => {
    const now = await engine.clock.timeOf(tx);
    const until = addMs(now, options.leaseMs);
    return (await leaseBatch(tx, key, { now, until })) ? until : null;
  });
  if (leasedUntil === null) return true;
  try {
    await sendLot(engine, key, { countMax: options.countMax, leasedUntil });
  } catch (error) {
    options.onError(error);
  }
  return true;
}

type Leased = { readonly countMax: number; readonly leasedUntil: Date };

async function sendLot(engine: Engine, key: BatchKey, leased: Leased): Promise<void> {
  const merchant = await engine.directory.merchant(key.merchantId);
  if (merchant === null) throw new Error(`merchant ${key.merchantId} is not in the directory`);
  await loadDataKeys(engine.store, [key.merchantId]);
  const lot = await claim(engine, key, leased);
  if (lot === null) return;
  const orders = lot.rows.map((row) => orderOf(merchant, lot.batch, row));
  const answers = orders.length === 0 ? [] : await initiate(engine, orders);
  const sent = lot.rows.flatMap((row, index) => sentOf(row, answers[index]));
  await inMerchant(engine.store.database, key.merchantId, async (tx) => {
    await markSent(tx, key, sent);
    // What no one can say is asked again when the lease is over.
    if (sent.length === lot.rows.length) await settleBatch(tx, key, await engine.clock.timeOf(tx));
  });
}

type Lot = { readonly batch: DueBatch; readonly rows: readonly BatchRow[] };

/** Null where another worker has the batch by now, or its merchant is suspended. While locked no row is cancelled. */
async function claim(
  engine: StorePart,
  key: BatchKey,
  { countMax, leasedUntil }: Leased,
): Promise<Lot | null> {
  return inMerchant(engine.store.database, key.merchantId, async (tx) => {
    const batch = await lockLeasedBatch(tx, key, leasedUntil);
    if (batch === null || (await listSuspended(tx, [key.merchantId])).size > 0) return null;
    return { batch, rows: await claimLot(tx, engine.store.keyring, batch, countMax) };
  });
}

function orderOf(merchant: Merchant, { apiVersion }: DueBatch, row: BatchRow): DirectOrder {
  const { amountText, ...details } = row.order;
  return {
    kind: 'PAYOUT',
    merchant,
    apiVersion,
    paymentNo: row.paymentNo,
    writtenId: row.payoutId,
    amount: row.amount,
    amountText,
    currency: row.currency,
    provider: row.provider,
    details,
  };
}

/** An identifier that a request of another made a payout of is none of ours. */
function sentOf({ rowNo }: BatchRow, answer: InitiationAnswer | NotHere | undefined): readonly SentRow[] {
  switch (answer?.type) {
    case 'ACCEPTED':
      return [{ rowNo, failureCode: null }];
    case 'DUPLICATE_IGNORED':
      return [{ rowNo, failureCode: 'DUPLICATE_IDENTIFIER' }];
    case 'REJECTED':
    case 'NOT_ALLOWED':
      return [{ rowNo, failureCode: answer.reason.failureCode }];
    case 'UNKNOWN':
    case 'OTHER_CELL':
    case undefined:
      return [];
  }
}
