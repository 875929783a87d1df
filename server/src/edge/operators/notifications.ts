// Where operators tell us things. The message is stored durably before it is answered, because some deliver once;
// whether it moves money is decided in core, never here.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Connector } from '../../connectors/port.ts';
import type { Engine } from '../../core/engine.ts';
import { createBatcher } from '../../store/batch.ts';
import { acknowledgementOf, applyNotifications, referenceOf, storeNotifications } from '../../core/notify.ts';
import type { IncomingNotification } from '../../core/read-notification.ts';
import { connectorAt } from '../../core/operator.ts';
import type { StoredNotification } from '../../store/notifications.ts';
import { placeOfNotification } from '../../core/route-notification.ts';
import { clientAddressOf } from '../client-address.ts';
import { hopsOf } from '../elsewhere.ts';
import { describe } from '../failure.ts';
import { forwardTo } from '../forward.ts';
import { rawBody } from '../request.ts';
import { requestFailure } from '../request-failure.ts';

type NotificationPath = {
  readonly connector: string;
  readonly reference?: string;
  readonly secret?: string;
  readonly answerSecret?: string;
  readonly topic?: string;
  readonly provider?: string;
};

export function registerNotifications(app: FastifyInstance, engine: Engine): void {
  // What comes at the same time is committed together.
  const store = createBatcher((incoming: readonly IncomingNotification[]) =>
    storeNotifications(engine, incoming),
  );
  const apply = createBatcher(async (stored: readonly StoredNotification[]) => {
    await applyNotifications(engine, stored);
    return stored;
  });
  const answer = async (request: FastifyRequest) => {
    const path = request.params as NotificationPath;
    const connector = connectorAt(engine, path.connector);
    if (connector === undefined) throw requestFailure('NO_SUCH_ADDRESS', { cause: 'no such operator' });
    requireSource(engine, request, connector);
    const incoming: IncomingNotification = {
      connector,
      body: rawBody(request),
      headers: singleHeaders(request),
      ...(path.reference === undefined ? {} : { pathReference: path.reference }),
      ...(path.secret === undefined ? {} : { pathSecret: path.secret }),
      ...(path.answerSecret === undefined ? {} : { answerSecret: path.answerSecret }),
      ...(path.topic === undefined ? {} : { pathTopic: path.topic }),
      ...(path.provider === undefined ? {} : { pathProvider: path.provider }),
    };
    if (await isTakenElsewhere(engine, request, incoming)) return acknowledgementOf(engine, incoming);
    const stored = await store(incoming);
    // It can no longer be lost: if this fails, the sweep takes it up.
    await apply(stored).catch((error: unknown) => {
      request.log.error({ error: describe(error) }, 'a stored notification waits for the sweep');
    });
    return acknowledgementOf(engine, incoming);
  };
  const options = { schema: { hide: true } };
  // Operators differ in the method they use; what counts is the message.
  for (const path of [
    '/operators/:connector/notifications',
    '/operators/:connector/notifications/of/:provider',
    '/operators/:connector/notifications/:reference/:secret',
    '/operators/:connector/notifications/:reference/:secret/:topic',
    '/operators/:connector/answers/:reference/:answerSecret/:topic',
  ]) {
    app.route({ method: ['POST', 'PUT'], url: path, ...options, handler: answer });
  }
}

/** Another cell has looked already. */
function requireSource(engine: Engine, request: FastifyRequest, connector: Connector): void {
  if (hopsOf(engine, request) > 0) return;
  if (engine.operatorSources.allows(connector, clientAddressOf(engine, request))) return;
  engine.observer.notified(connector.name, 'WRONG_SOURCE');
  throw requestFailure('NO_SUCH_ADDRESS', { cause: 'no such operator' });
}

/** What no other cell takes now is stored here, and handed on later: it may never come again. */
async function isTakenElsewhere(
  engine: Engine,
  request: FastifyRequest,
  incoming: IncomingNotification,
): Promise<boolean> {
  if (!engine.forwarder.hasOthers()) return false;
  const isForwarded = hopsOf(engine, request) > 0;
  const place = await placeOfNotification(engine, await referenceOf(engine, incoming), { isForwarded });
  if (place.type === 'NOT_KNOWN') throw requestFailure('NO_SUCH_ADDRESS', { cause: 'no such payment here' });
  for (const cell of place.type === 'ELSEWHERE' ? place.cells : []) {
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
