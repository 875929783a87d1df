// Operators' notifications, stored raw before they are answered.
import type { NotificationReading } from '../../connectors/port.ts';
import type { Tx } from '../database.ts';
import { rowInserter } from '../rows.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';
import { firstTimedUuid } from '../timed-uuid.ts';

export type StoredNotification = {
  readonly notificationId: string;
  readonly connector: string;
  readonly receivedAt: Date;
  /** The raw message with its headers and path facts, as JSON. */
  readonly message: string;
  readonly reading: NotificationReading['type'];
  readonly reference: string | null;
  /** Ignored, and kept for a day as a sample. */
  readonly isDoubtful?: boolean;
};

type EncryptedNotification = StoredNotification & { readonly encryptedMessage: Buffer };

const insertEncrypted = rowInserter<EncryptedNotification>('operator_notifications', [
  ['notification_id', 'uuid', (notification) => notification.notificationId],
  ['connector', 'text', (notification) => notification.connector],
  ['received_at', 'timestamptz', (notification) => notification.receivedAt],
  ['encrypted_message', 'bytea', (notification) => notification.encryptedMessage],
  ['reading', 'text', (notification) => notification.reading],
  ['reference', 'text', (notification) => notification.reference],
  ['is_doubtful', 'bool', (notification) => notification.isDoubtful ?? false],
]);

export async function insertNotifications(
  tx: Tx,
  keyring: Keyring,
  notifications: readonly StoredNotification[],
): Promise<void> {
  await insertEncrypted(
    tx,
    notifications.map((notification) => ({
      ...notification,
      encryptedMessage: keyring.encrypt(identityOf(notification.notificationId), notification.message),
    })),
  );
}

export async function markNotificationsApplied(
  tx: Tx,
  notifications: readonly StoredNotification[],
  now: Date,
): Promise<void> {
  if (notifications.length === 0) return;
  const ids = notifications.map(({ notificationId }) => notificationId);
  await tx.query('update operator_notifications set applied_at = $2 where notification_id = any($1)', [
    ids,
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
     where applied_at is null and unmatched_at is null and received_at <= $1 order by received_at limit $2`,
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
    encrypted_message: Buffer;
    reading: NotificationReading['type'];
    reference: string | null;
  }>(
    `select connector, received_at, encrypted_message, reading, reference from operator_notifications
     where notification_id = $1`,
    [notificationId],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    notificationId,
    connector: row.connector,
    receivedAt: row.received_at,
    message: keyring.open(identityOf(notificationId), row.encrypted_message).toString(),
    reading: row.reading,
    reference: row.reference,
  };
}

/** What came about a reference after a time, the newest first. Found by the time in the identifiers. */
export async function listNotificationsSince(
  tx: Tx,
  keyring: Keyring,
  { reference, since }: { readonly reference: string; readonly since: Date },
): Promise<readonly StoredNotification[]> {
  const { rows } = await tx.query<{ notification_id: string }>(
    `select notification_id from operator_notifications
     where notification_id >= $1 and received_at > $2 and reference = $3 order by notification_id desc`,
    [firstTimedUuid(since), since, reference],
  );
  const found: StoredNotification[] = [];
  for (const { notification_id: id } of rows) {
    const notification = await findNotification(tx, keyring, id);
    if (notification !== null) found.push(notification);
  }
  return found;
}

function identityOf(notificationId: string) {
  return { merchantId: PLATFORM, row: `operator_notifications/${notificationId}` };
}
