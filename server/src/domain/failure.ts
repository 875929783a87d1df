// All failure codes in one table: message, HTTP status, and API v1's code. A test compares the reference pages
// docs/reference/failure-codes.md and api-v1.md with this table.
import type { PaymentKind } from './payments/payment.ts';

/** Which limit of a provider an amount exceeds. */
export type Bound = 'BELOW_MINIMUM' | 'ABOVE_MAXIMUM';

type FailureRow = {
  /** The HTTP status of a request that fails with this code; null for codes of FAILED payments only. */
  readonly httpStatus: number | null;
  /** Text for people. Names in braces are filled in; clients parse the parts in single quotes. */
  readonly message: string;
  /** API v1's code if it differs; by kind of payment or by limit if there are several. */
  readonly earlier?: string | Readonly<Partial<Record<PaymentKind | Bound, string>>>;
};

const failures = {
  // Requests that fail before a payment exists.
  AUTHENTICATION_ERROR: { httpStatus: 401, message: 'The request could not be authenticated: {cause}.' },
  AUTHORISATION_ERROR: {
    httpStatus: 403,
    message: "The API token is not permitted to do this: it lacks the scope '{scope}'.",
  },
  DEPOSITS_NOT_ALLOWED: { httpStatus: 403, message: 'Deposits are not enabled for this account.' },
  PAYOUTS_NOT_ALLOWED: { httpStatus: 403, message: 'Payouts are not enabled for this account.' },
  REFUNDS_NOT_ALLOWED: { httpStatus: 403, message: 'Refunds are not enabled for this account.' },
  REMITTANCES_NOT_ALLOWED: { httpStatus: 403, message: 'Remittances are not enabled for this account.' },
  SPLIT_PAYMENTS_NOT_ALLOWED: {
    httpStatus: 403,
    message: 'Split payments are not enabled for this account.',
  },
  INVALID_INPUT: { httpStatus: 400, message: 'The request body could not be read: {cause}.' },
  MISSING_PARAMETER: { httpStatus: 400, message: "The required parameter '{parameter}' is missing." },
  INVALID_PARAMETER: { httpStatus: 400, message: "The parameter '{parameter}' is not valid: {cause}." },
  UNSUPPORTED_PARAMETER: { httpStatus: 400, message: "The parameter '{parameter}' is not supported." },
  DUPLICATE_METADATA_FIELD: {
    httpStatus: 400,
    message: "The metadata field '{parameter}' is given more than once.",
  },
  ROUTE_NOT_FOUND: { httpStatus: 404, message: 'Not found: {cause}.' },
  METHOD_NOT_ALLOWED: { httpStatus: 405, message: 'Method {method} is not allowed here.' },
  CURSOR_EXPIRED: {
    httpStatus: 410,
    message: "Events after this cursor are not available: {cause}. Go on with 'restartAfter'.",
  },
  REQUEST_TOO_LARGE: { httpStatus: 413, message: "The request body is larger than '{limit}' bytes." },
  UNSUPPORTED_MEDIA_TYPE: { httpStatus: 415, message: 'The request body cannot be read: {cause}.' },
  HEADERS_TOO_LARGE: { httpStatus: 431, message: 'The headers of the request are too large.' },
  RATE_LIMITED: {
    httpStatus: 429,
    message: "Too many requests {cause}. Retry after '{seconds}' seconds.",
  },
  SERVICE_UNAVAILABLE: {
    httpStatus: 503,
    message: 'The service is starting, stopping or overloaded. Retry the request.',
  },
  UNKNOWN_ERROR: {
    httpStatus: 500,
    message: 'The outcome of this request is unknown. Check the status before sending it again.',
  },

  // Initiations answered with 200 and REJECTED.
  INVALID_PROVIDER: {
    httpStatus: 200,
    message: "The provider '{provider}' is not active for {operation} on this account.",
    earlier: 'INVALID_CORRESPONDENT',
  },
  INVALID_PHONE_NUMBER: {
    httpStatus: 200,
    message:
      "The phone number is not a valid number of '{country}'. Use digits only, with the country code and without a " +
      'plus sign, e.g. 250783456789.',
    earlier: { DEPOSIT: 'INVALID_PAYER_FORMAT', PAYOUT: 'INVALID_RECIPIENT_FORMAT' },
  },
  INVALID_COUNTRY: {
    httpStatus: 200,
    message: "The country '{country}' does not fit: {cause}.",
  },
  INVALID_CURRENCY: {
    httpStatus: 200,
    message: "The currency '{currency}' is not supported by provider '{provider}'.",
  },
  INVALID_AMOUNT: {
    httpStatus: 200,
    message: "The provider '{provider}' supports '{decimals}' decimal places in the amount.",
  },
  AMOUNT_OUT_OF_BOUNDS: {
    httpStatus: 200,
    message: "The amount must be at least '{minAmount}' and at most '{maxAmount}' for provider '{provider}'.",
    earlier: { BELOW_MINIMUM: 'AMOUNT_TOO_SMALL', ABOVE_MAXIMUM: 'AMOUNT_TOO_LARGE' },
  },
  PROVIDER_TEMPORARILY_UNAVAILABLE: {
    httpStatus: 200,
    message: "The provider '{provider}' is temporarily unavailable. Try again later.",
    earlier: 'CORRESPONDENT_TEMPORARILY_UNAVAILABLE',
  },
  WALLET_OUT_OF_FUNDS: {
    httpStatus: 200,
    message: "Your wallet in '{country}' does not hold '{needed}' '{currency}', the amount with its fee.",
    earlier: 'BALANCE_INSUFFICIENT',
  },
  NOT_FOUND: {
    httpStatus: 200,
    message: '{kind} with ID {id} was not found.',
    earlier: { REFUND: 'DEPOSIT_NOT_FOUND' },
  },
  INVALID_STATE: {
    httpStatus: 200,
    message: '{kind} with ID {id} {cause}.',
    earlier: { REFUND: 'DEPOSIT_NOT_COMPLETED' },
  },
  AMOUNT_TOO_LARGE: {
    httpStatus: 200,
    message:
      "The amount is larger than the '{remaining}' '{currency}' of the deposit that can still be refunded.",
  },
  PAYOUT_EXCEEDS_DEPOSIT: {
    httpStatus: 200,
    message: "The splits with their fees come to '{needed}' '{currency}'; the payment brings '{amount}'.",
  },
  DUPLICATE_IDENTIFIER: { httpStatus: 200, message: "The identifier '{id}' was used before." },
  DEPOSIT_ALREADY_REFUNDED: {
    httpStatus: 200,
    message: 'Deposit with ID {id} has been refunded in full.',
    earlier: 'ALREADY_REFUNDED',
  },
  REFUND_IN_PROGRESS: {
    httpStatus: 200,
    message: 'Deposit with ID {id} has another refund in progress.',
    earlier: 'IN_PROGRESS',
  },

  TOO_MANY_PROMPTS: {
    httpStatus: 200,
    message: "No request was sent to the payer's phone: {cause}. Try again later.",
  },

  // Statements that were rejected, also with 200 and REJECTED.
  INVALID_CALLBACK_URL: { httpStatus: 200, message: 'The callbackUrl cannot be used: {cause}.' },
  INVALID_DATE_RANGE: { httpStatus: 200, message: 'The dates cannot be used: {cause}.' },
  WALLET_NOT_FOUND: { httpStatus: 200, message: "Your account has no wallet '{wallet}'." },
  TOO_MANY_STATEMENTS: {
    httpStatus: 200,
    message: "Your account has '{count}' statements in progress. Retry when they are done.",
  },

  // Payments that ended FAILED.
  PAYMENT_NOT_APPROVED: { httpStatus: null, message: 'The customer did not approve the payment.' },
  INSUFFICIENT_BALANCE: { httpStatus: null, message: "The customer's wallet does not hold enough funds." },
  PAYMENT_IN_PROGRESS: {
    httpStatus: null,
    message: 'The customer has another payment waiting for approval. Try again in a few minutes.',
    earlier: 'TRANSACTION_ALREADY_IN_PROCESS',
  },
  PAYER_NOT_FOUND: { httpStatus: null, message: 'The phone number has no wallet with this provider.' },
  PAYER_LIMIT_REACHED: { httpStatus: null, message: "The customer's wallet has reached a limit." },
  RECIPIENT_NOT_FOUND: { httpStatus: null, message: 'The phone number has no wallet with this provider.' },
  RECIPIENT_LIMIT_REACHED: { httpStatus: null, message: "The recipient's wallet has reached a limit." },
  WALLET_LIMIT_REACHED: {
    httpStatus: null,
    message: "The recipient's wallet cannot hold this amount.",
    earlier: 'RECIPIENT_NOT_ALLOWED_TO_RECEIVE',
  },
  MANUALLY_CANCELLED: { httpStatus: null, message: 'The payment was cancelled while it was enqueued.' },
  UNSPECIFIED_FAILURE: {
    httpStatus: null,
    message: 'The provider failed the payment without giving a reason.',
    earlier: 'OTHER_ERROR',
  },
  OTHER_ERROR: {
    httpStatus: null,
    message: 'The provider failed the payment for a reason without a code of its own.',
  },
} as const satisfies Record<string, FailureRow>;

export const FAILURES: Readonly<Record<FailureCode, FailureRow>> = failures;

export type FailureCode = keyof typeof failures;

/** Codes of payments that ended FAILED. */
export type PaymentFailureCode = {
  [Code in FailureCode]: (typeof failures)[Code]['httpStatus'] extends null ? Code : never;
}[FailureCode];

export const PAYMENT_FAILURE_CODES = (Object.keys(failures) as readonly FailureCode[]).filter(
  (code): code is PaymentFailureCode => failures[code].httpStatus === null,
);

/** Codes of initiations answered with 200 and REJECTED. */
export type RejectionCode = {
  [Code in FailureCode]: (typeof failures)[Code]['httpStatus'] extends 200 ? Code : never;
}[FailureCode];

/** The UNKNOWN_ERROR message of a request that changes nothing: there is no outcome to ask about. */
export const READ_FAILED: FailureReason = {
  failureCode: 'UNKNOWN_ERROR',
  failureMessage: 'The request could not be answered. Nothing was changed. Retry later.',
};

export type FailureReason = {
  readonly failureCode: FailureCode;
  readonly failureMessage: string;
  /** For an amount out of limits. Only API v1 has two codes for it. */
  readonly bound?: Bound;
};

/** API v1's code, for a payment of this kind. */
export function earlierCode(
  code: FailureCode,
  { kind, bound }: { readonly kind: PaymentKind; readonly bound?: Bound | undefined },
): string {
  const { earlier = code } = FAILURES[code];
  if (typeof earlier === 'string') return earlier;
  return (bound === undefined ? undefined : earlier[bound]) ?? earlier[kind] ?? code;
}

/** The reason object of a failure, with `values` filled into its message. */
export function failureReason(
  code: FailureCode,
  values: Readonly<Record<string, string>> = {},
): FailureReason {
  const failureMessage = FAILURES[code].message.replace(
    /\{(\w+)\}/g,
    (_, name: string) => values[name] ?? name,
  );
  return { failureCode: code, failureMessage };
}
