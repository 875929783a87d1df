// Checkouts of API v2.
import type { FastifyInstance } from 'fastify';
import { endCheckout } from '../../core/checkouts/end-checkouts.ts';
import type { Engine } from '../../core/engine.ts';
import { openCheckout, type CheckoutAnswer } from '../../core/checkouts/open-checkout.ts';
import { readCheckout } from '../../core/checkouts/read-checkout.ts';
import { failureReason } from '../../domain/failure.ts';
import { canonicalIdentifier } from '../../domain/identifier.ts';
import { drawPaymentNo } from '../../store/timed-uuid.ts';
import {
  checkoutIdSchema,
  checkoutInitiationSchema,
  checkoutRequestSchema,
  parseCheckoutRequest,
  renderCheckoutInitiation,
  type CheckoutInitiation,
} from '../../wire/v2/checkouts/checkout.ts';
import {
  checkoutExpirySchema,
  checkoutLookupSchema,
  renderCheckout,
  renderExpiry,
  renderRefusedExpiry,
  unknownCheckoutSchema,
} from '../../wire/v2/checkouts/checkout-record.ts';
import { renderLookup } from '../../wire/v2/lookup.ts';
import { parsePath, pathSchema } from '../../wire/v2/path.ts';
import type { OperationKey } from '../../domain/payments/payment.ts';
import { nameSubjects } from '../log-subjects.ts';
import { pageAddress } from '../pages/addresses.ts';
import { readJson, requireMerchant } from '../request.ts';
import { RequestFailure, requestFailure } from '../request-failure.ts';
import { requireSigningMerchant } from '../signed-request.ts';
import { authTypeOf, failureResponses, requireParsed } from './initiation.ts';
import { pageSurroundings } from './payment-page.ts';
import { addRoute } from '../add-route.ts';

const PATH = pathSchema('checkoutId', checkoutIdSchema);

export function registerCheckouts(app: FastifyInstance, engine: Engine): void {
  registerOpening(app, engine);
  registerLookup(app, engine);
  registerExpiry(app, engine);
}

function registerOpening(app: FastifyInstance, engine: Engine): void {
  addRoute(app, 'POST', '/v2/checkouts', {
    initiates: 'checkoutId',
    operationId: 'openCheckout',
    tags: ['checkouts'],
    summary: 'Open a checkout',
    description:
      'Returns a URL for your customer. Each attempt there is a deposit with an identifier of ours, ' +
      'and only one can succeed. The callback comes when the checkout has ended.',
    body: checkoutRequestSchema,
    response: {
      200: checkoutInitiationSchema,
      ...failureResponses([400, 401, 403, 500], 'checkoutId'),
    },
    handle: async (request) => {
      const merchant = await requireSigningMerchant(engine, request, 'checkouts:write');
      const surroundings = {
        ...pageSurroundings(engine),
        isProvider: (code: string) => authTypeOf(code) !== null,
      };
      const { writtenId, asked } = requireParsed(parseCheckoutRequest(readJson(request), surroundings));
      nameSubjects(engine, request, [keyOf(merchant.merchantId, writtenId)]);
      const answer = await openCheckout(engine, {
        merchant,
        paymentNo: drawPaymentNo(),
        writtenId,
        apiVersion: 'v2',
        asked,
        addressOf: (code) => pageAddress(engine, request, 'checkout', code),
      });
      return renderCheckoutInitiation(writtenId, initiationOf(answer));
    },
  });
}

function initiationOf(answer: CheckoutAnswer): CheckoutInitiation {
  switch (answer.type) {
    case 'ACCEPTED':
    case 'DUPLICATE_IGNORED':
      return answer;
    case 'REJECTED':
      return { type: 'REJECTED', failureReason: answer.reason };
    case 'NOT_ALLOWED':
      throw new RequestFailure(403, answer.reason);
    case 'UNKNOWN':
      throw requestFailure('UNKNOWN_ERROR');
  }
}

function registerLookup(app: FastifyInstance, engine: Engine): void {
  addRoute(app, 'GET', '/v2/checkouts/:checkoutId', {
    operationId: 'getCheckout',
    tags: ['checkouts'],
    summary: 'Check the status of a checkout',
    description: 'FOUND only says that it exists; its outcome is the status inside `data`.',
    params: PATH,
    response: { 200: checkoutLookupSchema, ...failureResponses([400, 401, 403, 500]) },
    handle: async (request) => {
      const { merchantId } = await requireMerchant(engine, request, 'checkouts:read');
      const writtenId = requireParsed(parsePath(PATH, request.params));
      nameSubjects(engine, request, [keyOf(merchantId, writtenId)]);
      const view = await readCheckout(engine, { merchantId, writtenId });
      return renderLookup(view === null ? null : renderCheckout(view));
    },
  });
}

function registerExpiry(app: FastifyInstance, engine: Engine): void {
  addRoute(app, 'POST', '/v2/checkouts/:checkoutId/expire', {
    operationId: 'expireCheckout',
    tags: ['checkouts'],
    summary: 'End a checkout',
    description: 'Only while no attempt runs: no one can pay from then on. No body.',
    params: PATH,
    response: {
      200: checkoutExpirySchema,
      404: unknownCheckoutSchema,
      ...failureResponses([400, 401, 403, 500]),
    },
    handle: async (request, reply) => {
      const { merchantId } = await requireMerchant(engine, request, 'checkouts:write');
      const writtenId = requireParsed(parsePath(PATH, request.params));
      nameSubjects(engine, request, [keyOf(merchantId, writtenId)]);
      const names = { kind: 'Checkout', id: writtenId };
      const key = { merchantId, checkoutId: canonicalIdentifier(writtenId) };
      const answer = await endCheckout(engine, key, { type: 'EXPIRED_BY_MERCHANT' });
      switch (answer.type) {
        case 'ENDED':
          return renderExpiry(writtenId, answer.endedAt);
        case 'NOT_NOW': {
          const cause = `is ${answer.status}; only one that is WAITING_PAYMENT can be expired`;
          return renderRefusedExpiry(writtenId, failureReason('INVALID_STATE', { ...names, cause }));
        }
        case 'NOT_FOUND': {
          const body = renderRefusedExpiry(writtenId, failureReason('NOT_FOUND', names));
          return reply.code(404).send(body);
        }
      }
    },
  });
}

function keyOf(merchantId: string, writtenId: string): OperationKey {
  return { merchantId, kind: 'CHECKOUT', paymentId: canonicalIdentifier(writtenId) };
}
