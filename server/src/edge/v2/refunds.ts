// Refunds of API v2.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import {
  parseRefundRequest,
  refundIdSchema,
  refundInitiationSchema,
  refundRequestSchema,
  renderRefundInitiation,
} from '../../wire/v2/payments/refund.ts';
import { refundLookupSchema, renderRefund } from '../../wire/v2/payments/refund-record.ts';
import type { Initiator } from '../initiator.ts';
import { readJson } from '../request.ts';
import { requireSigningMerchant } from '../signed-request.ts';
import { failureResponses, initiationOf, orderOf, requireParsed } from './initiation.ts';
import { registerCancel, registerLookup, registerResend, type PaymentResource } from './payment-routes.ts';

const REFUNDS: PaymentResource = {
  kind: 'REFUND',
  idSchema: refundIdSchema,
  lookupSchema: refundLookupSchema,
  renderRecord: renderRefund,
};

export function registerRefunds(app: FastifyInstance, engine: Engine, initiator: Initiator): void {
  app.post(
    '/v2/refunds',
    {
      config: { initiates: 'refundId' },
      schema: {
        operationId: 'initiateRefund',
        tags: ['refunds'],
        summary: 'Initiate a refund',
        description:
          'Gives a COMPLETED deposit back to its payer, wholly or in part; one refund of a deposit at a time. The ' +
          'amount and its fee are held in your wallet from now on, and free again if the refund fails. The answer is ' +
          'only an acknowledgement: the outcome comes by callback, or ask for the status. Repeating a request is ' +
          'safe: an identifier that was accepted before is never processed again.',
        body: refundRequestSchema,
        response: { 200: refundInitiationSchema, ...failureResponses([400, 401, 403, 500], 'refundId') },
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
  registerCancel(app, engine, REFUNDS);
}
