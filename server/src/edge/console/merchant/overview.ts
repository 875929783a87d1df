// How a merchant's payments went, and what it has.
import type { FastifyInstance } from 'fastify';
import { listBalances } from '../../../core/ledger/read-balances.ts';
import { readOverview } from '../../../core/payments/read/read-overview.ts';
import { OVERVIEW_DAYS_MAX, renderOverview, overviewCalls } from '../../../wire/console/merchant/overview.ts';
import { renderWallet } from '../../../wire/console/merchant/wallet.ts';
import { requireDays } from '../days.ts';
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
      summary: 'How payments that ended in a span of days went, and what is in the wallets',
      handle: async ({ path, query, user }) => {
        const merchant = await requireMerchant(parts, path.merchantId);
        const days = requireDays(query, { daysMax: OVERVIEW_DAYS_MAX });
        const overview = await readOverview(engine, { ...merchant, ...days });
        const maySeeWallets = permissionsAt(user, merchant.merchantId).includes('wallets:read');
        const wallets = maySeeWallets ? await listBalances(engine, merchant, { country: null }) : null;
        return { ...renderOverview(overview, days), wallets: wallets?.map(renderWallet) ?? null };
      },
    },
  );
}
