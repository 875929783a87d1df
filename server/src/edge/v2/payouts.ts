// Payouts of API v2.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { findProvider } from '../../domain/operators/catalogue.ts';
import {
  parsePayoutRequest,
  payoutIdSchema,
  payoutInitiationSchema,
  payoutRequestSchema,
  renderPayoutInitiation,
} from '../../wire/v2/payments/payout.ts';
import { payoutLookupSchema, renderPayout } from '../../wire/v2/payments/payout-record.ts';
import type { Initiator } from '../initiator.ts';
import { readJson } from '../request.ts';
import { requireSigningMerchant } from '../signed-request.ts';
import { registerBulk } from './bulk.ts';
import { failureResponses, initiationOf, orderOf, requireParsed } from './initiation.ts';
import { registerCancel, registerLookup, registerResend, type PaymentResource } from './payment-routes.ts';

const PAYOUTS: PaymentResource = {
  kind: 'PAYOUT',
  idSchema: payoutIdSchema,
  lookupSchema: payoutLookupSchema,
  renderRecord: renderPayout,
};

export function registerPayouts(app: FastifyInstance, engine: Engine, initiator: Initiator): void {
  app.post(
    '/v2/payouts',
    {
      config: { initiates: 'payoutId' },
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
        response: { 200: payoutInitiationSchema, ...failureResponses([400, 401, 403, 500], 'payoutId') },
      },
    },
    async (request) => {
      const merchant = await requireSigningMerchant(engine, request, 'payouts:write');
      const payout = requireParsed(parse(readJson(request)));
      const [answer] = await initiator([{ ...orderOf(merchant, payout), kind: 'PAYOUT' }]);
      return renderPayoutInitiation(payout.writtenId, initiationOf(answer));
    },
  );

  registerBulk(app, engine, initiator, {
    kind: 'PAYOUT',
    requestSchema: payoutRequestSchema,
    initiationSchema: payoutInitiationSchema,
    parse,
    renderInitiation: renderPayoutInitiation,
  });
  registerLookup(app, engine, PAYOUTS);
  registerResend(app, engine, PAYOUTS);
  registerCancel(app, engine, PAYOUTS);
}

function parse(body: unknown) {
  return parsePayoutRequest(body, { isProvider: (code) => findProvider(code) !== null });
}
