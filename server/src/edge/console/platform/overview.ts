// How the payments of all merchants went.
import type { FastifyInstance } from 'fastify';
import {
  readPlatformOverview,
  type Compared,
  type PlatformFigures,
} from '../../../core/console/read-platform-overview.ts';
import { OVERVIEW_DAYS_MAX, platformOverviewCalls } from '../../../wire/console/platform/overview.ts';
import { show } from '../../../wire/console/show.ts';
import { requireDays } from '../days.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';
import { teamName } from '../sign-in/me.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;

export function registerPlatformOverview(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-overview');
  const { engine } = parts;
  route('GET', '/host/overview', READ, platformOverviewCalls.readPlatformOverview, {
    summary: 'Volume, success, time to final and fees of all merchants, beside the days before',
    handle: async ({ query }) => {
      const days = requireDays(query, { daysMax: OVERVIEW_DAYS_MAX });
      const { totals, providers, merchants, days: each } = await readPlatformOverview(engine, days);
      return {
        now: engine.clock.now().toISOString(),
        ...show(days, 'from', 'until'),
        totals: totals.map((one) => ({ currency: one.currency, ...renderCompared(one) })),
        providers: providers.map((one) => ({ ...show(one, 'provider', 'currency'), ...renderCompared(one) })),
        merchants: await Promise.all(
          merchants.map(async (one) => ({
            ...show(one, 'merchantId', 'currency'),
            merchant: await teamName(parts, one.merchantId),
            ...renderCompared(one),
          })),
        ),
        days: each.map((day) => ({
          at: day.dayAt.toISOString(),
          ...show(day, 'currency', 'completed', 'failed', 'completedAmount', 'fees'),
        })),
      };
    },
  });
}

function renderCompared({ current, previous }: Compared) {
  return { current: renderFigures(current), previous: renderFigures(previous) };
}

function renderFigures(figures: PlatformFigures) {
  return {
    ...show(figures, 'completed', 'failed', 'completedAmount', 'fees'),
    p50Seconds: rounded(figures.p50),
    p90Seconds: rounded(figures.p90),
  };
}

/** Rounded to tenths: the histogram is not more exact. */
function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 10) / 10;
}
