// Deposits of the current generation.
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createBatcher } from '../../core/batch.ts';
import type { Engine } from '../../core/engine.ts';
import { initiate, type InitiationAnswer } from '../../core/initiate.ts';
import type { InitiationOrder } from '../../core/order.ts';
import { findPayment } from '../../core/read.ts';
import { findProvider, type ProviderFacts } from '../../domain/catalogue.ts';
import {
  depositInitiationSchema,
  depositRequestSchema,
  parseDepositRequest,
  renderDepositInitiation,
  type DepositInitiation,
  type DepositRequest,
} from '../../wire/v2/deposit.ts';
import {
  depositLookupSchema,
  depositPathSchema,
  parseDepositPath,
  renderDepositLookup,
} from '../../wire/v2/deposit-record.ts';
import { failureSchema, renderFault } from '../../wire/v2/failure.ts';
import { readJson, requireMerchant } from '../request.ts';
import { RequestFailure, requestFailure } from '../request-failure.ts';

export function registerDeposits(app: FastifyInstance, engine: Engine): void {
  const accept = createBatcher<InitiationOrder, InitiationAnswer>((orders) => initiate(engine, orders));

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
      const merchant = await requireMerchant(engine, request, 'deposits:write');
      const deposit = readDeposit(engine, request);
      const answer = await accept({
        ...deposit,
        requestId: randomUUID(),
        merchant,
        kind: 'DEPOSIT',
        generation: 'v2',
      });
      return renderDepositInitiation(initiationOf(deposit, answer));
    },
  );

  app.get(
    '/v2/deposits/:depositId',
    {
      schema: {
        operationId: 'getDeposit',
        tags: ['deposits'],
        summary: 'Check the status of a deposit',
        description:
          'FOUND only says that the deposit exists; what became of it is the status inside `data`.',
        params: depositPathSchema,
        response: { 200: depositLookupSchema, ...failureResponses([400, 401, 403, 500]) },
      },
    },
    async (request) => {
      const merchant = await requireMerchant(engine, request, 'deposits:read');
      const path = parseDepositPath(request.params);
      if (path.type === 'FAULT') throw new RequestFailure(400, renderFault(path.fault));
      const { merchantId } = merchant;
      const payment = await findPayment(engine, { merchantId, kind: 'DEPOSIT', writtenId: path.paymentId });
      return renderDepositLookup(payment, authTypeOf(payment?.provider ?? ''));
    },
  );
}

function readDeposit(engine: Engine, request: FastifyRequest): DepositRequest {
  const httpUrlsAllowed = engine.environment === 'sandbox';
  const parsed = parseDepositRequest(readJson(request), { authTypeOf, httpUrlsAllowed });
  if (parsed.type === 'FAULT') throw new RequestFailure(400, renderFault(parsed.fault));
  return parsed.request;
}

function initiationOf(deposit: DepositRequest, answer: InitiationAnswer): DepositInitiation {
  const depositId = deposit.writtenId;
  switch (answer.type) {
    case 'ACCEPTED':
      return { ...answer, depositId, authType: authTypeOf(deposit.provider) ?? 'PROVIDER_AUTH' };
    case 'DUPLICATE_IGNORED':
      return { ...answer, depositId };
    case 'REJECTED':
      return { type: 'REJECTED', depositId, failureReason: answer.reason };
    case 'NOT_ALLOWED':
      throw new RequestFailure(403, answer.reason);
    case 'UNKNOWN':
      throw requestFailure('UNKNOWN_ERROR');
  }
}

function authTypeOf(provider: string): ProviderFacts['authType'] | null {
  return findProvider(provider)?.authType ?? null;
}

function failureResponses(statuses: readonly number[], idName?: string) {
  return Object.fromEntries(statuses.map((status) => [status, failureSchema(status, idName)]));
}
