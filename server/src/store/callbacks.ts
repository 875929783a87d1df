// Callbacks are a queue of their own, fair by endpoint: deliverers lease lanes, and take a few callbacks from each.
import { randomUUID } from 'node:crypto';
import type { OperationKey, PaymentState } from '../domain/payment.ts';
import type { Tx } from './database.ts';
import { paymentKeyColumns, rowInserter, unnested, valuesOf, type Column } from './rows.ts';

export type NewCallback = OperationKey & { readonly announcedState: PaymentState; readonly createdAt: Date };

const newCallbackColumns: readonly Column<NewCallback>[] = [
  ...paymentKeyColumns,
  ['callback_id', 'uuid', () => randomUUID()],
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
  readonly announcedState: PaymentState;
  readonly attemptCount: number;
  readonly createdAt: Date;
};

type DueRow = {
  merchant_id: string;
  kind: OperationKey['kind'];
  payment_id: string;
  callback_id: string;
  endpoint_id: string;
  url: string;
  announced_state: PaymentState;
  attempt_count: number;
  created_at: Date;
};

/** Leases free lanes with due callbacks and takes a few from each. Nobody else delivers to a leased lane. */
export async function leaseDueCallbacks(
  tx: Tx,
  lease: {
    readonly now: Date;
    readonly leasedUntil: Date;
    readonly lanesMax: number;
    readonly callbacksPerLaneMax: number;
  },
): Promise<readonly DueCallback[]> {
  const { rows } = await tx.query<DueRow>(
    `with free as (
       select l.endpoint_id from callback_lanes l
       where l.leased_until <= $1 and l.paused_until <= $1 and exists (
         select 1 from callbacks c
         where c.endpoint_id = l.endpoint_id and c.status = 'PENDING' and c.due_at <= $1)
       order by l.leased_until limit $3 for update skip locked),
     leased as (
       update callback_lanes l set leased_until = $2 from free where l.endpoint_id = free.endpoint_id
       returning l.endpoint_id)
     select due.*, e.url from leased
     join callback_endpoints e using (endpoint_id)
     cross join lateral (
       select merchant_id, kind, payment_id, callback_id, endpoint_id, announced_state, attempt_count, created_at
       from callbacks c where c.endpoint_id = leased.endpoint_id and c.status = 'PENDING' and c.due_at <= $1
       order by c.due_at limit $4) due`,
    [lease.now, lease.leasedUntil, lease.lanesMax, lease.callbacksPerLaneMax],
  );
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    kind: row.kind,
    paymentId: row.payment_id,
    callbackId: row.callback_id,
    endpointId: row.endpoint_id,
    url: row.url,
    announcedState: row.announced_state,
    attemptCount: row.attempt_count,
    createdAt: row.created_at,
  }));
}

export type Delivery = {
  readonly callback: DueCallback;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  /** What becomes of the callback; when it stays PENDING, the time of its next attempt. */
  readonly status: 'PENDING' | 'DELIVERED' | 'ABANDONED';
  readonly dueAt: Date;
};

const insertAttemptRows = rowInserter<Delivery>(
  'callback_attempts',
  [
    ['merchant_id', 'uuid', (delivery) => delivery.callback.merchantId],
    ['callback_id', 'uuid', (delivery) => delivery.callback.callbackId],
    ['attempt_no', 'int', (delivery) => delivery.callback.attemptCount + 1],
    ['started_at', 'timestamptz', (delivery) => delivery.startedAt],
    ['duration_ms', 'int', (delivery) => delivery.durationMs],
    ['http_status', 'int', (delivery) => delivery.httpStatus],
    ['error_code', 'text', (delivery) => delivery.errorCode],
  ],
  'on conflict do nothing',
);

const deliveryColumns: readonly Column<Delivery>[] = [
  ['merchant_id', 'uuid', (delivery) => delivery.callback.merchantId],
  ['callback_id', 'uuid', (delivery) => delivery.callback.callbackId],
  ['attempt_count', 'int', (delivery) => delivery.callback.attemptCount + 1],
  ['status', 'text', (delivery) => delivery.status],
  ['due_at', 'timestamptz', (delivery) => delivery.dueAt],
];

/** Records what came of deliveries. A callback that another run delivered meanwhile stays delivered. */
export async function recordDeliveries(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await insertAttemptRows(tx, deliveries);
  await tx.query(
    `update callbacks c
     set attempt_count = greatest(c.attempt_count, d.attempt_count), status = d.status, due_at = d.due_at
     from ${unnested(deliveryColumns)} as d (${deliveryColumns.map(([name]) => name).join(', ')})
     where c.merchant_id = d.merchant_id and c.callback_id = d.callback_id and c.status = 'PENDING'`,
    valuesOf(deliveryColumns, deliveries),
  );
}

export type LaneRelease = {
  readonly endpointId: string;
  /** The end of the lease that is given back. */
  readonly leasedUntil: Date;
  readonly now: Date;
  readonly hasFailed: boolean;
};

/** Gives a lane back. A lease that ran out meanwhile belongs to somebody else, and is left alone. */
export async function releaseLane(tx: Tx, release: LaneRelease): Promise<void> {
  await tx.query(
    `update callback_lanes set leased_until = $3,
       failure_count = case when $4 then failure_count + 1 else 0 end
     where endpoint_id = $1 and leased_until = $2`,
    [release.endpointId, release.leasedUntil, release.now, release.hasFailed],
  );
}

/** The address said it is gone: nothing is sent there any more. An address set meanwhile is left alone. */
export async function disableEndpoint(
  tx: Tx,
  gone: { readonly endpointId: string; readonly url: string; readonly now: Date },
): Promise<void> {
  const { rowCount } = await tx.query(
    'update callback_endpoints set disabled_at = $3 where endpoint_id = $1 and url = $2',
    [gone.endpointId, gone.url, gone.now],
  );
  if (rowCount === 0) return;
  await tx.query(`update callbacks set status = 'ABANDONED' where endpoint_id = $1 and status = 'PENDING'`, [
    gone.endpointId,
  ]);
}
