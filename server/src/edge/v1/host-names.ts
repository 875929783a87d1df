// Older names of the gateway.
import type { FastifyRequest } from 'fastify';

/** Names under which only API v1 answers, in lower case. */
export type EarlierHosts = ReadonlySet<string>;

export function isEarlierHost(request: FastifyRequest, hosts: EarlierHosts): boolean {
  return hosts.has(request.hostname.toLowerCase());
}
