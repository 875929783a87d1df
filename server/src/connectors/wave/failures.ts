// Maps Wave's codes to ours: of failed payments, failed payouts and refused requests. A code can mean something else
// when money flows the other way. README.md gives the certainty of each.
import type { PaymentKind } from '../../domain/payments/payment.ts';
import {
  FAULT_OF_THE_HOST,
  fails,
  meaningOf,
  NOT_FINAL,
  type FailureTable,
  type Meaning,
} from '../failure-table.ts';

/** Codes of any refused request. A refused request has had no effect. */
const ANY_REQUEST: FailureTable = {
  'missing-auth-header': FAULT_OF_THE_HOST,
  'invalid-auth': FAULT_OF_THE_HOST,
  'api-key-not-provided': FAULT_OF_THE_HOST,
  'no-matching-api-key': FAULT_OF_THE_HOST,
  'api-key-revoked': FAULT_OF_THE_HOST,
  'authorization-error': FAULT_OF_THE_HOST,
  'invalid-wallet': FAULT_OF_THE_HOST,
  'disabled-wallet': FAULT_OF_THE_HOST,
  'unauthorized-wallet': FAULT_OF_THE_HOST,
  'request-not-json': FAULT_OF_THE_HOST,
  'request-parsing-error': FAULT_OF_THE_HOST,
  'request-validation-error': FAULT_OF_THE_HOST,
  'currency-mismatch': FAULT_OF_THE_HOST,
  'aggregated-merchant-required': FAULT_OF_THE_HOST,
  'invalid-aggregated-merchant-id': FAULT_OF_THE_HOST,
  // The key was used with another body, so this reference exists: the search finds its outcome.
  'idempotency-mismatch': NOT_FINAL,
  'rate-limit-exceeded': NOT_FINAL,
  'service-unavailable': NOT_FINAL,
  'internal-server-error': NOT_FINAL,
};

const CHECKOUT: FailureTable = {
  ...ANY_REQUEST,
  'insufficient-funds': fails('INSUFFICIENT_BALANCE'),
  'payer-mobile-mismatch': fails('PAYMENT_NOT_APPROVED'),
  'blocked-account': fails('OTHER_ERROR'),
  'cross-border-payment-not-allowed': fails('OTHER_ERROR'),
  'customer-age-restricted': fails('OTHER_ERROR'),
  'kyb-limits-exceeded': FAULT_OF_THE_HOST,
  // A technical error at Wave. It is looked up only when the session has ended, so it is final.
  'payment-failure': fails('UNSPECIFIED_FAILURE'),
};

const PAYOUT: FailureTable = {
  ...ANY_REQUEST,
  'insufficient-funds': FAULT_OF_THE_HOST,
  'kyb-limits-exceeded': FAULT_OF_THE_HOST,
  'recipient-limit-exceeded': fails('RECIPIENT_LIMIT_REACHED'),
  'recipient-account-inactive': fails('RECIPIENT_NOT_FOUND'),
  'recipient-account-blocked': fails('OTHER_ERROR'),
  'recipient-minor': fails('OTHER_ERROR'),
  'country-mismatch': fails('OTHER_ERROR'),
};

const REFUND: FailureTable = {
  ...ANY_REQUEST,
  'insufficient-funds': FAULT_OF_THE_HOST,
  'checkout-refund-failed': FAULT_OF_THE_HOST,
  'checkout-session-not-found': FAULT_OF_THE_HOST,
};

const TABLES: Readonly<Record<PaymentKind, FailureTable>> = {
  DEPOSIT: CHECKOUT,
  PAYOUT,
  REFUND,
  REMITTANCE: {},
};

/** Null for an unmapped code. */
export function parseCode(code: string, operation: PaymentKind): Meaning | null {
  return meaningOf(TABLES[operation], code);
}
