// Finances of the current generation: what is in a merchant's wallets.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { listBalances } from '../../core/read-balances.ts';
import { failureSchema, renderFault } from '../../wire/v2/failure.ts';
import { countryQuerySchema, parseCountryQuery } from '../../wire/v2/filter.ts';
import { renderWalletBalances, walletBalancesSchema } from '../../wire/v2/wallet-balances.ts';
import { requireMerchant } from '../request.ts';
import { RequestFailure } from '../request-failure.ts';

export function registerFinances(app: FastifyInstance, engine: Engine): void {
  const failures = Object.fromEntries([400, 401, 403, 500].map((status) => [status, failureSchema(status)]));

  app.get(
    '/v2/wallet-balances',
    {
      schema: {
        operationId: 'getWalletBalances',
        tags: ['finances'],
        summary: 'Read the balances of your wallets',
        description: 'What you can spend now: money that payments under way have reserved is not in it.',
        querystring: countryQuerySchema,
        response: { 200: walletBalancesSchema, ...failures },
      },
    },
    async (request) => {
      const merchant = await requireMerchant(engine, request, 'finances:read');
      const parsed = parseCountryQuery(request.query);
      if (parsed.type === 'FAULT') throw new RequestFailure(400, renderFault(parsed.fault));
      return renderWalletBalances(await listBalances(engine, merchant, parsed.request));
    },
  );
}
