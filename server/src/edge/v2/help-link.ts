// Leads from a failure to its row in the documentation, which every gateway serves. It is a header, because bodies are
// as the specification has them.
import type { FastifyInstance } from 'fastify';

/** Relative to the gateway (RFC 8288), whose public address this process need not know. */
export function helpLink(failureCode: string): string {
  return `</docs/reference/failure-codes#${failureCode}>; rel="help"`;
}

/** For every answer with one failure: refused requests and rejected ones. */
export function registerHelpLinks(app: FastifyInstance): void {
  app.addHook<Answer>('preSerialization', (_request, reply, answer, done) => {
    const code = answer?.failureReason?.failureCode;
    if (code !== undefined) reply.header('link', helpLink(code));
    done(null, answer);
  });
}

type Answer = { readonly failureReason?: { readonly failureCode: string } } | null;
