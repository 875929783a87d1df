// What every route with a body documents: the body can be too large, or encoded.
import type { FastifyInstance, RouteOptions } from 'fastify';

/** Must be called before the routes are registered. */
export function documentBodyFailures(app: FastifyInstance, schemaOf: (status: 413 | 415) => object): void {
  app.addHook('onRoute', (route: RouteOptions) => {
    const { schema } = route;
    if (schema?.body === undefined) return;
    const response = { ...(schema.response as object), 413: schemaOf(413), 415: schemaOf(415) };
    route.schema = { ...schema, response };
  });
}
