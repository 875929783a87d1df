// Statements of API v2: asked for, looked at. Their files are in ../statement-files.ts.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { readStatement } from '../../core/statements/read-wallet-statement.ts';
import { requestStatement } from '../../core/statements/request-wallet-statement.ts';
import { failureReason } from '../../domain/failure.ts';
import { renderLookup } from '../../wire/v2/lookup.ts';
import { parsePath, pathSchema } from '../../wire/v2/path.ts';
import { renderStatement, statementLookupSchema } from '../../wire/v2/statements/statement-record.ts';
import {
  callbackUrlCause,
  parseStatementRequest,
  renderStatementInitiation,
  statementIdSchema,
  statementInitiationSchema,
  statementRequestSchema,
} from '../../wire/v2/statements/statement.ts';
import { publicAddress } from '../pages/addresses.ts';
import { readJson, requireMerchant } from '../request.ts';
import { requestFailure } from '../request-failure.ts';
import { failureResponses, requireParsed } from './initiation.ts';
import { addRoute } from '../add-route.ts';

const PATH = pathSchema('statementId', statementIdSchema);

export function registerStatements(app: FastifyInstance, engine: Engine): void {
  registerOrder(app, engine);
  registerLookup(app, engine);
}

function registerOrder(app: FastifyInstance, engine: Engine): void {
  addRoute(app, 'POST', '/v2/statements', {
    operationId: 'requestStatement',
    tags: ['finances'],
    summary: 'Create a statement of a wallet',
    description:
      'A CSV file with the opening and closing balance and every movement with its fee. It is created ' +
      'in the background, and a callback is sent when it is ready. Two requests create two files.',
    body: statementRequestSchema,
    response: { 200: statementInitiationSchema, ...failureResponses([400, 401, 403, 500]) },
    handle: async (request) => {
      const merchant = await requireMerchant(engine, request, 'finances:read');
      const asked = requireParsed(parseStatementRequest(readJson(request)));
      const httpUrlsAllowed = engine.environment === 'sandbox';
      const cause = callbackUrlCause(asked.callbackUrl, { httpUrlsAllowed });
      if (cause !== null) {
        const reason = failureReason('INVALID_CALLBACK_URL', { cause });
        return renderStatementInitiation({ type: 'REJECTED', reason });
      }
      const baseUrl = publicAddress(engine, request);
      const answer = await requestStatement(engine, { ...asked, merchant, baseUrl });
      if (answer.type === 'UNKNOWN') throw requestFailure('UNKNOWN_ERROR');
      return renderStatementInitiation(answer);
    },
  });
}

function registerLookup(app: FastifyInstance, engine: Engine): void {
  addRoute(app, 'GET', '/v2/statements/:statementId', {
    operationId: 'getStatement',
    tags: ['finances'],
    summary: 'Check the status of a statement',
    description: 'FOUND only says that it exists. Each answer about a COMPLETED one has a new downloadUrl.',
    params: PATH,
    response: { 200: statementLookupSchema, ...failureResponses([400, 401, 403, 500]) },
    handle: async (request) => {
      const { merchantId } = await requireMerchant(engine, request, 'finances:read');
      const writtenId = requireParsed(parsePath(PATH, request.params));
      const view = await readStatement(engine, { merchantId, writtenId });
      return renderLookup(view === null ? null : renderStatement(view));
    },
  });
}
