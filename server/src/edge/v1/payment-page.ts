// The payment page of API v1: the same page, asked for in its words.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { openPaymentPage } from '../../core/checkouts/open-payment-page.ts';
import {
  parsePaymentPageRequest,
  paymentPageRequestSchema,
  rejectedPaymentPageSchema,
  renderRejectedPaymentPage,
} from '../../wire/v1/payment-page.ts';
import { paymentPageSchema } from '../../wire/v2/checkouts/payment-page.ts';
import { keyOfTarget } from '../../core/payments/act/cancel.ts';
import { nameSubjects } from '../log-subjects.ts';
import { pageAddress } from '../pages/addresses.ts';
import { readJson } from '../request.ts';
import { requireSigningMerchant } from '../signed-request.ts';
import { requireParsed } from '../v2/initiation.ts';
import { pageSurroundings } from '../v2/payment-page.ts';
import { errorResponses } from './initiation.ts';
import { addRoute } from '../add-route.ts';

export function registerPaymentPage(app: FastifyInstance, engine: Engine): void {
  addRoute(app, 'POST', '/v1/widget/sessions', {
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
      ...errorResponses([400, 401, 403, 500]),
    },
    handle: async (request, reply) => {
      const merchant = await requireSigningMerchant(engine, request, 'payment-page:write');
      const surroundings = pageSurroundings(engine);
      const { writtenId, page } = requireParsed(parsePaymentPageRequest(readJson(request), surroundings));
      nameSubjects(engine, request, [
        keyOfTarget({ merchantId: merchant.merchantId, kind: 'DEPOSIT', writtenId }),
      ]);
      const answer = await openPaymentPage(engine, { merchant, apiVersion: 'v1', writtenId, page });
      if (answer.type !== 'OPENED') return renderRejectedPaymentPage(writtenId, answer.reason);
      return reply.code(201).send({ redirectUrl: pageAddress(engine, request, 'pay', answer.code) });
    },
  });
}
