// What limits, lists and freezes stopped lately, for the platform's people.
import type { FastifyInstance } from 'fastify';
import { readRiskEvents } from '../../../core/limits/read-risk-events.ts';
import { renderAmount } from '../../../domain/money.ts';
import { riskEventCalls } from '../../../wire/console/platform/risk-event.ts';
import { show } from '../../../wire/console/show.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';
import { teamName } from '../sign-in/me.ts';

const SHOWN_MAX = 200;

export function registerRiskEvents(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-risk-events');
  const access = { for: 'HOST', permission: 'host:read' } as const;
  route('GET', '/host/risk-events', access, riskEventCalls.listRiskEvents, {
    summary:
      'What was limited, held and released, and what looks like an attack: the latest 200, the newest first',
    handle: async ({ query: { event = null } }) => {
      const { events, missingCells } = await readRiskEvents(parts.engine, { event, countMax: SHOWN_MAX });
      const names = new Map<string, string | null>();
      for (const { merchantId } of events)
        if (merchantId !== null && !names.has(merchantId))
          names.set(merchantId, await teamName(parts, merchantId));
      const shown = events.map(({ merchantId, amount, ...one }) => ({
        ...show(one, 'eventId', 'event', 'lastAt', 'tokenId', 'provider', 'kind', 'subject', 'currency'),
        cell: one.cell,
        count: one.count,
        merchantId,
        merchant: merchantId === null ? null : (names.get(merchantId) ?? null),
        amount: amount === null ? null : renderAmount(amount),
      }));
      return { events: shown, missingCells: [...missingCells] };
    },
  });
}
