// Where an operator's notification belongs. Its reference says: by the attempt, which a merchant that moved away leaves
// behind for this, or by the home that it carries.
import type { RawNotification } from '../../../connectors/port.ts';
import { listAttemptsByReference } from '../../../store/payments/attempts.ts';
import type { StoredNotification } from '../../../store/payments/notifications/notifications.ts';
import { cellsThatCanTell } from '../../access/authenticate.ts';
import type { Engine } from '../../engine.ts';
import { notificationSecret } from '../../operators/reference.ts';
import { rawOfStored } from './read-notification.ts';

export type NotificationPlace =
  | { readonly type: 'HERE' }
  /** One of these knows the attempt, or none does. */
  | { readonly type: 'OTHER_CELL'; readonly cells: readonly string[] }
  /** Another cell asked, and it is not here. */
  | { readonly type: 'NOT_KNOWN' };

export async function placeOfNotification(
  engine: Engine,
  reference: string | null,
  { isForwarded }: { readonly isForwarded: boolean },
): Promise<NotificationPlace> {
  if (reference === null) return { type: 'HERE' };
  const [attempt] = await listAttemptsByReference(engine.store.database, [reference]);
  if (attempt !== undefined) {
    const place = await engine.cellAssignments.of(attempt.merchantId);
    return place.type === 'OTHER_CELL' ? { type: 'OTHER_CELL', cells: [place.cell] } : { type: 'HERE' };
  }
  const home = reference.slice(0, 4);
  const cells = await cellsThatCanTell(engine, home, isForwarded);
  if (cells.length > 0) return { type: 'OTHER_CELL', cells };
  return isForwarded && home !== engine.home ? { type: 'NOT_KNOWN' } : { type: 'HERE' };
}

/**
 * Hands on a notification that was stored here, and whose merchant has moved away since. Answers whether the other cell
 * has taken it.
 */
export async function passOnNotification(
  engine: Engine,
  stored: StoredNotification,
  merchantId: string,
): Promise<boolean> {
  const place = await engine.cellAssignments.of(merchantId, { isFresh: true });
  if (place.type !== 'OTHER_CELL') return false;
  const message = rawOfStored(stored);
  const answer = await engine.forwarder.forward(place.cell, {
    method: 'POST',
    path: pathOf(engine, stored, message),
    rawHeaders: Object.entries(message.headers).flatMap(([name, value]) => [name, value ?? '']),
    body: message.body,
    hops: 0,
  });
  return answer.type === 'ANSWERED' && answer.status < 300;
}

/** The secret of a path is not kept; it follows from the reference. */
function pathOf(
  { referenceKey }: Engine,
  { connector }: StoredNotification,
  message: RawNotification,
): string {
  const path = `/operators/${connector}/notifications`;
  const { pathReference, pathTopic, pathProvider } = message;
  if (pathProvider !== undefined) return `${path}/of/${encodeURIComponent(pathProvider)}`;
  if (pathReference === undefined || !message.pathSecretIsGenuine) return path;
  const topic = pathTopic === undefined ? '' : `/${encodeURIComponent(pathTopic)}`;
  return `${path}/${pathReference}/${notificationSecret(referenceKey, pathReference)}${topic}`;
}
