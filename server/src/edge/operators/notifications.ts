// Where operators tell us things. The message is stored durably before it is answered, because some deliver once;
// whether it moves money is decided in core, never here.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { createBatcher } from '../../store/batch.ts';
import {
  acknowledgementOf,
  applyNotifications,
  storeNotifications,
  type IncomingNotification,
} from '../../core/notify.ts';
import type { StoredNotification } from '../../store/notifications.ts';
import { describe } from '../failure.ts';
import { requestFailure } from '../request-failure.ts';

type NotificationPath = {
  readonly connector: string;
  readonly reference?: string;
  readonly secret?: string;
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
    const connector = engine.connectors.get(path.connector);
    if (connector === undefined) throw requestFailure('NO_SUCH_ADDRESS', { cause: 'no such operator' });
    const incoming: IncomingNotification = {
      connector,
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      headers: singleHeaders(request),
      ...(path.reference === undefined ? {} : { pathReference: path.reference }),
      ...(path.secret === undefined ? {} : { pathSecret: path.secret }),
      ...(path.topic === undefined ? {} : { pathTopic: path.topic }),
      ...(path.provider === undefined ? {} : { pathProvider: path.provider }),
    };
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
  ]) {
    app.route({ method: ['POST', 'PUT'], url: path, ...options, handler: answer });
  }
}

function singleHeaders(request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
