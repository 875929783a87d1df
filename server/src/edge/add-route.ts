import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  onRequestAsyncHookHandler,
} from 'fastify';
import { orUnavailable } from './request-failure.ts';

/** Adds a documented route of the merchants' API. Every request of it may be sent again, and does no harm twice. */
export function addRoute(
  app: FastifyInstance,
  method: 'GET' | 'POST',
  url: string,
  {
    handle,
    initiates,
    deprecation,
    ...schema
  }: FastifySchema & {
    readonly handle: (request: FastifyRequest, reply: FastifyReply) => unknown;
    /** The field of the body whose identifier a refusal repeats. */
    readonly initiates?: string | undefined;
    /** Set when the end of a route is announced: docs/reference/versioning.md. */
    readonly deprecation?: Deprecation;
  },
): void {
  const config = initiates === undefined ? {} : { config: { initiates } };
  const ending = deprecation === undefined ? {} : { onRequest: announce(deprecation) };
  app.route({
    method,
    url,
    ...config,
    ...ending,
    schema: { ...schema, ...(deprecation !== undefined && { deprecated: true }) },
    handler: (request, reply) => orUnavailable(async () => handle(request, reply)),
  });
}

export type Deprecation = {
  readonly announcedAt: Date;
  /** Null until it is decided. */
  readonly endsAt: Date | null;
};

/** The headers are those of RFC 9745 and RFC 8594. */
function announce({ announcedAt, endsAt }: Deprecation): onRequestAsyncHookHandler {
  const headers = {
    deprecation: `@${Math.floor(announcedAt.getTime() / 1_000)}`,
    ...(endsAt !== null && { sunset: endsAt.toUTCString() }),
  };
  return async (_, reply) => void reply.headers(headers);
}
