// Authentic messages about references that are not ours: a list for people, who can dismiss what they have looked into.
import { inTransaction } from '../../../store/database.ts';
import { dismissUnmatched } from '../../../store/payments/notifications/unmatched-notifications.ts';
import { record, type Actor } from '../../audit.ts';
import type { TimedStore } from '../../engine.ts';

/** False where there is no such message, or it has ended. */
export async function dismissNotification(
  engine: TimedStore,
  { by, notificationId }: Actor & { readonly notificationId: string },
): Promise<boolean> {
  return inTransaction(engine.store.database, async (tx) => {
    const dismissed = await dismissUnmatched(tx, notificationId, await engine.clock.timeOf(tx));
    if (dismissed === null) return false;
    const { connector, reference } = dismissed;
    const entry = { by, act: 'NOTIFICATION_DISMISSED', merchantId: null, subject: notificationId } as const;
    await record(engine, tx, [{ ...entry, detail: { connector, reference } }]);
    return true;
  });
}
