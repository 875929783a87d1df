// What every initiation of API v1 does around its own words.
import type { InitiationAnswer } from '../../core/payments/accept/initiate.ts';
import { drawPaymentNo } from '../../store/timed-uuid.ts';
import { errorSchema } from '../../wire/v1/failure.ts';
import type { Initiation } from '../../wire/v1/initiation.ts';
import type { Caller } from '../request.ts';
import { requestFailure } from '../request-failure.ts';

/** A request as an order of the merchant. */
export function orderOf<Request extends object>(merchant: Caller, request: Request) {
  const { tokenId } = merchant;
  return { ...request, merchant, tokenId, paymentNo: drawPaymentNo(), apiVersion: 'v1' } as const;
}

/** The outcome of an order, as far as it is told with 200. An account that may not do it is told so with 200 too. */
export function initiationOf(answer: InitiationAnswer | undefined): Initiation {
  switch (answer?.type) {
    case 'ACCEPTED':
    case 'DUPLICATE_IGNORED':
      return { type: answer.type, createdAt: answer.createdAt };
    case 'REJECTED':
    case 'NOT_ALLOWED':
      return { type: 'REJECTED', reason: answer.reason };
    case 'UNKNOWN':
    case undefined:
      throw requestFailure('UNKNOWN_ERROR');
  }
}

/** The same for payouts: of those alone this API version tells at once that they wait for their provider. */
export function payoutInitiationOf(answer: InitiationAnswer | undefined): Initiation {
  const initiation = initiationOf(answer);
  const waits = answer?.type === 'ACCEPTED' && answer.state === 'ENQUEUED';
  return initiation.type === 'ACCEPTED' && waits ? { ...initiation, type: 'ENQUEUED' } : initiation;
}

/** The failures a route documents. Requests are counted by their token, so one without cannot come too fast. */
export function errorResponses(statuses: readonly number[]) {
  const all = [...statuses, ...(statuses.includes(401) ? [429] : []), 431, 503];
  return Object.fromEntries(all.map((status) => [status, errorSchema(status)]));
}
