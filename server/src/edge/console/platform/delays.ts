// What is late, as the host's people see it. Nothing here changes anything: steps are taken by workers, and addresses
// are fixed by their merchants.
import type { FastifyInstance } from 'fastify';
import {
  listLatePayments,
  listTroubledEndpointQueues,
  type TroubledEndpointQueue,
} from '../../../store/payments/delays.ts';
import { delayCalls } from '../../../wire/console/platform/delay.ts';
import { show, showValue } from '../../../wire/console/show.ts';
import { teamName } from '../sign-in/me.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;

/** Workers look four times a second; what has waited this long is stuck, or there are too few of them. */
const LATE_AFTER_MS = 60_000;
const ROWS_MAX = 100;

export function registerDelays(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-trouble');
  const { engine } = parts;
  route('GET', '/host/late-payments', READ, delayCalls.listLatePayments, {
    summary: 'Payments whose next step is past its time, the latest first',
    handle: async () => {
      const dueBefore = new Date(engine.clock.now().getTime() - LATE_AFTER_MS);
      const late = await listLatePayments(engine.store.database, { dueBefore, countMax: ROWS_MAX });
      const rows = late.map(async (payment) => ({
        ...show(payment, 'merchantId', 'kind', 'paymentId', 'state', 'provider', 'amount', 'currency'),
        ...show(payment, 'createdAt', 'nextAction', 'dueAt'),
        merchant: await teamName(parts, payment.merchantId),
      }));
      return { rows: await Promise.all(rows) };
    },
  });
  route('GET', '/host/endpoint-queues', READ, delayCalls.listTroubledEndpointQueues, {
    summary: 'Callback addresses that fail, are paused or were switched off',
    handle: async () => {
      const queues = await listTroubledEndpointQueues(engine.store.database, ROWS_MAX);
      return { rows: await Promise.all(queues.map((queue) => describeQueue(parts, queue))) };
    },
  });
}

async function describeQueue(parts: ConsoleParts, queue: TroubledEndpointQueue) {
  const isPaused = queue.pausedUntil > parts.engine.clock.now();
  return {
    ...show(queue, 'merchantId', 'kind', 'failureCount', 'failingSince', 'disabledAt', 'disabledBecause'),
    ...show(queue, 'waitingSince'),
    merchant: await teamName(parts, queue.merchantId),
    host: new URL(queue.url).host,
    pausedUntil: isPaused ? showValue(queue.pausedUntil) : null,
  };
}
