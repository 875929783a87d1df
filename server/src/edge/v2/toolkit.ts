// The toolkit of API v2: what is active on an account, what works now, whose a number is, and by which
// keys callbacks are verified.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { findCallbackUrls, listActive } from '../../core/payments/read/read-configuration.ts';
import { predictProvider } from '../../domain/operators/prediction.ts';
import {
  activeConfigurationSchema,
  renderActiveConfiguration,
} from '../../wire/v2/toolkit/active-configuration.ts';
import { availabilitySchema, renderAvailability } from '../../wire/v2/toolkit/availability.ts';
import { renderFault } from '../../wire/v2/failure.ts';
import { operationQuerySchema, parseOperationQuery, type OperationFilter } from '../../wire/v2/filter.ts';
import {
  parsePredictionRequest,
  predictionRequestSchema,
  predictionSchema,
  renderPrediction,
  renderUnresolved,
} from '../../wire/v2/toolkit/prediction.ts';
import { publicKeysSchema, renderPublicKeys } from '../../wire/v2/toolkit/public-key.ts';
import { artworkUrls } from '../artwork.ts';
import { readJson, requireMerchant } from '../request.ts';
import { failureResponses } from './initiation.ts';
import { RequestFailure } from '../request-failure.ts';
import { addRoute } from '../add-route.ts';

export function registerToolkit(app: FastifyInstance, engine: Engine): void {
  const failures = failureResponses([400, 401, 403, 500]);

  addRoute(app, 'GET', '/v2/active-conf', {
    operationId: 'getActiveConfiguration',
    tags: ['toolkit'],
    summary: 'Read your active configuration',
    description:
      'Countries, providers and currencies with the limits, decimals and availability of each type of ' +
      'operation, and what payers have to do to approve a deposit.',
    querystring: operationQuerySchema,
    response: { 200: activeConfigurationSchema, ...failures },
    handle: async (request) => {
      const merchant = await requireMerchant(engine, request, 'toolkit:read');
      const countries = await listActive(engine, merchant, readFilter(request.query));
      const callbackUrls = await findCallbackUrls(engine, merchant.merchantId);
      const { companyName, signedRequestsOnly } = merchant;
      return renderActiveConfiguration(
        { companyName, signedRequestsOnly, countries, callbackUrls },
        artworkUrls(engine, request),
      );
    },
  });

  addRoute(app, 'GET', '/v2/availability', {
    operationId: 'getAvailability',
    tags: ['toolkit'],
    summary: 'Read the availability of your providers',
    description: 'The providers that are active on your account. A change is seen within ten seconds.',
    querystring: operationQuerySchema,
    response: { 200: availabilitySchema, ...failures },
    handle: async (request) => {
      const merchant = await requireMerchant(engine, request, 'toolkit:read');
      return renderAvailability(await listActive(engine, merchant, readFilter(request.query)));
    },
  });

  addRoute(app, 'POST', '/v2/predict-provider', {
    operationId: 'predictProvider',
    tags: ['toolkit'],
    summary: 'Predict the provider of a phone number',
    description:
      'Normalises a phone number and predicts its country and provider, active on your account or not. ' +
      'A number that cannot be resolved is answered 400 INVALID_PARAMETER.',
    body: predictionRequestSchema,
    response: { 200: predictionSchema, ...failures },
    handle: async (request) => {
      await requireMerchant(engine, request, 'toolkit:read');
      const parsed = parsePredictionRequest(readJson(request));
      if (parsed.type === 'FAULT') throw new RequestFailure(400, renderFault(parsed.fault));
      const testNumbersAllowed = engine.environment === 'sandbox';
      const prediction = predictProvider(parsed.request, { testNumbersAllowed });
      if (prediction.type === 'UNRESOLVED') throw new RequestFailure(400, renderUnresolved(prediction.cause));
      return renderPrediction(prediction);
    },
  });

  addRoute(app, 'GET', '/v2/public-key/http', {
    operationId: 'getPublicKeys',
    tags: ['toolkit'],
    summary: 'Read the public keys of the service',
    description:
      'They verify signed callbacks, and signed answers if you request them. Cache the keys, and read ' +
      'them again when a signature names an unknown one.',
    // Nothing about it can be asked wrongly.
    response: { 200: publicKeysSchema, ...failureResponses([401, 403, 500]) },
    handle: async (request) => {
      await requireMerchant(engine, request, 'toolkit:read');
      return renderPublicKeys(await engine.signingKeys.published());
    },
  });
}

function readFilter(query: unknown): OperationFilter {
  const parsed = parseOperationQuery(query);
  if (parsed.type === 'FAULT') throw new RequestFailure(400, renderFault(parsed.fault));
  return parsed.request;
}
