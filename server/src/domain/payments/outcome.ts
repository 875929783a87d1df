// What an operator can report about one attempt. No answer, a 5xx and an unmapped code are UNKNOWN, never FAILED:
// unknown leads to an enquiry, then to IN_RECONCILIATION.
import type { Amount } from '../money.ts';
import type { PaymentFailureCode } from '../failure.ts';

export type Outcome =
  | {
      readonly type: 'COMPLETED';
      readonly providerTransactionId?: string;
      /** What the operator says it moved. A difference from our request makes the outcome unknown. */
      readonly moved?: {
        readonly amount?: Amount;
        readonly currency?: string;
        readonly phoneNumber?: string;
      };
    }
  | {
      readonly type: 'FAILED';
      readonly code: PaymentFailureCode;
      readonly providerTransactionId?: string;
      /** What the operator says has failed, or was taken back. A difference from our request makes it unknown. */
      readonly stated?: { readonly amount: Amount; readonly currency: string };
    }
  | {
      readonly type: 'PENDING';
      /** Where the payer must be redirected first. */
      readonly authorizationUrl?: string;
      readonly authorizationExpiresAt?: Date;
    }
  /** The operator does not know the reference. This is proof only after the connector's `notSeenAfterMs`. */
  | { readonly type: 'NOT_SEEN' }
  | {
      readonly type: 'UNKNOWN';
      readonly reason: UnknownReason;
      /** For a success that differs: the operator's transaction, for the case. It is not the payment's transaction. */
      readonly about?: string;
      /**
       * For a success that differs in its amount and in nothing else, and for a second transaction: what the operator
       * says it moved.
       */
      readonly reportedAmount?: Amount;
    };

/** The final outcomes of a payment. */
export type End = Extract<Outcome, { readonly type: 'COMPLETED' | 'FAILED' }>;

/** A final outcome stated by a person, who did not see what the operator moved. */
export type ManualEnd =
  | { readonly type: 'COMPLETED'; readonly providerTransactionId: string }
  | { readonly type: 'FAILED'; readonly code: PaymentFailureCode };

export type UnknownReason =
  | 'NO_ANSWER'
  | 'OPERATOR_ERROR'
  | 'UNMAPPED_CODE'
  | 'UNREADABLE_ANSWER'
  | 'NOT_SENT'
  /** No call was made, because our own rate budget had no slot in time. It says nothing about the operator. */
  | 'RATE_LIMITED_HERE'
  /** The request was not sent: it needs a confirmed receipt, which was asked for. */
  | 'NOT_YET'
  /** Not found, but asked with an account that may not be the one it was sent with. */
  | 'OTHER_ACCOUNT'
  /** Not found, but in a report that waits for its approval. */
  | 'REPORT_TO_APPROVE'
  | 'AMOUNT_DIFFERS'
  | 'CURRENCY_DIFFERS'
  | 'PARTY_DIFFERS'
  /** Another payment already has this operator transaction. */
  | 'TRANSACTION_TAKEN'
  /** The payment was already completed by another operator transaction. */
  | 'SECOND_TRANSACTION';

/** What we asked the operator to move. */
export type Asked = { readonly amount: Amount; readonly currency: string; readonly phoneNumber: string };

/**
 * A success whose amount, currency or phone number differs from our request is unknown. So is a failure of another
 * amount or currency: what became of our own is not said.
 */
export function validateOutcome(outcome: Outcome, asked: Asked): Outcome {
  if (outcome.type === 'FAILED' && outcome.stated !== undefined) {
    const { amount, currency } = outcome.stated;
    if (currency !== asked.currency) return differs(outcome, 'CURRENCY_DIFFERS');
    return amount === asked.amount ? outcome : differs(outcome, 'AMOUNT_DIFFERS');
  }
  if (outcome.type !== 'COMPLETED' || outcome.moved === undefined) return outcome;
  const { amount, currency, phoneNumber } = outcome.moved;
  const isOtherCurrency = currency !== undefined && currency !== asked.currency;
  // The number of an erased person cannot be compared.
  const isOtherParty =
    phoneNumber !== undefined && asked.phoneNumber !== '' && phoneNumber !== asked.phoneNumber;
  if (amount !== undefined && amount !== asked.amount) {
    const isOnlyTheAmount = !isOtherCurrency && !isOtherParty;
    return { ...differs(outcome, 'AMOUNT_DIFFERS'), ...(isOnlyTheAmount && { reportedAmount: amount }) };
  }
  if (isOtherCurrency) return differs(outcome, 'CURRENCY_DIFFERS');
  return isOtherParty ? differs(outcome, 'PARTY_DIFFERS') : outcome;
}

/** An end that contradicts other facts. */
export function differs(
  { providerTransactionId: about }: End,
  reason: UnknownReason,
): Extract<Outcome, { readonly type: 'UNKNOWN' }> {
  return { type: 'UNKNOWN', reason, ...(about !== undefined && { about }) };
}

const discrepancies: ReadonlySet<UnknownReason> = new Set([
  'AMOUNT_DIFFERS',
  'CURRENCY_DIFFERS',
  'PARTY_DIFFERS',
  'TRANSACTION_TAKEN',
  'SECOND_TRANSACTION',
]);

/** Unknown outcomes in which the operator moved something other than requested: waiting does not help. */
export function isDiscrepancy(reason: UnknownReason): boolean {
  return discrepancies.has(reason);
}
