// Why a call of the console's API was refused: codes for programs, messages for people.
import { Type } from 'typebox';
import { strict } from './shape.ts';

export const CONSOLE_FAILURES = {
  NOT_SIGNED_IN: { httpStatus: 401, message: 'Sign in first.' },
  TWO_FACTOR_NEEDED: { httpStatus: 403, message: 'Set up two-factor authentication first.' },
  NOT_PERMITTED: { httpStatus: 403, message: 'Your role does not permit this.' },
  CONFIRMATION_NEEDED: { httpStatus: 403, message: 'Confirm with your password that it is you.' },
  WRONG_PASSWORD: { httpStatus: 403, message: 'This is not your password.' },
  /** Also used if the person may not know that it exists. */
  NOT_FOUND: { httpStatus: 404, message: 'There is nothing like this, or it is not yours to see.' },
  INVALID_INPUT: { httpStatus: 400, message: 'This cannot be read.' },
  /** The request conflicts with the current state; the message says why. */
  CONFLICT: { httpStatus: 409, message: 'This cannot be done now.' },
  TOO_MANY_TRIES: { httpStatus: 429, message: 'Too many tries. Wait a minute.' },
} as const;

export type ConsoleFailureCode = keyof typeof CONSOLE_FAILURES;

export const consoleFailureSchema = strict({
  failureReason: strict({ failureCode: Type.String(), failureMessage: Type.String() }),
});
