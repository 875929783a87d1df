// The files of statements, for anyone who has a link. Sent piece by piece, as fast as the other side takes them.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engine } from '../core/engine.ts';
import { openStatementFile, STATEMENT_FILES_PATH } from '../core/statements/read-wallet-statement.ts';
import type { Statement } from '../store/statements/statements.ts';
import { failureOf } from './failure.ts';
import { orForward } from './cells/forward.ts';
import { requestFailure, unavailable } from './request-failure.ts';

export async function registerStatementFiles(app: FastifyInstance, engine: Engine): Promise<void> {
  await app.register(async (files) => {
    files.setErrorHandler(orForward(engine, answerFailure));
    const options = { exposeHeadRoute: false, schema: { hide: true } };
    files.get(`${STATEMENT_FILES_PATH}/:link`, options, async (request, reply) => {
      const { link } = request.params as { readonly link: string };
      const answer = await openStatementFile(engine, link);
      if (answer.type === 'NOT_NOW') throw unavailable();
      if (answer.type === 'NOT_FOUND') {
        const cause =
          'the link is older than a day or none of ours; the status of the statement has a new one';
        throw requestFailure('ROUTE_NOT_FOUND', { cause });
      }
      const headers = headersOf(answer.statement, answer.fileBytes);
      return reply.headers(headers).send(Readable.from(answer.chunks, { objectMode: false }));
    });
  });
}

/** A browser saves it and shows nothing of it; no one on the way keeps it. */
function headersOf(statement: Statement, fileBytes: number): Readonly<Record<string, string>> {
  const { isCompressed, wallet, startsAt, coversUntil } = statement;
  const days = [startsAt, coversUntil].map((time) => time.toISOString().slice(0, 10));
  const name = ['statement', wallet.country, wallet.currency, ...days].join('-');
  return {
    'content-type': isCompressed ? 'application/gzip' : 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}.csv${isCompressed ? '.gz' : ''}"`,
    'content-length': String(fileBytes),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}

async function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { httpStatus, reason, headers } = failureOf(error, request);
  await reply.code(httpStatus).headers(headers).send({ failureReason: reason });
}
