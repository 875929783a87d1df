// The payment page of API v2.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { openPaymentPage } from '../../core/checkouts/open-payment-page.ts';
import { findCountry } from '../../domain/operators/catalogue.ts';
import {
  parsePaymentPageRequest,
  paymentPageRequestSchema,
  paymentPageSchema,
  rejectedPaymentPageSchema,
  renderRejectedPaymentPage,
} from '../../wire/v2/checkouts/payment-page.ts';
import { keyOfTarget } from '../../core/payments/act/cancel.ts';
import { nameSubjects } from '../log-subjects.ts';
import { pageAddress } from '../pages/addresses.ts';
import { readJson } from '../request.ts';
import { RequestFailure } from '../request-failure.ts';
import { requireSigningMerchant } from '../signed-request.ts';
import { failureResponses, requireParsed } from './initiation.ts';
import { addRoute } from '../add-route.ts';

export function registerPaymentPage(app: FastifyInstance, engine: Engine): void {
  addRoute(app, 'POST', '/v2/paymentpage', {
    initiates: 'depositId',
    operationId: 'openPaymentPage',
    tags: ['payment-page'],
    summary: 'Open a payment page',
    description:
      'Returns a URL for your customer. There is one attempt, and the deposit exists once the customer ' +
      'presses Pay. Until then, a request with the same identifier replaces the page.',
    body: paymentPageRequestSchema,
    response: {
      200: rejectedPaymentPageSchema,
      201: paymentPageSchema,
      ...failureResponses([400, 401, 403, 500], 'depositId'),
    },
    handle: async (request, reply) => {
      const merchant = await requireSigningMerchant(engine, request, 'payment-page:write');
      const { writtenId, page } = readPaymentPage(engine, request);
      nameSubjects(engine, request, [
        keyOfTarget({ merchantId: merchant.merchantId, kind: 'DEPOSIT', writtenId }),
      ]);
      const answer = await openPaymentPage(engine, { merchant, apiVersion: 'v2', writtenId, page });
      switch (answer.type) {
        case 'OPENED':
          return reply.code(201).send({ redirectUrl: pageAddress(engine, request, 'pay', answer.code) });
        case 'REJECTED':
          return renderRejectedPaymentPage(writtenId, answer.reason);
        case 'NOT_ALLOWED':
          throw new RequestFailure(403, answer.reason);
      }
    },
  });
}

/** What reading a request for a page needs to know beyond its body. */
export function pageSurroundings(engine: Engine) {
  return {
    httpUrlsAllowed: engine.environment === 'sandbox',
    isCountry: (alpha3: string) => findCountry(alpha3) !== null,
  };
}

function readPaymentPage(engine: Engine, request: FastifyRequest) {
  return requireParsed(parsePaymentPageRequest(readJson(request), pageSurroundings(engine)));
}
