// Where hosted pages are. A payer is sent to the gateway's public address, or to the one the merchant called.
import type { FastifyRequest } from 'fastify';
import type { Engine } from '../../core/engine.ts';

/** Payment pages are under /pay, checkouts under /checkout: each leads to its own kind of session. */
export type PageKind = 'pay' | 'checkout';

export function pageAddress(engine: Engine, request: FastifyRequest, kind: PageKind, code: string): string {
  return `${publicAddress(engine, request)}/${kind}/${code}`;
}

/** Of a payment link, at the gateway that has this address. */
export function linkAddress(gateway: string, code: string): string {
  return `${gateway}/link/${code}`;
}

/** The gateway as its merchants and their payers reach it. */
export function publicAddress(engine: Engine, request: FastifyRequest): string {
  return engine.publicUrl ?? `${request.protocol}://${request.host}`;
}

/** `returnUrl` with further parameters behind those it has. Its own query stays as the merchant wrote it. */
export function addToQuery(returnUrl: string, parameters: Readonly<Record<string, string>>): string {
  const [, address = returnUrl, fragment = ''] = /^([^#]*)(#.*)?$/.exec(returnUrl) ?? [];
  const added = new URLSearchParams(parameters).toString();
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${separator}${added}${fragment}`;
}
