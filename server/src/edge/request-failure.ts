import { FAILURES, failureReason, type FailureCode, type FailureReason } from '../domain/failure.ts';

/** A request that cannot be answered as asked. Only this room throws it; each generation renders it in its words. */
export class RequestFailure extends Error {
  readonly httpStatus: number;
  readonly reason: FailureReason;

  constructor(httpStatus: number, reason: FailureReason) {
    super(reason.failureCode);
    this.name = 'RequestFailure';
    this.httpStatus = httpStatus;
    this.reason = reason;
  }
}

/** The failure of a code whose HTTP status the failure table knows. */
export function requestFailure(
  code: FailureCode,
  values: Readonly<Record<string, string>> = {},
): RequestFailure {
  return new RequestFailure(FAILURES[code].httpStatus ?? 500, failureReason(code, values));
}
