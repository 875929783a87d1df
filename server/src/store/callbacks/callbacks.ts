// Callbacks are a queue of their own, fair by endpoint: the worker that holds an endpoint queue takes its callbacks and
// records attempts.
import { isFinal } from '../../domain/payments/lifecycle.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { derivedUuid } from '../derived-uuid.ts';
import { timedUuid } from '../timed-uuid.ts';
import { column, columns, type Row } from '../columns.ts';
import { countChanged, operationKeys, unnested, valuesOf } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

const announced = columns({ ...operationKeys.defs, announcedState: 'payment_state' });

const newCallbacks = columns({
  ...announced.defs,
  /** Of a payment its number; of a split payment, a checkout or a statement its identifier. */
  subjectId: 'uuid',
  createdAt: 'timestamptz',
});
export type NewCallback = Row<typeof newCallbacks>;

const inserted = columns({ ...newCallbacks.defs, callbackId: 'uuid', encryptedBody: 'bytea null' }).cells;

/** One without a body gets it before it is first sent. */
export type RenderedNewCallback = NewCallback & { readonly encryptedBody?: Buffer | null };

/** Writes callbacks where the merchant has an endpoint for the kind; the others get none. Answers how many. */
export async function insertCallbacks(tx: Tx, callbacks: readonly RenderedNewCallback[]): Promise<number> {
  if (callbacks.length === 0) return 0;
  return countChanged(
    tx,
    `insert into callbacks (merchant_id, kind, payment_id, subject_id, callback_id, announced_state, created_at,
       due_at, endpoint_id, status, encrypted_body)
     select c.merchant_id, c.kind, c.payment_id, c.subject_id, c.callback_id, c.announced_state, c.created_at,
       c.created_at, e.endpoint_id, 'PENDING', c.encrypted_body
     from ${unnested(inserted, 'c')}
     join callback_endpoints e on e.merchant_id = c.merchant_id and e.kind = c.kind and e.disabled_at is null`,
    valuesOf(
      inserted,
      callbacks.map((callback) => ({
        encryptedBody: null,
        ...callback,
        callbackId: timedUuid(callback.createdAt),
      })),
    ),
  );
}

/** What these payments had still to announce is overtaken by their end. */
export async function abandonCallbacks(
  tx: Tx,
  payments: readonly Pick<Payment, 'paymentNo'>[],
): Promise<void> {
  if (payments.length === 0) return;
  await tx.query(
    `update callbacks set status = 'ABANDONED' where subject_id = any ($1::uuid[]) and status = 'PENDING'`,
    [payments.map(({ paymentNo }) => paymentNo)],
  );
}

const storedCallbacks = columns({
  ...newCallbacks.defs,
  callbackId: 'uuid',
  endpointId: 'uuid',
  attemptCount: 'int',
  /** Null where it is still to be made: it is kept before the first attempt. */
  encryptedBody: 'bytea null',
});
export const dueCallbacks = columns({
  ...storedCallbacks.defs,
  url: 'text',
  /** Nothing is sent to this address any more: the callback is to be given up. */
  isSwitchedOff: column<boolean>('bool', 'e.disabled_at is not null'),
});

export type DueCallback = Row<typeof dueCallbacks>;

/** Of each endpoint that is joined before as `held`, the callbacks that have been due longest. */
export function dueFrom(held: string, where: string, limit: string): string {
  return `join callback_endpoints e using (endpoint_id)
     cross join lateral (
       select ${storedCallbacks.namesIn('c')}
       from callbacks c where c.endpoint_id = ${held}.endpoint_id and c.status = 'PENDING' and ${where}
       order by c.due_at limit ${limit}) due`;
}

/** What is read of the endpoint. */
export const ADDRESSED = dueCallbacks.only('url', 'isSwitchedOff').namesIn('e');

export type Announced = Row<typeof announced>;

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

const wishes = columns({ endpointId: 'uuid', countMax: 'int' });

/** An endpoint queue that its holder wants more callbacks of. */
export type Wish = Row<typeof wishes> & {
  /** Those the holder has in hand. */
  readonly except: readonly string[];
};

/** The next due callbacks of held endpoint queues, those that are due longest first. */
export async function listDueCallbacks(
  tx: Tx,
  wanted: readonly Wish[],
  now: Date,
): Promise<readonly DueCallback[]> {
  return dueCallbacks.query(
    tx,
    `select due.*, ${ADDRESSED}
     from ${unnested(wishes.cells, 'wish')}
     ${dueFrom('wish', 'c.due_at <= $3 and c.callback_id <> all ($4::uuid[])', 'wish.count_max')}`,
    [...valuesOf(wishes.cells, wanted), now, wanted.flatMap(({ except }) => except)],
  );
}

export type RenderedCallback = { readonly callback: DueCallback; readonly body: string };

const bodies = columns({ callbackId: 'uuid', encryptedBody: 'bytea' });

/** Keeps bodies before they are first sent. Answers each callback with the body that counts: the first one. */
export async function keepBodies(
  tx: Tx,
  keyring: Keyring,
  rendered: readonly RenderedCallback[],
): Promise<readonly DueCallback[]> {
  if (rendered.length === 0) return [];
  const rows = rendered.map(({ callback, body }) => ({
    ...callback,
    encryptedBody: encryptBody(keyring, callback, body),
  }));
  const kept = await bodies.query(
    tx,
    `update callbacks c set encrypted_body = coalesce(c.encrypted_body, d.encrypted_body)
     from ${unnested(bodies.cells, 'd')}
     where c.callback_id = d.callback_id
     returning ${bodies.namesIn('c')}`,
    valuesOf(bodies.cells, rows),
  );
  const byId = new Map(kept.map(({ callbackId, encryptedBody }) => [callbackId, encryptedBody]));
  return rendered.map(({ callback }) => ({
    ...callback,
    encryptedBody: byId.get(callback.callbackId) ?? null,
  }));
}

export function encryptBody(keyring: Keyring, callback: Announced, body: string): Buffer {
  return keyring.encrypt(bodyIdentity(callback), body);
}

/** The exact text to send; null before it was kept. */
export function openBody(
  keyring: Keyring,
  callback: Announced & Pick<DueCallback, 'encryptedBody'>,
): string | null {
  return keyring.openText(bodyIdentity(callback), callback.encryptedBody);
}

/** Bound to what is announced and not to the row: a repetition takes the body over as it is. */
export function bodyIdentity(callback: Announced) {
  return {
    merchantId: callback.merchantId,
    row: `callback-bodies/${derivedUuid(announcementName(callback))}`,
  };
}

export const attempts = columns({
  attemptNo: 'int',
  startedAt: 'timestamptz',
  durationMs: 'int',
  httpStatus: 'int null',
  errorCode: 'text null',
  encryptedAnswer: 'bytea null',
});

/** The next status of the callback; when it stays PENDING, the time of its next attempt. */
const becomes = columns({
  status: column<'PENDING' | 'DELIVERED' | 'ABANDONED'>('text'),
  dueAt: 'timestamptz',
});

export type Delivery = Omit<Row<typeof attempts>, 'attemptNo' | 'encryptedAnswer'> &
  Row<typeof becomes> & {
    readonly callback: DueCallback;
    /** The first bytes of the answer. */
    readonly answer: Buffer | null;
  };

const deliveries = columns({ merchantId: 'uuid', callbackId: 'uuid', ...attempts.defs, ...becomes.defs });

/**
 * Records what came of deliveries: the attempt's row, and the next status of the callback. One statement, because this
 * is the most frequent write of a busy worker. A callback that another run delivered meanwhile stays delivered.
 */
export async function recordDeliveries(tx: Tx, keyring: Keyring, made: readonly Delivery[]): Promise<void> {
  if (made.length === 0) return;
  const rows = made.map((delivery) => encrypted(keyring, delivery));
  await tx.query(
    `with d as (select * from ${unnested(deliveries.cells, 'd')}),
     attempts as (
       insert into callback_attempts (merchant_id, callback_id, attempt_no, started_at, duration_ms, http_status,
         error_code, encrypted_answer)
       select merchant_id, callback_id, attempt_no, started_at, duration_ms, http_status, error_code, encrypted_answer
       from d on conflict do nothing)
     update callbacks c
     set attempt_count = greatest(c.attempt_count, d.attempt_no), status = d.status, due_at = d.due_at
     from d where c.callback_id = d.callback_id and c.status = 'PENDING'`,
    valuesOf(deliveries.cells, rows),
  );
}

function encrypted(keyring: Keyring, delivery: Delivery): Row<typeof deliveries> {
  const { answer, callback } = delivery;
  const attempt = { ...callback, attemptNo: callback.attemptCount + 1 };
  const isEmpty = answer === null || answer.length === 0;
  const encryptedAnswer = isEmpty ? null : keyring.encrypt(answerIdentity(attempt), answer);
  return { ...attempt, ...delivery, encryptedAnswer };
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
