// Remittances of API v2.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { findProvider } from '../../domain/operators/catalogue.ts';
import {
  parseRemittanceRequest,
  remittanceIdSchema,
  remittanceInitiationSchema,
  remittanceRequestSchema,
  renderRemittanceInitiation,
} from '../../wire/v2/payments/remittance.ts';
import { remittanceLookupSchema, renderRemittance } from '../../wire/v2/payments/remittance-record.ts';
import type { Initiator } from '../initiator.ts';
import { readJson } from '../request.ts';
import { requireSigningMerchant } from '../signed-request.ts';
import { registerBulk } from './bulk.ts';
import { failureResponses, initiationOf, orderOf, requireParsed } from './initiation.ts';
import { registerCancel, registerLookup, registerResend, type PaymentResource } from './payment-routes.ts';

const REMITTANCES: PaymentResource = {
  kind: 'REMITTANCE',
  idSchema: remittanceIdSchema,
  lookupSchema: remittanceLookupSchema,
  renderRecord: renderRemittance,
};

export function registerRemittances(app: FastifyInstance, engine: Engine, initiator: Initiator): void {
  const parse = parserOf(engine);
  app.post(
    '/v2/remittances',
    {
      config: { initiates: 'remittanceId' },
      schema: {
        operationId: 'initiateRemittance',
        tags: ['remittances'],
        summary: 'Initiate a remittance',
        description:
          'Sends the money of a person abroad to a mobile wallet, with what must be known of sender and recipient. ' +
          'The amount and its fee are held in your wallet from now on, and free again if the remittance fails. The ' +
          'answer is only an acknowledgement: the outcome comes by callback, or ask for the status. Repeating a ' +
          'request is safe: an identifier that was accepted before is never processed again.',
        body: remittanceRequestSchema,
        response: {
          200: remittanceInitiationSchema,
          ...failureResponses([400, 401, 403, 500], 'remittanceId'),
        },
      },
    },
    async (request) => {
      const merchant = await requireSigningMerchant(engine, request, 'remittances:write');
      const remittance = requireParsed(parse(readJson(request)));
      const [answer] = await initiator([{ ...orderOf(merchant, remittance), kind: 'REMITTANCE' }]);
      return renderRemittanceInitiation(remittance.writtenId, initiationOf(answer));
    },
  );

  registerBulk(app, engine, initiator, {
    kind: 'REMITTANCE',
    requestSchema: remittanceRequestSchema,
    initiationSchema: remittanceInitiationSchema,
    parse,
    renderInitiation: renderRemittanceInitiation,
  });
  registerLookup(app, engine, REMITTANCES);
  registerResend(app, engine, REMITTANCES);
  registerCancel(app, engine, REMITTANCES);
}

const isProvider = (code: string) => findProvider(code) !== null;

function parserOf({ clock }: Engine) {
  return (body: unknown) => parseRemittanceRequest(body, { isProvider, now: clock.now() });
}
