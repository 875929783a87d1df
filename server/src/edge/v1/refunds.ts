// Refunds of API v1.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import {
  parseRefundRequest,
  refundInitiationSchema,
  refundRequestSchema,
  renderRefundInitiation,
} from '../../wire/v1/payments/refund.ts';
import { refundLookupSchema, renderRefund } from '../../wire/v1/payments/refund-record.ts';
import { refundIdSchema } from '../../wire/v2/payments/refund.ts';
import type { Initiator } from '../initiator.ts';
import { readJson } from '../request.ts';
import { requireSigningMerchant } from '../signed-request.ts';
import { requireParsed } from '../v2/initiation.ts';
import { errorResponses, initiationOf, orderOf } from './initiation.ts';
import { registerLookup, registerResend, type PaymentResource } from './payment-routes.ts';

const REFUNDS: PaymentResource = {
  kind: 'REFUND',
  idSchema: refundIdSchema,
  lookupSchema: refundLookupSchema,
  renderRecord: renderRefund,
};

export function registerRefunds(app: FastifyInstance, engine: Engine, initiator: Initiator): void {
  app.post(
    '/refunds',
    {
      schema: {
        operationId: 'initiateRefund',
        tags: ['refunds'],
        summary: 'Initiate a refund',
        description:
          'Gives a COMPLETED deposit back to its payer, wholly or in part; one refund of a deposit at a time. The ' +
          'deposit may have been made in either API version. The answer is only an acknowledgement: the outcome ' +
          'comes by callback, or ask for the status.',
        body: refundRequestSchema,
        response: { 200: refundInitiationSchema, ...errorResponses([400, 401, 403, 500]) },
      },
    },
    async (request) => {
      const merchant = await requireSigningMerchant(engine, request, 'refunds:write');
      const refund = requireParsed(parseRefundRequest(readJson(request)));
      const [answer] = await initiator([{ ...orderOf(merchant, refund), kind: 'REFUND' }]);
      return renderRefundInitiation(refund.writtenId, initiationOf(answer));
    },
  );

  registerLookup(app, engine, REFUNDS);
  registerResend(app, engine, REFUNDS);
}
