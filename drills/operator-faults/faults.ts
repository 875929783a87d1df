// The faults of a run, in the format of the fake's control interface: all kinds.
import type { Fault } from '../../server/src/sandbox/fakes/faults/fault.ts';
import type { Random } from '../kit/random.ts';

/** A code in no operator's table; the verdict knows it. */
const UNKNOWN_CODE = 'E9999';

/** Longer than we wait for an operator before reconciliation. */
export const VERY_LATE_MS = 20 * 60_000;

export function randomFault(random: Random): Fault {
  return random.pickWeighted<() => Fault>([
    [70, () => randomExchangeFault(random)],
    [45, () => randomAcceptanceFault(random)],
    [45, () => randomNotificationFault(random)],
  ])();
}

function randomExchangeFault(random: Random): Fault {
  const step = random.weighted({ submit: 6, query: 3, token: 1 });
  const when = random.pick(['BEFORE', 'AFTER'] as const);
  return random.pickWeighted<Fault>([
    [6, { type: 'LOSE_ANSWER', step }],
    [3, { type: 'UNREADABLE_ANSWER', step }],
    [5, { type: 'ERROR', httpStatus: random.pick([500, 502, 503]), step, when }],
    [2, { type: 'HANG', step, when }],
    [3, { type: 'DELAY', delayMs: random.between(200, 2_500), step, when }],
  ]);
}

function randomAcceptanceFault(random: Random): Fault {
  return random.pickWeighted<Fault>([
    [3, { type: 'OUTCOME', status: 'PENDING' }],
    [4, { type: 'OUTCOME', status: 'SUCCESSFUL', delayMs: VERY_LATE_MS }],
    [3, { type: 'UNKNOWN_CODE', failureCode: UNKNOWN_CODE }],
    [2, { type: 'WRONG_AMOUNT' }],
    // The payer is asked, and declines.
    [4, { type: 'AWAIT_PROMPT', operation: 'DEPOSIT' }],
  ]);
}

function randomNotificationFault(random: Random): Fault {
  return random.pickWeighted<Fault>([
    [5, { type: 'NO_NOTIFICATION' }],
    [3, { type: 'DOUBLE_NOTIFICATION' }],
    [3, { type: 'LATE_NOTIFICATION', delayMs: random.between(500, 6_000) }],
    [3, { type: 'FORGED_NOTIFICATION', only: random.chance(0.5) }],
    [1, { type: 'CONTRADICTING_NOTIFICATION', delayMs: random.between(100, 3_000) }],
  ]);
}
