// How a merchant's payments went, and what it has.
import type { FastifyInstance } from 'fastify';
import { listBalances } from '../../../core/ledger/read-balances.ts';
import { readOverview, type Ends, type Overview } from '../../../core/payments/read/read-overview.ts';
import { OVERVIEW_DAYS_MAX, overviewCalls } from '../../../wire/console/merchant/overview.ts';
import { show, showValue } from '../../../wire/console/show.ts';
import { requireDays } from '../days.ts';
import { renderWallet } from './wallets.ts';
import { consoleRoutes, permissionsAt, requireMerchant, type ConsoleParts } from '../route.ts';

export function registerOverview(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'overview');
  const { engine } = parts;
  route(
    'GET',
    '/merchants/:merchantId/overview',
    { for: 'MERCHANT', permission: 'overview:read' },
    overviewCalls.readOverview,
    {
      summary: 'Show results of a period and wallet balances',
      handle: async ({ path, query, user }) => {
        const merchant = await requireMerchant(parts, path.merchantId);
        const { timeZone } = merchant;
        const days = requireDays(query, { daysMax: OVERVIEW_DAYS_MAX, timeZone });
        const overview = await readOverview(engine, { ...merchant, ...days });
        const maySeeWallets = permissionsAt(user, merchant.merchantId).includes('wallets:read');
        const wallets = maySeeWallets ? await listBalances(engine, merchant, { country: null }) : null;
        return { timeZone, ...renderOverview(overview), wallets: wallets?.map(renderWallet) ?? null };
      },
    },
  );
}

function renderOverview({ counted, ...overview }: Overview) {
  return {
    ...show(overview, 'from', 'until', 'step', 'failures'),
    countedUntil: showValue(counted.until),
    isCatchingUp: counted.isBehind,
    starts: overview.starts.map((start) => start.toISOString()),
    volumes: overview.volumes.map((one) => ({ ...show(one, 'at', 'kind', 'currency'), ...renderEnds(one) })),
    totals: overview.totals.map((one) => ({
      ...show(one, 'kind', 'currency'),
      ...renderEnds(one),
      previous: renderEnds(one.previous),
    })),
    currencies: overview.currencies.map((one) => ({
      ...show(one, 'currency', 'count', 'fees', 'net'),
      previous: show(one.previous, 'fees', 'net'),
    })),
    providers: overview.providers.map((one) => ({
      ...show(one, 'provider', 'kind', 'currency', 'completed', 'failed'),
      p50Seconds: rounded(one.p50),
      p90Seconds: rounded(one.p90),
    })),
  };
}

function renderEnds(ended: Ends) {
  return show(ended, 'completed', 'completedAmount', 'failed', 'failedAmount', 'fees');
}

/** Rounded to tenths: the histogram is not more exact. */
function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 10) / 10;
}
