// Identifiers permanently. Of any number of simultaneous requests with one identifier exactly one inserts its row.
import type { OperationKey } from '../../domain/payments/payment.ts';
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isAmong, operationKeys, paymentKeyColumns, rowInserter, valuesOf } from '../rows.ts';

const newKeys = columns({
  ...operationKeys.defs,
  /** In the order of time; unique across cells. */
  paymentNo: 'uuid',
  createdAt: 'timestamptz',
  fingerprint: 'bytea',
});
const takenKeys = newKeys.without('fingerprint');

export type NewPaymentKey = Row<typeof newKeys>;
export type TakenPaymentKey = Row<typeof takenKeys>;

const insertKeys = rowInserter('payment_keys', newKeys.cells, 'on conflict do nothing returning payment_no');

/** Answers the numbers whose identifier was free; the others were taken before. */
export async function insertPaymentKeys(
  tx: Tx,
  keys: readonly NewPaymentKey[],
): Promise<ReadonlySet<string>> {
  const rows = await insertKeys<{ payment_no: string }>(tx, keys);
  return new Set(rows.map((row) => row.payment_no));
}

/** Frees identifiers again whose requests were rejected in the transaction that inserted them. */
export async function deletePaymentKeys(tx: Tx, keys: readonly OperationKey[]): Promise<void> {
  if (keys.length === 0) return;
  const text = `delete from payment_keys where ${isAmong(paymentKeyColumns)}`;
  await tx.query(text, valuesOf(paymentKeyColumns, keys));
}

export async function listPaymentKeys(
  tx: Tx,
  keys: readonly OperationKey[],
): Promise<readonly TakenPaymentKey[]> {
  if (keys.length === 0) return [];
  const tail = `from payment_keys where ${isAmong(paymentKeyColumns)}`;
  return takenKeys.select(tx, tail, valuesOf(paymentKeyColumns, keys));
}
