// From anything thrown to a failure a client can understand. What no one expected is a bug: logged, and answered 500.
import type { FastifyError, FastifyRequest } from 'fastify';
import { MerchantInOtherCell } from '../core/cells/lock-merchant.ts';
import { READ_FAILED } from '../domain/failure.ts';
import { isOutOfReach, isReadOnlyServer } from '../store/database.ts';
import { KeysUnavailable } from '../store/encryption/encryption.ts';
import { RequestForOtherCell } from './cells/other-cell.ts';
import { RequestFailure, requestFailure, unavailable } from './request-failure.ts';

/** Bytes of a request body. The specification sets no limit; this is a thousand times a large request. */
export const BODY_BYTES_MAX = 1_048_576;

export function failureOf(error: unknown, request: FastifyRequest): RequestFailure {
  if (error instanceof RequestFailure) return error;
  // Where no one hands requests on, all that can be said is that nothing was done.
  if (error instanceof MerchantInOtherCell || error instanceof RequestForOtherCell) return unavailable();
  // What takes no writes took none of this request before either.
  if (isReadOnlyServer(error)) return unavailable();
  // Requests in progress have been finished before keys are dropped; one that took too long was rolled back.
  if (error instanceof KeysUnavailable) return unavailable();
  // Anyone who only reads can come again. The outcome of anything else is not known here.
  if (request.method === 'GET' && isOutOfReach(error)) return unavailable();
  switch ((error as Partial<FastifyError>).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return requestFailure('REQUEST_TOO_LARGE', {
        limit: String(request.routeOptions?.bodyLimit ?? BODY_BYTES_MAX),
      });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return requestFailure('INVALID_INPUT', {
        cause: 'it is shorter or longer than its Content-Length says',
      });
    // Anyone who sent it went away half-way: no one reads the answer, and it is no fault of ours.
    case 'ECONNRESET':
      if (request.raw.destroyed)
        return requestFailure('INVALID_INPUT', { cause: 'it was not sent to its end' });
      return unexpected(error, request);
    case 'FST_ERR_BAD_URL':
      return requestFailure('ROUTE_NOT_FOUND', { cause: 'the path cannot be decoded' });
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      // Only the method QUERY must have one, and no address of ours answers it.
      return requestFailure('METHOD_NOT_ALLOWED', { method: request.method });
    case undefined:
    default:
      return unexpected(error, request);
  }
}

/** Only the kind of error and where it was thrown are logged: a message can repeat what the request held. */
function unexpected(error: unknown, request: FastifyRequest): RequestFailure {
  request.log.error({ error: describe(error) }, 'request failed');
  if (request.method === 'GET') return new RequestFailure(500, READ_FAILED);
  return requestFailure('UNKNOWN_ERROR');
}

/** What may be logged of an error: its name, its code and its stack's places, never its message. */
export function describe(error: unknown): {
  readonly name: string;
  readonly code?: string;
  readonly at: string;
} {
  if (!(error instanceof Error)) return { name: typeof error, at: '' };
  const code = (error as Error & { readonly code?: unknown }).code;
  const at = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 5)
    .join(' <');
  return { name: error.name, ...(typeof code === 'string' ? { code } : {}), at };
}
