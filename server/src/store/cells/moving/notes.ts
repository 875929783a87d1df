// Notes of payments that must be copied, or copied again, and what changes without a note.
import type { OperationKey } from '../../../domain/payments/payment.ts';
import { column, columns } from '../../columns.ts';
import type { Tx } from '../../database.ts';
import { isAmong, operationKeys, PAYMENT_NOS, paymentKeyColumns, valuesOf } from '../../rows.ts';

/** Notes those of these payments that are not final, and answers them: they are copied last, in the order of notes. */
export async function noteOpenPayments(
  tx: Tx,
  keys: readonly OperationKey[],
): Promise<readonly OperationKey[]> {
  return operationKeys.query(
    tx,
    `insert into moving_payments (merchant_id, kind, payment_id)
     select p.merchant_id, p.kind, p.payment_id from payments p
     where p.payment_no in ${PAYMENT_NOS} and p.state not in ('COMPLETED', 'FAILED')
     returning ${operationKeys.names}`,
    valuesOf(paymentKeyColumns, keys),
  );
}

const notes = columns({ noteNo: column<string>('text', 'note_no::text'), ...operationKeys.defs });

export type NotedChange = { readonly noteNo: string; readonly key: OperationKey };

export async function listNotes(
  tx: Tx,
  { merchantId, countMax }: { readonly merchantId: string; readonly countMax: number },
): Promise<readonly NotedChange[]> {
  const tail = 'from moving_payments where merchant_id = $1 order by moving_payments.note_no limit $2';
  const rows = await notes.select(tx, tail, [merchantId, countMax]);
  return rows.map(({ noteNo, ...key }) => ({ noteNo, key }));
}

/** Those of these payments that have a note. */
export async function listNoted(tx: Tx, keys: readonly OperationKey[]): Promise<readonly OperationKey[]> {
  return operationKeys.select(
    tx,
    `from moving_payments where ${isAmong(paymentKeyColumns)}`,
    valuesOf(paymentKeyColumns, keys),
  );
}

/** Exactly these: a change that is not yet committed has a note of its own. */
export async function deleteNotes(tx: Tx, done: readonly NotedChange[]): Promise<void> {
  await tx.query(
    `delete from moving_payments where (merchant_id, note_no) in (
       select * from unnest($1::uuid[], $2::bigint[]))`,
    [done.map(({ key }) => key.merchantId), done.map(({ noteNo }) => noteNo)],
  );
}

const pending = columns({ callbackId: 'uuid', attemptCount: 'int', ...operationKeys.defs });

export type PendingCallback = {
  readonly callbackId: string;
  readonly attemptCount: number;
  readonly key: OperationKey;
};

/**
 * What waits in a merchant's endpoint queues. Deliveries are not noted; they are found by comparing this with the
 * copy's.
 */
export async function listPendingCallbacks(tx: Tx, merchantId: string): Promise<readonly PendingCallback[]> {
  const rows = await pending.select(
    tx,
    `from callbacks
     where status = 'PENDING' and endpoint_id in (select endpoint_id from callback_endpoints where merchant_id = $1)`,
    [merchantId],
  );
  return rows.map(({ callbackId, attemptCount, ...key }) => ({ callbackId, attemptCount, key }));
}
