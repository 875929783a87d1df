import type { FailureReason } from '../../domain/failure.ts';
import {
  CONSOLE_FAILURES,
  isReasonCode,
  reasonMessage,
  type ConsoleFailureCode,
  type ConsoleReason,
  type ConsoleReasonCode,
  type ReasonedFailureCode,
} from '../../wire/console/failure.ts';

/** A call of the console's API that cannot be answered as asked. */
export class ConsoleFailure extends Error {
  readonly code: ConsoleFailureCode;
  readonly httpStatus: number;
  /** What exactly is wrong, for words in the language of the person in front of the screen. */
  readonly reason: ConsoleReason | undefined;

  constructor(code: Exclude<ConsoleFailureCode, ReasonedFailureCode>);
  constructor(code: ConsoleFailureCode, reason: ConsoleReason, message: string);
  constructor(
    code: ConsoleFailureCode,
    reason?: ConsoleReason,
    message: string = CONSOLE_FAILURES[code].message,
  ) {
    super(message);
    this.name = 'ConsoleFailure';
    this.code = code;
    this.httpStatus = CONSOLE_FAILURES[code].httpStatus;
    this.reason = reason;
  }
}

/** `message` where it says more than the reason's own. */
export function failureBecause(
  code: ConsoleFailureCode,
  because: ConsoleReasonCode,
  parameters: Readonly<Record<string, string>> = {},
  message?: string,
): ConsoleFailure {
  const reason = { code: because, parameters: { ...parameters } };
  return new ConsoleFailure(code, reason, message ?? reasonMessage(reason));
}

/** As the merchants' API refuses it. */
export function refusalOf({ failureCode, failureMessage }: FailureReason): ConsoleFailure {
  const code = isReasonCode(failureCode) ? failureCode : 'REQUEST_UNREADABLE';
  return failureBecause('INVALID_INPUT', code, {}, failureMessage);
}
