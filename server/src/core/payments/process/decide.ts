// Folds an event into what must be written: the pure half of core/payments/process/advance. It asks
// domain/payments/lifecycle what the event means and turns the answer into rows; it reads nothing and writes nothing.
import type { ConnectorTiming } from '../../../connectors/port.ts';
import {
  isFinal,
  lifeStateOf,
  transition,
  type Evidence,
  type PaymentEvent,
  type Transition,
} from '../../../domain/payments/lifecycle.ts';
import type { Outcome } from '../../../domain/payments/outcome.ts';
import { isUnsent, type Attempt } from '../../../store/payments/attempts.ts';
import type { AttemptAccount } from '../../operators/attempt-account.ts';
import type { NewCallback } from '../../../store/callbacks/callbacks.ts';
import type { NewCase } from '../../../store/payments/cases.ts';
import type { Posting } from '../../../store/ledger/ledger.ts';
import type { NewEvent } from '../../../store/payments/payment-events.ts';
import type { StoredPayment } from '../../../store/payments/payments.ts';
import { attemptAfter, isGivenBack, submitDelayMs } from './attempt-change.ts';
import { holdAfter, holdBefore, isHeldBy } from '../../limits/holds.ts';
import { validateEvent, outcomeText, providerTransactionOf } from '../../operators/validate-answer.ts';
import { settlement } from '../payment-postings.ts';
import { addMs } from '../../../domain/time.ts';
import { nextEnquiryAt } from '../../schedule.ts';

/** Everything one payment's events have led to so far in this transaction. */
export type Change = {
  readonly payment: StoredPayment;
  readonly attempt: Attempt | null;
  readonly newAttempt?: Attempt;
  /** The attempt may be sent once more until its new deadline, or was given back unsent. */
  readonly changedAttempt?: Attempt;
  readonly events: readonly NewEvent[];
  readonly postings: readonly Posting[];
  /** What happens to the funds the payment held since its acceptance. */
  readonly holdEndsAs?: 'POSTED' | 'VOIDED';
  readonly callbacks: readonly NewCallback[];
  readonly cases: readonly NewCase[];
};

export type DecisionFacts = {
  readonly now: Date;
  readonly timing: ConnectorTiming;
  /** The provider of the merchant's wallet; empty for a wallet shared by the country's providers. */
  readonly walletProvider: string;
  /** The reference of the payment's first attempt. */
  readonly reference: string;
  /** The operator account a first attempt is claimed with. */
  readonly account?: AttemptAccount | undefined;
  /** What the operator said, for people. */
  readonly evidence: string | undefined;
  /** The line of a report that says so. */
  readonly lineHash?: Buffer | undefined;
  /** Until when the step that this comes from was taken. Undefined where it comes from no step. */
  readonly lease?: Date | undefined;
};

export type Decision = { readonly change: Change; readonly transition: Transition };

export function unchanged(payment: StoredPayment, attempt: Attempt | null): Change {
  return { payment, attempt, events: [], postings: [], callbacks: [], cases: [] };
}

/** The rules a decision rests on, by name: a proof can break one of them and show that it notices. */
export type DecisionRules = {
  readonly transition: typeof transition;
  readonly isOutrun: typeof isOutrun;
  readonly nextEnquiryAt: typeof nextEnquiryAt;
  readonly settlement: typeof settlement;
};

export const DECISION_RULES: DecisionRules = { transition, isOutrun, nextEnquiryAt, settlement };

/** What `event` means for the payment as `change` has left it, and the change that follows. */
export function decide(
  change: Change,
  event: PaymentEvent,
  facts: DecisionFacts,
  rules: DecisionRules = DECISION_RULES,
): Decision {
  const validated = validateEvent(event, change.payment);
  const isLate = rules.isOutrun(change, validated, facts.now);
  const decided = isLate ? NOTHING : rules.transition(lifeStateOf(change.payment), validated);
  switch (decided.type) {
    case 'NOTHING':
      return { change, transition: decided };
    case 'CONTRADICTION':
      return { change: contradicted(change, validated, decided.evidence, facts), transition: decided };
    case 'MOVE':
      return { change: moved(change, validated, decided, { ...facts, rules }), transition: decided };
  }
}

const NOTHING: Transition = { type: 'NOTHING' };

/** What the event wants has been done by somebody else meanwhile. */
function isOutrun(change: Change, event: PaymentEvent, now: Date): boolean {
  const { attempt, payment } = change;
  switch (event.type) {
    case 'RESUBMIT_CLAIMED':
      return attempt?.sendCount !== event.sendCount;
    case 'SUBMIT_UNSENT':
      return attempt === null || !isGivenBack(attempt, event.sendCount);
    case 'SUBMIT_EXPIRED':
      return payment.kind !== 'DEPOSIT' || !isUnsent(attempt);
    case 'OPERATOR_ANSWERED':
      // Refused, or concluded from "not found" or from silence, before the payment was given back or sent again.
      return event.sendCount !== undefined && !isAbout(change, event.sendCount);
    case 'RELEASED':
      return !isHeldBy(payment, event);
    case 'HINTED':
      return payment.nextActionAt !== null && payment.nextActionAt <= now;
    case 'SUBMIT_CLAIMED':
    case 'PROVIDER_DELAYED':
      // It waits already, and what holds it must not be lost: it was listed as due before somebody else held it.
      return payment.held !== holdBefore(event);
    case 'SUBMIT_HELD':
    case 'HORIZON_PASSED':
    case 'CANCELLED':
    case 'ENDED_MANUALLY':
      return false;
  }
}

function isAbout({ attempt, payment }: Change, sendCount: number): boolean {
  return attempt?.sendCount === sendCount && payment.nextAction !== 'SUBMIT';
}

function moved(
  change: Change,
  event: PaymentEvent,
  move: Transition & { readonly type: 'MOVE' },
  facts: DecisionFacts & { readonly rules: DecisionRules },
): Change {
  // Whatever moves a payment ends what held it.
  const { held: _held, heldBy: _heldBy, ...payment } = change.payment;
  const { attempt, ...claims } = attemptAfter(change, event, facts);
  const outcome = outcomeOf(event);
  const after: StoredPayment = {
    ...payment,
    ...holdAfter(event, move.next),
    state: move.to,
    nextAction: move.next,
    nextActionAt: nextActionTime(payment, event, move, attempt, facts),
    enquiryCount: payment.enquiryCount + (event.type === 'OPERATOR_ANSWERED' ? 1 : 0),
    eventCount: payment.eventCount + 1,
    details: detailsAfter(payment, outcome, move),
    ...(isFinal(move.to) && { finalAt: facts.now }),
    ...providerTransactionOf(outcome),
    ...(move.failureCode === undefined ? {} : { failureCode: move.failureCode }),
  };
  return {
    ...change,
    ...claims,
    payment: after,
    attempt,
    events: [...change.events, eventRecord(payment, after, event, facts)],
    ...facts.rules.settlement(change.postings, after, move, facts.walletProvider),
    callbacks: isAnnounced(move, payment, after)
      ? [...change.callbacks, announcement(after, facts)]
      : change.callbacks,
    cases:
      move.evidence === undefined
        ? change.cases
        : [...change.cases, caseOf(payment, event, move.evidence, facts)],
  };
}

function nextActionTime(
  payment: StoredPayment,
  event: PaymentEvent,
  move: Transition & { readonly type: 'MOVE' },
  attempt: Attempt | null,
  { now, timing, lease, rules }: DecisionFacts & { readonly rules: DecisionRules },
): Date | null {
  if (move.next === null) return null;
  if (move.next === 'SUBMIT') return addMs(now, submitDelayMs(event, attempt));
  const { enquiryCount } = payment;
  const claimedAt = attempt?.claimedAt ?? now;
  const facts = { event: event.type, state: move.to, enquiryCount, claimedAt, now, timing };
  const onLadder = rules.nextEnquiryAt(facts);
  // News can bring an enquiry forward; it never puts off one that is already set. The end of our own lease is none.
  const set = payment.nextAction === 'ENQUIRE' ? payment.nextActionAt : null;
  if (set === null || set.getTime() === lease?.getTime()) return onLadder;
  // A hint that overtook an answer is still to be asked about.
  if (set <= now && event.type !== 'OPERATOR_ANSWERED') return onLadder;
  return set < onLadder ? set : onLadder;
}

/** Evidence after the end changes no state: it is recorded, a case is opened, and the books follow the operator. */
function contradicted(change: Change, event: PaymentEvent, evidence: Evidence, facts: DecisionFacts): Change {
  const { payment } = change;
  const after = { ...payment, eventCount: payment.eventCount + 1 };
  return {
    ...change,
    payment: after,
    events: [...change.events, eventRecord(payment, after, event, facts)],
    cases: [...change.cases, caseOf(payment, event, evidence, facts)],
  };
}

/** What an operator answered, or a person found out. */
function outcomeOf(event: PaymentEvent): Outcome | null {
  return event.type === 'OPERATOR_ANSWERED' || event.type === 'ENDED_MANUALLY' ? event.outcome : null;
}

/** What an answer adds to what is kept of a payment: where its payer must go, how the operator contradicts us. */
function detailsAfter(
  { details }: StoredPayment,
  outcome: Outcome | null,
  { evidence }: Transition & { readonly type: 'MOVE' },
): StoredPayment['details'] {
  if (outcome?.type === 'UNKNOWN' && evidence === 'DISCREPANCY')
    return { ...details, discrepancy: outcome.reason };
  if (outcome?.type !== 'PENDING' || outcome.authorizationUrl === undefined) return details;
  return { ...details, authorizationUrl: outcome.authorizationUrl };
}

/**
 * An authorisation address is announced when it appears, not when it is repeated or no longer of use; and only where
 * the merchant sends the payer there: a hosted page does it itself.
 */
function isAnnounced(
  move: Transition & { readonly type: 'MOVE' },
  before: StoredPayment,
  after: StoredPayment,
): boolean {
  if (!move.announced) return false;
  if (move.next === null) return true;
  if (after.details.isFromPage === true) return false;
  return after.state === 'PROCESSING' && before.details.authorizationUrl !== after.details.authorizationUrl;
}

function announcement(payment: StoredPayment, { now }: DecisionFacts): NewCallback {
  const { merchantId, kind, paymentId, paymentNo: subjectId, state } = payment;
  return { merchantId, kind, paymentId, subjectId, announcedState: state, createdAt: now };
}

/** The case that evidence about a payment opens, unless there is one about the same. */
export function caseOf(
  payment: StoredPayment,
  event: PaymentEvent,
  evidence: Evidence,
  facts: Pick<DecisionFacts, 'now' | 'evidence' | 'lineHash'>,
): NewCase {
  const { merchantId, kind, paymentId } = payment;
  const outcome = outcomeOf(event);
  return {
    merchantId,
    kind,
    paymentId,
    evidence,
    openedAt: facts.now,
    statement: facts.evidence,
    providerTransactionId: transactionOfCase(outcome, evidence, payment),
    reportedAmount: outcome?.type === 'UNKNOWN' ? (outcome.reportedAmount ?? null) : null,
    ...(facts.lineHash !== undefined && { lineHash: facts.lineHash }),
  };
}

/** The operator's transaction a case is about. A reversal that names the payment's own has none of its own. */
function transactionOfCase(
  outcome: Outcome | null,
  evidence: Evidence,
  payment: StoredPayment,
): string | undefined {
  if (outcome?.type === 'UNKNOWN') return outcome.about;
  const { providerTransactionId } = providerTransactionOf(outcome);
  const isOwn = evidence === 'LATE_FAILURE' && providerTransactionId === payment.providerTransactionId;
  return isOwn ? undefined : providerTransactionId;
}

function eventRecord(
  before: StoredPayment,
  after: StoredPayment,
  event: PaymentEvent,
  facts: DecisionFacts,
): NewEvent {
  const outcome = outcomeOf(event);
  return {
    key: before,
    eventNo: after.eventCount,
    occurredAt: facts.now,
    event: event.type,
    fromState: before.state,
    toState: after.state,
    detail:
      event.type === 'PROVIDER_DELAYED' ? event.because : outcome === null ? undefined : outcomeText(outcome),
    evidence: facts.evidence,
  };
}
