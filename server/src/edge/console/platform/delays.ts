// What is late, as the host's people see it. Nothing here changes anything: steps are taken by workers, and addresses
// are mended by their merchants.
import type { FastifyInstance } from 'fastify';
import { renderAmount } from '../../../domain/money.ts';
import { listLatePayments, listTroubledLanes, type TroubledLane } from '../../../store/payments/delays.ts';
import { listLatePaymentsShape, listTroubledLanesShape } from '../../../wire/console/platform/delay.ts';
import { teamName } from '../sign-in/me.ts';
import { consoleRoute, type ConsoleParts } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;

/** Workers look four times a second; what has waited this long is stuck, or there are too few of them. */
const LATE_AFTER_MS = 60_000;
const ROWS_MAX = 100;

export function registerDelays(app: FastifyInstance, parts: ConsoleParts): void {
  const { engine } = parts;
  consoleRoute(app, parts, {
    method: 'GET',
    url: '/host/late-payments',
    access: READ,
    operationId: 'listLatePayments',
    tag: 'host-trouble',
    summary: 'Payments whose next step is past its time, the latest first',
    shape: listLatePaymentsShape,
    handle: async () => {
      const dueBefore = new Date(engine.clock.now().getTime() - LATE_AFTER_MS);
      const late = await listLatePayments(engine.store.database, { dueBefore, countMax: ROWS_MAX });
      const rows = late.map(async ({ amount, createdAt, dueAt, ...payment }) => ({
        ...payment,
        merchant: await teamName(parts, payment.merchantId),
        amount: renderAmount(amount),
        createdAt: createdAt.toISOString(),
        dueAt: dueAt.toISOString(),
      }));
      return { rows: await Promise.all(rows) };
    },
  });
  consoleRoute(app, parts, {
    method: 'GET',
    url: '/host/lanes',
    access: READ,
    operationId: 'listTroubledLanes',
    tag: 'host-trouble',
    summary: 'Callback addresses that fail, are paused or were switched off',
    shape: listTroubledLanesShape,
    handle: async () => {
      const lanes = await listTroubledLanes(engine.store.database, ROWS_MAX);
      return { rows: await Promise.all(lanes.map((lane) => describeLane(parts, lane))) };
    },
  });
}

async function describeLane(parts: ConsoleParts, lane: TroubledLane) {
  const { merchantId, kind, failureCount, disabledBecause } = lane;
  const isPaused = lane.pausedUntil > parts.engine.clock.now();
  return {
    merchantId,
    merchant: await teamName(parts, merchantId),
    kind,
    host: new URL(lane.url).host,
    failureCount,
    failingSince: lane.failingSince?.toISOString() ?? null,
    pausedUntil: isPaused ? lane.pausedUntil.toISOString() : null,
    disabledAt: lane.disabledAt?.toISOString() ?? null,
    disabledBecause,
    waitingSince: lane.waitingSince?.toISOString() ?? null,
  };
}
