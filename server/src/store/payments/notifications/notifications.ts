// Operators' notifications, stored raw before they are answered.
import type { NotificationReading } from '../../../connectors/port.ts';
import type { ProcessTime } from '../../../domain/clock.ts';
import { column, columns, type Row } from '../../columns.ts';
import type { Tx } from '../../database.ts';
import { rowInserter } from '../../rows.ts';
import { PLATFORM, type Keyring } from '../../encryption/encryption.ts';
import { firstTimedUuid } from '../../timed-uuid.ts';

const notifications = columns({
  notificationId: 'uuid',
  connector: 'text',
  receivedAt: 'timestamptz',
  encryptedMessage: 'bytea',
  reading: column<NotificationReading['type']>('text'),
  reference: 'text null',
});

export type StoredNotification = Omit<Row<typeof notifications>, 'encryptedMessage'> & {
  /** The raw message with its headers and path facts, as JSON. */
  readonly message: string;
  /** Ignored, and kept for a day as a sample. */
  readonly isDoubtful?: boolean;
};

const insertEncrypted = rowInserter(
  'operator_notifications',
  columns({ ...notifications.defs, isDoubtful: 'bool' }).cells,
);

export async function insertNotifications(
  tx: Tx,
  keyring: Keyring,
  received: readonly StoredNotification[],
): Promise<void> {
  await insertEncrypted(
    tx,
    received.map((notification) => ({
      isDoubtful: false,
      ...notification,
      encryptedMessage: keyring.encrypt(identityOf(notification.notificationId), notification.message),
    })),
  );
}

export async function markNotificationsApplied(
  tx: Tx,
  applied: readonly StoredNotification[],
  now: Date,
): Promise<void> {
  if (applied.length === 0) return;
  const ids = applied.map(({ notificationId }) => notificationId);
  await tx.query('update operator_notifications set applied_at = $2 where notification_id = any($1)', [
    ids,
    now,
  ]);
}

/** Notifications whose effect a crash prevented, the oldest first. */
export async function listUnappliedNotifications(
  tx: Tx,
  options: { readonly before: ProcessTime; readonly countMax: number },
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
  const tail = 'from operator_notifications where notification_id = $1';
  const found = await notifications.find(tx, tail, [notificationId]);
  if (found === null) return null;
  const { encryptedMessage, ...notification } = found;
  return {
    ...notification,
    message: keyring.openText(identityOf(notificationId), encryptedMessage),
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
