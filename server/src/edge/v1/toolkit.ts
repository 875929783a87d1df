// The toolkit of API v1: what is active on an account, what works now, whose a number is.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { listActive, listOffered } from '../../core/payments/read/read-configuration.ts';
import { predictProvider } from '../../domain/operators/prediction.ts';
import {
  activeConfigurationSchema,
  renderActiveConfiguration,
} from '../../wire/v1/toolkit/active-configuration.ts';
import { availabilitySchema, renderAvailability } from '../../wire/v1/toolkit/availability.ts';
import {
  parsePredictionRequest,
  predictionRequestSchema,
  predictionSchema,
  renderPrediction,
  unresolvedFault,
} from '../../wire/v1/toolkit/prediction.ts';
import { renderFault } from '../../wire/v2/failure.ts';
import { publicKeysSchema, renderPublicKeys } from '../../wire/v2/toolkit/public-key.ts';
import { readJson, requireMerchant } from '../request.ts';
import { RequestFailure } from '../request-failure.ts';
import { requireParsed } from '../v2/initiation.ts';
import { errorResponses } from './initiation.ts';
import { addRoute } from '../add-route.ts';

export function registerToolkit(app: FastifyInstance, engine: Engine): void {
  addRoute(app, 'GET', '/active-conf', {
    operationId: 'getActiveConfiguration',
    tags: ['toolkit'],
    summary: 'Read your active configuration',
    description:
      'Countries and correspondents with the limits of each type of operation. A correspondent with several ' +
      'currencies has one entry for each.',
    response: { 200: activeConfigurationSchema, ...errorResponses([401, 403, 500]) },
    handle: async (request) => {
      const merchant = await requireMerchant(engine, request, 'toolkit:read');
      const countries = await listActive(engine, merchant, { country: null, operationType: null });
      return renderActiveConfiguration({ ...merchant, countries });
    },
  });

  addRoute(app, 'GET', '/availability', {
    operationId: 'getAvailability',
    tags: ['toolkit'],
    summary: 'Read the availability of correspondents',
    description: 'Every correspondent of this gateway. It needs no token.',
    security: [],
    response: { 200: availabilitySchema, ...errorResponses([500]) },
    handle: async () => renderAvailability(await listOffered(engine)),
  });

  addRoute(app, 'GET', '/public-key/http', {
    operationId: 'getPublicKeys',
    tags: ['toolkit'],
    summary: 'Read the public keys of the service',
    description: 'Callbacks are signed with one of them. It needs no token.',
    security: [],
    response: { 200: publicKeysSchema, ...errorResponses([500]) },
    handle: async () => renderPublicKeys(await engine.signingKeys.published()),
  });

  addRoute(app, 'POST', '/v1/predict-correspondent', {
    operationId: 'predictCorrespondent',
    tags: ['toolkit'],
    summary: 'Predict the correspondent of a phone number',
    description:
      'Normalises a phone number and predicts its country, operator and correspondent, active on your ' +
      'account or not. A number that cannot be resolved is answered 400.',
    body: predictionRequestSchema,
    response: { 200: predictionSchema, ...errorResponses([400, 401, 403, 500]) },
    handle: async (request) => {
      await requireMerchant(engine, request, 'toolkit:read');
      const number = requireParsed(parsePredictionRequest(readJson(request)));
      const testNumbersAllowed = engine.environment === 'sandbox';
      const prediction = predictProvider(number, { testNumbersAllowed });
      if (prediction.type === 'UNRESOLVED')
        throw new RequestFailure(400, renderFault(unresolvedFault(prediction.cause)));
      return renderPrediction(prediction);
    },
  });
}
