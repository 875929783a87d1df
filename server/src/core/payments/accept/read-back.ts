// The outcome of identifiers when the answer to COMMIT was lost.
import { paymentKeyText, type OperationKey } from '../../../domain/payments/payment.ts';
import { inTransaction, leaveMark, type Tx } from '../../../store/database.ts';
import { listPaymentKeys, type TakenPaymentKey } from '../../../store/payments/payment-keys.ts';
import type { StorePart } from '../../engine.ts';

/** Taken identifiers by their lock order. */
export type TakenKeys = ReadonlyMap<string, TakenPaymentKey>;

export async function findTaken(tx: Tx, keys: readonly OperationKey[]): Promise<TakenKeys> {
  const taken = await listPaymentKeys(tx, keys);
  return new Map(taken.map((key) => [paymentKeyText(key), key]));
}

/**
 * The taken ones of these identifiers, read in a transaction that writes to the log and is committed without a warning,
 * so that what it saw is as durable as it is itself. None are known when no one can say so.
 */
export async function readBack(engine: StorePart, keys: readonly OperationKey[]): Promise<TakenKeys> {
  try {
    return await inTransaction(engine.store.database, async (tx) => {
      await leaveMark(tx);
      return findTaken(tx, keys);
    });
  } catch {
    return new Map();
  }
}

export type TakenAnswer =
  | { readonly type: 'ACCEPTED' | 'DUPLICATE_IGNORED'; readonly createdAt: Date }
  | { readonly type: 'UNKNOWN' };

/** What a request is told about its identifier: our own request id on the row says that it was us. */
export function answerOfTaken(key: OperationKey, paymentNo: string, taken: TakenKeys): TakenAnswer {
  const row = taken.get(paymentKeyText(key));
  if (row === undefined) return { type: 'UNKNOWN' };
  const type = row.paymentNo === paymentNo ? 'ACCEPTED' : 'DUPLICATE_IGNORED';
  return { type, createdAt: row.createdAt };
}
