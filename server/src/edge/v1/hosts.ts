// Which API version a request speaks to when no route of one takes it: the earlier one has older hosts all to itself,
// and its paths have no prefix.
import type { FastifyInstance } from 'fastify';
import { requestFailure } from '../request-failure.ts';
import { isEarlierHost, type EarlierHosts } from './host-names.ts';
import { answerError } from './plugin.ts';

const EARLIER_PATH = /^\/(deposits|payouts|refunds?|active-conf|availability|public-key|v1)(\/|$)/;

export function isEarlierPath(path: string): boolean {
  return EARLIER_PATH.test(path);
}

/** Routes registered in this scope are not there for anyone who comes by an older host. */
export function refuseOnEarlierHosts(app: FastifyInstance, hosts: EarlierHosts): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isEarlierHost(request, hosts)) return;
    const cause = 'on this host only API v1 answers';
    await answerError(requestFailure('ROUTE_NOT_FOUND', { cause }), request, reply);
  });
}
