// The door of the model is the product's own: core/decide with domain/lifecycle and core/schedule, on a payment made up
// from the state. Around it stands what its transaction does to wake-ups.
import { decide, unchanged, type DecisionRules } from '../../src/core/decide.ts';
import type { PaymentEvent, Transition } from '../../src/domain/lifecycle.ts';
import type { StoredPayment } from '../../src/store/payments.ts';
import {
  IDLE,
  OVERDUE_TICKS,
  theWorker,
  TIMING,
  UNSEEN_TICKS,
  type Attempt,
  type State,
  type Worker,
} from './state.ts';

/** Now, for the product's functions: any moment will do, since only differences count. */
const NOW_MS = 1_000_000;
export const NOW = new Date(NOW_MS);

export const at = (ticks: number): Date => new Date(NOW_MS + ticks);
const ticksTo = (time: Date): number => time.getTime() - NOW_MS;

export type Facts = Pick<State, 'payment' | 'nextAction' | 'nextIn' | 'attempt'>;
export type Decided = Facts & { readonly type: Transition['type'] };

/** What an event makes of a payment. The same question comes up many times, so answers are kept for each event. */
export function createDoor(rules: DecisionRules): (facts: Facts, event: PaymentEvent) => Decided {
  const known = new WeakMap<PaymentEvent, Map<string, Decided>>();
  return (facts, event) => {
    const { payment, nextAction, nextIn, attempt } = facts;
    const tried = attempt === null ? '' : `${attempt.claimedAgo},${attempt.deadlineIn},${attempt.sendCount}`;
    const key = `${payment} ${nextAction} ${nextIn} ${tried}`;
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
    { now: NOW, timing: TIMING, walletProvider: '', reference: 'r', evidence: undefined },
    rules,
  );
  const { state, nextAction, nextActionAt } = after.payment;
  return {
    type: transition.type,
    payment: state,
    nextAction,
    nextIn: nextActionAt === null ? 0 : Math.max(ticksTo(nextActionAt), -OVERDUE_TICKS),
    attempt: after.attempt === null ? null : ticksOf(after.attempt),
  };
}

/** Writes an event's effect: every wake-up there is becomes one of the past, and the next step gets its own. */
export function commit(state: State, decided: Decided, workers: readonly Worker[]): State {
  if (decided.type !== 'MOVE') return { ...state, workers };
  const { payment, nextAction, nextIn, attempt } = decided;
  return {
    ...state,
    payment,
    nextAction,
    nextIn,
    attempt,
    wakeUp: nextAction === null ? 'NONE' : 'WAITING',
    workers: workers.map(withStaleJob),
  };
}

/** Who has only fetched a job that is stale now might as well have nothing: there is always another stale one. */
function withStaleJob(worker: Worker): Worker {
  if (worker.at === 'SUBMIT_JOB' || worker.at === 'ENQUIRE_JOB') return IDLE;
  return 'job' in worker && worker.job !== 'STALE' ? theWorker({ ...worker, job: 'STALE' }) : worker;
}

function paymentOf({ payment, nextAction, nextIn }: Facts): StoredPayment {
  return {
    merchantId: 'm',
    kind: 'DEPOSIT',
    paymentId: 'p',
    writtenId: 'p',
    generation: 'v2',
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
    attemptNo: 1,
    reference: 'r',
    claimedAt: at(-attempt.claimedAgo),
    sendDeadlineAt: at(attempt.deadlineIn),
    sendCount: attempt.sendCount,
  } as const;
}

function ticksOf(attempt: {
  readonly claimedAt: Date;
  readonly sendDeadlineAt: Date;
  readonly sendCount: number;
}) {
  return {
    claimedAgo: Math.min(-ticksTo(attempt.claimedAt), TIMING.horizonMs),
    deadlineIn: Math.max(ticksTo(attempt.sendDeadlineAt), -UNSEEN_TICKS),
    sendCount: attempt.sendCount,
  };
}
