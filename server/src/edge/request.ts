// What every request goes through, in the specification's order: token, rate limit, scope, then the body.
import type { FastifyRequest } from 'fastify';
import { authenticate, type Authentication } from '../core/authenticate.ts';
import type { Scope } from '../core/administer.ts';
import type { Engine } from '../core/engine.ts';
import type { Merchant } from '../store/merchants.ts';
import { rateLimited, requestFailure } from './request-failure.ts';

/** The merchant whose token the request carries, if that token may do this. */
export async function requireMerchant(
  engine: Engine,
  request: FastifyRequest,
  scope: Scope,
): Promise<Merchant> {
  const { merchant, scopes } = await requireToken(engine, request);
  if (!scopes.has(scope)) throw requestFailure('AUTHORISATION_ERROR', { scope });
  return merchant;
}

/** Whose token the request carries, whatever that token may do. */
export async function requireToken(
  engine: Engine,
  request: FastifyRequest,
): Promise<Authentication & { readonly type: 'AUTHENTICATED' }> {
  const authentication = await authenticate(engine, request.headers.authorization);
  if (authentication.type === 'REFUSED') {
    throw requestFailure('AUTHENTICATION_ERROR', { cause: authentication.cause });
  }
  const waitMs = engine.rateLimiter.waitMsOf(authentication.tokenId);
  if (waitMs > 0) throw rateLimited(waitMs);
  return authentication;
}

/** The body as JSON. Bodies are kept raw until here, because who asks is checked before what is asked. */
export function readJson(request: FastifyRequest): unknown {
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
