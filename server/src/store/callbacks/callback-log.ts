// Callbacks and their attempts, to be looked at: what was sent when, and what came back.
import type { OperationKey, PaymentState } from '../../domain/payments/payment.ts';
import { answerIdentity, openBody, type DueCallback } from './callbacks.ts';
import type { Tx } from '../database.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type LoggedCallback = Pick<
  DueCallback,
  'merchantId' | 'callbackId' | 'kind' | 'paymentId' | 'announcedState' | 'attemptCount' | 'createdAt'
> & { readonly status: string; readonly dueAt: Date };

type CallbackRow = {
  merchant_id: string;
  callback_id: string;
  kind: OperationKey['kind'];
  payment_id: string;
  announced_state: PaymentState;
  attempt_count: number;
  created_at: Date;
  status: string;
  due_at: Date;
  encrypted_body: Buffer | null;
};

/** The newest first. */
export async function listCallbacks(
  tx: Tx,
  query: { readonly merchantId: string; readonly paymentId: string | null; readonly countMax: number },
): Promise<readonly LoggedCallback[]> {
  const { rows } = await tx.query<CallbackRow>(
    `select merchant_id, callback_id, kind, payment_id, announced_state, attempt_count, created_at, status, due_at
     from callbacks where merchant_id = $1 and ($2::uuid is null or payment_id = $2)
     order by created_at desc limit $3`,
    [query.merchantId, query.paymentId, query.countMax],
  );
  return rows.map(callbackOf);
}

export type LoggedAttempt = {
  readonly attemptNo: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  /** The first bytes of the answer, as far as they are text. */
  readonly answer: string | null;
};

export type OpenedCallback = LoggedCallback & {
  /** Null before the first attempt. */
  readonly body: string | null;
  readonly attempts: readonly LoggedAttempt[];
};

/** With body and answers, which name people: the merchant's data key must be loaded. */
export async function openCallback(
  tx: Tx,
  keyring: Keyring,
  { merchantId, callbackId }: { readonly merchantId: string; readonly callbackId: string },
): Promise<OpenedCallback | null> {
  const { rows } = await tx.query<CallbackRow>(
    'select * from callbacks where merchant_id = $1 and callback_id = $2',
    [merchantId, callbackId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const callback = callbackOf(row);
  return {
    ...callback,
    body: openBody(keyring, { ...callback, encryptedBody: row.encrypted_body }),
    attempts: await openAttempts(tx, keyring, callback),
  };
}

async function openAttempts(
  tx: Tx,
  keyring: Keyring,
  { merchantId, callbackId }: LoggedCallback,
): Promise<readonly LoggedAttempt[]> {
  const { rows } = await tx.query<{
    attempt_no: number;
    started_at: Date;
    duration_ms: number;
    http_status: number | null;
    error_code: string | null;
    encrypted_answer: Buffer | null;
  }>(
    `select attempt_no, started_at, duration_ms, http_status, error_code, encrypted_answer from callback_attempts
     where merchant_id = $1 and callback_id = $2 order by attempt_no`,
    [merchantId, callbackId],
  );
  return rows.map((row) => {
    const identity = answerIdentity({ merchantId, callbackId, attemptNo: row.attempt_no });
    return {
      attemptNo: row.attempt_no,
      startedAt: row.started_at,
      durationMs: row.duration_ms,
      httpStatus: row.http_status,
      errorCode: row.error_code,
      answer: row.encrypted_answer === null ? null : keyring.open(identity, row.encrypted_answer).toString(),
    };
  });
}

function callbackOf(row: CallbackRow): LoggedCallback {
  return {
    merchantId: row.merchant_id,
    callbackId: row.callback_id,
    kind: row.kind,
    paymentId: row.payment_id,
    announcedState: row.announced_state,
    attemptCount: row.attempt_count,
    createdAt: row.created_at,
    status: row.status,
    dueAt: row.due_at,
  };
}
