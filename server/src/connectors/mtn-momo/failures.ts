// Maps MTN's reasons to ours: the published list of 17, and others seen in use. A reason can mean something else when
// money flows the other way, so there are two tables. README.md gives the certainty of each.
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
  PAYER_NOT_FOUND: fails('PAYER_NOT_FOUND'),
  PAYEE_NOT_FOUND: fails('RECIPIENT_NOT_FOUND'),
  APPROVAL_REJECTED: fails('PAYMENT_NOT_APPROVED'),
  PAYMENT_NOT_APPROVED: fails('PAYMENT_NOT_APPROVED'),
  EXPIRED: fails('PAYMENT_NOT_APPROVED'),
  COULD_NOT_PERFORM_TRANSACTION: fails('PAYMENT_NOT_APPROVED'),
  TRANSACTION_CANCELED: fails('OTHER_ERROR'),
  PAYEE_LIMIT_REACHED: fails('RECIPIENT_LIMIT_REACHED'),
  VALIDATION_ERROR: fails('OTHER_ERROR'),
  // A catch-all. It is looked up only when the status is FAILED, so it is final.
  INTERNAL_PROCESSING_ERROR: fails('UNSPECIFIED_FAILURE'),
  NOT_ALLOWED: FAULT_OF_THE_HOST,
  TARGET_AUTHORIZATION_ERROR: FAULT_OF_THE_HOST,
  INVALID_CURRENCY: FAULT_OF_THE_HOST,
  NOT_ALLOWED_TARGET_ENVIRONMENT: FAULT_OF_THE_HOST,
  INVALID_CALLBACK_URL_HOST: FAULT_OF_THE_HOST,
  SERVICE_UNAVAILABLE: NOT_FINAL,
  RESOURCE_NOT_FOUND: NOT_FINAL,
  TRANSACTION_NOT_FOUND: NOT_FINAL,
  RESOURCE_ALREADY_EXIST: NOT_FINAL,
};

/** Collections: the payer is a customer, the payee is us. */
const COLLECTION: FailureTable = {
  ...EITHER_WAY,
  NOT_ENOUGH_FUNDS: fails('INSUFFICIENT_BALANCE'),
  PAYER_LIMIT_REACHED: fails('PAYER_LIMIT_REACHED'),
  SENDER_ACCOUNT_NOT_ACTIVE: fails('PAYER_NOT_FOUND'),
  PAYEE_NOT_ALLOWED_TO_RECEIVE: FAULT_OF_THE_HOST,
  // Used in Congo for three reasons; two of them are the customer's.
  LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED: fails('INSUFFICIENT_BALANCE'),
};

/** Transfers: the payer's wallet is our float. */
const TRANSFER: FailureTable = {
  ...EITHER_WAY,
  NOT_ENOUGH_FUNDS: FAULT_OF_THE_HOST,
  PAYER_LIMIT_REACHED: FAULT_OF_THE_HOST,
  SENDER_ACCOUNT_NOT_ACTIVE: FAULT_OF_THE_HOST,
  PAYEE_NOT_ALLOWED_TO_RECEIVE: fails('WALLET_LIMIT_REACHED'),
  LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED: FAULT_OF_THE_HOST,
};

/** Null for an unmapped reason. MTN's own documents write one with a space and in different case. */
export function parseReason(reason: string, operation: PaymentKind): Meaning | null {
  const code = reason.trim().toUpperCase().replaceAll(/\s+/g, '_');
  return meaningOf(operation === 'DEPOSIT' ? COLLECTION : TRANSFER, code);
}
