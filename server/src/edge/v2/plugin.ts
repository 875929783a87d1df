// API v2: its routes, and its words for what goes wrong.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { failureSchema, renderFailure } from '../../wire/v2/failure.ts';
import { peekJson } from '../request.ts';
import { documentBodyFailures } from '../body-failures.ts';
import { failureOf } from '../failure.ts';
import { orForward } from '../cells/forward.ts';
import { createInitiator, type Initiator } from '../initiator.ts';
import { registerSignedAnswers } from '../signed-answer.ts';
import { registerEvents } from './events.ts';
import { registerCheckouts } from './checkouts.ts';
import { registerHelpLinks } from './help-link.ts';
import { registerPaymentPage } from './payment-page.ts';
import { registerPayments } from './payments.ts';
import { registerFinances } from './finances.ts';
import { registerSplitPayments } from './split-payments.ts';
import { registerStatements } from './statements.ts';
import { registerToolkit } from './toolkit.ts';

export async function registerV2(
  app: FastifyInstance,
  engine: Engine,
  initiator: Initiator = createInitiator(engine),
): Promise<void> {
  await app.register(async (v2) => {
    v2.setErrorHandler(orForward(engine, answerFailure));
    documentBodyFailures(v2, failureSchema);
    registerHelpLinks(v2);
    registerSignedAnswers(v2, engine);
    registerPayments(v2, engine, initiator);
    registerSplitPayments(v2, engine);
    registerPaymentPage(v2, engine);
    registerCheckouts(v2, engine);
    registerToolkit(v2, engine);
    registerFinances(v2, engine);
    registerStatements(v2, engine);
    registerEvents(v2, engine);
  });
}

async function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const failure = failureOf(error, request);
  const idName = request.routeOptions.config.initiates;
  const initiation = idName === undefined ? undefined : { idName, body: peekJson(request) };
  const body = renderFailure(failure.httpStatus, failure.reason, initiation);
  await reply.code(failure.httpStatus).headers(failure.headers).send(body);
}
