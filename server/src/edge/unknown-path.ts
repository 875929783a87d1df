// Requests no route takes: a path that answers another method is 405, any other is 404.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestFailure } from './request-failure.ts';
import { isV1Host, type V1Hosts } from './v1/host-names.ts';
import { isV1Path } from './v1/hosts.ts';

/** Of a long path the beginning is enough. */
const PATH_MAX = 200;

type Answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Must be called before the routes are registered. `answer` puts a failure into the words of the right API version. */
export function answerUnknownPaths(app: FastifyInstance, hosts: V1Hosts, answer: Answer): void {
  const routes: { readonly methods: readonly string[]; readonly url: string; readonly shape: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    routes.push({ methods: [method].flat(), url, shape: shapeOf(url) });
  });
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const isHere = isV1Host(request, hosts) ? isV1Path : () => true;
    const allowed = routes
      .filter(({ url, shape }) => isHere(url) && shape.test(path))
      .flatMap(({ methods }) => methods);
    const failure =
      allowed.length === 0
        ? requestFailure('ROUTE_NOT_FOUND', {
            cause: `no route for ${request.method} '${path.slice(0, PATH_MAX)}'`,
          })
        : requestFailure('METHOD_NOT_ALLOWED', { method: request.method });
    if (allowed.length > 0) reply.header('allow', [...new Set(allowed)].join(', '));
    await answer(failure, request, reply);
  });
}

function shapeOf(url: string): RegExp {
  const pattern = url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${pattern}$`);
}
