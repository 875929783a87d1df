// Which API version a request speaks to when no route of one takes it: the earlier one has older hosts all to itself,
// and its paths have no prefix.
import type { FastifyInstance } from 'fastify';
import { requestFailure } from '../request-failure.ts';
import { isV1Host, type V1Hosts } from './host-names.ts';
import { answerError } from './plugin.ts';

const EARLIER_PATH = /^\/(deposits|payouts|refunds?|active-conf|availability|public-key|v1)(\/|$)/;

export function isV1Path(path: string): boolean {
  return EARLIER_PATH.test(path);
}

/** Routes registered in this scope are not there for anyone who comes by an older host. */
export function refuseOnV1Hosts(app: FastifyInstance, hosts: V1Hosts): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isV1Host(request, hosts)) return;
    const cause = 'on this host only API v1 answers';
    await answerError(requestFailure('ROUTE_NOT_FOUND', { cause }), request, reply);
  });
}
