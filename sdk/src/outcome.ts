// What calls of this package come to. No union here has a field `status`: that word belongs to payments, and whether
// an order was accepted or a payment was found says nothing about money.
import type { FailureReason } from './api.ts';
import type { MalipoError } from './malipo-error.ts';

/**
 * The outcome of an order. `Extra` is what the gateway says besides when it has accepted.
 *
 * accepted, duplicate: the gateway has it, and will end it once. After a lost answer it is known from a status check;
 * whether this very request brought the payment or an earlier one with the same identifier cannot be told then.
 */
export type Started<Extra = unknown> =
  | ({ readonly outcome: 'accepted'; readonly id: string; readonly created: string } & Extra)
  /** An order with this identifier was accepted before, and nothing was done now. */
  | ({ readonly outcome: 'duplicate'; readonly id: string; readonly created: string } & Extra)
  | Rejected
  | Unknown;

/** Nothing was done, and nothing will be. */
export type Rejected = {
  readonly outcome: 'rejected';
  readonly id: string;
  readonly failureReason: FailureReason;
};

/**
 * The gateway could not be reached for long enough to find out. Ask later, with `get(id)`, or order again with the
 * same identifier. A new identifier could pay twice.
 */
export type Unknown = { readonly outcome: 'unknown'; readonly id: string; readonly cause: MalipoError };

/** Whether the gateway has it. Its outcome is the status of the payment inside. */
export type Found<Payment> = { readonly found: true; readonly payment: Payment } | { readonly found: false };

/** The outcome of a request to do something with a payment: send its callback again, cancel it. */
export type Acted =
  | { readonly outcome: 'accepted'; readonly id: string }
  | { readonly outcome: 'rejected'; readonly id: string; readonly failureReason: FailureReason };

/** The members of a union of records that will not change any more. */
export type Final<Payment> = Extract<Payment, { readonly isFinal: true }>;

/** Waiting is over, and the payment is not final. `still` is what it was when last seen. */
export type Still = {
  readonly isFinal: false;
  readonly paid?: never;
  /** NOT_FOUND: the gateway has no such payment. UNREACHABLE: it never answered. Otherwise the payment's status. */
  readonly still: string;
};
