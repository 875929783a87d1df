// Requests no route takes: a path that answers another method is 405, any other is 404.
import type { FastifyInstance } from 'fastify';
import { requestFailure } from './request-failure.ts';

/** Must be called before the routes are registered. */
export function answerUnknownPaths(app: FastifyInstance): void {
  const routes: { readonly methods: readonly string[]; readonly shape: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    routes.push({ methods: [method].flat(), shape: shapeOf(url) });
  });
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const allowed = routes.filter(({ shape }) => shape.test(path)).flatMap(({ methods }) => methods);
    const failure =
      allowed.length === 0
        ? requestFailure('NO_SUCH_ADDRESS', { cause: 'no such path' })
        : requestFailure('METHOD_NOT_ALLOWED', { method: request.method });
    if (allowed.length > 0) reply.header('allow', [...new Set(allowed)].join(', '));
    return reply.code(failure.httpStatus).send({ failureReason: failure.reason });
  });
}

function shapeOf(url: string): RegExp {
  const pattern = url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${pattern}$`);
}
