// Operators' notifications. Each is stored durably before it is answered. Only an authenticated message moves money;
// any other is a hint that brings the enquiry forward.
import type { Connector, NotificationReading, RawNotification } from '../../../connectors/port.ts';
import type { PaymentKey } from '../../../domain/payments/payment.ts';
import { claimHints, listAttemptsByReference, type Attempt } from '../../../store/payments/attempts.ts';
import { keepBalance } from '../../../store/operators/operator-balances.ts';
import { takeQuestions } from '../../../store/operators/operator-questions.ts';
import {
  findNotification,
  insertNotifications,
  listNotificationsSince,
  listUnappliedNotifications,
  markNotificationsApplied,
  type StoredNotification,
} from '../../../store/payments/notifications/notifications.ts';
import { timedUuid } from '../../../store/timed-uuid.ts';
import {
  listMatchedSince,
  markUnmatched,
} from '../../../store/payments/notifications/unmatched-notifications.ts';
import { inTimedTransaction } from '../../timed-transaction.ts';
import { advance, type Advance } from '../process/advance.ts';
import { verifyContradiction, isClear, type Said } from '../process/verify-contradiction.ts';
import { hintedReference, isIgnored, isSampled, SAMPLE_BYTES_MAX } from './limit-notifications.ts';
import type { Engine, StorePart } from '../../engine.ts';
import {
  isForged,
  rawNotification,
  messageOf,
  questionOf,
  rawOfStored,
  readNotification,
  referenceIn,
  type IncomingNotification,
} from './read-notification.ts';
import { passOnNotification } from './route-notification.ts';
import { addMs } from '../../../domain/time.ts';
import type { ProcessTime } from '../../../domain/clock.ts';

/** Stores notifications. Once this has answered, their effect can no longer be lost. */
export async function storeNotifications(
  engine: Engine,
  incoming: readonly IncomingNotification[],
): Promise<readonly StoredNotification[]> {
  const read = await Promise.all(incoming.map((one) => readIncoming(engine, one)));
  const { keyring } = engine.store;
  return inTimedTransaction(engine, async (tx, receivedAt) => {
    const open = new Set(
      await takeQuestions(
        tx,
        read.flatMap(({ questionId }) => questionId ?? []),
      ),
    );
    // The first message to such an address is the answer. Any other was made up by somebody who saw the first.
    const answered = read.map((one) =>
      one.questionId === null || open.delete(one.questionId) ? one : { ...one, ...unasked(one) },
    );
    const asking = await claimHints(tx, answered.flatMap(hintedReference), receivedAt);
    const messages = answered.map((one) => storedOf(one, { asking, receivedAt }));
    await insertNotifications(
      tx,
      keyring,
      messages.filter(({ connector, isDoubtful }) => !isDoubtful || isSampled(engine, connector)),
    );
    for (const one of answered) observe(engine, one);
    return messages;
  });
}

type Read = {
  readonly connector: string;
  readonly raw: RawNotification;
  readonly reading: NotificationReading;
  /** The question that it answers. */
  readonly questionId: string | null;
};

async function readIncoming(engine: Engine, incoming: IncomingNotification): Promise<Read> {
  const bare = rawNotification(engine, incoming, engine.clock.now());
  const questionId = await questionOf(engine, incoming);
  const raw = questionId === null ? bare : { ...bare, isAnswer: true as const };
  const connector = incoming.connector.name;
  return { connector, raw, reading: await readNotification(engine, incoming.connector, raw), questionId };
}

/** A message to an address whose answer has come already. */
function unasked({ raw: { isAnswer: _answer, ...raw } }: Read): Pick<Read, 'raw' | 'reading'> {
  return { raw, reading: { type: 'HINT', reference: raw.pathReference ?? '', isForged: true } };
}

function storedOf(
  one: Read,
  { asking, receivedAt }: { readonly asking: Set<string>; readonly receivedAt: Date },
): StoredNotification {
  const { connector, raw, reading } = one;
  const isDoubtful = isIgnored(one, asking);
  const kept = isDoubtful ? { ...raw, headers: {}, body: raw.body.subarray(0, SAMPLE_BYTES_MAX) } : raw;
  return {
    notificationId: timedUuid(receivedAt),
    connector,
    receivedAt,
    message: messageOf(kept),
    reading: reading.type,
    reference: referenceIn(reading, raw),
    isDoubtful,
  };
}

function observe(
  { observer, riskLog }: Pick<Engine, 'observer' | 'riskLog'>,
  { connector, raw, reading }: Read,
): void {
  observer.notified(connector, isForged(reading, raw) ? 'FORGED' : reading.type);
  if (isForged(reading, raw)) riskLog.note({ event: 'NOTIFICATION_FORGED', subject: connector });
  const isAlert = 'alert' in reading && reading.alert !== undefined && !isForged(reading, raw);
  if (isAlert) observer.alerted(connector, reading.alert);
}

/** The reference a notification is about, if it names one of ours. */
export async function referenceOf(engine: Engine, incoming: IncomingNotification): Promise<string | null> {
  const raw = rawNotification(engine, incoming, engine.clock.now());
  return referenceIn(await readNotification(engine, incoming.connector, raw), raw);
}

/**
 * Gives stored notifications their effect, in their order. Doing it twice is harmless. Answers for each the payment
 * that it is about, null where none is known or nothing vouches for it.
 */
export async function applyNotifications(
  engine: Engine,
  notifications: readonly StoredNotification[],
): Promise<readonly (PaymentKey | null)[]> {
  const since = performance.now();
  const attempts = await findAttempts(engine, notifications);
  const readings = await Promise.all(notifications.map((stored) => readStored(engine, stored)));
  const messages = notifications.flatMap((stored, index): readonly Message[] => {
    const attempt = attempts.get(stored.reference ?? '');
    const reading = readings[index];
    if (stored.isDoubtful === true) return [];
    if (attempt === undefined || reading === undefined || reading === null) return [];
    const mustBeVerified = !(reading.type === 'AUTHENTIC' && reading.isAnswer === true);
    const told = { ...eventOf(attempt, reading), fromConnector: stored.connector, mustBeVerified };
    return [{ stored, told }];
  });
  const waiting = await bring(engine, messages);
  for (const { stored, told } of messages) {
    const attributes = { connector: stored.connector, reading: stored.reading };
    if (!waiting.has(stored))
      engine.tracer.record({ key: told.key, name: 'notification', since, attributes });
  }
  // An operator that speaks of an attempt we do not have knows more than we do: after a restore, say. It waits apart.
  const isUnmatched = ({ reading, reference }: StoredNotification) =>
    reading === 'AUTHENTIC' && !attempts.has(reference ?? '');
  const applied = notifications.filter((stored) => !isUnmatched(stored) && !waiting.has(stored));
  const unmatched = notifications.filter(isUnmatched);
  if (unmatched.length + applied.length > 0) {
    const { database } = engine.store;
    const now = await engine.clock.timeOf(database);
    await markUnmatched(database, unmatched, now);
    await markNotificationsApplied(database, applied, now);
  }
  return notifications.map(({ isDoubtful, reference }) =>
    isDoubtful === true ? null : (attempts.get(reference ?? '') ?? null),
  );
}

/** What a message says about a payment. Null: it is forged, or told a balance, which is kept. */
async function readStored(engine: Engine, stored: StoredNotification): Promise<NotificationReading | null> {
  const raw = rawOfStored(stored);
  const reading = await readNotification(engine, connectorOf(engine, stored), raw);
  if (reading.type === 'BALANCE') {
    await keepBalance(engine.store.database, { ...reading, reportedAt: stored.receivedAt });
    return null;
  }
  return isForged(reading, raw) ? null : reading;
}

type Message = { readonly stored: StoredNotification; readonly told: Advance };

/**
 * Brings messages to the single write path. Answers those that could not be confirmed, or whose merchant has moved and
 * could not be reached; the sweep takes them up again.
 */
async function bring(engine: Engine, messages: readonly Message[]): Promise<ReadonlySet<StoredNotification>> {
  const waiting = new Set<StoredNotification>();
  if (messages.length === 0) return waiting;
  const advanced = await advance(
    engine,
    messages.map(({ told }) => told),
  );
  for (const [index, { stored, told }] of messages.entries()) {
    const answer = advanced[index];
    if (answer?.type === 'OTHER_CELL') {
      if (!(await passOnNotification(engine, stored, told.key.merchantId))) waiting.add(stored);
      continue;
    }
    // Most messages say nothing that has to be asked about.
    if (answer?.type !== 'UNCONFIRMED' && told.event.type !== 'HINTED') continue;
    // How long it is waited for is by the clock that the message was received by.
    const now = await engine.clock.timeOf(engine.store.database);
    const isYoung = now < addMs(stored.receivedAt, CONFIRM_WITHIN_MS);
    // A hint about a payment that has ended is asked about when it comes, and again after the hour.
    const isAsked = isYoung && now >= addMs(stored.receivedAt, HINT_FRESH_MS);
    if (
      told.event.type === 'HINTED' &&
      isAsked &&
      answer?.type === 'NOTHING' &&
      answer.payment.finalAt !== undefined
    ) {
      waiting.add(stored);
      continue;
    }
    const whenSilent = isYoung ? 'WAIT' : 'BELIEVE';
    const confirmed = await verifyContradiction(engine, told, answer, whenSilent, () =>
      heardSince(engine, stored),
    );
    if (confirmed === 'LATER') waiting.add(stored);
  }
  return waiting;
}

/** The latest clear answer to a question of ours that came after this message, where answers come as messages. */
async function heardSince(engine: Engine, stored: StoredNotification): Promise<Said | null> {
  const { reference, receivedAt: since } = stored;
  if (reference === null) return null;
  const { database, keyring } = engine.store;
  for (const message of await listNotificationsSince(database, keyring, { reference, since })) {
    const reading = await readStored(engine, message);
    if (reading?.type !== 'AUTHENTIC' || reading.isAnswer !== true || !isClear(reading.outcome)) continue;
    const { outcome, evidence } = reading;
    return { event: { type: 'OPERATOR_ANSWERED', outcome }, evidence };
  }
  return null;
}

async function findAttempts(
  engine: StorePart,
  notifications: readonly StoredNotification[],
): Promise<ReadonlyMap<string, Attempt>> {
  const references = notifications.flatMap(({ reference }) => reference ?? []);
  const attempts = await listAttemptsByReference(engine.store.database, references);
  return new Map(attempts.map((attempt) => [attempt.reference, attempt]));
}

function connectorOf(engine: Pick<Engine, 'connectors'>, { connector: name }: StoredNotification): Connector {
  const connector = engine.connectors.get(name);
  if (connector === undefined) throw new Error(`connector ${name} is not configured`);
  return connector;
}

/** So long after it came a hint is not yet one that was asked about. */
const HINT_FRESH_MS = 10_000;

/** An operator that never says clearly whether its message still holds is believed after this time. */
const CONFIRM_WITHIN_MS = 3_600_000;

/** Takes up notifications whose effect a crash prevented. Answers how many. */
export async function applyUnmatchedNotifications(
  engine: Engine,
  options: {
    readonly before: ProcessTime;
    readonly countMax: number;
    readonly onError: (error: unknown) => void;
  },
): Promise<number> {
  const { database, keyring } = engine.store;
  let applied = 0;
  const matched = await listMatchedSince(database, options.countMax);
  for (const notificationId of [...matched, ...(await listUnappliedNotifications(database, options))]) {
    try {
      const notification = await findNotification(database, keyring, notificationId);
      if (notification !== null) await applyNotifications(engine, [notification]);
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
  if (reading.type === 'RECEIPT') {
    return { ...of, event: { type: 'HINTED' }, told: { receiptOutcome: reading.outcome } };
  }
  if (reading.type !== 'AUTHENTIC') return { ...of, event: { type: 'HINTED' }, ...toldBy(reading) };
  const { outcome, evidence } = reading;
  return { ...of, event: { type: 'OPERATOR_ANSWERED', outcome }, evidence };
}

function toldBy(reading: NotificationReading): Pick<Advance, 'told'> {
  if (reading.type !== 'HINT' || reading.reportedReceipt === undefined) return {};
  return { told: { receipt: reading.reportedReceipt } };
}

/** What the operator wants to hear once its message is stored. */
export function acknowledgementOf(engine: Engine, incoming: IncomingNotification): object {
  const { notifications } = incoming.connector;
  return notifications?.acknowledge?.(rawNotification(engine, incoming, engine.clock.now())) ?? {};
}
