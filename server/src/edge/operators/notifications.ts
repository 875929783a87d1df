// Where operators tell us things. The message is stored durably before it is answered, because some deliver once;
// whether it moves money is decided in core, never here.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Connector } from '../../connectors/port.ts';
import type { Engine } from '../../core/engine.ts';
import { createBatcher } from '../../store/batch.ts';
import {
  acknowledgementOf,
  applyNotifications,
  referenceOf,
  storeNotifications,
} from '../../core/payments/notifications/notify.ts';
import type { IncomingNotification } from '../../core/payments/notifications/read-notification.ts';
import { connectorAt } from '../../core/operators/operator-calls.ts';
import type { StoredNotification } from '../../store/payments/notifications/notifications.ts';
import { placeOfNotification } from '../../core/payments/notifications/route-notification.ts';
import { clientAddressOf } from '../client-address.ts';
import { hopsOf } from '../cells/other-cell.ts';
import { describe } from '../failure.ts';
import { forwardTo } from '../cells/forward.ts';
import { nameSubjects } from '../log-subjects.ts';
import { rawBody } from '../request.ts';
import { orUnavailable, rateLimited, requestFailure } from '../request-failure.ts';

type NotificationPath = {
  readonly connector: string;
  readonly reference?: string;
  readonly secret?: string;
  readonly answerSecret?: string;
  readonly topic?: string;
  readonly provider?: string;
};

export function registerNotifications(app: FastifyInstance, engine: Engine): void {
  const queues = new Map<string, NotificationQueue>();
  /** Each connector has its own: no one waits for what is asked of another operator. */
  const queueOf = ({ name }: Connector): NotificationQueue => {
    const queue = queues.get(name) ?? createQueue(engine);
    queues.set(name, queue);
    return queue;
  };
  const answer = async (request: FastifyRequest) => {
    const path = request.params as NotificationPath;
    const connector = connectorAt(engine, path.connector);
    if (connector === undefined) throw requestFailure('ROUTE_NOT_FOUND', { cause: 'no such operator' });
    requireSource(engine, request, connector);
    requirePatience(engine, request);
    const incoming = incomingFrom(request, connector);
    // Until it is stored the operator can send it again: stored twice it is still one message.
    if (await orUnavailable(() => isTakenByOtherCell(engine, request, incoming)))
      return acknowledgementOf(engine, incoming);
    const { store, apply } = queueOf(connector);
    const stored = await orUnavailable(() => store(incoming));
    if (stored.isDoubtful === true) noteDoubtful(engine, request);
    // It can no longer be lost: if this fails, the sweep takes it up.
    const { notificationId } = stored;
    const key = await apply(stored).catch((error: unknown) => {
      request.log.error(
        { notificationId, error: describe(error) },
        'a stored notification waits for the sweep',
      );
      return null;
    });
    if (key !== null) nameSubjects(engine, request, [key]);
    return acknowledgementOf(engine, incoming);
  };
  const options = { schema: { hide: true }, bodyLimit: MESSAGE_BYTES_MAX };
  for (const url of NOTIFICATION_PATHS) app.route({ method: METHODS, url, ...options, handler: answer });
}

export const NOTIFICATION_PATHS = [
  '/operators/:connector/notifications',
  '/operators/:connector/notifications/of/:provider',
  '/operators/:connector/notifications/:reference/:secret',
  '/operators/:connector/notifications/:reference/:secret/:topic',
  '/operators/:connector/answers/:reference/:answerSecret/:topic',
];

/** Operators differ in the method they use; what counts is the message. */
export const METHODS = ['POST', 'PUT'];

export function incomingFrom(request: FastifyRequest, connector: Connector): IncomingNotification {
  const path = request.params as NotificationPath;
  return {
    connector,
    body: rawBody(request),
    headers: singleHeaders(request),
    ...(path.reference === undefined ? {} : { pathReference: path.reference }),
    ...(path.secret === undefined ? {} : { pathSecret: path.secret }),
    ...(path.answerSecret === undefined ? {} : { answerSecret: path.answerSecret }),
    ...(path.topic === undefined ? {} : { pathTopic: path.topic }),
    ...(path.provider === undefined ? {} : { pathProvider: path.provider }),
  };
}

/** The longest real messages are of a few KB. */
export const MESSAGE_BYTES_MAX = 65_536;

type NotificationQueue = ReturnType<typeof createQueue>;

/** What comes at the same time is committed together. */
function createQueue(engine: Engine) {
  return {
    store: createBatcher((incoming: readonly IncomingNotification[]) => storeNotifications(engine, incoming)),
    apply: createBatcher((stored: readonly StoredNotification[]) => applyNotifications(engine, stored)),
  };
}

/** A sender of many messages that are ignored is not read for a while. */
function requirePatience(engine: Engine, request: FastifyRequest): void {
  const client = clientOf(engine, request);
  const waitMs = client === null ? 0 : engine.doubtfulSenders.wouldWaitMs(client);
  if (waitMs > 0) throw rateLimited(waitMs, 'too many messages that nothing vouches for');
}

function noteDoubtful(engine: Engine, request: FastifyRequest): void {
  const client = clientOf(engine, request);
  if (client !== null) engine.doubtfulSenders.waitMsOf(client);
}

/** Null for whom no one limits. */
function clientOf(engine: Engine, request: FastifyRequest): string | null {
  return engine.clientAddresses.countedAs(clientAddressOf(engine, request));
}

/** Another cell has looked already. */
function requireSource(engine: Engine, request: FastifyRequest, connector: Connector): void {
  if (hopsOf(engine, request) > 0) return;
  if (engine.operatorSources.allows(connector, clientAddressOf(engine, request))) return;
  engine.observer.notified(connector.name, 'WRONG_SOURCE');
  throw requestFailure('ROUTE_NOT_FOUND', { cause: 'no such operator' });
}

/** What no other cell takes now is stored here, and handed on later: it may never come again. */
async function isTakenByOtherCell(
  engine: Engine,
  request: FastifyRequest,
  incoming: IncomingNotification,
): Promise<boolean> {
  if (!engine.forwarder.hasOthers()) return false;
  const isForwarded = hopsOf(engine, request) > 0;
  const place = await placeOfNotification(engine, await referenceOf(engine, incoming), { isForwarded });
  if (place.type === 'NOT_KNOWN') throw requestFailure('ROUTE_NOT_FOUND', { cause: 'no such payment here' });
  for (const cell of place.type === 'OTHER_CELL' ? place.cells : []) {
    const answer = await forwardTo(engine, request, cell);
    if (answer.type === 'ANSWERED' && answer.status < 300) return true;
  }
  return false;
}

function singleHeaders(request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
