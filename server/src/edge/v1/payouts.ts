// Payouts of API v1.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { findProvider } from '../../domain/operators/catalogue.ts';
import {
  parsePayoutRequest,
  payoutInitiationSchema,
  payoutRequestSchema,
  renderPayoutInitiation,
} from '../../wire/v1/payments/payout.ts';
import { payoutLookupSchema, renderPayout } from '../../wire/v1/payments/payout-record.ts';
import { payoutIdSchema } from '../../wire/v2/payments/payout.ts';
import type { Initiator } from '../initiator.ts';
import { readJson } from '../request.ts';
import { requireSigningMerchant } from '../signed-request.ts';
import { requireParsed } from '../v2/initiation.ts';
import { registerBulk } from './bulk.ts';
import { errorResponses, orderOf, payoutInitiationOf } from './initiation.ts';
import { registerCancel, registerLookup, registerResend, type PaymentResource } from './payment-routes.ts';

const PAYOUTS: PaymentResource = {
  kind: 'PAYOUT',
  idSchema: payoutIdSchema,
  lookupSchema: payoutLookupSchema,
  renderRecord: renderPayout,
};

export function registerPayouts(app: FastifyInstance, engine: Engine, initiator: Initiator): void {
  app.post(
    '/payouts',
    {
      schema: {
        operationId: 'initiatePayout',
        tags: ['payouts'],
        summary: 'Initiate a payout',
        description:
          'Sends money to a mobile wallet. The amount and its fee are held in your wallet from now on, and free ' +
          'again if the payout fails. The answer is only an acknowledgement: the outcome comes by callback, or ask ' +
          'for the status. Repeating a request is safe: an identifier that was accepted before is never processed ' +
          'again.',
        body: payoutRequestSchema,
        response: { 200: payoutInitiationSchema, ...errorResponses([400, 401, 403, 500]) },
      },
    },
    async (request) => {
      const merchant = await requireSigningMerchant(engine, request, 'payouts:write');
      const payout = requireParsed(parsePayout(readJson(request)));
      const [answer] = await initiator([{ ...orderOf(merchant, payout), kind: 'PAYOUT' }]);
      return renderPayoutInitiation(payout.writtenId, payoutInitiationOf(answer));
    },
  );

  registerBulk(app, engine, initiator, parsePayout);
  registerLookup(app, engine, PAYOUTS);
  registerResend(app, engine, PAYOUTS);
  registerCancel(app, engine, PAYOUTS);
}

function parsePayout(body: unknown) {
  return parsePayoutRequest(body, { isProvider: (code) => findProvider(code) !== null });
}
