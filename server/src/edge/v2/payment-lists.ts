// Lists of payments of one kind. An addition to the specification: API v1 has none.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { listMerchantPayments, type ListOrder } from '../../core/payments/read/list-payments.ts';
import { TokenSearches } from '../../core/payments/read/token-searches.ts';
import { findProvider } from '../../domain/operators/catalogue.ts';
import { PAYMENT_STATES, type PaymentState } from '../../domain/payments/payment.ts';
import { renderFault } from '../../wire/v2/failure.ts';
import { valueAt } from '../../wire/json.ts';
import { CURSOR_FAULT, parseListQuery, renderPage } from '../../wire/v2/payments/list.ts';
import { wordsOf } from '../payment-start.ts';
import { requireMerchant, requireScope } from '../request.ts';
import { RequestFailure } from '../request-failure.ts';
import { addRoute } from '../add-route.ts';
import { failureResponses, requireParsed } from './initiation.ts';
import type { PaymentResource } from './payment-routes.ts';

const isProvider = (code: string) => findProvider(code) !== null;

export function registerList(app: FastifyInstance, engine: Engine, resource: PaymentResource): void {
  const { kind, listQuerySchema, pageSchema, renderRecord } = resource;
  const { group, name } = wordsOf(kind);
  const searches = new TokenSearches(engine);
  addRoute(app, 'GET', `/v2/${group}`, {
    operationId: `list${name}s`,
    tags: [group],
    summary: `List ${group}`,
    description:
      'In pages, the newest first; filtered by time, and by at most one of client reference, metadata ' +
      'or phone number. An addition to the specification.',
    querystring: listQuerySchema,
    response: { 200: pageSchema, ...failureResponses([400, 401, 403, 500]) },
    handle: async (request) => {
      const { merchantId, tokenId, mayReveal } = await requireReader(engine, request, `${group}:read`);
      const { status, ...query } = requireParsed(
        parseListQuery(listQuerySchema, request.query, { isProvider, listed: kind }),
      );
      const states: readonly PaymentState[] = status === null ? PAYMENT_STATES : [status];
      const order = { ...query, merchantId, kind, states, mayReveal };
      const [page] = await both(listMerchantPayments(engine, order), recordSearch(searches, order, tokenId));
      if (page === null) throw new RequestFailure(400, renderFault(CURSOR_FAULT));
      return renderPage(page.payments.map(renderRecord), { listed: kind, next: page.next });
    },
  });
}

/** Who may be found by a number is a question about a person, so it is asked before the query is read. */
async function requireReader(
  engine: Engine,
  request: FastifyRequest,
  scope: Parameters<typeof requireMerchant>[2],
): Promise<{ readonly merchantId: string; readonly tokenId: string; readonly mayReveal: boolean }> {
  const { merchantId, tokenId, scopes } = await requireMerchant(engine, request, scope);
  if (valueAt(request.query, 'phoneNumber') !== undefined) requireScope(scopes, 'personal-data:read');
  return { merchantId, tokenId, mayReveal: scopes.has('personal-data:read') };
}

async function recordSearch(
  searches: TokenSearches,
  { sought, merchantId }: ListOrder,
  tokenId: string,
): Promise<void> {
  if (sought?.field !== 'phoneNumber') return;
  await searches.record({ merchantId, tokenId, phoneNumber: sought.value });
}

/** At the same time, so that a list takes no longer. If both fail, what is wrong with the list is told. */
async function both<First, Second>(first: Promise<First>, second: Promise<Second>): Promise<[First, Second]> {
  void second.catch(() => undefined);
  return [await first, await second];
}
