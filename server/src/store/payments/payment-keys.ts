// Identifiers permanently. Of any number of simultaneous requests with one identifier exactly one inserts its row.
import type { OperationKey } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { paymentKeyColumns, rowInserter, unnested, valuesOf } from '../rows.ts';

export type NewPaymentKey = OperationKey & {
  readonly createdAt: Date;
  readonly requestId: string;
  readonly fingerprint: Buffer;
};

export type TakenPaymentKey = OperationKey & { readonly createdAt: Date; readonly requestId: string };

const insertKeys = rowInserter<NewPaymentKey>(
  'payment_keys',
  [
    ...paymentKeyColumns,
    ['created_at', 'timestamptz', (key) => key.createdAt],
    ['request_id', 'uuid', (key) => key.requestId],
    ['fingerprint', 'bytea', (key) => key.fingerprint],
  ],
  'on conflict do nothing returning request_id',
);

/** Answers the request ids whose identifier was free; the others were taken before. */
export async function insertPaymentKeys(
  tx: Tx,
  keys: readonly NewPaymentKey[],
): Promise<ReadonlySet<string>> {
  const rows = await insertKeys<{ request_id: string }>(tx, keys);
  return new Set(rows.map((row) => row.request_id));
}

/** Frees identifiers again whose requests were rejected in the transaction that inserted them. */
export async function deletePaymentKeys(tx: Tx, keys: readonly OperationKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(
    `delete from payment_keys where (merchant_id, kind, payment_id) in (select * from ${unnested(paymentKeyColumns)})`,
    valuesOf(paymentKeyColumns, keys),
  );
}

export async function listPaymentKeys(
  tx: Tx,
  keys: readonly OperationKey[],
): Promise<readonly TakenPaymentKey[]> {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<{
    merchant_id: string;
    kind: OperationKey['kind'];
    payment_id: string;
    created_at: Date;
    request_id: string;
  }>(
    `select merchant_id, kind, payment_id, created_at, request_id from payment_keys
     where (merchant_id, kind, payment_id) in (select * from ${unnested(paymentKeyColumns)})`,
    valuesOf(paymentKeyColumns, keys),
  );
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    kind: row.kind,
    paymentId: row.payment_id,
    createdAt: row.created_at,
    requestId: row.request_id,
  }));
}
