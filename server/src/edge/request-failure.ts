import { isOutOfReach } from '../store/database.ts';
import { FAILURES, failureReason, type FailureCode, type FailureReason } from '../domain/failure.ts';

/** A request that cannot be answered as asked. Only this layer throws it; each API version renders it in its words. */
export class RequestFailure extends Error {
  readonly httpStatus: number;
  readonly reason: FailureReason;
  /** Headers of the answer that belong to the failure. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(httpStatus: number, reason: FailureReason, headers: Readonly<Record<string, string>> = {}) {
    super(reason.failureCode);
    this.name = 'RequestFailure';
    this.httpStatus = httpStatus;
    this.reason = reason;
    this.headers = headers;
  }
}

/** The failure of a code whose HTTP status the failure table knows. */
export function requestFailure(
  code: FailureCode,
  values: Readonly<Record<string, string>> = {},
): RequestFailure {
  return new RequestFailure(FAILURES[code].httpStatus ?? 500, failureReason(code, values));
}

/** Nothing was done, and soon it can be. */
export function unavailable(): RequestFailure {
  const { httpStatus, reason } = requestFailure('SERVICE_UNAVAILABLE');
  return new RequestFailure(httpStatus, reason, { 'retry-after': '1' });
}

/** Work that can be asked for again: where it fails, it left nothing behind, or what is found the next time. */
export async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isOutOfReach(error) ? unavailable() : error;
  }
}

/** Too many requests. Anyone who waits as long as the answer says is heard. */
export function rateLimited(waitMs: number, cause: string): RequestFailure {
  const seconds = String(Math.ceil(waitMs / 1_000));
  const reason = failureReason('RATE_LIMITED', { cause, seconds });
  return new RequestFailure(FAILURES.RATE_LIMITED.httpStatus ?? 429, reason, { 'retry-after': seconds });
}
