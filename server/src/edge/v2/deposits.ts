// Deposits of API v2.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import {
  depositIdSchema,
  depositInitiationSchema,
  depositRequestSchema,
  parseDepositRequest,
  renderDepositInitiation,
} from '../../wire/v2/payments/deposit.ts';
import { depositLookupSchema, renderDeposit } from '../../wire/v2/payments/deposit-record.ts';
import type { PaymentRequest } from '../../wire/v2/payments/payment-request.ts';
import type { Initiator } from '../initiator.ts';
import { readJson } from '../request.ts';
import { requireSigningMerchant } from '../signed-request.ts';
import {
  authTypeOf,
  collectionInitiationOf,
  failureResponses,
  orderOf,
  requireParsed,
} from './initiation.ts';
import { registerLookup, registerResend, type PaymentResource } from './payment-routes.ts';

const DEPOSITS: PaymentResource = {
  kind: 'DEPOSIT',
  idSchema: depositIdSchema,
  lookupSchema: depositLookupSchema,
  renderRecord: (deposit) => renderDeposit(deposit, authTypeOf(deposit.provider)),
};

export function registerDeposits(app: FastifyInstance, engine: Engine, initiator: Initiator): void {
  app.post(
    '/v2/deposits',
    {
      config: { initiates: 'depositId' },
      schema: {
        operationId: 'initiateDeposit',
        tags: ['deposits'],
        summary: 'Initiate a deposit',
        description:
          'Asks a payer for money. The answer is only an acknowledgement: the outcome comes by callback, or ask for ' +
          'the status. Repeating a request is safe: an identifier that was accepted before is never processed again.',
        body: depositRequestSchema,
        response: {
          200: depositInitiationSchema,
          ...failureResponses([400, 401, 403, 500], 'depositId'),
        },
      },
    },
    async (request) => {
      const merchant = await requireSigningMerchant(engine, request, 'deposits:write');
      const deposit = readDeposit(engine, request);
      const [answer] = await initiator([{ ...orderOf(merchant, deposit), kind: 'DEPOSIT' }]);
      const depositId = deposit.writtenId;
      return renderDepositInitiation({ ...collectionInitiationOf(deposit.provider, answer), depositId });
    },
  );

  registerLookup(app, engine, DEPOSITS);
  registerResend(app, engine, DEPOSITS);
}

function readDeposit(engine: Engine, request: FastifyRequest): PaymentRequest {
  const httpUrlsAllowed = engine.environment === 'sandbox';
  return requireParsed(parseDepositRequest(readJson(request), { authTypeOf, httpUrlsAllowed }));
}
