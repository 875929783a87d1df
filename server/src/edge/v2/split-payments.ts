// Split payments of the current generation.
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import type { InitiationAnswer } from '../../core/initiate.ts';
import { initiateSplit } from '../../core/initiate-split.ts';
import { findSplit } from '../../core/read-split.ts';
import { findProvider, type ProviderFacts } from '../../domain/catalogue.ts';
import { failureSchema, renderFault } from '../../wire/v2/failure.ts';
import {
  parseSplitPaymentRequest,
  renderSplitPaymentInitiation,
  splitPaymentInitiationSchema,
  splitPaymentRequestSchema,
  type SplitPaymentInitiation,
} from '../../wire/v2/split-payment.ts';
import {
  findSplitPaymentPathFault,
  renderSplitPayment,
  splitPaymentLookupSchema,
  splitPaymentPathSchema,
} from '../../wire/v2/split-payment-record.ts';
import { readJson, requireMerchant } from '../request.ts';
import { RequestFailure, requestFailure } from '../request-failure.ts';

export function registerSplitPayments(app: FastifyInstance, engine: Engine): void {
  app.post(
    '/v2/split-payments',
    {
      config: { initiates: 'splitPaymentId' },
      schema: {
        operationId: 'initiateSplitPayment',
        tags: ['split-payments'],
        summary: 'Initiate a split payment',
        description:
          'Collects money from a payer and, once it is there, pays the shares out. The collection is a deposit with ' +
          'the same identifier, each share a payout; all can be read by their own identifiers and are announced.',
        body: splitPaymentRequestSchema,
        response: { 200: splitPaymentInitiationSchema, ...failures([400, 401, 403, 500], 'splitPaymentId') },
      },
    },
    async (request) => {
      const merchant = await requireMerchant(engine, request, 'split-payments:write');
      const httpUrlsAllowed = engine.environment === 'sandbox';
      const parsed = parseSplitPaymentRequest(readJson(request), { authTypeOf, httpUrlsAllowed });
      if (parsed.type === 'FAULT') throw new RequestFailure(400, renderFault(parsed.fault));
      const { request: split } = parsed;
      const answer = await initiateSplit(engine, {
        ...split,
        requestId: randomUUID(),
        merchant,
        generation: 'v2',
      });
      return renderSplitPaymentInitiation(split.writtenId, initiationOf(split.provider, answer));
    },
  );

  app.get(
    '/v2/split-payments/:splitPaymentId',
    {
      schema: {
        operationId: 'getSplitPayment',
        tags: ['split-payments'],
        summary: 'Check the status of a split payment',
        description: 'FOUND only says that it exists; what became of it is the status inside `data`.',
        params: splitPaymentPathSchema,
        response: { 200: splitPaymentLookupSchema, ...failures([400, 401, 403, 500]) },
      },
    },
    async (request) => {
      const { merchantId } = await requireMerchant(engine, request, 'split-payments:read');
      const fault = findSplitPaymentPathFault(request.params);
      if (fault !== null) throw new RequestFailure(400, renderFault(fault));
      const { splitPaymentId: writtenId } = request.params as { readonly splitPaymentId: string };
      const view = await findSplit(engine, { merchantId, writtenId });
      if (view === null) return { status: 'NOT_FOUND' };
      const facts = { ...view, writtenId: view.split.writtenId };
      return { status: 'FOUND', data: renderSplitPayment(facts, authTypeOf(view.collection.provider)) };
    },
  );
}

function initiationOf(provider: string, answer: InitiationAnswer): SplitPaymentInitiation {
  switch (answer.type) {
    case 'ACCEPTED':
      return { ...answer, authType: authTypeOf(provider) ?? 'PROVIDER_AUTH' };
    case 'DUPLICATE_IGNORED':
      return answer;
    case 'REJECTED':
      return { type: 'REJECTED', failureReason: answer.reason };
    case 'NOT_ALLOWED':
      throw new RequestFailure(403, answer.reason);
    case 'UNKNOWN':
      throw requestFailure('UNKNOWN_ERROR');
  }
}

function authTypeOf(provider: string): ProviderFacts['authType'] | null {
  return findProvider(provider)?.authType ?? null;
}

function failures(statuses: readonly number[], idName?: string) {
  return Object.fromEntries(statuses.map((status) => [status, failureSchema(status, idName)]));
}
