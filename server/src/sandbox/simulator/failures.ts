// Maps the simulator's failure codes to ours. An unmapped code is unknown, never failed.
import type { PaymentFailureCode } from '../../domain/failure.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';

/** Codes of collections. */
const COLLECTION: Readonly<Record<string, PaymentFailureCode>> = {
  PAYER_DECLINED: 'PAYMENT_NOT_APPROVED',
  PIN_TIMEOUT: 'PAYMENT_NOT_APPROVED',
  PIN_BLOCKED: 'PAYMENT_NOT_APPROVED',
  CODE_INVALID: 'PAYMENT_NOT_APPROVED',
  FUNDS_TOO_LOW: 'INSUFFICIENT_BALANCE',
  PROMPT_ALREADY_OPEN: 'PAYMENT_IN_PROGRESS',
  SUBSCRIBER_UNKNOWN: 'PAYER_NOT_FOUND',
  SUBSCRIBER_CEILING: 'PAYER_LIMIT_REACHED',
  // The protocol documents this one as "any other reason".
  OTHER: 'OTHER_ERROR',
};

/** Codes of transfers. */
const TRANSFER: Readonly<Record<string, PaymentFailureCode>> = {
  BENEFICIARY_UNKNOWN: 'RECIPIENT_NOT_FOUND',
  BENEFICIARY_CEILING: 'RECIPIENT_LIMIT_REACHED',
  ACCOUNT_FULL: 'WALLET_LIMIT_REACHED',
  OTHER: 'OTHER_ERROR',
};

/**
 * The meaning of a FAILED transaction's code for this operation; null if the protocol does not list it there: a payer's
 * code on a payout is as unexpected as an unknown code. FAILED without a code gives no reason.
 */
export function parseFailureCode(
  code: string | undefined,
  operation: PaymentKind,
): PaymentFailureCode | null {
  if (code === undefined) return 'UNSPECIFIED_FAILURE';
  const table = operation === 'DEPOSIT' ? COLLECTION : TRANSFER;
  return Object.hasOwn(table, code) ? (table[code] ?? null) : null;
}
