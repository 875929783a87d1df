// Finances of API v1: what is in a merchant's wallets.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { listBalances } from '../../core/ledger/read-balances.ts';
import { renderWalletBalances, walletBalancesSchema } from '../../wire/v1/toolkit/wallet-balances.ts';
import { countryPathSchema, parseCountryQuery } from '../../wire/v2/filter.ts';
import { requireMerchant } from '../request.ts';
import { requireParsed } from '../v2/initiation.ts';
import { errorResponses } from './initiation.ts';
import { addRoute } from '../add-route.ts';

export function registerFinances(app: FastifyInstance, engine: Engine): void {
  const answerBalances = async (request: FastifyRequest) => {
    const merchant = await requireMerchant(engine, request, 'finances:read');
    const filter = requireParsed(parseCountryQuery(request.params));
    return renderWalletBalances(await listBalances(engine, merchant, filter));
  };

  addRoute(app, 'GET', '/v1/wallet-balances', {
    operationId: 'getWalletBalances',
    tags: ['finances'],
    summary: 'Read the balances of your wallets',
    description: 'What you can spend now: money that payments in progress have reserved is not in it.',
    response: { 200: walletBalancesSchema, ...errorResponses([401, 403, 500]) },
    handle: answerBalances,
  });

  addRoute(app, 'GET', '/v1/wallet-balances/:country', {
    operationId: 'getWalletBalancesOfCountry',
    tags: ['finances'],
    summary: 'Read the balances of your wallets in one country',
    description: 'The same for one country.',
    params: countryPathSchema,
    response: { 200: walletBalancesSchema, ...errorResponses([400, 401, 403, 500]) },
    handle: answerBalances,
  });
}
