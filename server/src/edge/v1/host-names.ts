// Older names of the gateway.
import type { FastifyRequest } from 'fastify';

/** Names under which only API v1 answers, in lower case. */
export type V1Hosts = ReadonlySet<string>;

export function isV1Host(request: FastifyRequest, hosts: V1Hosts): boolean {
  return hosts.has(request.hostname.toLowerCase());
}
