// Maps the standard's 38 error codes (version 1.2) to ours. A code can mean something else when money flows the other
// way, so there are two tables. README.md gives the certainty of each.
import type { PaymentKind } from '../../domain/payments/payment.ts';
import {
  FAULT_OF_THE_HOST,
  fails,
  meaningOf,
  NOT_FINAL,
  type FailureTable,
  type Meaning,
} from '../failure-table.ts';

/** An error in the standard's format. `genericError` has no meaning without its category. */
export type ErrorObject = { readonly category: string; readonly code: string };

/** Limits of either party. */
const LIMITS: readonly string[] = [
  'dailyVolumeLimitExceeded',
  'dailyValueLimitExceeded',
  'weeklyVolumeLimitExceeded',
  'weeklyValueLimitExceeded',
  'monthlyVolumeLimitExceeded',
  'monthlyValueLimitExceeded',
  'accountMaxTotalVolumeExceeded',
  'accountMaxTotalValueExceeded',
];

/** The same meaning in both directions. */
const EITHER_WAY: FailureTable = {
  'businessRule.genericError': fails('UNSPECIFIED_FAILURE'),
  'validation.genericError': FAULT_OF_THE_HOST,
  // A catch-all. It is looked up only when the request state is failed, so it is final.
  'internal.genericError': fails('UNSPECIFIED_FAILURE'),
  'serviceUnavailable.genericError': NOT_FINAL,
  // Our catalogue allows something that the operator does not.
  lessThanTransactionMinValue: FAULT_OF_THE_HOST,
  greaterThanTransactionMaxValue: FAULT_OF_THE_HOST,
  samePartiesError: fails('OTHER_ERROR'),
  // The operator has it already; an enquiry finds its outcome.
  duplicateRequest: NOT_FINAL,
  incorrectState: fails('OTHER_ERROR'),
  underPaymentNotAllowed: fails('OTHER_ERROR'),
  overPaymentNotAllowed: fails('OTHER_ERROR'),
  rateLimitError: NOT_FINAL,
  transactionTypeError: FAULT_OF_THE_HOST,
  noMandateAuthority: FAULT_OF_THE_HOST,
  linkViolation: FAULT_OF_THE_HOST,
  countryofOriginNotPermitted: fails('OTHER_ERROR'),
  nationalityNotPermitted: fails('OTHER_ERROR'),
  idDocumentNotSupported: fails('OTHER_ERROR'),
  issuingCountryNotSupported: fails('OTHER_ERROR'),
  quoteHasExpired: fails('OTHER_ERROR'),
  lengthError: FAULT_OF_THE_HOST,
  formatError: FAULT_OF_THE_HOST,
  negativeValue: FAULT_OF_THE_HOST,
  currencyNotSupported: FAULT_OF_THE_HOST,
  mandatoryValueNotSupplied: FAULT_OF_THE_HOST,
  invalidOffset: FAULT_OF_THE_HOST,
  clientAuthorisationError: FAULT_OF_THE_HOST,
  servicingPartyAuthorisationError: FAULT_OF_THE_HOST,
  requestingPartyAuthorisationError: FAULT_OF_THE_HOST,
};

/** Collections: the debit party is a customer, the credit party is us. */
const COLLECTION: FailureTable = evened({
  ...EITHER_WAY,
  ...Object.fromEntries(LIMITS.map((code) => [code, fails('PAYER_LIMIT_REACHED')])),
  maxBalanceExceeded: FAULT_OF_THE_HOST,
  insufficientFunds: fails('INSUFFICIENT_BALANCE'),
  identifierError: fails('PAYER_NOT_FOUND'),
  requestDeclined: fails('PAYMENT_NOT_APPROVED'),
});

/** Transfers: the debit party is us. */
const TRANSFER: FailureTable = evened({
  ...EITHER_WAY,
  ...Object.fromEntries(LIMITS.map((code) => [code, fails('RECIPIENT_LIMIT_REACHED')])),
  maxBalanceExceeded: fails('WALLET_LIMIT_REACHED'),
  insufficientFunds: FAULT_OF_THE_HOST,
  identifierError: fails('RECIPIENT_NOT_FOUND'),
  requestDeclined: FAULT_OF_THE_HOST,
});

/** A reversal names no party. "Not found" means the transaction to reverse. */
const REVERSAL: FailureTable = evened({ ...TRANSFER, identifierError: fails('OTHER_ERROR') });

/** Null for an unmapped error. */
export function parseError({ category, code }: ErrorObject, operation: PaymentKind): Meaning | null {
  const key = isError({ category, code }, 'genericError') ? `${category}.${code}` : code;
  return meaningOf(tableOf(operation), evenedWord(key));
}

/** Whether an error has this code. The standard's pages differ in the case of the first letter. */
export function isError(error: ErrorObject | null, code: string): boolean {
  return error !== null && evenedWord(error.code) === evenedWord(code);
}

function tableOf(operation: PaymentKind): FailureTable {
  if (operation === 'DEPOSIT') return COLLECTION;
  return operation === 'REFUND' ? REVERSAL : TRANSFER;
}

/** "Service Unavailable" and "serviceUnavailable" are the same category. */
function evenedWord(word: string): string {
  return word.toLowerCase().replaceAll(/\s/g, '');
}

function evened(table: FailureTable): FailureTable {
  return Object.fromEntries(Object.entries(table).map(([code, meaning]) => [evenedWord(code), meaning]));
}
