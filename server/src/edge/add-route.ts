import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { orUnavailable } from './request-failure.ts';

/** Adds a documented route of the merchants' API. Every request of it may be sent again, and does no harm twice. */
export function addRoute(
  app: FastifyInstance,
  method: 'GET' | 'POST',
  url: string,
  {
    handle,
    initiates,
    ...schema
  }: FastifySchema & {
    readonly handle: (request: FastifyRequest, reply: FastifyReply) => unknown;
    /** The field of the body whose identifier a refusal repeats. */
    readonly initiates?: string | undefined;
  },
): void {
  const config = initiates === undefined ? {} : { config: { initiates } };
  app.route({
    method,
    url,
    ...config,
    schema,
    handler: (request, reply) => orUnavailable(async () => handle(request, reply)),
  });
}
