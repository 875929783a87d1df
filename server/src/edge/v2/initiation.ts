// What every initiation of API v2 does around its own words.
import type { InitiationAnswer } from '../../core/payments/accept/initiate.ts';
import { findProvider, type ProviderFacts } from '../../domain/operators/catalogue.ts';
import { drawPaymentNo } from '../../store/timed-uuid.ts';
import type { Parsed } from '../../wire/fault.ts';
import type { CollectionInitiation } from '../../wire/v2/payments/collection.ts';
import { failureSchema, renderFault } from '../../wire/v2/failure.ts';
import type { Initiation } from '../../wire/v2/initiation.ts';
import type { Caller } from '../request.ts';
import { RequestFailure, requestFailure } from '../request-failure.ts';

/** The request, if it fits the specification. */
export function requireParsed<Request>(parsed: Parsed<Request>): Request {
  if (parsed.type === 'FAULT') throw new RequestFailure(400, renderFault(parsed.fault));
  return parsed.request;
}

/** A request as an order of the merchant. */
export function orderOf<Request extends object>(merchant: Caller, request: Request) {
  const { tokenId } = merchant;
  return { ...request, merchant, tokenId, paymentNo: drawPaymentNo(), apiVersion: 'v2' } as const;
}

/** The outcome of an order, as far as it is told with 200. */
export function initiationOf(answer: InitiationAnswer | undefined): Initiation {
  switch (answer?.type) {
    case 'ACCEPTED':
    case 'DUPLICATE_IGNORED':
      return answer;
    case 'REJECTED':
      return { type: 'REJECTED', failureReason: answer.reason };
    case 'NOT_ALLOWED':
      throw new RequestFailure(403, answer.reason);
    case 'UNKNOWN':
    case undefined:
      throw requestFailure('UNKNOWN_ERROR');
  }
}

/** The same for what asks a payer for money: one that was accepted is told how the payer agrees. */
export function collectionInitiationOf(
  provider: string,
  answer: InitiationAnswer | undefined,
): CollectionInitiation {
  const initiation = initiationOf(answer);
  if (initiation.type !== 'ACCEPTED') return initiation;
  return { ...initiation, authType: authTypeOf(provider) ?? 'PROVIDER_AUTH' };
}

/**
 * The failures a route documents; `idName` for those that repeat the identifier of the body. Any request can come too
 * fast after others, have too large headers, or reach a process that is about to stop.
 */
export function failureResponses(statuses: readonly number[], idName?: string) {
  return Object.fromEntries(
    [...statuses, 429, 431, 503].map((status) => [status, failureSchema(status, idName)]),
  );
}

/** How a provider has payments authorised; null for a code no one has. */
export function authTypeOf(provider: string): ProviderFacts['authType'] | null {
  return findProvider(provider)?.authType ?? null;
}
