// What is late, as the platform's people see it. Nothing here changes anything: steps are taken by workers, and
// endpoints are fixed by their merchants.
import type { FastifyInstance } from 'fastify';
import { OVERDUE_AFTER_MS } from '../../../core/console/measured-problems.ts';
import { addMs } from '../../../domain/time.ts';
import {
  listFailingEndpoints,
  listLatePayments,
  type FailingEndpoint,
} from '../../../store/payments/delays.ts';
import { delayCalls } from '../../../wire/console/platform/delay.ts';
import { show, showValue } from '../../../wire/console/show.ts';
import { teamName } from '../sign-in/me.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;

const ROWS_MAX = 100;

export function registerDelays(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-issues');
  const { engine } = parts;
  route('GET', '/host/late-payments', READ, delayCalls.listLatePayments, {
    summary: 'Payments whose next step is past its time, the latest first',
    handle: async () => {
      const { database } = engine.store;
      const dueBefore = addMs(await engine.clock.timeOf(database), -OVERDUE_AFTER_MS);
      const late = await listLatePayments(database, { dueBefore, countMax: ROWS_MAX });
      const rows = late.map(async (payment) => ({
        ...show(payment, 'merchantId', 'kind', 'paymentId', 'state', 'provider', 'amount', 'currency'),
        ...show(payment, 'createdAt', 'nextAction', 'dueAt'),
        merchant: await teamName(parts, payment.merchantId),
      }));
      return { rows: await Promise.all(rows) };
    },
  });
  route('GET', '/host/endpoint-queues', READ, delayCalls.listFailingEndpoints, {
    summary: 'Callback endpoints that fail, are paused or were switched off',
    handle: async () => {
      const wanted = { failuresMin: 1, merchantId: null, countMax: ROWS_MAX };
      const failing = await listFailingEndpoints(engine.store.database, wanted);
      return { rows: await Promise.all(failing.map((endpoint) => describeEndpoint(parts, endpoint))) };
    },
  });
}

async function describeEndpoint(parts: ConsoleParts, endpoint: FailingEndpoint) {
  const isPaused = endpoint.pausedUntil > parts.engine.clock.now();
  return {
    ...show(endpoint, 'merchantId', 'kind', 'failureCount', 'failingSince', 'disabledAt', 'disabledBecause'),
    ...show(endpoint, 'waitingSince'),
    merchant: await teamName(parts, endpoint.merchantId),
    host: new URL(endpoint.url).host,
    pausedUntil: isPaused ? showValue(endpoint.pausedUntil) : null,
  };
}
