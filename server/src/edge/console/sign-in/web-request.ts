// Requests of people as the authentication library reads them.
import type { FastifyRequest } from 'fastify';
import type { Engine } from '../../../core/engine.ts';
import { clientAddressOf } from '../../client-address.ts';
import { rawBody } from '../../request.ts';
import { signAgain, type ConsoleKeys } from '../console-keys.ts';
import { ADDRESS_HEADER } from './auth-options.ts';
import { withoutTrust, withoutTrustDevice } from './untrusted-devices.ts';

/** Where people reach us: the configured address, or the one this request was sent to. */
export function originOf({ publicUrl }: Engine, request: FastifyRequest): string {
  if (publicUrl !== null) return new URL(publicUrl).origin;
  // HTTP/1.0 needs no Host.
  return `${request.protocol}://${request.host === '' ? 'localhost' : request.host}`;
}

export function toWebRequest(engine: Engine, request: FastifyRequest, keys: ConsoleKeys): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && name !== 'content-length') headers.set(name, value);
  }
  const { cookie } = request.headers;
  if (cookie !== undefined) headers.set('cookie', signAgain(keys, withoutTrust(cookie)));
  headers.set(ADDRESS_HEADER, clientAddressOf(engine, request));
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const body = hasBody ? new Uint8Array(withoutTrustDevice(rawBody(request))) : null;
  const url = new URL(request.url, originOf(engine, request));
  return new Request(url, { method: request.method, headers, body });
}
