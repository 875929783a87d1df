// What an operator can tell us about one attempt. No answer, a 5xx and an unmapped code are UNKNOWN, never
// FAILED: unknown is a first-class outcome that leads to enquiry, then to IN_RECONCILIATION.
import type { Amount } from '../money.ts';
import type { PaymentFailureCode } from '../failure.ts';

export type Outcome =
  | {
      readonly type: 'COMPLETED';
      readonly providerTransactionId?: string;
      /** What the operator says it moved. A difference from what we asked for makes the outcome unknown. */
      readonly moved?: {
        readonly amount?: Amount;
        readonly currency?: string;
        readonly phoneNumber?: string;
      };
    }
  | { readonly type: 'FAILED'; readonly code: PaymentFailureCode; readonly providerTransactionId?: string }
  | {
      readonly type: 'PENDING';
      /** Where the payer must be sent before anything happens (redirect flow). */
      readonly authorizationUrl?: string;
      readonly authorizationExpiresAt?: Date;
    }
  /** The operator does not know the reference. Proof only after the connector's `notSeenAfterMs`. */
  | { readonly type: 'NOT_SEEN' }
  | {
      readonly type: 'UNKNOWN';
      readonly reason: UnknownReason;
      /** Of a success that differs: the operator's transaction, for the case about it. It is not the payment's. */
      readonly about?: string;
    };

/** What a payment can end by. */
export type End = Extract<Outcome, { readonly type: 'COMPLETED' | 'FAILED' }>;

/** What a person can say of an end: they did not see what the operator moved. */
export type ManualEnd =
  | { readonly type: 'COMPLETED'; readonly providerTransactionId: string }
  | { readonly type: 'FAILED'; readonly code: PaymentFailureCode };

export type UnknownReason =
  | 'NO_ANSWER'
  | 'OPERATOR_ERROR'
  | 'UNMAPPED_CODE'
  | 'UNREADABLE_ANSWER'
  | 'NOT_SENT'
  /** The call was not made, because our own rate budget had no slot in time. It tells nothing about the operator. */
  | 'RATE_LIMITED_HERE'
  /** The order was not sent: something it must name is not proved yet, and was asked for. */
  | 'NOT_YET'
  /** Not found, asked with an account that may not be the one it was sent with. */
  | 'OTHER_ACCOUNT'
  | 'AMOUNT_DIFFERS'
  | 'CURRENCY_DIFFERS'
  | 'PARTY_DIFFERS'
  /** Another payment already has this operator transaction. */
  | 'TRANSACTION_TAKEN'
  /** The payment was completed before, by another operator transaction. */
  | 'SECOND_TRANSACTION';

/** What we asked the operator to move. */
export type Asked = { readonly amount: Amount; readonly currency: string; readonly phoneNumber: string };

/** A success whose amount, currency or party differs from ours is unknown too. */
export function judge(outcome: Outcome, asked: Asked): Outcome {
  if (outcome.type !== 'COMPLETED' || outcome.moved === undefined) return outcome;
  const { amount, currency, phoneNumber } = outcome.moved;
  if (amount !== undefined && amount !== asked.amount) return differs(outcome, 'AMOUNT_DIFFERS');
  if (currency !== undefined && currency !== asked.currency) return differs(outcome, 'CURRENCY_DIFFERS');
  // A person who was erased cannot be compared with anybody.
  if (phoneNumber !== undefined && asked.phoneNumber !== '' && phoneNumber !== asked.phoneNumber)
    return differs(outcome, 'PARTY_DIFFERS');
  return outcome;
}

/** A success that cannot be what it claims. */
export function differs(
  { providerTransactionId: about }: Extract<Outcome, { readonly type: 'COMPLETED' }>,
  reason: UnknownReason,
): Outcome {
  return { type: 'UNKNOWN', reason, ...(about !== undefined && { about }) };
}

const discrepancies: ReadonlySet<UnknownReason> = new Set([
  'AMOUNT_DIFFERS',
  'CURRENCY_DIFFERS',
  'PARTY_DIFFERS',
  'TRANSACTION_TAKEN',
  'SECOND_TRANSACTION',
]);

/** Unknowns that say the operator moved something other than we asked for: no one need wait any longer. */
export function isDiscrepancy(reason: UnknownReason): boolean {
  return discrepancies.has(reason);
}
