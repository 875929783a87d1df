// Finances of API v2: what is in a merchant's wallets.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { listBalances } from '../../core/ledger/read-balances.ts';
import { renderFault } from '../../wire/v2/failure.ts';
import { countryQuerySchema, parseCountryQuery } from '../../wire/v2/filter.ts';
import { renderWalletBalances, walletBalancesSchema } from '../../wire/v2/toolkit/wallet-balances.ts';
import { requireMerchant } from '../request.ts';
import { RequestFailure } from '../request-failure.ts';
import { failureResponses } from './initiation.ts';
import { addRoute } from '../add-route.ts';

export function registerFinances(app: FastifyInstance, engine: Engine): void {
  const failures = failureResponses([400, 401, 403, 500]);

  addRoute(app, 'GET', '/v2/wallet-balances', {
    operationId: 'getWalletBalances',
    tags: ['finances'],
    summary: 'Read the balances of your wallets',
    description: 'What you can spend now: money that payments in progress have reserved is not in it.',
    querystring: countryQuerySchema,
    response: { 200: walletBalancesSchema, ...failures },
    handle: async (request) => {
      const merchant = await requireMerchant(engine, request, 'finances:read');
      const parsed = parseCountryQuery(request.query);
      if (parsed.type === 'FAULT') throw new RequestFailure(400, renderFault(parsed.fault));
      return renderWalletBalances(await listBalances(engine, merchant, parsed.request));
    },
  });
}
