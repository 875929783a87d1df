// The states of a payment and what may happen in each. Pure: core/payments/process/advance asks here what an event
// means and stores the result. COMPLETED and FAILED are final; a database trigger enforces it too.
import type { PaymentFailureCode } from '../failure.ts';
import type { Hold } from '../limits/freeze.ts';
import { isDiscrepancy, type End, type Outcome } from './outcome.ts';
import type { NextAction, PaymentState } from './payment.ts';

/** Everything that can happen to a payment after its creation. */
export type PaymentEvent =
  /** A submit step requests permission to call the operator. */
  | { readonly type: 'SUBMIT_CLAIMED' }
  /** The same after a restore: the operator may have been called already. It is asked before anything is sent. */
  | {
      readonly type: 'SUBMIT_HELD';
      /** Until when a process may have had permission to send the payment. */
      readonly lostUntil: Date;
    }
  /** The process with the permission has not sent anything and no longer may: the payment is sent later. */
  | {
      readonly type: 'SUBMIT_UNSENT';
      /** Which permission it was. A later one belongs to another process. */
      readonly sendCount: number;
    }
  /** A deposit was never sent, and its payer has left. */
  | { readonly type: 'SUBMIT_EXPIRED' }
  /** The operator answered: at once, to an enquiry, or by an authenticated notification. */
  | {
      readonly type: 'OPERATOR_ANSWERED';
      readonly outcome: Outcome;
      /** If refused, or derived from "not found" or from silence: how often the attempt had been sent by then. */
      readonly sendCount?: number;
    }
  /** An unauthenticated notification: a reason to ask now, never a reason to move money. */
  | { readonly type: 'HINTED' }
  /** It is proved that the operator did not receive the attempt, and a repeat is harmless. */
  | {
      readonly type: 'RESUBMIT_CLAIMED';
      /** How often the attempt had been sent at that time. Of two claims with the same count only one succeeds. */
      readonly sendCount: number;
    }
  /** The operator's time is over. */
  | { readonly type: 'HORIZON_PASSED' }
  /**
   * The provider cannot take the payment now, its wallet owes money, the platform has frozen it, or somebody looks at
   * it first: it waits. Deposits never wait, because their payer does: one that is screened is claimed again later.
   */
  | {
      readonly type: 'PROVIDER_DELAYED';
      readonly because?: 'WALLET_OWES' | 'FROZEN' | 'REVIEW';
      /** Who looks at it: the platform's screening service, or people. Absent for a deposit. */
      readonly hold?: ReviewHold;
      readonly isDeposit?: true;
      /** The screening service has answered, and people are to look at it. */
      readonly isFromScreening?: true;
      /** The freeze that holds this payment alone, and not with all others of its merchant or provider. */
      readonly heldBy?: string;
    }
  /** What kept the payment waiting is over: it may be submitted, and can be cancelled until then. */
  | {
      readonly type: 'RELEASED';
      /** The freeze that held it and has ended. What is held by anything else stays. */
      readonly heldBy?: string;
      /** The same where it was looked at. A deposit is held by nothing, and is due again. */
      readonly hold?: ReviewHold;
    }
  /** The merchant cancels a waiting payment. */
  | {
      readonly type: 'CANCELLED';
      /** The platform cancels a waiting payment with this code; the operator has never received it. */
      readonly unsentAs?: PaymentFailureCode;
    }
  /** A person found the outcome of a payment whose operator gives no clear answer. */
  | { readonly type: 'ENDED_MANUALLY'; readonly outcome: End };

/** Held until the screening service has answered, or people have decided. */
export type ReviewHold = Exclude<Hold, 'FREEZE'>;

/** What a case is about. */
export type Evidence = 'LATE_SUCCESS' | 'LATE_FAILURE' | 'DISCREPANCY';

export type Transition =
  /** The payment changes state (or keeps it, if `to` is the same), and this comes next. */
  | {
      readonly type: 'MOVE';
      readonly to: PaymentState;
      /** SETTLE: the money moved, so the reservation is posted. VOID: it did not, so the reservation is released. */
      readonly posting: 'SETTLE' | 'VOID' | null;
      /** Whether the merchant gets a callback. */
      readonly announced: boolean;
      readonly next: NextAction | null;
      readonly failureCode?: PaymentFailureCode;
      /** The operator's answer contradicts our request: a case is opened too. */
      readonly evidence?: Evidence;
    }
  /** Evidence against a final state: the state stays, a case is opened and posted. */
  | { readonly type: 'CONTRADICTION'; readonly evidence: Evidence }
  /** Nothing to do: the event is late, repeated or not for this state. */
  | { readonly type: 'NOTHING' };

const NOTHING: Transition = { type: 'NOTHING' };

/** A payment's state, and RETURNED: PROCESSING for its merchant, but every permission to send ended unused. */
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

/** The transition for `event` in `state`. Defined for every pair. */
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
      // A merchant that has seen PROCESSING continues to see it.
      if (state === 'RETURNED') return submitLater('PROCESSING');
      if (event.isDeposit === true) return state === 'ACCEPTED' ? submitLater(state) : NOTHING;
      return isUnsent(state) ? { ...quietly('ENQUEUED'), next: null } : NOTHING;
    case 'RELEASED':
      if (event.hold === 'SCREENING' && state === 'ACCEPTED') return submitLater(state);
      return state === 'ENQUEUED' ? submitLater('ENQUEUED') : NOTHING;
    case 'CANCELLED':
      if (event.unsentAs !== undefined) return isUnsent(state) ? failed(event.unsentAs) : NOTHING;
      return state === 'ENQUEUED' ? failed('MANUALLY_CANCELLED') : NOTHING;
    case 'ENDED_MANUALLY':
      // While the operator still has time, its answer is the only one that counts.
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

/** An operator that knows a payment we never sent is trusted; an answer without news does not delay it. */
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

/** The operator has not received the payment. */
function isUnsent(state: LifeState): boolean {
  return state === 'ACCEPTED' || state === 'ENQUEUED' || state === 'RETURNED';
}

/** The operator may know the payment. */
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

/** A change without a callback and without money. */
function quietly(to: PaymentState): Omit<Move, 'next'> {
  return { type: 'MOVE', to, posting: null, announced: false };
}
