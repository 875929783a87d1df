// One payment, its attempt, its next step, a few workers, the wire and the operator: everything the model knows at one
// moment. Times are ticks from now, and stop counting where a comparison can no longer change; so the model has no end
// of time and is finite all the same.
import type { ConnectorTiming } from '../../src/connectors/port.ts';
import type { Conclusion } from '../../src/core/payments/process/interpret-enquiry.ts';
import type { NextAction, PaymentState } from '../../src/domain/payments/payment.ts';

/** In ticks. A request is on its way, and unseen, for no longer than time-out and lag together. */
export const TIMING: ConnectorTiming = {
  sendDeadlineMs: 2,
  timeoutMs: 1,
  notSeenAfterMs: 4,
  enquiryDelaysMs: [1],
  horizonMs: 5,
  reconciliationDelayMs: 1,
};

export const UNSEEN_TICKS = TIMING.notSeenAfterMs - TIMING.sendDeadlineMs;

/** For so long an enquiry that was taken is not due to others. */
export const LEASE_TICKS = 2;

/** A step that is never found due: only where a rule was taken away. */
export const NEVER = 15;

export type Attempt = {
  readonly claimedAgo: number;
  readonly deadlineIn: number;
  readonly sendCount: number;
  readonly unsentCount: number;
};

/** How often a payment is given back unsent: beyond that the process dies instead, or the model had no end. */
export const UNSENT_MAX = 2;

export type Told = 'COMPLETED' | 'FAILED' | 'PENDING' | 'NOT_SEEN' | 'NO_ANSWER' | 'NOT_SENT';

export type Worker =
  | { readonly at: 'IDLE' }
  /** Has seen that the submit is due, and not claimed it yet. */
  | { readonly at: 'LISTED' }
  /** Has taken the enquiry. */
  | { readonly at: 'TAKEN' }
  /** Has committed a claim: permission to send until its deadline. */
  | { readonly at: 'MAY_SEND'; readonly deadlineIn: number; readonly sendCount: number }
  /** Has written nothing, may not write any more, and is about to give its permission back. */
  | { readonly at: 'GIVING_BACK'; readonly sendCount: number }
  /** Has looked at its deadline and not yet written: only where the two are not one step. */
  | { readonly at: 'CLEARED' }
  /** Has written to the socket and waits for the answer. */
  | { readonly at: 'SENT' }
  /** Has an answer, or none, and is on its way to the write path. */
  | { readonly at: 'TELLING'; readonly told: Told }
  /** Has read payment and attempt. */
  | { readonly at: 'ASKING'; readonly state: PaymentState; readonly attempt: Attempt }
  /** Has asked; what it has read is kept as it was at that moment. */
  | { readonly at: 'ASKED'; readonly state: PaymentState; readonly attempt: Attempt }
  /** Has concluded what the operator's answer leads to. */
  | { readonly at: 'CONCLUDED'; readonly conclusion: Conclusion };

export type State = {
  readonly payment: PaymentState;
  readonly nextAction: NextAction | null;
  readonly nextIn: number;
  /** Whether `nextIn` is the end of a lease. */
  readonly isTaken: boolean;
  readonly attempt: Attempt | null;
  readonly workers: readonly Worker[];
  /** Requests on the wire, by the ticks within which each must arrive or be lost. */
  readonly wire: readonly number[];
  /** What the operator has made of the order. For `hiddenFor` ticks enquiries may not find it yet. */
  readonly operator: 'NOTHING' | 'PENDING' | 'COMPLETED' | 'FAILED';
  readonly hiddenFor: number;
  /** How many requests have reached the operator, counted to two, and to one where a repeat is harmless. */
  readonly arrivals: number;
};

export const NOT_HIDDEN = -1;

export function initialState(workerCount: number): State {
  return {
    payment: 'ACCEPTED',
    nextAction: 'SUBMIT',
    nextIn: 0,
    isTaken: false,
    attempt: null,
    workers: Array.from({ length: workerCount }, () => IDLE),
    wire: [],
    operator: 'NOTHING',
    hiddenFor: NOT_HIDDEN,
    arrivals: 0,
  };
}

/** Workers are all alike, and so are requests: states that differ only in their order are one. */
export function keyOf(state: State): string {
  const { payment, nextAction, nextIn, isTaken, attempt, wire, operator, hiddenFor, arrivals } = state;
  const numbers = [
    (PAYMENTS.indexOf(payment) * 3 + ACTIONS.indexOf(nextAction)) * 16 + nextIn,
    attempt === null
      ? 0
      : 1 +
        ((attempt.claimedAgo * 16 + attempt.deadlineIn + UNSEEN_TICKS) * 16 + attempt.sendCount) * 4 +
        attempt.unsentCount,
    ((isTaken ? 4 : 0) + OPERATORS.indexOf(operator)) * 64 + (hiddenFor + 1) * 4 + arrivals,
    // At most three requests, each with at most UNSEEN_TICKS left, in any order.
    wire.reduce((sum, left) => sum + 4 ** left, 0),
    ...state.workers.map(workerNo).toSorted((a, b) => a - b),
  ];
  return String.fromCharCode(...numbers);
}

const PAYMENTS: readonly PaymentState[] = [
  'ACCEPTED',
  'ENQUEUED',
  'PROCESSING',
  'IN_RECONCILIATION',
  'COMPLETED',
  'FAILED',
];
const ACTIONS: readonly State['nextAction'][] = [null, 'SUBMIT', 'ENQUIRE'];
const OPERATORS: readonly State['operator'][] = ['NOTHING', 'PENDING', 'COMPLETED', 'FAILED'];

/** A number for everything a worker can be at: there are a few hundred. */
const workerNos = new Map<Worker, number>();
const workersByKey = new Map<string, Worker>();

function workerNo(worker: Worker): number {
  return workerNos.get(worker) ?? -1;
}

/** The one object that stands for all workers at the same point. Every worker of a state must be one of these. */
export function theWorker(worker: Worker): Worker {
  const key = workerKey(worker);
  const known = workersByKey.get(key);
  if (known !== undefined) return known;
  workersByKey.set(key, worker);
  workerNos.set(worker, workerNos.size);
  return worker;
}

function workerKey(worker: Worker): string {
  switch (worker.at) {
    case 'IDLE':
    case 'LISTED':
    case 'TAKEN':
    case 'CLEARED':
    case 'SENT':
      return worker.at;
    case 'MAY_SEND':
      return `${worker.at} ${worker.deadlineIn} ${worker.sendCount}`;
    case 'GIVING_BACK':
      return `${worker.at} ${worker.sendCount}`;
    case 'TELLING':
      return `${worker.at} ${worker.told}`;
    case 'ASKING':
    case 'ASKED':
      return `${worker.at} ${worker.state} ${attemptKey(worker.attempt)}`;
    case 'CONCLUDED':
      return `${worker.at} ${JSON.stringify(worker.conclusion)}`;
  }
}

function attemptKey(attempt: Attempt | null): string {
  return attempt === null ? '-' : Object.values(attempt).join();
}

export const IDLE: Worker = theWorker({ at: 'IDLE' });

/**
 * Of a final payment only permissions to send still matter: what else a worker brings to the write path means nothing
 * there, which server/test/domain/lifecycle.test.ts holds row by row. So workers with anything else in hand are idle.
 */
export function withoutLeftovers(state: State): State {
  if (state.payment !== 'COMPLETED' && state.payment !== 'FAILED') return state;
  return {
    ...state,
    workers: state.workers.map((worker) =>
      worker.at === 'MAY_SEND' || worker.at === 'CLEARED' ? worker : IDLE,
    ),
  };
}

/** A tick passes. What has passed long enough stays where it is. */
export function later(state: State): State {
  const { attempt } = state;
  return {
    ...state,
    nextIn: state.nextIn === NEVER ? NEVER : Math.max(state.nextIn - 1, 0),
    attempt: attempt === null ? null : olderAttempt(attempt),
    workers: state.workers.map(olderWorker),
    wire: state.wire.map((left) => left - 1),
    hiddenFor: state.hiddenFor === NOT_HIDDEN ? NOT_HIDDEN : state.hiddenFor - 1,
  };
}

/** Time does not pass over a request that must have arrived, nor over an order that must be found by now. */
export function canWait(state: State): boolean {
  return state.hiddenFor !== 0 && state.wire.every((left) => left > 0);
}

function olderAttempt({ claimedAgo, deadlineIn, ...counts }: Attempt): Attempt {
  return {
    claimedAgo: Math.min(claimedAgo + 1, TIMING.horizonMs),
    deadlineIn: Math.max(deadlineIn - 1, -UNSEEN_TICKS),
    ...counts,
  };
}

const olderWorkers = new Map<Worker, Worker>();

function olderWorker(worker: Worker): Worker {
  const known = olderWorkers.get(worker);
  if (known !== undefined) return known;
  const older = theWorker(afterATick(worker));
  olderWorkers.set(worker, older);
  return older;
}

function afterATick(worker: Worker): Worker {
  switch (worker.at) {
    case 'MAY_SEND':
      return { ...worker, deadlineIn: Math.max(worker.deadlineIn - 1, 0) };
    case 'ASKING':
      return { ...worker, attempt: olderAttempt(worker.attempt) };
    case 'IDLE':
    case 'LISTED':
    case 'TAKEN':
    case 'CLEARED':
    case 'SENT':
    case 'TELLING':
    case 'GIVING_BACK':
    // "Not found" is judged by the moment of asking.
    case 'ASKED':
    case 'CONCLUDED':
      return worker;
  }
}
