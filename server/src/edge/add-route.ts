import type { FastifyInstance, FastifySchema, RouteHandlerMethod } from 'fastify';

/** Adds a documented route of the merchants' API. */
export function addRoute(
  app: FastifyInstance,
  method: 'GET' | 'POST',
  url: string,
  {
    handle,
    initiates,
    ...schema
  }: FastifySchema & {
    readonly handle: RouteHandlerMethod;
    /** The field of the body whose identifier a refusal repeats. */
    readonly initiates?: string | undefined;
  },
): void {
  const config = initiates === undefined ? {} : { config: { initiates } };
  app.route({ method, url, ...config, schema, handler: handle });
}
