// Whether a deposit may be given back, wholly or in part. Pure: the deposit is locked and its refunds are read by the
// caller, so that what is decided here is still true when it is written.
import { findProvider } from '../../../domain/operators/catalogue.ts';
import { failureReason, type FailureReason } from '../../../domain/failure.ts';
import { renderAmount, type Amount } from '../../../domain/money.ts';
import { isErased, type Payment, type PaymentState } from '../../../domain/payments/payment.ts';
import {
  arrivedOf,
  givenBackBy,
  type Arrived,
  type CaseFacts,
  type GivenBack,
} from '../../../domain/reconciliation/given-back.ts';
import type { Availability } from '../../../store/operators/availability.ts';
import type { Merchant } from '../../../store/merchants/merchants.ts';
import {
  checkAllowed,
  checkAmount,
  checkAvailability,
  checkProvider,
  feeOf,
  type Admitted,
  type Refused,
} from '../admit.ts';

/** What the merchant asks for; without an amount, all that remains. */
export type RefundWish = {
  /** As written in the request. */
  readonly depositId: string;
  readonly amount?: Amount;
  readonly amountText?: string;
  readonly currency?: string;
};

export type RefundFacts = {
  readonly merchant: Merchant;
  readonly deposit: Payment | null;
  /** What each earlier refund of it has given back. */
  readonly refunds: readonly GivenBack[];
  /** What of the deposit can be given back at most. */
  readonly arrived: Arrived;
  /** The operator took the deposit back after it was COMPLETED. */
  readonly isReversed: boolean;
  /** A report that waits for approval says something else of the deposit than our books. */
  readonly isReported: boolean;
  /** Only the account that received it could give it back, and that account was retired. */
  readonly isBeyondReach: boolean;
  readonly availability: Availability;
  readonly connector: string | null;
  /** The operator gives a deposit back in one piece or not at all. */
  readonly isFullOnly: boolean;
};

/** A deposit and what was given back of it. Under the deposit's lock, nothing can be added to it. */
export type RefundHistory = Pick<RefundFacts, 'refunds' | 'arrived' | 'isReversed' | 'isReported'>;

/**
 * `casesOf` answers the cases about a payment, without those whose evidence the operator withdrew. `isReported`:
 * whether a report that waits for approval says something about it. How much a refund gave back is open then.
 */
export function refundHistoryOf<Key>(
  deposit: Key & { readonly amount: Amount },
  refunds: readonly (Key & { readonly amount: Amount; readonly state: PaymentState })[],
  casesOf: (payment: Key) => readonly CaseFacts[],
  isReported: (payment: Key) => boolean = () => false,
): RefundHistory {
  return {
    arrived: arrivedOf(deposit, casesOf(deposit)),
    isReversed: casesOf(deposit).some(({ evidence }) => evidence === 'LATE_FAILURE'),
    isReported: isReported(deposit),
    refunds: refunds.map((refund) => {
      const givenBack = givenBackBy(refund, casesOf(refund));
      return { ...givenBack, isInProgress: givenBack.isInProgress || isReported(refund) };
    }),
  };
}

export type RefundAdmission = (Admitted & { readonly amount: Amount; readonly amountText: string }) | Refused;

export function admitRefund(wish: RefundWish, facts: RefundFacts): RefundAdmission {
  const { merchant, deposit, connector, availability } = facts;
  const notAllowed = checkAllowed({ merchant, kind: 'REFUND' });
  if (notAllowed !== null) return notAllowed;
  const id = wish.depositId;
  if (deposit === null) return rejected(failureReason('NOT_FOUND', { kind: 'Deposit', id }));
  const reason = checkRefundable(wish, deposit, facts);
  if (reason !== null) return rejected(reason);
  const remaining = remainingOf(facts.arrived, facts.refunds);
  const amount = wish.amount ?? remaining;
  const wholeText = amount === deposit.amount ? deposit.amountText : renderAmount(amount);
  const amountText = wish.amountText ?? wholeText;
  const { provider, currency } = deposit;
  const asked = {
    kind: 'REFUND',
    merchant,
    provider,
    currency,
    amount,
    amountText,
    connector,
    availability,
  } as const;
  const known = findProvider(provider);
  const refusal =
    checkProvider(asked, known) ??
    rejectedIf(checkWhole(amount, deposit, facts) ?? checkAmount(asked, known) ?? checkAvailability(asked));
  if (refusal !== null) return refusal;
  return {
    type: 'ADMITTED',
    country: deposit.country,
    connector: connector ?? '',
    fee: feeOf(asked),
    state: availability === 'OPERATIONAL' ? 'ACCEPTED' : 'ENQUEUED',
    amount,
    amountText,
  };
}

function checkRefundable(
  wish: RefundWish,
  deposit: Payment,
  { arrived, refunds, isReversed, isReported, isBeyondReach }: RefundFacts,
): FailureReason | null {
  const id = wish.depositId;
  if (deposit.state !== 'COMPLETED') {
    const cause = `is ${deposit.state}; only a COMPLETED deposit can be refunded`;
    return failureReason('INVALID_STATE', { kind: 'Deposit', id, cause });
  }
  if (isReversed) {
    const cause = 'was taken back by the provider; there is nothing left to refund';
    return failureReason('INVALID_STATE', { kind: 'Deposit', id, cause });
  }
  if (arrived.isInDoubt) {
    const cause = 'is being checked: how much of it the provider has received is not known yet';
    return failureReason('INVALID_STATE', { kind: 'Deposit', id, cause });
  }
  if (arrived.amount === 0n) {
    const cause = 'did not arrive at the provider; there is nothing to refund';
    return failureReason('INVALID_STATE', { kind: 'Deposit', id, cause });
  }
  if (isBeyondReach) {
    const cause =
      'was received by an operator account that is no longer used; it can only be paid back by a payout';
    return failureReason('INVALID_STATE', { kind: 'Deposit', id, cause });
  }
  if (isErased(deposit.details)) {
    const cause = 'no longer names its payer, who asked to be forgotten; no one can be refunded';
    return failureReason('INVALID_STATE', { kind: 'Deposit', id, cause });
  }
  if (wish.currency !== undefined && wish.currency !== deposit.currency) {
    return failureReason('INVALID_CURRENCY', { currency: wish.currency, provider: deposit.provider });
  }
  const isOpen = isReported || refunds.some(({ isInProgress }) => isInProgress);
  if (isOpen) return failureReason('REFUND_IN_PROGRESS', { id });
  const remaining = remainingOf(arrived, refunds);
  // An operator can have moved more than was asked.
  if (remaining <= 0n) return failureReason('DEPOSIT_ALREADY_REFUNDED', { id });
  if (wish.amount === undefined || wish.amount <= remaining) return null;
  const { currency } = deposit;
  return failureReason('AMOUNT_TOO_LARGE', { remaining: renderAmount(remaining), currency });
}

function checkWhole(amount: Amount, deposit: Payment, { isFullOnly }: RefundFacts): FailureReason | null {
  if (!isFullOnly || amount === deposit.amount) return null;
  const whole = renderAmount(deposit.amount);
  const bounds = { minAmount: whole, maxAmount: whole, provider: deposit.provider };
  return { ...failureReason('AMOUNT_OUT_OF_BOUNDS', bounds), bound: 'BELOW_MINIMUM' };
}

/** What has arrived and was not given back. Below zero where operators have moved more than was asked. */
export function remainingOf(arrived: Arrived, refunds: readonly GivenBack[]): Amount {
  return refunds.reduce((remaining, { amount }) => remaining - amount, arrived.amount);
}

function rejected(reason: FailureReason): Refused {
  return { type: 'REJECTED', reason };
}

function rejectedIf(reason: FailureReason | null): Refused | null {
  return reason === null ? null : rejected(reason);
}
