// The error that is thrown for requests that could not be made, and for misuse of this package. Expected answers of the
// gateway, including rejections, are returned and not thrown.
import type { FailureCode } from './known-values.ts';

export type ErrorCode =
  /** No connection, or it broke before the answer. */
  | 'NETWORK'
  /** No answer in time. */
  | 'TIMEOUT'
  /** The gateway, or a proxy before it, failed or is overloaded. */
  | 'UNAVAILABLE'
  /** An answer that is not the gateway's. */
  | 'UNREADABLE_ANSWER'
  /** Something in your program failed in the middle of a list, such as the journal. */
  | 'INTERRUPTED'
  /** This package was called incorrectly. */
  | 'MISUSE'
  /** A failure code of the gateway, such as AUTHENTICATION_ERROR or RATE_LIMITED. */
  | FailureCode;

export type ErrorFacts = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly whatToDo: string;
  /** The HTTP status, if there was an answer. */
  readonly status?: number | undefined;
  readonly documentationUrl?: string | undefined;
  readonly cause?: unknown;
};

/**
 * The one error this package throws. `code` is for programs, `message` and `whatToDo` are for people.
 *
 * @example
 * ```ts
 * import { Malipo, MalipoError } from '@malipo/sdk';
 *
 * const { BASE = '' } = process.env;
 * const client = new Malipo({ baseUrl: BASE, token: 'wrong' });
 * try {
 *   await client.wallets.balances();
 * } catch (error) {
 *   if (!(error instanceof MalipoError)) throw error;
 *   console.log(error.code, error.status); // AUTHENTICATION_ERROR 401
 *   console.log('what to do:', error.whatToDo);
 *   console.log('see', error.documentationUrl);
 * }
 * ```
 */
export class MalipoError extends Error {
  override readonly name = 'MalipoError';
  readonly code: ErrorCode;
  readonly whatToDo: string;
  readonly status: number | undefined;
  /** Where the documentation of the gateway explains the code, if it is one of the gateway's. */
  readonly documentationUrl: string | undefined;

  constructor({ code, message, whatToDo, status, documentationUrl, cause }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.whatToDo = whatToDo;
    this.status = status;
    this.documentationUrl = documentationUrl;
  }
}
