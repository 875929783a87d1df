// Maps Daraja's codes to ours. A number can mean something else when money flows the other way, so there are two result
// tables. Texts beside a code differ between callback and enquiry and are ignored. README.md gives the certainty of
// each.
import type { PaymentKind } from '../../domain/payments/payment.ts';
import {
  FAULT_OF_THE_HOST,
  fails,
  meaningOf,
  NOT_FINAL,
  type FailureTable,
  type Meaning,
} from '../failure-table.ts';

/** The same meaning in both directions. */
const EITHER_WAY: FailureTable = {
  2: fails('OTHER_ERROR'),
  3: fails('OTHER_ERROR'),
  11: FAULT_OF_THE_HOST,
  21: FAULT_OF_THE_HOST,
  1019: fails('PAYMENT_NOT_APPROVED'),
  1025: fails('UNSPECIFIED_FAILURE'),
  1032: fails('PAYMENT_NOT_APPROVED'),
  1037: fails('PAYMENT_NOT_APPROVED'),
  2006: FAULT_OF_THE_HOST,
  2028: FAULT_OF_THE_HOST,
  2040: fails('RECIPIENT_NOT_FOUND'),
  // Undocumented; seen on payments that completed later.
  4999: NOT_FINAL,
  8006: FAULT_OF_THE_HOST,
  9999: fails('UNSPECIFIED_FAILURE'),
  R000001: fails('OTHER_ERROR'),
  R000002: fails('OTHER_ERROR'),
};

/** Collections: the debited account is the customer's. */
const COLLECTION: FailureTable = {
  ...EITHER_WAY,
  1: fails('INSUFFICIENT_BALANCE'),
  4: fails('PAYER_LIMIT_REACHED'),
  8: FAULT_OF_THE_HOST,
  // The same payer and amount within two minutes, or another open session of the payer. Both pass within minutes.
  17: fails('PAYMENT_IN_PROGRESS'),
  1001: fails('PAYMENT_IN_PROGRESS'),
  2001: fails('PAYMENT_NOT_APPROVED'),
  SFC_IC0003: fails('PAYER_NOT_FOUND'),
};

/** Payouts and refunds: the debited account and the password are ours. */
const DISBURSEMENT: FailureTable = {
  ...EITHER_WAY,
  1: FAULT_OF_THE_HOST,
  4: fails('RECIPIENT_LIMIT_REACHED'),
  8: fails('WALLET_LIMIT_REACHED'),
  17: fails('OTHER_ERROR'),
  1001: fails('OTHER_ERROR'),
  2001: FAULT_OF_THE_HOST,
  SFC_IC0003: fails('RECIPIENT_NOT_FOUND'),
};

/** Reasons for a refused call. Only a refusal with a specific cause proves that nothing happened. */
const ERRORS: FailureTable = {
  '400.002.02': FAULT_OF_THE_HOST,
  '400.002.05': FAULT_OF_THE_HOST,
  // Our address contains a word that Safaricom refuses.
  '400.003.02': FAULT_OF_THE_HOST,
  '401.002.01': FAULT_OF_THE_HOST,
  '401.003.01': FAULT_OF_THE_HOST,
  '404.001.03': FAULT_OF_THE_HOST,
  '404.001.04': FAULT_OF_THE_HOST,
  // Anything from a wrong password to a temporary fault.
  '500.001.1001': NOT_FINAL,
  // Safaricom already has this payout.
  '500.002.1001': NOT_FINAL,
  '500.003.02': NOT_FINAL,
  '500.003.03': NOT_FINAL,
};

/** Push failures seen in enquiries before the callback reported a success. */
const DOUBTFUL_OF_PUSH: ReadonlySet<string> = new Set(['1037', '1019', '1025', '9999', '1001', '17']);

const TOKEN_ERRORS: ReadonlySet<string> = new Set(['404.001.03', '401.002.01', '401.003.01']);

/** Null for an unmapped code. */
export function parseResultCode(code: string, operation: PaymentKind): Meaning | null {
  return meaningOf(operation === 'DEPOSIT' ? COLLECTION : DISBURSEMENT, code);
}

/** Null for an unmapped code. */
export function parseErrorCode(code: string): Meaning | null {
  return meaningOf(ERRORS, code);
}

export function isTokenError(code: string): boolean {
  return TOKEN_ERRORS.has(code);
}

export function isDoubtfulOfPush(code: string): boolean {
  return DOUBTFUL_OF_PUSH.has(code);
}

/** Status words of a payout or reversal that is still in progress. */
export const PENDING_STATUSES: ReadonlySet<string> = new Set(['Initiated', 'Authorized']);
