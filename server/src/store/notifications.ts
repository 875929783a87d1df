// Operators' notifications, stored raw before they are answered.
import type { NotificationReading } from '../connectors/port.ts';
import type { Tx } from './database.ts';
import { HOUSE, type Keyring } from './sealing.ts';

export type StoredNotification = {
  readonly notificationId: string;
  readonly connector: string;
  readonly receivedAt: Date;
  /** The raw message with its headers and path facts, as JSON. */
  readonly message: string;
  readonly reading: NotificationReading['type'];
  readonly reference: string | null;
};

export async function insertNotification(
  tx: Tx,
  keyring: Keyring,
  notification: StoredNotification,
): Promise<void> {
  await tx.query(
    `insert into operator_notifications (notification_id, connector, received_at, sealed_message, reading, reference)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      notification.notificationId,
      notification.connector,
      notification.receivedAt,
      keyring.seal(identityOf(notification.notificationId), notification.message),
      notification.reading,
      notification.reference,
    ],
  );
}

export async function markNotificationApplied(tx: Tx, notificationId: string, now: Date): Promise<void> {
  await tx.query('update operator_notifications set applied_at = $2 where notification_id = $1', [
    notificationId,
    now,
  ]);
}

/** Notifications whose effect a crash prevented, the oldest first. */
export async function listUnappliedNotifications(
  tx: Tx,
  options: { readonly before: Date; readonly countMax: number },
): Promise<readonly string[]> {
  const { rows } = await tx.query<{ notification_id: string }>(
    `select notification_id from operator_notifications
     where applied_at is null and received_at <= $1 order by received_at limit $2`,
    [options.before, options.countMax],
  );
  return rows.map((row) => row.notification_id);
}

export async function findNotification(
  tx: Tx,
  keyring: Keyring,
  notificationId: string,
): Promise<StoredNotification | null> {
  const { rows } = await tx.query<{
    connector: string;
    received_at: Date;
    sealed_message: Buffer;
    reading: NotificationReading['type'];
    reference: string | null;
  }>(
    `select connector, received_at, sealed_message, reading, reference from operator_notifications
     where notification_id = $1`,
    [notificationId],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    notificationId,
    connector: row.connector,
    receivedAt: row.received_at,
    message: keyring.open(identityOf(notificationId), row.sealed_message).toString(),
    reading: row.reading,
    reference: row.reference,
  };
}

function identityOf(notificationId: string) {
  return { merchantId: HOUSE, row: `operator_notifications/${notificationId}` };
}
