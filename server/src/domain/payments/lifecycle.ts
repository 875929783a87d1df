// The states of a payment and what may happen in each. Pure: core/payments/process/advance asks here what an event
// means and writes down the answer. COMPLETED and FAILED are final; a database trigger refuses to leave them too.
import type { PaymentFailureCode } from '../failure.ts';
import { isDiscrepancy, type End, type Outcome } from './outcome.ts';
import type { NextAction, PaymentState } from './payment.ts';

/** Everything that can happen to a payment after its creation. */
export type PaymentEvent =
  /** A submit step asks for permission to call the operator. */
  | { readonly type: 'SUBMIT_CLAIMED' }
  /**
   * The same after a restore: the operator may have been called, and no one knows. Nothing is sent; it is asked first.
   */
  | {
      readonly type: 'SUBMIT_HELD';
      /** Until when somebody may have had permission to send the payment. */
      readonly lostUntil: Date;
    }
  /** The process that holds the permission never wrote a byte, and no longer may: the payment is sent later. */
  | {
      readonly type: 'SUBMIT_UNSENT';
      /** Which permission it was. A later one is another process's. */
      readonly sendCount: number;
    }
  /** A deposit was never sent, and its payer has gone. */
  | { readonly type: 'SUBMIT_EXPIRED' }
  /** The operator answered: at once, to an enquiry, or by an authenticated notification. */
  | {
      readonly type: 'OPERATOR_ANSWERED';
      readonly outcome: Outcome;
      /** Where it was concluded from "not found": how often the attempt had been sent then. */
      readonly sendCount?: number;
    }
  /** A notification no one can vouch for: a reason to ask now, never a reason to move money. */
  | { readonly type: 'HINTED' }
  /** The operator was proved not to have seen the attempt, and repeating it is harmless. */
  | {
      readonly type: 'RESUBMIT_CLAIMED';
      /** How often the attempt had been sent when that was proved. Of two claimants with one count only one wins. */
      readonly sendCount: number;
    }
  /** The operator had its time. */
  | { readonly type: 'HORIZON_PASSED' }
  /**
   * The provider cannot take the payment now, or its wallet owes: it waits. Deposits never do, their payer is there.
   */
  | { readonly type: 'PROVIDER_DELAYED'; readonly because?: 'WALLET_OWES' }
  /** The provider is back: the payment may be submitted, and can be cancelled until it is. */
  | { readonly type: 'RELEASED' }
  /** The merchant no longer wants a payment that waits. */
  | {
      readonly type: 'CANCELLED';
      /** The platform cancels it, under this code, wherever it waits: no operator has heard of it. */
      readonly unsentAs?: PaymentFailureCode;
    }
  /** A person found out the outcome of a payment whose operator gives no clear answer. */
  | { readonly type: 'ENDED_MANUALLY'; readonly outcome: End };

/** What a case is about. */
export type Evidence = 'LATE_SUCCESS' | 'LATE_FAILURE' | 'DISCREPANCY';

export type Transition =
  /** The payment changes state (or stays, with `to` the state it has), and this comes next. */
  | {
      readonly type: 'MOVE';
      readonly to: PaymentState;
      /** SETTLE: the money moved, what was held is posted. VOID: it did not, what was held is free again. */
      readonly posting: 'SETTLE' | 'VOID' | null;
      /** Whether the merchant is told by callback. */
      readonly announced: boolean;
      readonly next: NextAction | null;
      readonly failureCode?: PaymentFailureCode;
      /** The operator's answer contradicts what we asked for: a case is opened beside the move. */
      readonly evidence?: Evidence;
    }
  /** Evidence against a final state: the state stays, a case is opened and its postings are made. */
  | { readonly type: 'CONTRADICTION'; readonly evidence: Evidence }
  /** Nothing to do: the event is late, repeated or not for this state. */
  | { readonly type: 'NOTHING' };

const NOTHING: Transition = { type: 'NOTHING' };

/** A payment's state, and RETURNED: PROCESSING for its merchant, but every permission to send it ended unused. */
export type LifeState = PaymentState | 'RETURNED';

export function lifeStateOf(payment: {
  readonly state: PaymentState;
  readonly nextAction: NextAction | null;
}): LifeState {
  const { state, nextAction } = payment;
  return state === 'PROCESSING' && nextAction === 'SUBMIT' ? 'RETURNED' : state;
}

export function isFinal(state: LifeState): boolean {
  return state === 'COMPLETED' || state === 'FAILED';
}

/** What `event` means for a payment in `state`. Total: every pair has an answer. */
export function transition(state: LifeState, event: PaymentEvent): Transition {
  switch (event.type) {
    case 'SUBMIT_CLAIMED':
    case 'SUBMIT_HELD':
      return isUnsent(state) ? enquireLater('PROCESSING') : NOTHING;
    case 'SUBMIT_UNSENT':
      return state === 'PROCESSING' ? submitLater('PROCESSING') : NOTHING;
    case 'SUBMIT_EXPIRED':
      return state === 'ACCEPTED' || state === 'RETURNED' ? failed('OTHER_ERROR') : NOTHING;
    case 'OPERATOR_ANSWERED':
      return answered(state, event.outcome);
    case 'HINTED':
    case 'RESUBMIT_CLAIMED':
      return isAtOperator(state) ? enquireLater(state) : NOTHING;
    case 'HORIZON_PASSED':
      return state === 'PROCESSING' ? enquireLater('IN_RECONCILIATION') : NOTHING;
    case 'PROVIDER_DELAYED':
      // A merchant that has seen PROCESSING goes on seeing it.
      if (state === 'RETURNED') return submitLater('PROCESSING');
      return isUnsent(state) ? { ...quietly('ENQUEUED'), next: null } : NOTHING;
    case 'RELEASED':
      return state === 'ENQUEUED' ? submitLater('ENQUEUED') : NOTHING;
    case 'CANCELLED':
      if (event.unsentAs !== undefined) return isUnsent(state) ? failed(event.unsentAs) : NOTHING;
      return state === 'ENQUEUED' ? failed('MANUALLY_CANCELLED') : NOTHING;
    case 'ENDED_MANUALLY':
      // While an operator has time left, no one knows better than it does.
      return state === 'IN_RECONCILIATION' ? ended(event.outcome) : NOTHING;
  }
}

function answered(state: LifeState, outcome: Outcome): Transition {
  if (isFinal(state)) return answeredAfterTheEnd(state, outcome);
  if (state === 'RETURNED') return answeredUnsent(outcome);
  if (!isAtOperator(state)) return NOTHING;
  switch (outcome.type) {
    case 'COMPLETED':
    case 'FAILED':
      return ended(outcome);
    case 'PENDING':
      return { ...enquireLater(state), announced: outcome.authorizationUrl !== undefined };
    case 'NOT_SEEN':
      return enquireLater(state);
    case 'UNKNOWN':
      return isDiscrepancy(outcome.reason)
        ? { ...enquireLater('IN_RECONCILIATION'), evidence: 'DISCREPANCY' }
        : enquireLater(state);
  }
}

/** An operator that knows of a payment we never sent is believed; one that says nothing new does not hold it up. */
function answeredUnsent(outcome: Outcome): Transition {
  const isNothingNew =
    outcome.type === 'NOT_SEEN' || (outcome.type === 'UNKNOWN' && !isDiscrepancy(outcome.reason));
  return isNothingNew ? NOTHING : answered('PROCESSING', outcome);
}

function answeredAfterTheEnd(state: LifeState, outcome: Outcome): Transition {
  switch (outcome.type) {
    case 'COMPLETED':
      return state === 'FAILED' ? { type: 'CONTRADICTION', evidence: 'LATE_SUCCESS' } : NOTHING;
    case 'FAILED':
      return state === 'COMPLETED' ? { type: 'CONTRADICTION', evidence: 'LATE_FAILURE' } : NOTHING;
    case 'UNKNOWN':
      return isDiscrepancy(outcome.reason) ? { type: 'CONTRADICTION', evidence: 'DISCREPANCY' } : NOTHING;
    case 'PENDING':
    case 'NOT_SEEN':
      return NOTHING;
  }
}

/** No operator has heard of the payment. */
function isUnsent(state: LifeState): boolean {
  return state === 'ACCEPTED' || state === 'ENQUEUED' || state === 'RETURNED';
}

/** The operator may know of the payment. */
function isAtOperator(state: LifeState): state is 'PROCESSING' | 'IN_RECONCILIATION' {
  return state === 'PROCESSING' || state === 'IN_RECONCILIATION';
}

type Move = Transition & { readonly type: 'MOVE' };

function enquireLater(to: PaymentState): Move {
  return { ...quietly(to), next: 'ENQUIRE' };
}

function submitLater(to: PaymentState): Move {
  return { ...quietly(to), next: 'SUBMIT' };
}

function ended(outcome: End): Move {
  return outcome.type === 'FAILED'
    ? failed(outcome.code)
    : { type: 'MOVE', to: 'COMPLETED', posting: 'SETTLE', announced: true, next: null };
}

function failed(failureCode: PaymentFailureCode): Move {
  return { type: 'MOVE', to: 'FAILED', posting: 'VOID', announced: true, next: null, failureCode };
}

/** A move that the merchant is not told of and that touches no money. */
function quietly(to: PaymentState): Omit<Move, 'next'> {
  return { type: 'MOVE', to, posting: null, announced: false };
}
