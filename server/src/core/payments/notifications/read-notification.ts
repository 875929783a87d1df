// What a notification says, and whether anything vouches for it: a signature of the operator, or an address that was
// made for the answer to one question of ours. Everything else is a hint at most.
import type { AccountOf, Connector, NotificationReading, RawNotification } from '../../../connectors/port.ts';
import type { ProcessTime } from '../../../domain/clock.ts';
import { listAttemptsByReference } from '../../../store/payments/attempts.ts';
import type { StoredNotification } from '../../../store/payments/notifications/notifications.ts';
import { findQuestion } from '../../../store/operators/operator-questions.ts';
import type { Engine, StorePart } from '../../engine.ts';
import { isNotificationSecret, isReference } from '../../operators/reference.ts';

/** A notification as it came in. */
export type IncomingNotification = {
  readonly connector: Connector;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly pathReference?: string;
  readonly pathSecret?: string;
  /** The secret of an address for answers. */
  readonly answerSecret?: string;
  readonly pathTopic?: string;
  readonly pathProvider?: string;
};

export function rawNotification(
  engine: Pick<Engine, 'referenceKey'>,
  incoming: IncomingNotification,
  receivedAt: ProcessTime,
): RawNotification {
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

type KeptMessage = Omit<RawNotification, 'body' | 'receivedAt'> & {
  /** The body, where it is text; everything else is kept in base64. */
  readonly text?: string;
  readonly base64?: string;
};

/** Headers that are about the connection and say nothing of the message. */
const CONNECTION_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
]);

export function messageOf({ body, headers, receivedAt: _receivedAt, ...facts }: RawNotification): string {
  const text = body.toString('utf8');
  const kept: KeptMessage = {
    ...facts,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name))),
    ...(Buffer.from(text, 'utf8').equals(body) ? { text } : { base64: body.toString('base64') }),
  };
  return JSON.stringify(kept);
}

export function rawOfStored(stored: StoredNotification): RawNotification {
  const { text, base64 = '', ...facts } = JSON.parse(stored.message) as KeptMessage;
  const body = text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text, 'utf8');
  return { ...facts, body, receivedAt: stored.receivedAt };
}

/** A connector without notifications can still be hinted at by path. One that throws has not read the message. */
export async function readNotification(
  engine: Pick<Engine, 'store'>,
  connector: Connector,
  raw: RawNotification,
): Promise<NotificationReading> {
  if (connector.notifications === undefined) return hintOf(raw);
  try {
    const reading = await connector.notifications.read(raw, accountFinder(engine));
    return isVouchedFor(connector, raw, reading) ? reading : hintOf(raw);
  } catch {
    return hintOf(raw);
  }
}

/** What is said about an attempt is checked with the account it was sent with. */
function accountFinder({ store }: Pick<Engine, 'store'>): AccountOf {
  return async (reference) => (await listAttemptsByReference(store.database, [reference]))[0]?.account;
}

function hintOf({ pathReference }: RawNotification): NotificationReading {
  return pathReference === undefined ? { type: 'UNREADABLE' } : { type: 'HINT', reference: pathReference };
}

/** Whatever a connector reads: an address that people can see, and no signature, vouches for nothing. */
function isVouchedFor(connector: Connector, raw: RawNotification, { type }: NotificationReading): boolean {
  if (type === 'HINT' || type === 'UNREADABLE') return true;
  return connector.notifications?.authenticity === 'SIGNED' || raw.isAnswer === true;
}

/**
 * Anyone who puts a wrong secret into a path has made it up, and so has anyone who fails what the operator signs with.
 * Such a message is counted and that is all: it must not even make us ask, or anybody could use up our calls.
 */
export function isForged(reading: NotificationReading, raw: RawNotification): boolean {
  if (reading.type !== 'HINT') return false;
  if (raw.isAnswer === true) return false;
  return reading.isForged === true || (raw.pathReference !== undefined && !raw.pathSecretIsGenuine);
}

/** Kept in the open to find the attempt by, so only what has the shape of our references is kept. */
export function referenceIn(reading: NotificationReading, raw: RawNotification): string | null {
  const reference = reading.type === 'UNREADABLE' ? raw.pathReference : reading.reference;
  return reference !== undefined && isReference(reference) ? reference : null;
}

/** The open question of ours that a message answers, by the secret in its address. */
export async function questionOf(
  { store }: StorePart,
  { pathReference: reference, answerSecret: secret }: IncomingNotification,
): Promise<string | null> {
  if (reference === undefined || secret === undefined || !isReference(reference)) return null;
  return findQuestion(store.database, store.keyring, { reference, secret });
}
