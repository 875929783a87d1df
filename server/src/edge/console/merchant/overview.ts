// How a merchant's payments went, and what it has.
import type { FastifyInstance } from 'fastify';
import { listBalances } from '../../../core/ledger/read-balances.ts';
import { readOverview, type Overview } from '../../../core/payments/read/read-overview.ts';
import { OVERVIEW_DAYS_MAX, overviewCalls } from '../../../wire/console/merchant/overview.ts';
import { show, showValue } from '../../../wire/console/show.ts';
import type { DaySpan } from '../../../wire/console/days.ts';
import { FAILURES, failureReason, type FailureCode } from '../../../domain/failure.ts';

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

function renderOverview({ counted, step, ...overview }: Overview, span: DaySpan) {
  return {
    ...show(span, 'from', 'until'),
    countedUntil: showValue(counted.until),
    isCatchingUp: counted.isBehind,
    step,
    volumes: overview.volumes.map((one) => ({ ...show(one, 'at'), ...renderEnds(one) })),
    totals: overview.totals.map(renderEnds),
    providers: overview.providers.map((one) => ({ provider: one.provider, ...renderTimes(one) })),
    kinds: overview.kinds.map(renderTimes),
    failures: overview.failures.map((failure) => ({
      ...failure,
      failureMessage: messageOf(failure.failureCode),
    })),
  };
}

function renderEnds(ended: Overview['totals'][number]) {
  return show(ended, 'kind', 'currency', 'completed', 'completedAmount', 'failed', 'failedAmount');
}

function renderTimes(timed: Overview['kinds'][number]) {
  return {
    ...show(timed, 'kind', 'completed', 'failed'),
    meanSeconds: rounded(timed.mean),
    p50Seconds: rounded(timed.p50),
    p90Seconds: rounded(timed.p90),
  };
}

/** Rounded to tenths: the histogram is not more exact. */
function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 10) / 10;
}

/** A code of a newer version is shown as it is. */
function messageOf(code: string): string {
  return Object.hasOwn(FAILURES, code) ? failureReason(code as FailureCode).failureMessage : code;
}
