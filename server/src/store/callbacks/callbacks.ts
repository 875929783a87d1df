// Callbacks are a queue of their own, fair by endpoint: the worker that holds an endpoint queue takes its callbacks and
// records attempts.
import { isFinal } from '../../domain/payments/lifecycle.ts';
import type { OperationKey, PaymentState } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { derivedUuid } from '../derived-uuid.ts';
import { timedUuid } from '../timed-uuid.ts';
import type { Column } from '../columns.ts';
import { paymentKeyColumns, unnested, valuesOf } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type NewCallback = OperationKey & { readonly announcedState: PaymentState; readonly createdAt: Date };

const newCallbackColumns: readonly Column<NewCallback>[] = [
  ...paymentKeyColumns,
  ['callback_id', 'uuid', (callback) => timedUuid(callback.createdAt)],
  ['announced_state', 'payment_state', (callback) => callback.announcedState],
  ['created_at', 'timestamptz', (callback) => callback.createdAt],
];

/** Writes callbacks where the merchant has an endpoint for the kind; the others get none. Answers how many. */
export async function insertCallbacks(tx: Tx, callbacks: readonly NewCallback[]): Promise<number> {
  if (callbacks.length === 0) return 0;
  const { rowCount } = await tx.query(
    `insert into callbacks (merchant_id, kind, payment_id, callback_id, announced_state, created_at, due_at,
       endpoint_id, status)
     select c.merchant_id, c.kind, c.payment_id, c.callback_id, c.announced_state, c.created_at, c.created_at,
       e.endpoint_id, 'PENDING'
     from ${unnested(newCallbackColumns)} as c (${newCallbackColumns.map(([name]) => name).join(', ')})
     join callback_endpoints e on e.merchant_id = c.merchant_id and e.kind = c.kind and e.disabled_at is null`,
    valuesOf(newCallbackColumns, callbacks),
  );
  return rowCount ?? 0;
}

/** What these payments had still to announce is overtaken by their end. */
export async function abandonCallbacks(tx: Tx, keys: readonly OperationKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(
    `update callbacks set status = 'ABANDONED'
     where (merchant_id, kind, payment_id) in (select * from ${unnested(paymentKeyColumns)}) and status = 'PENDING'`,
    valuesOf(paymentKeyColumns, keys),
  );
}

export type DueCallback = OperationKey & {
  readonly callbackId: string;
  readonly endpointId: string;
  readonly url: string;
  /** Nothing is sent to this address any more: the callback is to be given up. */
  readonly isSwitchedOff: boolean;
  readonly announcedState: PaymentState;
  readonly attemptCount: number;
  readonly createdAt: Date;
  /** Null before the first attempt. */
  readonly encryptedBody: Buffer | null;
};

export type DueRow = {
  merchant_id: string;
  kind: OperationKey['kind'];
  payment_id: string;
  callback_id: string;
  endpoint_id: string;
  url: string;
  is_switched_off: boolean;
  announced_state: PaymentState;
  attempt_count: number;
  created_at: Date;
  encrypted_body: Buffer | null;
};

export function dueCallbackOf(row: DueRow): DueCallback {
  return {
    merchantId: row.merchant_id,
    kind: row.kind,
    paymentId: row.payment_id,
    callbackId: row.callback_id,
    endpointId: row.endpoint_id,
    url: row.url,
    isSwitchedOff: row.is_switched_off,
    announcedState: row.announced_state,
    attemptCount: row.attempt_count,
    createdAt: row.created_at,
    encryptedBody: row.encrypted_body,
  };
}

export type Announced = OperationKey & { readonly announcedState: PaymentState };

/**
 * What a callback is about: the same for every attempt and every repetition, so that receivers can tell repeats. A
 * payment ends once; on its way it can announce one state several times, each time with news of its own.
 */
export function eventIdOf(callback: Announced & { readonly callbackId: string }): string {
  const name = announcementName(callback);
  return derivedUuid(isFinal(callback.announcedState) ? name : `${name}/${callback.callbackId}`);
}

function announcementName({ merchantId, kind, paymentId, announcedState }: Announced): string {
  return `callback/${merchantId}/${kind}/${paymentId}/${announcedState}`;
}

/** An endpoint queue that its holder wants more callbacks of. */
export type Wish = {
  readonly endpointId: string;
  readonly countMax: number;
  /** Those the holder has in hand. */
  readonly except: readonly string[];
};

const wishColumns: readonly Column<Wish>[] = [
  ['endpoint_id', 'uuid', (wish) => wish.endpointId],
  ['count_max', 'int', (wish) => wish.countMax],
];

/** The next due callbacks of held endpoint queues, those that are due longest first. */
export async function listDueCallbacks(
  tx: Tx,
  wishes: readonly Wish[],
  now: Date,
): Promise<readonly DueCallback[]> {
  const { rows } = await tx.query<DueRow>(
    `select due.*, e.url, e.disabled_at is not null as is_switched_off
     from ${unnested(wishColumns)} as wish (endpoint_id, count_max)
     join callback_endpoints e using (endpoint_id)
     cross join lateral (
       select merchant_id, kind, payment_id, callback_id, endpoint_id, announced_state, attempt_count, created_at,
         encrypted_body
       from callbacks c where c.endpoint_id = wish.endpoint_id and c.status = 'PENDING' and c.due_at <= $3
         and c.callback_id <> all ($4::uuid[])
       order by c.due_at limit wish.count_max) due`,
    [...valuesOf(wishColumns, wishes), now, wishes.flatMap(({ except }) => except)],
  );
  return rows.map(dueCallbackOf);
}

export type RenderedCallback = { readonly callback: DueCallback; readonly body: string };

type EncryptedRendered = { readonly callback: DueCallback; readonly encryptedBody: Buffer };

const bodyColumns: readonly Column<EncryptedRendered>[] = [
  ['merchant_id', 'uuid', ({ callback }) => callback.merchantId],
  ['callback_id', 'uuid', ({ callback }) => callback.callbackId],
  ['encrypted_body', 'bytea', ({ encryptedBody }) => encryptedBody],
];

/** Keeps bodies before they are first sent. Answers each callback with the body that counts: the first one. */
export async function keepBodies(
  tx: Tx,
  keyring: Keyring,
  rendered: readonly RenderedCallback[],
): Promise<readonly DueCallback[]> {
  if (rendered.length === 0) return [];
  const rows = rendered.map(({ callback, body }) => ({
    callback,
    encryptedBody: encryptBody(keyring, callback, body),
  }));
  const kept = await tx.query<{ callback_id: string; encrypted_body: Buffer }>(
    `update callbacks c set encrypted_body = coalesce(c.encrypted_body, d.encrypted_body)
     from ${unnested(bodyColumns)} as d (${bodyColumns.map(([name]) => name).join(', ')})
     where c.merchant_id = d.merchant_id and c.callback_id = d.callback_id
     returning c.callback_id, c.encrypted_body`,
    valuesOf(bodyColumns, rows),
  );
  const bodies = new Map(kept.rows.map((row) => [row.callback_id, row.encrypted_body]));
  return rendered.map(({ callback }) => ({
    ...callback,
    encryptedBody: bodies.get(callback.callbackId) ?? null,
  }));
}

export function encryptBody(keyring: Keyring, announced: Announced, body: string): Buffer {
  return keyring.encrypt(bodyIdentity(announced), body);
}

/** The exact text to send; null before it was kept. */
export function openBody(
  keyring: Keyring,
  callback: Announced & Pick<DueCallback, 'encryptedBody'>,
): string | null {
  if (callback.encryptedBody === null) return null;
  return keyring.open(bodyIdentity(callback), callback.encryptedBody).toString();
}

/** Bound to what is announced and not to the row: a repetition takes the body over as it is. */
export function bodyIdentity(callback: Announced) {
  return {
    merchantId: callback.merchantId,
    row: `callback-bodies/${derivedUuid(announcementName(callback))}`,
  };
}

export type Delivery = {
  readonly callback: DueCallback;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  /** The first bytes of the answer. */
  readonly answer: Buffer | null;
  /** What becomes of the callback; when it stays PENDING, the time of its next attempt. */
  readonly status: 'PENDING' | 'DELIVERED' | 'ABANDONED';
  readonly dueAt: Date;
};

type EncryptedDelivery = Delivery & { readonly encryptedAnswer: Buffer | null };

const deliveryColumns: readonly Column<EncryptedDelivery>[] = [
  ['merchant_id', 'uuid', (delivery) => delivery.callback.merchantId],
  ['callback_id', 'uuid', (delivery) => delivery.callback.callbackId],
  ['attempt_no', 'int', (delivery) => delivery.callback.attemptCount + 1],
  ['started_at', 'timestamptz', (delivery) => delivery.startedAt],
  ['duration_ms', 'int', (delivery) => delivery.durationMs],
  ['http_status', 'int', (delivery) => delivery.httpStatus],
  ['error_code', 'text', (delivery) => delivery.errorCode],
  ['encrypted_answer', 'bytea', (delivery) => delivery.encryptedAnswer],
  ['status', 'text', (delivery) => delivery.status],
  ['due_at', 'timestamptz', (delivery) => delivery.dueAt],
];

/**
 * Records what came of deliveries: the attempt's row, and what becomes of the callback. One statement, because this is
 * the most frequent write of a busy worker. A callback that another run delivered meanwhile stays delivered.
 */
export async function recordDeliveries(
  tx: Tx,
  keyring: Keyring,
  deliveries: readonly Delivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map((delivery) => encrypted(keyring, delivery));
  await tx.query(
    `with d as (
       select * from ${unnested(deliveryColumns)} as d (${deliveryColumns.map(([name]) => name).join(', ')})),
     attempts as (
       insert into callback_attempts (merchant_id, callback_id, attempt_no, started_at, duration_ms, http_status,
         error_code, encrypted_answer)
       select merchant_id, callback_id, attempt_no, started_at, duration_ms, http_status, error_code, encrypted_answer
       from d on conflict do nothing)
     update callbacks c
     set attempt_count = greatest(c.attempt_count, d.attempt_no), status = d.status, due_at = d.due_at
     from d where c.merchant_id = d.merchant_id and c.callback_id = d.callback_id and c.status = 'PENDING'`,
    valuesOf(deliveryColumns, rows),
  );
}

function encrypted(keyring: Keyring, delivery: Delivery): EncryptedDelivery {
  const { answer, callback } = delivery;
  const attempt = { ...callback, attemptNo: callback.attemptCount + 1 };
  const isEmpty = answer === null || answer.length === 0;
  return { ...delivery, encryptedAnswer: isEmpty ? null : keyring.encrypt(answerIdentity(attempt), answer) };
}

/** What an answer is encrypted as. */
export function answerIdentity(attempt: {
  readonly merchantId: string;
  readonly callbackId: string;
  readonly attemptNo: number;
}) {
  return {
    merchantId: attempt.merchantId,
    row: `callback_attempts/${attempt.callbackId}/${attempt.attemptNo}`,
  };
}
