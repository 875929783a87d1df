// The log of a merchant's callback deliveries: what was sent when, and what the endpoints answered.
import type { FastifyInstance } from 'fastify';
import {
  listDeliveries,
  listDeliveryAttempts,
  type Delivery,
} from '../../../store/callbacks/delivery-log.ts';
import { deliveryCalls } from '../../../wire/console/merchant/callback-delivery.ts';
import { momentOf } from '../../../wire/console/shape.ts';
import { show } from '../../../wire/console/show.ts';
import { failureBecause } from '../failure.ts';
import { placeAfter, requirePage } from '../page.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const READ = { for: 'MERCHANT', permission: 'payments:read' } as const;

export function registerDeliveries(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'callbacks');
  const { engine } = parts;
  const url = '/merchants/:merchantId/callback-deliveries';
  route('GET', url, READ, deliveryCalls.listDeliveries, {
    summary: 'Deliveries of callbacks, the newest first',
    handle: async ({ path: { merchantId }, query }) => {
      const { kind, status } = query;
      const [from, to] = [timeOf(query.from), timeOf(query.to)];
      if (from !== null && to !== null && from >= to)
        throw failureBecause('INVALID_INPUT', 'PERIOD_REVERSED');
      const page = requirePage(query, ['time', 'uuid']);
      const place = placeAfter(page);
      const after = place === null ? null : { createdAt: place.at, callbackId: place.id };
      const kinds = kind === undefined ? null : [kind];
      const statuses = status === undefined ? null : [status];
      const filter = { merchantId, kinds, statuses, from, to };
      const { countMax } = page;
      const { deliveries, next } = await listDeliveries(engine.store.database, filter, { after, countMax });
      return { rows: deliveries.map(renderDelivery), next: next === null ? null : cursorTo(next) };
    },
  });
  route('GET', `${url}/:callbackId`, READ, deliveryCalls.readDelivery, {
    summary: 'Every attempt of one delivery',
    handle: async ({ path }) => {
      const attempts = await listDeliveryAttempts(engine.store.database, path);
      return {
        attempts: attempts.map((one) =>
          show(one, 'attemptNo', 'startedAt', 'durationMs', 'httpStatus', 'errorCode'),
        ),
      };
    },
  });
}

function timeOf(text: string | undefined): Date | null {
  return text === undefined ? null : momentOf(text);
}

function cursorTo({ createdAt, callbackId }: Pick<Delivery, 'createdAt' | 'callbackId'>): string {
  return Buffer.from(`${createdAt.toISOString()} ${callbackId}`).toString('base64url');
}

function renderDelivery(delivery: Delivery) {
  const { status, url, dueAt, startedAt, durationMs, httpStatus, errorCode } = delivery;
  const isOpen = status === 'QUEUED' || status === 'RETRYING';
  return {
    ...show(
      delivery,
      'callbackId',
      'kind',
      'paymentId',
      'announcedState',
      'status',
      'attemptCount',
      'createdAt',
    ),
    host: url === null ? null : new URL(url).host,
    nextAttemptAt: isOpen ? dueAt.toISOString() : null,
    lastAttempt:
      startedAt === null || durationMs === null
        ? null
        : { startedAt: startedAt.toISOString(), durationMs, httpStatus, errorCode },
  };
}
