import type { FastifyRequest } from 'fastify';
import type { Engine } from '../core/engine.ts';

/** Not `request.ip`, which believes in hosts and protocols too once it believes in proxies. It is never logged. */
export function clientAddressOf(
  { clientAddresses }: Pick<Engine, 'clientAddresses'>,
  request: FastifyRequest,
): string {
  const header = request.headers['x-forwarded-for'];
  const forwardedFor = Array.isArray(header) ? header.join(',') : header;
  return clientAddresses.of({ peer: request.socket.remoteAddress ?? '', forwardedFor });
}
