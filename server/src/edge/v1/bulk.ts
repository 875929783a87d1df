// Starting several payouts with one request of API v1.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import type { Parsed } from '../../wire/fault.ts';
import type { PaymentRequest } from '../../wire/v1/payments/payment-request.ts';
import {
  payoutInitiationSchema,
  payoutRequestSchema,
  renderPayoutInitiation,
} from '../../wire/v1/payments/payout.ts';
import { bulkInitiationSchema, bulkRequestSchema, parseBulk } from '../../wire/v2/bulk.ts';
import type { Initiator } from '../initiator.ts';
import { readJson } from '../request.ts';
import { requireSigningMerchant } from '../signed-request.ts';
import { requireParsed } from '../v2/initiation.ts';
import { errorResponses, orderOf, payoutInitiationOf } from './initiation.ts';

export function registerBulk(
  app: FastifyInstance,
  engine: Engine,
  initiator: Initiator,
  parse: (body: unknown) => Parsed<PaymentRequest>,
): void {
  app.post(
    '/payouts/bulk',
    {
      schema: {
        operationId: 'initiatePayouts',
        tags: ['payouts'],
        summary: 'Initiate several payouts',
        description:
          'Each payout is answered for itself, in the order of the requests, and has its own callback. One request ' +
          'that does not fit its description refuses the whole list; the error names its place, from zero: ' +
          "'[3].amount'.",
        body: bulkRequestSchema(payoutRequestSchema),
        response: {
          200: bulkInitiationSchema(payoutInitiationSchema),
          ...errorResponses([400, 401, 403, 500]),
        },
      },
    },
    async (request) => {
      const merchant = await requireSigningMerchant(engine, request, 'payouts:write');
      const payouts = requireParsed(parseBulk(readJson(request), parse));
      const answers = await initiator(
        payouts.map((payout) => ({ ...orderOf(merchant, payout), kind: 'PAYOUT' })),
      );
      return payouts.map(({ writtenId }, index) =>
        renderPayoutInitiation(writtenId, payoutInitiationOf(answers[index])),
      );
    },
  );
}
