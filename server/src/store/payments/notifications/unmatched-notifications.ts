// Authentic messages about references for which there is no attempt: of another gateway at the same operator, or of
// payments that a restored database has lost. They wait apart from those that can be applied.
import { columns, type Row } from '../../columns.ts';
import type { Tx } from '../../database.ts';
import type { StoredNotification } from './notifications.ts';

export async function markUnmatched(
  tx: Tx,
  notifications: readonly Pick<StoredNotification, 'notificationId'>[],
  now: Date,
): Promise<void> {
  if (notifications.length === 0) return;
  await tx.query(
    `update operator_notifications set unmatched_at = coalesce(unmatched_at, $2)
     where notification_id = any($1) and applied_at is null`,
    [notifications.map(({ notificationId }) => notificationId), now],
  );
}

/** Those whose attempt has appeared since, the oldest first. */
export async function listMatchedSince(tx: Tx, countMax: number): Promise<readonly string[]> {
  const { rows } = await tx.query<{ notification_id: string }>(
    `select notification_id from operator_notifications n
     where applied_at is null and unmatched_at is not null
       and exists (select 1 from payment_attempts a where a.reference = n.reference)
     order by received_at, notification_id limit $1`,
    [countMax],
  );
  return rows.map((row) => row.notification_id);
}

const unmatched = columns({
  notificationId: 'uuid',
  connector: 'text',
  receivedAt: 'timestamptz',
  reference: 'text null',
});

export type UnmatchedNotification = Row<typeof unmatched>;

/** The oldest first. */
export async function listUnmatched(tx: Tx, countMax: number): Promise<readonly UnmatchedNotification[]> {
  return unmatched.select(
    tx,
    `from operator_notifications where applied_at is null and unmatched_at is not null
     order by received_at, notification_id limit $1`,
    [countMax],
  );
}

/** Ends it as if it had been applied. Null where there is no such message, or it has ended. */
export async function dismissUnmatched(
  tx: Tx,
  notificationId: string,
  now: Date,
): Promise<UnmatchedNotification | null> {
  const [dismissed] = await unmatched.query(
    tx,
    `update operator_notifications set applied_at = $2
     where notification_id = $1 and applied_at is null and unmatched_at is not null returning ${unmatched.names}`,
    [notificationId, now],
  );
  return dismissed ?? null;
}
