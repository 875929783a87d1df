import { CONSOLE_FAILURES, type ConsoleFailureCode } from '../../wire/console/failure.ts';

/** A call of the console's API that cannot be answered as asked. */
export class ConsoleFailure extends Error {
  readonly code: ConsoleFailureCode;
  readonly httpStatus: number;

  /** `message` is for the person in front of the screen. */
  constructor(code: ConsoleFailureCode, message: string = CONSOLE_FAILURES[code].message) {
    super(message);
    this.name = 'ConsoleFailure';
    this.code = code;
    this.httpStatus = CONSOLE_FAILURES[code].httpStatus;
  }
}
