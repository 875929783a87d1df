// API v1: its routes, and its words for what goes wrong. It decides nothing that the current one does
// not decide in the same way: both only translate.
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { errorSchema, renderError } from '../../wire/v1/failure.ts';
import { documentBodyFailures } from '../body-failures.ts';
import { failureOf } from '../failure.ts';
import { orForward } from '../cells/forward.ts';
import { createInitiator, type Initiator } from '../initiator.ts';
import { registerSignedAnswers } from '../signed-answer.ts';
import { registerFinances } from './finances.ts';
import { registerPaymentPage } from './payment-page.ts';
import { registerPayments } from './payments.ts';
import { registerToolkit } from './toolkit.ts';

export async function registerV1(
  app: FastifyInstance,
  engine: Engine,
  initiator: Initiator = createInitiator(engine),
): Promise<void> {
  await app.register(async (v1) => {
    v1.setErrorHandler(orForward(engine, answerError));
    documentBodyFailures(v1, errorSchema);
    registerSignedAnswers(v1, engine);
    registerPayments(v1, engine, initiator);
    registerPaymentPage(v1, engine);
    registerToolkit(v1, engine);
    registerFinances(v1, engine);
  });
}

/** Answers anything thrown, or a failure made for it, as this API version does. The log has the answer's name too. */
export async function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { httpStatus, reason, headers } = failureOf(error, request);
  const errorId = randomUUID();
  // Also where only warnings are logged, as in the sandbox: people ask support with this identifier.
  request.log.warn({ errorId, code: reason.failureCode }, 'refused');
  await reply
    .code(httpStatus)
    .headers(headers)
    .send(renderError(httpStatus, reason, errorId));
}
