// Deposits of API v1.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import {
  depositInitiationSchema,
  depositRequestSchema,
  parseDepositRequest,
  renderDepositInitiation,
} from '../../wire/v1/payments/deposit.ts';
import { depositLookupSchema, renderDeposit } from '../../wire/v1/payments/deposit-record.ts';
import { depositIdSchema } from '../../wire/v2/payments/deposit.ts';
import type { Initiator } from '../initiator.ts';
import { readJson } from '../request.ts';
import { requireSigningMerchant } from '../signed-request.ts';
import { authTypeOf, requireParsed } from '../v2/initiation.ts';
import { errorResponses, initiationOf, orderOf } from './initiation.ts';
import { registerLookup, registerResend, type PaymentResource } from './payment-routes.ts';

const DEPOSITS: PaymentResource = {
  kind: 'DEPOSIT',
  idSchema: depositIdSchema,
  lookupSchema: depositLookupSchema,
  renderRecord: renderDeposit,
};

export function registerDeposits(app: FastifyInstance, engine: Engine, initiator: Initiator): void {
  app.post(
    '/deposits',
    {
      schema: {
        operationId: 'initiateDeposit',
        tags: ['deposits'],
        summary: 'Initiate a deposit',
        description:
          'Asks a payer for money. The answer is only an acknowledgement: the outcome comes by callback, or ask for ' +
          'the status. Repeating a request is safe: an identifier that was accepted before is never processed again.',
        body: depositRequestSchema,
        response: { 200: depositInitiationSchema, ...errorResponses([400, 401, 403, 500]) },
      },
    },
    async (request) => {
      const merchant = await requireSigningMerchant(engine, request, 'deposits:write');
      const deposit = requireParsed(parseDepositRequest(readJson(request), { authTypeOf }));
      const [answer] = await initiator([{ ...orderOf(merchant, deposit), kind: 'DEPOSIT' }]);
      return renderDepositInitiation(deposit.writtenId, initiationOf(answer));
    },
  );

  registerLookup(app, engine, DEPOSITS);
  registerResend(app, engine, DEPOSITS);
}
