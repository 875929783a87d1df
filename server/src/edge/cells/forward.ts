// Hands requests on to the cell they belong to, body and headers untouched, and gives its answer back. Nothing of such
// a request was done here.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ForwardAnswer } from '../../cells/forwarder.ts';
import { MerchantInOtherCell } from '../../core/cells/lock-merchant.ts';
import type { Engine } from '../../core/engine.ts';
import { hopsOf, RequestForOtherCell } from './other-cell.ts';
import { authAttemptOf, HELD_MS, rawBody } from '../request.ts';
import { requestFailure, unavailable, type RequestFailure } from '../request-failure.ts';

type Answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Answers what is thrown by `answer`, but requests of merchants that live elsewhere by the answer from there. */
export function orForward(engine: Engine, answer: Answer): Answer {
  return async (error, request, reply) => {
    const cells = await cellsFor(engine, error);
    if (cells === null) return answer(error, request, reply);
    if (cells.length === 0) return answer(unavailable(), request, reply);
    const answered = await forwardToAny(engine, request, cells);
    if (answered.type !== 'ANSWERED') return answer(failureOf(request, answered), request, reply);
    learnFrom(engine, request, answered.status);
    await reply.code(answered.status).headers(answered.headers).send(answered.body);
  };
}

/** Whether a token is good that is known elsewhere, that cell's answer tells. */
function learnFrom(engine: Engine, request: FastifyRequest, status: number): void {
  if (status === 401) engine.authFailureLimiter.wasRefused(authAttemptOf(engine, request));
  else if (status < 500) engine.authFailureLimiter.recordSuccess(authAttemptOf(engine, request));
}

/** The cells that can answer; none while that is not decided, null where it is no matter of cells. */
async function cellsFor(engine: Engine, error: unknown): Promise<readonly string[] | null> {
  if (error instanceof RequestForOtherCell) return error.cells;
  if (!(error instanceof MerchantInOtherCell)) return null;
  // The migration lock was raised after the request had been let in. It wrote nothing, so it may go where the merchant
  // goes.
  const until = performance.now() + HELD_MS;
  while (performance.now() < until) {
    const place = await engine.cellAssignments.of(error.merchantId, { isFresh: true });
    if (place.type === 'OTHER_CELL') return [place.cell];
    // The move was put off. The client sends the request again.
    if (place.type === 'HERE') return [];
    await sleep(LOOK_AGAIN_MS);
  }
  return [];
}

const LOOK_AGAIN_MS = 25;

/** One that does not know the token says so; then the next is asked. */
async function forwardToAny(
  engine: Engine,
  request: FastifyRequest,
  cells: readonly string[],
): Promise<ForwardAnswer> {
  let answer: ForwardAnswer = { type: 'NOT_SENT' };
  for (const cell of cells) {
    answer = await forwardTo(engine, request, cell);
    if (!(answer.type === 'ANSWERED' && answer.status === 401)) return answer;
  }
  return answer;
}

export async function forwardTo(
  engine: Engine,
  request: FastifyRequest,
  cell: string,
): Promise<ForwardAnswer> {
  const { method, url: path } = request;
  const { rawHeaders } = request.raw;
  const forwarded = { method, path, rawHeaders, body: rawBody(request), hops: hopsOf(engine, request) };
  return engine.forwarder.forward(cell, forwarded);
}

/** A request that only reads has no outcome that could be unknown. */
function failureOf(request: FastifyRequest, answer: ForwardAnswer): RequestFailure {
  return answer.type === 'UNKNOWN' && request.method !== 'GET'
    ? requestFailure('UNKNOWN_ERROR')
    : unavailable();
}
