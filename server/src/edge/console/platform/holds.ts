// What is held, and why, for the platform's people.
import type { FastifyInstance } from 'fastify';
import { readHolds } from '../../../core/limits/read-holds.ts';
import { holdCalls } from '../../../wire/console/platform/hold.ts';
import { show } from '../../../wire/console/show.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';
import { teamName } from '../sign-in/me.ts';

/** More at once are a freeze or a service that is down, and not read one by one. */
const SHOWN_MAX = 200;

export function registerHolds(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-holds');
  const access = { for: 'HOST', permission: 'host:read' } as const;
  route('GET', '/host/holds', access, holdCalls.listHolds, {
    summary: 'Payments and money that are held, and why: the 200 oldest, of all merchants or of one',
    handle: async ({ query: { merchantId = null } }) => {
      const found = await readHolds(parts.engine, { merchantId, countMax: SHOWN_MAX + 1 });
      const shown = found.holds.slice(0, SHOWN_MAX).map(async (one) => ({
        ...show(
          one,
          'merchantId',
          'kind',
          'paymentId',
          'cell',
          'what',
          'amount',
          'currency',
          'since',
          'until',
        ),
        merchant: await teamName(parts, one.merchantId),
        why: one.why.split(' ').filter((code) => code !== ''),
      }));
      return {
        holds: await Promise.all(shown),
        isMore: found.holds.length > SHOWN_MAX,
        missingCells: [...found.missingCells],
      };
    },
  });
}
