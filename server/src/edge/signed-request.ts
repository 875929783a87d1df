// Requests that start payments, or open pages where a payer does: where the account takes only signed ones, the
// signature is checked here, after token, rate limit and scope and before the body is read. v1 and v2 differ only in
// how they report a refusal.
import type { FastifyRequest } from 'fastify';
import type { Scope } from '../core/merchants/administer-merchants.ts';
import type { Engine } from '../core/engine.ts';
import { verifySignature } from '../core/access/verify-signature.ts';
import type { Merchant } from '../store/merchants/merchants.ts';
import type { SignedRequest } from '../wire/http-signature/check-signature.ts';
import { rawBody, requireMerchant, type Caller } from './request.ts';
import { requestFailure } from './request-failure.ts';
import { prepareSignedAnswer } from './signed-answer.ts';
import { isV1Host } from './v1/host-names.ts';

/** The merchant, as `requireMerchant` finds it, if the request is signed as its account demands. */
export async function requireSigningMerchant(
  engine: Engine,
  request: FastifyRequest,
  scope: Scope,
): Promise<Caller> {
  const merchant = await requireMerchant(engine, request, scope);
  // Nothing is demanded and nothing evaluated, also where the headers are there.
  if (!demandsSignature(merchant, scope)) return merchant;
  await prepareSignedAnswer(engine, request);
  const { fault } = verifySignature(engine, merchant, signedRequestOf(engine, request, request.url));
  if (fault !== null) throw requestFailure('AUTHENTICATION_ERROR', { cause: fault.cause });
  return merchant;
}

/** Each setting of the account covers its own requests. */
function demandsSignature(merchant: Merchant, scope: Scope): boolean {
  const isPage = scope === 'payment-page:write' || scope === 'checkouts:write';
  return isPage ? merchant.signedPagesOnly : merchant.signedRequestsOnly;
}

/** The request as its client saw it. */
export function signedRequestOf(engine: Engine, request: FastifyRequest, path: string): SignedRequest {
  const { method, headers } = request;
  return { method, url: `${addressSeen(engine, request)}${path}`, headers, body: rawBody(request) };
}

/** The public address, whatever a proxy made of the Host header; but an older host, where the client came by one. */
function addressSeen(engine: Engine, request: FastifyRequest): string {
  const { publicUrl } = engine;
  if (publicUrl === null) return `${request.protocol}://${request.host}`;
  return isV1Host(request, engine.v1Hosts) ? `${new URL(publicUrl).protocol}//${request.host}` : publicUrl;
}
