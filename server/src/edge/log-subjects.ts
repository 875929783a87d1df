// Names the payments that a request is about in every line that is logged about the request from then on.
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Engine } from '../core/engine.ts';
import { logSubjects } from '../core/payment-log.ts';
import type { OperationKey } from '../domain/payments/payment.ts';

type Named = { readonly log: FastifyBaseLogger; readonly keys: readonly OperationKey[] };

const named = new WeakMap<FastifyRequest, Named>();

/** Only for identifiers that were read as such: what else stands in a path or a body may be personal data. */
export function nameSubjects(
  engine: Pick<Engine, 'traceIdOf'>,
  request: FastifyRequest,
  keys: readonly OperationKey[],
): void {
  const { log, keys: before } = named.get(request) ?? { log: request.log, keys: [] };
  const all = [...before, ...keys];
  named.set(request, { log, keys: all });
  request.log = log.child(logSubjects(engine, all));
}
