// Folds an event into what must be written: the pure half of core/advance. It asks domain/lifecycle what the event
// means and turns the answer into rows; it reads nothing and writes nothing.
import type { ConnectorTiming } from '../connectors/port.ts';
import { transition, type Evidence, type PaymentEvent, type Transition } from '../domain/lifecycle.ts';
import { judge, type Outcome } from '../domain/outcome.ts';
import {
  lateSuccessOfDeposit,
  lateSuccessOfOutgoing,
  outgoing,
  reversalOfDeposit,
  reversalOfOutgoing,
  settleDeposit,
  type Leg,
  type Posted,
} from '../domain/postings.ts';
import type { Attempt } from '../store/attempts.ts';
import type { NewCallback } from '../store/callbacks.ts';
import type { NewCase } from '../store/cases.ts';
import type { Posting } from '../store/ledger.ts';
import type { EventRecord } from '../store/payment-events.ts';
import type { StoredPayment } from '../store/payments.ts';
import { later, nextEnquiryAt } from './schedule.ts';

/** Everything one payment's events have led to so far in this transaction. */
export type Change = {
  readonly payment: StoredPayment;
  readonly attempt: Attempt | null;
  readonly newAttempt?: Attempt;
  /** The attempt may be sent once more, until its new deadline. */
  readonly reclaimedAttempt?: Attempt;
  readonly events: readonly EventRecord[];
  readonly postings: readonly Posting[];
  /** What becomes of the funds the payment held since its acceptance. */
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
  /** What the operator said, for people. */
  readonly evidence: string | undefined;
};

export type Decision = { readonly change: Change; readonly transition: Transition };

export function unchanged(payment: StoredPayment, attempt: Attempt | null): Change {
  return { payment, attempt, events: [], postings: [], callbacks: [], cases: [] };
}

/** What `event` means for the payment as `change` has left it, and the change that follows. */
export function decide(change: Change, event: PaymentEvent, facts: DecisionFacts): Decision {
  const judged = judgeEvent(event, change.payment);
  const decided = isOutrun(change, judged, facts.now) ? NOTHING : transition(change.payment.state, judged);
  switch (decided.type) {
    case 'NOTHING':
      return { change, transition: decided };
    case 'CONTRADICTION':
      return { change: contradicted(change, judged, decided.evidence, facts), transition: decided };
    case 'MOVE':
      return { change: moved(change, judged, decided, facts), transition: decided };
  }
}

const NOTHING: Transition = { type: 'NOTHING' };

/** What the event wants has been done by somebody else meanwhile. */
function isOutrun({ attempt, payment }: Change, event: PaymentEvent, now: Date): boolean {
  switch (event.type) {
    case 'RESUBMIT_CLAIMED':
      return attempt?.sendCount !== event.sendCount;
    case 'RELEASED':
      return payment.nextAction !== null;
    case 'HINTED':
      return payment.nextActionAt !== null && payment.nextActionAt <= now;
    case 'SUBMIT_CLAIMED':
    case 'OPERATOR_ANSWERED':
    case 'HORIZON_PASSED':
    case 'PROVIDER_DELAYED':
    case 'CANCELLED':
      return false;
  }
}

/** What an answer is worth for this payment: one that does not fit it, or cannot be kept, is unknown. */
export function judgeEvent(event: PaymentEvent, payment: StoredPayment): PaymentEvent {
  if (event.type !== 'OPERATOR_ANSWERED') return event;
  if (!isKeepable(event.outcome))
    return { ...event, outcome: { type: 'UNKNOWN', reason: 'UNREADABLE_ANSWER' } };
  if (isSecondSuccess(event.outcome, payment)) {
    return { ...event, outcome: { type: 'UNKNOWN', reason: 'SECOND_TRANSACTION' } };
  }
  const { amount, currency, details } = payment;
  return { ...event, outcome: judge(event.outcome, { amount, currency, phoneNumber: details.phoneNumber }) };
}

/** Operators' identifiers are short plain texts. Anything else would poison every statement that carries it. */
export function isPlainText(text: string): boolean {
  return /^[\x20-\x7e]{1,255}$/.test(text);
}

function isKeepable(outcome: Outcome): boolean {
  const { providerTransactionId } = providerTransactionOf(outcome);
  return providerTransactionId === undefined || isPlainText(providerTransactionId);
}

/** The operator moved the money of a completed payment once more, under another transaction. */
function isSecondSuccess(outcome: Outcome, payment: StoredPayment): boolean {
  if (payment.state !== 'COMPLETED' || outcome.type !== 'COMPLETED') return false;
  const { providerTransactionId: second } = outcome;
  return (
    second !== undefined &&
    payment.providerTransactionId !== undefined &&
    second !== payment.providerTransactionId
  );
}

function moved(
  change: Change,
  event: PaymentEvent,
  move: Transition & { readonly type: 'MOVE' },
  facts: DecisionFacts,
): Change {
  const { payment } = change;
  const { attempt, ...claims } = claimed(change, event, facts);
  const outcome = event.type === 'OPERATOR_ANSWERED' ? event.outcome : null;
  const after: StoredPayment = {
    ...payment,
    state: move.to,
    nextAction: move.next,
    nextActionAt: nextActionTime(payment, event, move, attempt, facts),
    enquiryCount: payment.enquiryCount + (outcome === null ? 0 : 1),
    eventCount: payment.eventCount + 1,
    details: withAuthorizationUrl(payment, outcome),
    ...providerTransactionOf(outcome),
    ...(move.failureCode === undefined ? {} : { failureCode: move.failureCode }),
  };
  return {
    ...change,
    ...claims,
    payment: after,
    attempt,
    events: [...change.events, eventRecord(payment, after, event, facts)],
    ...settlement(change, after, move, facts),
    callbacks: isAnnounced(move, payment, after)
      ? [...change.callbacks, announcement(after, facts)]
      : change.callbacks,
    cases:
      move.evidence === undefined ? change.cases : [...change.cases, caseOf(payment, move.evidence, facts)],
  };
}

/** Claiming makes or renews the attempt; all other events leave it alone. */
function claimed(change: Change, event: PaymentEvent, { now, timing, reference }: DecisionFacts) {
  const sendDeadlineAt = later(now, timing.sendDeadlineMs);
  if (event.type === 'SUBMIT_CLAIMED') {
    const { merchantId, kind, paymentId } = change.payment;
    const newAttempt: Attempt = {
      merchantId,
      kind,
      paymentId,
      attemptNo: 1,
      reference,
      claimedAt: now,
      sendDeadlineAt,
      sendCount: 1,
    };
    return { attempt: newAttempt, newAttempt };
  }
  if (event.type === 'RESUBMIT_CLAIMED' && change.attempt !== null) {
    const reclaimedAttempt = { ...change.attempt, sendDeadlineAt, sendCount: change.attempt.sendCount + 1 };
    return { attempt: reclaimedAttempt, reclaimedAttempt };
  }
  return { attempt: change.attempt };
}

function nextActionTime(
  payment: StoredPayment,
  event: PaymentEvent,
  move: Transition & { readonly type: 'MOVE' },
  attempt: Attempt | null,
  { now, timing }: DecisionFacts,
): Date | null {
  if (move.next === null) return null;
  if (move.next === 'SUBMIT') return now;
  const { enquiryCount } = payment;
  const claimedAt = attempt?.claimedAt ?? now;
  const onLadder = nextEnquiryAt({ event: event.type, state: move.to, enquiryCount, claimedAt, now, timing });
  // News can bring an enquiry forward; it never puts off one that is already set.
  const set = payment.nextAction === 'ENQUIRE' ? payment.nextActionAt : null;
  return set !== null && set > now && set < onLadder ? set : onLadder;
}

/** Evidence after the end changes no state: it is recorded, a case is opened, and the books follow the operator. */
function contradicted(change: Change, event: PaymentEvent, evidence: Evidence, facts: DecisionFacts): Change {
  const { payment } = change;
  const after = { ...payment, eventCount: payment.eventCount + 1 };
  return {
    ...change,
    payment: after,
    events: [...change.events, eventRecord(payment, after, event, facts)],
    cases: [...change.cases, caseOf(payment, evidence, facts)],
  };
}

/** The postings of a newly opened case. A repeat of the same evidence opens none and posts nothing. */
export function postingOfCase(
  payment: StoredPayment,
  evidence: Evidence,
  walletProvider: string,
): Posting | null {
  const facts = posted(payment, walletProvider);
  const isDeposit = payment.kind === 'DEPOSIT';
  switch (evidence) {
    case 'LATE_SUCCESS':
      return posting(
        payment,
        evidence,
        10,
        isDeposit ? lateSuccessOfDeposit(facts) : lateSuccessOfOutgoing(facts),
      );
    case 'LATE_FAILURE':
      return posting(payment, evidence, 20, isDeposit ? reversalOfDeposit(facts) : reversalOfOutgoing(facts));
    case 'DISCREPANCY':
      // What was moved is not known well enough to post: a person resolves it with the evidence.
      return null;
  }
}

/** What a payment that sends money holds from its acceptance on; `walletCountry` where it is not the payment's. */
export function holdOf(
  payment: StoredPayment,
  walletProvider: string,
  walletCountry = payment.country,
): Posting {
  return posting(payment, 'OUTGOING', 0, outgoing({ ...posted(payment, walletProvider), walletCountry }));
}

/** A deposit's money arrives when it completes; all other kinds held theirs from the start. */
function settlement(
  change: Change,
  after: StoredPayment,
  move: Transition & { readonly type: 'MOVE' },
  { walletProvider }: DecisionFacts,
): Pick<Change, 'postings' | 'holdEndsAs'> {
  const { postings } = change;
  if (move.posting === null) return { postings };
  if (after.kind !== 'DEPOSIT')
    return { postings, holdEndsAs: move.posting === 'SETTLE' ? 'POSTED' : 'VOIDED' };
  if (move.posting === 'VOID') return { postings };
  const settled = posting(after, 'SETTLE', 0, settleDeposit(posted(after, walletProvider)));
  return { postings: [...postings, settled] };
}

function posting(
  payment: StoredPayment,
  template: string,
  firstLegNo: number,
  legs: readonly Leg[],
): Posting {
  return { subject: subjectOf(payment), template, firstLegNo, legs };
}

export function subjectOf({ merchantId, kind, paymentId }: StoredPayment): Posting['subject'] {
  return { merchantId, kind, id: paymentId };
}

function posted(payment: StoredPayment, walletProvider: string): Posted {
  const { merchantId, country, currency, provider, amount, fee } = payment;
  return { merchantId, country, currency, provider, walletProvider, amount, fee };
}

function withAuthorizationUrl(payment: StoredPayment, outcome: Outcome | null): StoredPayment['details'] {
  if (outcome?.type !== 'PENDING' || outcome.authorizationUrl === undefined) return payment.details;
  return { ...payment.details, authorizationUrl: outcome.authorizationUrl };
}

function providerTransactionOf(outcome: Outcome | null): { readonly providerTransactionId?: string } {
  if (outcome === null || !('providerTransactionId' in outcome)) return {};
  const { providerTransactionId } = outcome;
  return providerTransactionId === undefined ? {} : { providerTransactionId };
}

/** An authorisation address is announced when it appears, not each time the operator repeats it. */
function isAnnounced(
  move: Transition & { readonly type: 'MOVE' },
  before: StoredPayment,
  after: StoredPayment,
): boolean {
  if (!move.announced) return false;
  return move.next === null || before.details.authorizationUrl !== after.details.authorizationUrl;
}

function announcement(payment: StoredPayment, { now }: DecisionFacts): NewCallback {
  const { merchantId, kind, paymentId, state } = payment;
  return { merchantId, kind, paymentId, announcedState: state, createdAt: now };
}

function caseOf(payment: StoredPayment, evidence: Evidence, facts: DecisionFacts): NewCase {
  const { merchantId, kind, paymentId } = payment;
  return { merchantId, kind, paymentId, evidence, openedAt: facts.now, statement: facts.evidence };
}

function eventRecord(
  before: StoredPayment,
  after: StoredPayment,
  event: PaymentEvent,
  facts: DecisionFacts,
): EventRecord {
  return {
    key: before,
    eventNo: after.eventCount,
    occurredAt: facts.now,
    event: event.type,
    fromState: before.state,
    toState: after.state,
    detail: event.type === 'OPERATOR_ANSWERED' ? outcomeText(event.outcome) : undefined,
    evidence: facts.evidence,
  };
}

/** A code-like text of an outcome, safe to keep in the open: "FAILED PAYER_NOT_FOUND". */
export function outcomeText(outcome: Outcome): string {
  switch (outcome.type) {
    case 'FAILED':
      return `FAILED ${outcome.code}`;
    case 'UNKNOWN':
      return `UNKNOWN ${outcome.reason}`;
    case 'COMPLETED':
    case 'PENDING':
    case 'NOT_SEEN':
      return outcome.type;
  }
}
