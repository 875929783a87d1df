// Split payments of API v2.
import { canonicalIdentifier } from '../../domain/identifier.ts';
import type { OperationKey } from '../../domain/payments/payment.ts';
import { nameSubjects } from '../log-subjects.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { initiateSplit } from '../../core/payments/accept/initiate-split.ts';
import { findSplit } from '../../core/payments/read/read-split.ts';
import { renderLookup } from '../../wire/v2/lookup.ts';
import { parsePath, pathSchema } from '../../wire/v2/path.ts';
import {
  parseSplitPaymentRequest,
  renderSplitPaymentInitiation,
  splitPaymentIdSchema,
  splitPaymentInitiationSchema,
  splitPaymentRequestSchema,
  type SplitPaymentRequest,
} from '../../wire/v2/payments/split-payment.ts';
import { renderSplitPayment, splitPaymentLookupSchema } from '../../wire/v2/payments/split-payment-record.ts';
import { requireRoom } from '../initiator.ts';
import { readJson, requireMerchant } from '../request.ts';
import { requireSigningMerchant } from '../signed-request.ts';
import {
  authTypeOf,
  collectionInitiationOf,
  failureResponses,
  orderOf,
  requireParsed,
} from './initiation.ts';
import { addRoute } from '../add-route.ts';

const PATH = pathSchema('splitPaymentId', splitPaymentIdSchema);

export function registerSplitPayments(app: FastifyInstance, engine: Engine): void {
  addRoute(app, 'POST', '/v2/split-payments', {
    initiates: 'splitPaymentId',
    operationId: 'initiateSplitPayment',
    tags: ['split-payments'],
    summary: 'Initiate a split payment',
    description:
      'Collects money from a payer, then pays the shares out. The collection is a deposit with the ' +
      'same identifier, and each share is a payout; each has its own status check and callback.',
    body: splitPaymentRequestSchema,
    response: {
      200: splitPaymentInitiationSchema,
      ...failureResponses([400, 401, 403, 500], 'splitPaymentId'),
    },
    handle: async (request) => {
      const merchant = await requireSigningMerchant(engine, request, 'split-payments:write');
      const split = readSplitPayment(engine, request);
      nameSubjects(engine, request, partsOf(merchant.merchantId, split.writtenId));
      requireRoom(engine, { kind: 'DEPOSIT', provider: split.provider });
      const answer = await initiateSplit(engine, orderOf(merchant, split));
      const splitPaymentId = split.writtenId;
      return renderSplitPaymentInitiation({
        ...collectionInitiationOf(split.provider, answer),
        splitPaymentId,
      });
    },
  });

  addRoute(app, 'GET', '/v2/split-payments/:splitPaymentId', {
    operationId: 'getSplitPayment',
    tags: ['split-payments'],
    summary: 'Check the status of a split payment',
    description: 'FOUND only says that it exists; its outcome is the status inside `data`.',
    params: PATH,
    response: { 200: splitPaymentLookupSchema, ...failureResponses([400, 401, 403, 500]) },
    handle: async (request) => {
      const { merchantId } = await requireMerchant(engine, request, 'split-payments:read');
      const writtenId = requireParsed(parsePath(PATH, request.params));
      nameSubjects(engine, request, partsOf(merchantId, writtenId));
      const view = await findSplit(engine, { merchantId, writtenId });
      if (view === null) return renderLookup(null);
      const facts = { ...view, writtenId: view.split.writtenId };
      return renderLookup(renderSplitPayment(facts, authTypeOf(view.collection.provider)));
    },
  });
}

/** The whole, and its collection. */
function partsOf(merchantId: string, writtenId: string): readonly OperationKey[] {
  const key = { merchantId, paymentId: canonicalIdentifier(writtenId) };
  return [
    { ...key, kind: 'SPLIT_PAYMENT' },
    { ...key, kind: 'DEPOSIT' },
  ];
}

function readSplitPayment(engine: Engine, request: FastifyRequest): SplitPaymentRequest {
  const httpUrlsAllowed = engine.environment === 'sandbox';
  return requireParsed(parseSplitPaymentRequest(readJson(request), { authTypeOf, httpUrlsAllowed }));
}
