// Operators' notifications. Each is stored durably before it is answered. Only an authenticated message moves money;
// any other is a hint that brings the enquiry forward.
import { randomUUID } from 'node:crypto';
import type { Connector, NotificationReading, RawNotification } from '../connectors/port.ts';
import type { PaymentKey } from '../domain/payment.ts';
import { findAttemptByReference } from '../store/attempts.ts';
import { inTransaction } from '../store/database.ts';
import { keepBalance } from '../store/operator-balances.ts';
import {
  findNotification,
  insertNotification,
  listUnappliedNotifications,
  markNotificationApplied,
  type StoredNotification,
} from '../store/notifications.ts';
import { advance, type Advance } from './advance.ts';
import { confirm } from './confirm.ts';
import type { Engine } from './engine.ts';
import { isNotificationSecret, isReference } from './reference.ts';
import { later } from './schedule.ts';

/** A notification as it came in. */
export type IncomingNotification = {
  readonly connector: Connector;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly pathReference?: string;
  readonly pathSecret?: string;
  readonly pathTopic?: string;
  readonly pathProvider?: string;
};

/** Stores a notification. Once this has answered, its effect can no longer be lost. */
export async function storeNotification(
  engine: Engine,
  incoming: IncomingNotification,
): Promise<StoredNotification> {
  const receivedAt = engine.clock.now();
  const raw = rawNotification(engine, incoming, receivedAt);
  const reading = await read(incoming.connector, raw);
  engine.observer.notified(incoming.connector.name, isForged(reading, raw) ? 'FORGED' : reading.type);
  const stored: StoredNotification = {
    notificationId: randomUUID(),
    connector: incoming.connector.name,
    receivedAt,
    message: JSON.stringify({ ...raw, body: raw.body.toString('base64') }),
    reading: reading.type,
    reference: referenceIn(reading, raw),
  };
  await inTransaction(engine.store.database, (tx) => insertNotification(tx, engine.store.keyring, stored));
  return stored;
}

/** Gives a stored notification its effect. Doing it twice is harmless. */
export async function applyNotification(engine: Engine, stored: StoredNotification): Promise<void> {
  const since = performance.now();
  const connector = engine.connectors.get(stored.connector);
  if (connector === undefined) throw new Error(`connector ${stored.connector} is not configured`);
  const raw = rawOfStored(stored);
  const reading = await read(connector, raw);
  if (reading.type === 'BALANCE' || isForged(reading, raw)) {
    if (reading.type === 'BALANCE') {
      await keepBalance(engine.store.database, { ...reading, toldAt: stored.receivedAt });
    }
    return markNotificationApplied(engine.store.database, stored.notificationId, engine.clock.now());
  }
  const attempt =
    stored.reference === null ? null : await findAttemptByReference(engine.store.database, stored.reference);
  // An operator that speaks of an attempt we do not have knows more than we do: after a restore, say. It waits.
  if (attempt === null && stored.reading === 'AUTHENTIC') return;
  if (attempt !== null) {
    const event = eventOf(attempt, reading);
    const message: Advance = { ...event, fromConnector: stored.connector, mustBeConfirmed: true };
    const [advanced] = await advance(engine, [message]);
    // What could not be confirmed is taken up again by the sweep.
    const isYoung = engine.clock.now() < later(stored.receivedAt, CONFIRM_WITHIN_MS);
    if ((await confirm(engine, message, advanced, isYoung ? 'WAIT' : 'BELIEVE')) === 'LATER') return;
    const attributes = { connector: stored.connector, reading: stored.reading };
    engine.tracer.record({ key: attempt, name: 'notification', since, attributes });
  }
  await markNotificationApplied(engine.store.database, stored.notificationId, engine.clock.now());
}

/** An operator that never says clearly whether its message still holds is believed after this time. */
const CONFIRM_WITHIN_MS = 3_600_000;

/** Takes up notifications whose effect a crash prevented. Answers how many. */
export async function applyForgottenNotifications(
  engine: Engine,
  options: {
    readonly before: Date;
    readonly countMax: number;
    readonly onError: (error: unknown) => void;
  },
): Promise<number> {
  const { database, keyring } = engine.store;
  let applied = 0;
  for (const notificationId of await listUnappliedNotifications(database, options)) {
    try {
      const notification = await findNotification(database, keyring, notificationId);
      if (notification !== null) await applyNotification(engine, notification);
      applied += 1;
    } catch (error) {
      // One that cannot be read or applied must not keep back those behind it.
      options.onError(error);
    }
  }
  return applied;
}

function eventOf(key: PaymentKey, reading: NotificationReading): Advance {
  const { merchantId, kind, paymentId } = key;
  const of = { key: { merchantId, kind, paymentId } };
  if (reading.type !== 'AUTHENTIC') return { ...of, event: { type: 'HINTED' } };
  const { outcome, evidence } = reading;
  return { ...of, event: { type: 'OPERATOR_ANSWERED', outcome }, evidence };
}

function rawNotification(engine: Engine, incoming: IncomingNotification, receivedAt: Date): RawNotification {
  const { body, headers, pathReference, pathSecret, pathTopic, pathProvider } = incoming;
  const pathSecretIsGenuine =
    pathReference !== undefined &&
    pathSecret !== undefined &&
    isNotificationSecret(engine.referenceKey, pathReference, pathSecret);
  return {
    body,
    headers,
    ...(pathReference === undefined ? {} : { pathReference }),
    ...(pathTopic === undefined ? {} : { pathTopic }),
    ...(pathProvider === undefined ? {} : { pathProvider }),
    pathSecretIsGenuine,
    receivedAt,
  };
}

function rawOfStored(stored: StoredNotification): RawNotification {
  const message = JSON.parse(stored.message) as Omit<RawNotification, 'body'> & { readonly body: string };
  return { ...message, body: Buffer.from(message.body, 'base64'), receivedAt: stored.receivedAt };
}

/** A connector without notifications can still be hinted at by path. One that throws has not read the message. */
async function read(connector: Connector, raw: RawNotification): Promise<NotificationReading> {
  const hint: NotificationReading =
    raw.pathReference === undefined ? { type: 'UNREADABLE' } : { type: 'HINT', reference: raw.pathReference };
  if (connector.notifications === undefined) return hint;
  try {
    return await connector.notifications.read(raw);
  } catch {
    return hint;
  }
}

/**
 * Whoever puts a wrong secret into a path has made it up, and so has whoever fails what the operator signs with. Such a
 * message is counted and kept, and that is all: it must not even make us ask, or anybody could use up our calls.
 */
function isForged(reading: NotificationReading, raw: RawNotification): boolean {
  if (reading.type !== 'HINT') return false;
  return reading.isForged === true || (raw.pathReference !== undefined && !raw.pathSecretIsGenuine);
}

/** What the operator wants to hear once its message is stored. */
export function acknowledgementOf(engine: Engine, incoming: IncomingNotification): object {
  const { notifications } = incoming.connector;
  return notifications?.acknowledge?.(rawNotification(engine, incoming, engine.clock.now())) ?? {};
}

/** Kept in the open to find the attempt by, so only what has the shape of our references is kept. */
function referenceIn(reading: NotificationReading, raw: RawNotification): string | null {
  const reference = reading.type === 'UNREADABLE' ? raw.pathReference : reading.reference;
  return reference !== undefined && isReference(reference) ? reference : null;
}
