// The write path of the model is the product's own: core/payments/process/decide with domain/payments/lifecycle and
// core/schedule, on a payment made up from the state.
import { decide, unchanged, type DecisionRules } from '../../src/core/payments/process/decide.ts';
import type { PaymentEvent, Transition } from '../../src/domain/payments/lifecycle.ts';
import type { StoredPayment } from '../../src/store/payments/payments.ts';
import { TIMING, UNSEEN_TICKS, type Attempt, type State, type Worker } from './state.ts';

/** Now, for the product's functions: any moment will do, since only differences count. */
const NOW_MS = 1_000_000;
export const NOW = new Date(NOW_MS);

const at = (ticks: number): Date => new Date(NOW_MS + ticks);
const ticksTo = (time: Date): number => time.getTime() - NOW_MS;

export type Facts = Pick<State, 'payment' | 'nextAction' | 'nextIn' | 'attempt' | 'isTaken'>;
export type Decided = Facts & { readonly type: Transition['type'] };

/** What an event makes of a payment. The same question comes up many times, so answers are kept for each event. */
export function createAdvance(rules: DecisionRules): (facts: Facts, event: PaymentEvent) => Decided {
  const known = new WeakMap<PaymentEvent, Map<string, Decided>>();
  return (facts, event) => {
    const { payment, nextAction, nextIn, attempt, isTaken } = facts;
    const tried = attempt === null ? '' : Object.values(attempt).join();
    const key = `${payment} ${nextAction} ${nextIn} ${isTaken} ${tried}`;
    const answers = known.get(event) ?? new Map<string, Decided>();
    const answer = answers.get(key) ?? decideOn(facts, event, rules);
    answers.set(key, answer);
    known.set(event, answers);
    return answer;
  };
}

function decideOn(facts: Facts, event: PaymentEvent, rules: DecisionRules): Decided {
  const change = unchanged(paymentOf(facts), attemptOf(facts.attempt));
  const { change: after, transition } = decide(
    change,
    event,
    {
      now: NOW,
      timing: TIMING,
      walletProvider: '',
      reference: 'r',
      evidence: undefined,
      // Whose lease it is makes no difference: what follows is an enquiry a little sooner or later.
      lease: facts.isTaken ? at(facts.nextIn) : undefined,
    },
    rules,
  );
  const { state, nextAction, nextActionAt } = after.payment;
  return {
    type: transition.type,
    payment: state,
    nextAction,
    // What is to be sent later may be sent at once: there is no harm that only a pause would bring.
    nextIn: nextActionAt === null || nextAction === 'SUBMIT' ? 0 : Math.max(ticksTo(nextActionAt), 0),
    attempt: after.attempt === null ? null : ticksOf(after.attempt),
    isTaken: transition.type === 'MOVE' ? false : facts.isTaken,
  };
}

/** Writes an event's effect. */
export function commit(state: State, decided: Decided, workers: readonly Worker[]): State {
  if (decided.type !== 'MOVE') return { ...state, workers };
  const { payment, nextAction, nextIn, attempt, isTaken } = decided;
  return { ...state, payment, nextAction, nextIn, attempt, isTaken, workers };
}

function paymentOf({ payment, nextAction, nextIn }: Facts): StoredPayment {
  return {
    merchantId: 'm',
    kind: 'DEPOSIT',
    paymentId: 'p',
    paymentNo: 'n',
    writtenId: 'p',
    apiVersion: 'v2',
    state: payment,
    amount: 10_000n,
    amountText: '1',
    fee: 0n,
    currency: 'RWF',
    country: 'RWA',
    provider: 'MTN_MOMO_RWA',
    connector: 'model',
    details: { phoneNumber: '250783456789', customerMessage: '' },
    createdAt: NOW,
    nextAction,
    nextActionAt: nextAction === null ? null : at(nextIn),
    enquiryCount: 0,
    eventCount: 1,
  };
}

export function attemptOf(attempt: Attempt | null) {
  if (attempt === null) return null;
  return {
    merchantId: 'm',
    kind: 'DEPOSIT',
    paymentId: 'p',
    paymentNo: 'n',
    attemptNo: 1,
    reference: 'r',
    claimedAt: at(-attempt.claimedAgo),
    sendDeadlineAt: at(attempt.deadlineIn),
    sendCount: attempt.sendCount,
    unsentCount: attempt.unsentCount,
  } as const;
}

function ticksOf(attempt: {
  readonly claimedAt: Date;
  readonly sendDeadlineAt: Date;
  readonly sendCount: number;
  readonly unsentCount: number;
}) {
  return {
    claimedAgo: Math.min(-ticksTo(attempt.claimedAt), TIMING.horizonMs),
    deadlineIn: Math.max(ticksTo(attempt.sendDeadlineAt), -UNSEEN_TICKS),
    sendCount: attempt.sendCount,
    unsentCount: attempt.unsentCount,
  };
}
