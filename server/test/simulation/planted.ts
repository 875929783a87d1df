// Planted mistakes: rules with one thing wrong in each. A simulation that does not find them shows nothing.
import type { EnquiryFacts } from '../../src/core/payments/process/interpret-enquiry.ts';
import type { DecisionRules } from '../../src/core/payments/process/decide.ts';
import {
  isFinal,
  type LifeState,
  type PaymentEvent,
  type Transition,
} from '../../src/domain/payments/lifecycle.ts';
import type { Leg } from '../../src/domain/ledger/postings.ts';
import type { Posting } from '../../src/store/ledger/ledger.ts';
import { REAL_RULES, type Rules } from './rules.ts';

/** By what is wrong. */
export const PLANTED: Readonly<Record<string, Rules>> = {
  'PENDING is taken for FAILED': withTransition((state, event, real) =>
    outcomeOf(event) === 'PENDING' && isAtOperator(state) ? failed() : real,
  ),
  'no answer is taken for FAILED': withTransition((state, event, real) =>
    event.type === 'OPERATOR_ANSWERED' &&
    event.outcome.type === 'UNKNOWN' &&
    event.outcome.reason === 'NO_ANSWER' &&
    isAtOperator(state)
      ? failed()
      : real,
  ),
  'FAILED posts what was held': withTransition((_state, _event, real) =>
    real.type === 'MOVE' && real.to === 'FAILED' ? { ...real, posting: 'SETTLE' } : real,
  ),
  'COMPLETED frees what was held': withTransition((_state, _event, real) =>
    real.type === 'MOVE' && real.to === 'COMPLETED' ? { ...real, posting: 'VOID' } : real,
  ),
  'a contradiction moves the state': withTransition((state, event, real) =>
    real.type === 'CONTRADICTION' && state === 'FAILED' && outcomeOf(event) === 'COMPLETED'
      ? { type: 'MOVE', to: 'COMPLETED', posting: 'SETTLE', announced: true, next: null }
      : real,
  ),
  'evidence after the end is ignored': withTransition((_state, _event, real) =>
    real.type === 'CONTRADICTION' ? { type: 'NOTHING' } : real,
  ),
  'a payment can be claimed while it is PROCESSING': withTransition((state, event, real) =>
    event.type === 'SUBMIT_CLAIMED' && state === 'PROCESSING'
      ? { type: 'MOVE', to: 'PROCESSING', posting: null, announced: false, next: 'ENQUIRE' }
      : real,
  ),
  'an unsigned notification moves money': withTransition((state, event, real) =>
    event.type === 'HINTED' && state === 'PROCESSING'
      ? { type: 'MOVE', to: 'COMPLETED', posting: 'SETTLE', announced: true, next: null }
      : real,
  ),
  'a payment at its operator can be cancelled': withTransition((state, event, real) =>
    event.type === 'CANCELLED' && isAtOperator(state) ? failed() : real,
  ),
  'an end is not announced': withTransition((_state, _event, real) =>
    real.type === 'MOVE' && real.to === 'FAILED' ? { ...real, announced: false } : real,
  ),
  'the horizon leaves no next step': withTransition((_state, event, real) =>
    event.type === 'HORIZON_PASSED' && real.type === 'MOVE' ? { ...real, next: null } : real,
  ),
  'resubmission does not look at the number of sends': withDecision({
    isOutrun: (change, event, now) =>
      event.type !== 'RESUBMIT_CLAIMED' && REAL_RULES.decision.isOutrun(change, event, now),
  }),
  'a leg of the fee is left out': withSettlement((legs) =>
    legs.filter(({ credit }) => credit.type !== 'FEE'),
  ),
  'the fee is credited twice': withSettlement((legs) => [
    ...legs,
    ...legs.filter(({ credit }) => credit.type === 'FEE'),
  ]),
  'the fee comes out of the wallet, and the wallet gets the whole amount': withSettlement((legs) => {
    const fee = legs.find(({ credit }) => credit.type === 'FEE')?.amount ?? 0n;
    return legs.map((leg) => (leg.credit.type === 'WALLET' ? { ...leg, amount: leg.amount + fee } : leg));
  }),
  'a hold forgets the fee': {
    ...REAL_RULES,
    holdOf: (...facts) => mapLegs(REAL_RULES.holdOf(...facts), (legs) => legs.slice(0, 1)),
  },
  'a late success is posted the wrong way round': {
    ...REAL_RULES,
    postingOfCase: (payment, opened, walletProvider) => {
      const real = REAL_RULES.postingOfCase(payment, opened, walletProvider);
      if (real === null || opened.evidence !== 'LATE_SUCCESS') return real;
      return mapLegs(real, (legs) => legs.map((leg) => ({ ...leg, debit: leg.credit, credit: leg.debit })));
    },
  },
  '"not found" is believed before it is proof': {
    ...REAL_RULES,
    interpretEnquiry: (facts) => REAL_RULES.interpretEnquiry(longAgo(facts)),
  },
  'the deadline is not looked at before the write': { ...REAL_RULES, maySend: () => true },
  'a refund does not look at earlier refunds': {
    ...REAL_RULES,
    refundHistoryOf: (...facts) => ({ ...REAL_RULES.refundHistoryOf(...facts), refunds: [] }),
  },
  'a refund does not add up earlier refunds': {
    ...REAL_RULES,
    refundHistoryOf: (...facts) => {
      const history = REAL_RULES.refundHistoryOf(...facts);
      return { ...history, refunds: history.refunds.map((refund) => ({ ...refund, amount: 0n })) };
    },
  },
  'everybody gets the money that is there': {
    ...REAL_RULES,
    allocate: (_available, wants) => ({ paid: wants.map(({ item }) => item), short: [] }),
  },
  'a split is announced with its collection': {
    ...REAL_RULES,
    splitEndOf: (deposit, payouts) =>
      isFinal(deposit) ? 'COMPLETED' : REAL_RULES.splitEndOf(deposit, payouts),
  },
};

type Mistake = (state: LifeState, event: PaymentEvent, real: Transition) => Transition;

function withTransition(mistake: Mistake): Rules {
  const { transition } = REAL_RULES.decision;
  return withDecision({ transition: (state, event) => mistake(state, event, transition(state, event)) });
}

function withDecision(wrong: Partial<DecisionRules>): Rules {
  return { ...REAL_RULES, decision: { ...REAL_RULES.decision, ...wrong } };
}

/** What a completed deposit posts, with a mistake. */
function withSettlement(mistake: (legs: readonly Leg[]) => readonly Leg[]): Rules {
  return withDecision({
    settlement: (...facts) => {
      const real = REAL_RULES.decision.settlement(...facts);
      return { ...real, postings: real.postings.map((posting) => mapLegs(posting, mistake)) };
    },
  });
}

function mapLegs(posting: Posting, change: (legs: readonly Leg[]) => readonly Leg[]): Posting {
  return { ...posting, legs: change(posting.legs) };
}

function longAgo(facts: EnquiryFacts): EnquiryFacts {
  return { ...facts, attempt: { ...facts.attempt, sendDeadlineAt: new Date(0) } };
}

function outcomeOf(event: PaymentEvent): string | null {
  return event.type === 'OPERATOR_ANSWERED' ? event.outcome.type : null;
}

function isAtOperator(state: LifeState): boolean {
  return state === 'PROCESSING' || state === 'IN_RECONCILIATION';
}

function failed(): Transition {
  const failureCode = 'UNSPECIFIED_FAILURE';
  return { type: 'MOVE', to: 'FAILED', posting: 'VOID', announced: true, next: null, failureCode };
}
