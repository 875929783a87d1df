// Why a call of the console's API was refused: codes for programs, messages for people. The dashboard words codes and
// reasons itself, in each of its languages, and shows no message; that is for anyone else who calls.
import { Type } from 'typebox';
import { strict } from './shape.ts';

export const CONSOLE_FAILURES = {
  NOT_SIGNED_IN: { httpStatus: 401, message: 'Sign in first.' },
  TWO_FACTOR_NEEDED: { httpStatus: 403, message: 'Set up two-factor authentication first.' },
  NOT_PERMITTED: { httpStatus: 403, message: 'Your role does not include this.' },
  CONFIRMATION_NEEDED: { httpStatus: 403, message: 'Confirm with your password that it is you.' },
  WRONG_PASSWORD: { httpStatus: 403, message: 'This is not your password.' },
  /** Also used if the person may not know that it exists. */
  NOT_FOUND: { httpStatus: 404, message: 'Not found, or you do not have access.' },
  INVALID_INPUT: { httpStatus: 400, message: 'This cannot be read.' },
  /** The request conflicts with the current state; the reason says how. */
  CONFLICT: { httpStatus: 409, message: 'This cannot be done now.' },
  TOO_MANY_TRIES: { httpStatus: 429, message: 'Too many tries. Wait a minute.' },
} as const;

export type ConsoleFailureCode = keyof typeof CONSOLE_FAILURES;

/** They say nothing without a reason. */
export type ReasonedFailureCode = 'INVALID_INPUT' | 'CONFLICT';

/** What exactly is wrong, with the message that says so. Names in braces are parameters. */
const REASONS = {
  INVALID_PARAMETER: 'The value of {parameter} is not valid.',
  REQUEST_UNREADABLE: 'The request cannot be read.',
  CURSOR_INVALID: 'The page of the list cannot be found. Start at the first page.',
  PERIOD_REVERSED: 'The end of the period must be after its start.',
  PERIOD_TOO_LONG: 'The period has more than {days} days.',
  AMOUNT_NEEDS_MERCHANT: 'Choose a merchant to filter by amount.',
  OUTCOME_UNKNOWN: 'It is not known whether this was done. Check again in a minute.',
  MERCHANT_MOVING: 'This merchant is being moved, or is in another cell.',
  OTHER_ADDRESS: 'Open the dashboard at its own address, {address}.',
  BUSY: 'Somebody else is changing this. Nothing was done; try again in a moment.',
  TIME_ZONE_UNKNOWN: 'There is no time zone {timeZone}.',
  CURRENCY_UNKNOWN: 'No provider has the currency {currency}.',
  CONFIRM_AT_PROVIDER: 'Confirm at the identity provider, where you signed in.',
  ACCOUNT_EXISTS: 'There is an account for this e-mail address. Sign in, then accept the invitation.',
  INVITATION_INVALID: 'This invitation was used or withdrawn, has expired, or is for another e-mail address.',
  LAST_OWNER: 'A team needs at least one person who can manage it.',
  BREAK_GLASS_EXISTS: 'There is a break-glass account already. Remove it first.',
  CANNOT_CANCEL: 'Only a payment that waits for its provider can be cancelled.',
  CANNOT_RESEND: 'The payment is not final, or no callback URL is set for it.',
  CANNOT_REFUND: 'Only a completed deposit can be refunded.',
  URL_INVALID: 'This is not a URL.',
  URL_NEEDS_HTTPS: 'In production callbacks are sent to https URLs only.',
  PORT_NOT_ALLOWED: 'Callbacks are not sent to port {port}.',
  ENDPOINT_NOT_DISABLED: 'This endpoint is not disabled.',
  ENDPOINT_MISSING: 'No endpoint is set for this event.',
  TOKEN_REVOKED: 'This token was revoked before.',
  SCOPE_UNKNOWN: 'There is no scope {scope}.',
  KEY_INVALID: 'This is not a public key for {algorithm} in PEM format.',
  KEY_ID_TAKEN: 'There is a key with this ID already.',
  PUBLIC_KEY_MISSING: 'Add a public key first: every request would be refused.',
  BATCH_CHANGED: 'The batch has changed: it is {status} now.',
  APPROVAL_DECIDED: 'It was decided before: {status}.',
  APPROVAL_CHANGED: 'The request has changed. Look at it again.',
  APPROVAL_OWN: 'You requested this yourself. Another person must decide.',
  APPROVAL_BREAK_GLASS: 'The break-glass account neither requests nor approves.',
  APPROVAL_NOT_YOURS: 'Another person requested this. Only they can withdraw it; reject it instead.',
  APPROVAL_NOT_INDEPENDENT: 'You onboarded this merchant, or belong to it. Another person must approve.',
  APPROVAL_REQUESTER_GONE: 'The requester may no longer request this. Reject it.',
  APPROVAL_REASON_MISSING: 'Say why it is rejected.',
  // The executor of the request gives the message.
  APPROVAL_NOT_POSSIBLE: '',
  APPROVAL_COLUMNS_OWN: '',
  APPROVAL_MERCHANT_PERSON: '',
  LOST_PAYMENT_ELSEWHERE: '',
  RECOVERY_OPEN: '',
  LOST_PAYMENT_SENT_AGAIN: 'Its merchant has sent it again. It ends by itself, or by the payment.',
  LOST_PAYMENT_REQUESTED: 'A decision is pending approval. Approve or reject that request first.',
  LOST_PAYMENT_NOT_INDEPENDENT:
    'You belong to this merchant, or have added it. Another person must ask for this.',
  FILES_BUSY: '',
  WALLET_BALANCE_LOW: '',
  SETTLEMENT_STOPPED: '',
  REFERENCE_POSTED: '',
  REFERENCE_REQUESTED: '',
  REFERENCE_TAKEN: '',
  CELL_SILENT: '',
  REFERENCE_INVALID:
    'The reference must be 3 to 64 letters, digits and ./_:- as the bank or the operator writes it.',
  REFERENCE_MISSING: "The bank's reference is missing.",
  REFERENCE_NOT_ALLOWED: 'An adjustment has no reference.',
  REQUEST_ID_TAKEN: 'Another request was made under this identifier. Nothing was requested.',
  AMOUNT_ZERO: 'The amount must not be 0.',
  AMOUNT_NEGATIVE: 'Only an adjustment and a charge of the operator can be below zero.',
  AMOUNT_DECIMALS: 'The amount has too many decimals for {currency}.',
  WALLET_UNUSED: 'No payment of this merchant would use such a wallet.',
  PROVIDER_UNKNOWN: 'There is no provider {provider}.',
  CURRENCY_NOT_OFFERED: 'The provider {provider} does not offer the currency {currency}.',
  OPERATION_NOT_OFFERED: 'The provider {provider} does not offer {operation} in {currency}.',
  TRANSACTION_MISSING: "The operator's transaction ID is missing.",
  TRANSACTION_TAKEN: '',
  REPORT_TO_APPROVE: '',
  PAYMENT_RESOLVED: 'The payment is {state}: nothing is left to resolve.',
  CASE_RESOLVED: 'This case was resolved before.',
  REVIEW_NOT_HELD: 'This payment does not wait for a decision any more.',
  REVIEW_REQUESTED: 'A decision is pending approval. Approve or reject that request first.',
  REVIEW_RULE_INVALID: 'These values do not fit the rule.',
  END_REQUESTED: '{by} has requested to end it as {outcome}: approve or reject that first.',
  CASE_REQUESTED: '{by} has requested a resolution: approve or reject it first.',
  CASE_RESOLUTION_NOT_ALLOWED: 'This case can be resolved by {allowed} only.',
  CASE_AMOUNT_MISSING: "Say by how much the operator's report and our books differ; 0 if they do not.",
  CASE_AMOUNT_NOT_ALLOWED: 'This case is about the amount of the payment.',
  CASE_PAYMENT_NOT_FINAL: 'The payment is not final: the operator may still move the same money.',
  CLOSE_SIGNED: 'This day is signed.',
  CLOSE_REQUESTED: 'The signature of this day is pending approval.',
  CLOSE_BEING_COMPARED: 'The day is being compared. Try again in a moment.',
  CLOSE_CHANGED: 'The day has changed since you looked at it. Look at it again.',
  CLOSE_NOTE_MISSING: 'Something differs or was not read. Say in a note why the day is signed all the same.',
  CLOSE_NOT_SIGNED: 'This day is not signed.',
  CLOSE_NOT_LAST: 'Days after this one are signed. Reopen {lastDay} first.',
  CLOSE_FIRST_DAY_SIGNED: 'Days of this account are signed. Reopen them first, from {lastDay} on.',
  CLOSE_FIRST_DAY_NOT_BEGUN: 'Give a day that has begun: it is {today} where the account is.',
  CLOSE_FIRST_DAY_REQUESTED:
    'Somebody has asked to begin with another day. Approve or reject that request first.',
  REOPENING_REQUESTED: 'Somebody has asked to reopen this day. Approve or reject that request first.',
  CLOSE_NOT_POSSIBLE: 'The day cannot be signed yet: {obstacles}.',
  REPORT_TOO_LARGE: 'The file has more than {megabytes} MB. Split it, or import it on the command line.',
  REPORT_NOT_REFUSED: 'This file was imported, or accepted as it is. Upload it again.',
  REPORT_READING_REQUESTED: 'To import this file all the same is pending approval.',
  FILE_VOIDED: 'This file was voided before.',
  FILE_NOT_IMPORTED: 'Nothing of this file was imported, so that there is nothing to take back.',
  FILE_VOID_REQUESTED: 'Somebody has asked to void this file. Approve or reject that request first.',
  REPORT_MAPPING_INVALID: 'No file can be read with these columns: {fault}.',
  BANK_ACCOUNT_NUMBER_INVALID: 'The account number must be 5 to 34 letters and digits.',
  BANK_ACCOUNT_REQUESTED:
    'Another bank account of this currency is pending approval. Reject or withdraw it first.',
  BANK_ACCOUNT_MISSING: 'No bank account is registered for {currency}.',
  BANK_ACCOUNT_COOLING_OFF:
    'The bank account was changed lately. Settlement is possible from {usableFrom} on.',
  SETTLEMENT_FROZEN: 'Outgoing payments are frozen. Ask the platform.',
  SETTLEMENT_SUSPENDED: 'This merchant is suspended. Ask the platform.',
  SETTLEMENT_RECOVERING: 'The gateway was restored from a backup and is checking balances. Try again later.',
  SETTLEMENT_WALLET_OWES: 'The wallet would not cover what it owes to the platform. Request less.',
  SETTLEMENT_SHORT: 'The wallet has {available} {currency} available.',
  SETTLEMENT_IDENTIFIER_TAKEN: 'There is another settlement with this identifier.',
  SETTLEMENT_DECIDED: 'The settlement was decided before: {status}.',
  SETTLEMENT_DECISION_REQUESTED: 'A decision is pending approval. Approve or reject that request first.',
  EXPIRY_PAST: 'The expiry must be in the future.',
  PHONE_NUMBER_INVALID: 'The phone number must have its country code, such as 250783456789.',
  TOKEN_UNKNOWN: 'There is no such API token.',
  SUBJECT_MISSING: 'Say what is to be frozen.',
  LIMIT_NOTHING: 'Limit the number of payments, the amount, or both.',
  LIMIT_SUBJECT_NOT_ALLOWED: 'Only a token, a provider or a country can be named.',
  LIMIT_CURRENCY_MISSING: 'An amount needs a currency: amounts of several currencies have no sum.',
  COUNTRY_UNKNOWN: 'There is no country {country}.',
  NUMBER_FILE_UNREADABLE: 'The file is not a list with the columns number, reason and expires.',
  NUMBER_FILE_EMPTY: 'The file has no numbers.',
  NUMBER_FILE_TOO_LONG: 'The file has more than {rowsMax} numbers. Split it.',
  NUMBER_FILE_NUMBER: 'Line {line}: this is not a phone number with its country code.',
  NUMBER_FILE_REASON: 'Line {line}: the reason is missing.',
  NUMBER_FILE_EXPIRES: 'Line {line}: expires must be a time such as 2027-01-31T14:00:00Z.',
  LOGO_TYPE: 'The logo must be an SVG or PNG image.',
  LOGO_TOO_LARGE: 'The logo has {bytes} bytes; payers on slow networks can wait for {bytesMax}.',
  LOGO_TOO_WIDE: 'The logo must be at most {pixelsMax} pixels wide and high.',
  // As in the merchants' API, whose message is given.
  AMOUNT_TOO_LARGE: '',
  AMOUNT_OUT_OF_BOUNDS: '',
  DEPOSIT_ALREADY_REFUNDED: '',
  DUPLICATE_IDENTIFIER: '',
  INVALID_AMOUNT: '',
  INVALID_DATE_RANGE: '',
  INVALID_PROVIDER: '',
  PROVIDER_TEMPORARILY_UNAVAILABLE: '',
  REFUND_IN_PROGRESS: '',
  REFUNDS_NOT_ALLOWED: '',
  TOO_MANY_STATEMENTS: '',
  WALLET_NOT_FOUND: '',
  WALLET_OUT_OF_FUNDS: '',
} as const;

export type ConsoleReasonCode = keyof typeof REASONS;

export const REASON_CODES = Object.keys(REASONS) as ConsoleReasonCode[];

export function isReasonCode(text: string): text is ConsoleReasonCode {
  return REASON_CODES.some((code) => code === text);
}

export type ConsoleReason = {
  readonly code: ConsoleReasonCode;
  readonly parameters: Readonly<Record<string, string>>;
};

const reasonSchema = strict({
  code: Type.String({ description: 'What exactly is wrong, where that is known.' }),
  parameters: Type.Object({}, { additionalProperties: Type.String() }),
});

export function reasonMessage({ code, parameters }: ConsoleReason): string {
  return REASONS[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? name);
}

export const consoleFailureSchema = strict({
  failureReason: strict({
    failureCode: Type.String(),
    failureMessage: Type.String(),
    reason: Type.Optional(reasonSchema),
  }),
});
