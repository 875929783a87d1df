// The results of this package's calls. None has a field `status`: that name belongs to payments, and an accepted
// request or a found payment says nothing about money.
import type { FailureReason } from './api.ts';
import type { MalipoError } from './malipo-error.ts';

/**
 * The outcome of a request. `Extra` are further fields of an accepted one.
 *
 * accepted, duplicate: the gateway has it, and will end it once. After a lost answer this comes from a status check,
 * which cannot show whether this request or an earlier one with the same identifier brought the payment.
 */
export type Started<Extra = unknown> =
  | ({ readonly outcome: 'accepted'; readonly id: string; readonly created: string } & Extra)
  /** A request with this identifier was accepted before, and nothing was done now. */
  | ({ readonly outcome: 'duplicate'; readonly id: string; readonly created: string } & Extra)
  | Rejected
  | Unknown;

/** Nothing was created. Fix the field named in `failureReason`. */
export type Rejected = {
  readonly outcome: 'rejected';
  readonly id: string;
  readonly failureReason: FailureReason;
  /** Where the documentation of the gateway explains the code. Lists have none. */
  readonly documentationUrl?: string;
};

/**
 * The gateway could not be reached in time. Ask later with `get(id)`, or send it again with the same identifier. A new
 * identifier could pay twice.
 */
export type Unknown = { readonly outcome: 'unknown'; readonly id: string; readonly cause: MalipoError };

/** Whether the gateway has it. Its outcome is the status of the payment inside. */
export type Found<Payment> = { readonly found: true; readonly payment: Payment } | { readonly found: false };

/** The result of an action on a payment: resend its callback, cancel it. */
export type Acted = { readonly outcome: 'accepted'; readonly id: string } | Rejected;

/** The final members of a union of records. */
export type Final<Payment> = Extract<Payment, { readonly isFinal: true }>;

/** The wait is over, and the payment is not final. `still` is its last known status. */
export type Still = {
  readonly isFinal: false;
  readonly paid?: never;
  /** NOT_FOUND: the gateway has no such payment. UNREACHABLE: it never answered. Otherwise the payment's status. */
  readonly still: string;
};
