// What every request goes through, in the specification's order: token, rate limit, scope, then the body. Anyone who
// has sent too much without a valid token is not heard before that.
import type { FastifyRequest } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { authenticate, type Authentication } from '../core/access/authenticate.ts';
import type { Scope } from '../core/merchants/administer-merchants.ts';
import type { Engine } from '../core/engine.ts';
import type { AuthAttempt } from '../core/access/auth-failure-limit.ts';
import type { Merchant } from '../store/merchants/merchants.ts';
import { clientAddressOf } from './client-address.ts';
import { hopsOf, RequestForOtherCell } from './cells/other-cell.ts';
import { orUnavailable, rateLimited, requestFailure, unavailable } from './request-failure.ts';

/** A merchant, and the API token by which it asks. */
export type Caller = Merchant & { readonly tokenId: string; readonly scopes: ReadonlySet<string> };

/** The merchant whose token the request carries, if that token may do this. */
export async function requireMerchant(
  engine: Engine,
  request: FastifyRequest,
  scope: Scope,
): Promise<Caller> {
  const { merchant, scopes, tokenId } = await requireToken(engine, request);
  requireScope(scopes, scope);
  return { ...merchant, tokenId, scopes };
}

export function requireScope(scopes: ReadonlySet<string>, scope: Scope): void {
  if (!scopes.has(scope)) throw requestFailure('AUTHORISATION_ERROR', { scope });
}

/** Whose token the request carries, whatever that token may do. Throws RequestForOtherCell for another cell's. */
export async function requireToken(
  engine: Engine,
  request: FastifyRequest,
): Promise<Authentication & { readonly type: 'AUTHENTICATED' }> {
  const guess = authAttemptOf(engine, request);
  const authFailureWaitMs = engine.authFailureLimiter.waitMsOf(guess);
  if (authFailureWaitMs > 0)
    throw rateLimited(authFailureWaitMs, 'without a valid API token from your address');
  const authentication = await orUnavailable(() => authenticateSettled(engine, request));
  switch (authentication.type) {
    case 'REFUSED':
      engine.authFailureLimiter.wasRefused(guess);
      engine.riskLog.note({ event: 'TOKEN_REFUSED' });
      throw requestFailure('AUTHENTICATION_ERROR', { cause: authentication.cause });
    case 'OTHER_CELL':
      throw new RequestForOtherCell(authentication.cells);
    case 'ON_THE_WAY':
      throw unavailable();
    case 'AUTHENTICATED': {
      engine.authFailureLimiter.recordSuccess(guess);
      const waitMs = engine.rateLimiter.waitMsOf(authentication.tokenId);
      if (waitMs > 0) throw rateLimited(waitMs, 'of this API token');
      return authentication;
    }
  }
}

/** What another cell hands on was counted there, for the client that it knows. */
export function authAttemptOf(engine: Engine, request: FastifyRequest): AuthAttempt {
  const { authorization: credentials } = request.headers;
  if (hopsOf(engine, request) > 0) return { client: null, credentials };
  const client = engine.clientAddresses.countedAs(clientAddressOf(engine, request));
  return { client, credentials };
}

/** A merchant is on its way for less than this, or not at all. */
export const HELD_MS = 2_000;
const LOOK_AGAIN_MS = 25;

/** Holds a request whose merchant is just moving until it is known where it belongs. */
async function authenticateSettled(engine: Engine, request: FastifyRequest): Promise<Authentication> {
  const { authorization } = request.headers;
  const isForwarded = hopsOf(engine, request) > 0;
  const until = performance.now() + HELD_MS;
  let authentication = await authenticate(engine, authorization, { isForwarded });
  while (authentication.type === 'ON_THE_WAY' && performance.now() < until) {
    await sleep(LOOK_AGAIN_MS);
    authentication = await authenticate(engine, authorization, { isForwarded, isFresh: true });
  }
  return authentication;
}

/** The body as JSON. Bodies are kept raw until here, because who asks is checked before what is asked. */
export function readJson(request: FastifyRequest): unknown {
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding.toLowerCase() !== 'identity')
    throw requestFailure('UNSUPPORTED_MEDIA_TYPE', { cause: 'its Content-Encoding must be identity' });
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
    throw requestFailure('INVALID_INPUT', { cause: 'the Content-Type must be application/json' });
  }
  const body = parseJson(rawBody(request));
  if (body === undefined) throw requestFailure('INVALID_INPUT', { cause: 'it is not valid JSON' });
  return body;
}

/** The body for an answer that only wants to repeat its identifier; undefined when it cannot be parsed. */
export function peekJson(request: FastifyRequest): unknown {
  return parseJson(rawBody(request));
}

/** The bytes as they were received. */
export function rawBody(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(raw)) as unknown;
  } catch {
    return undefined;
  }
}
