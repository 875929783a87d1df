// What must be true of every state that can be reached.
import { isFinal } from '../../src/domain/payments/lifecycle.ts';
import type { ModelRules } from './moves.ts';
import type { State } from './state.ts';

/** By what is promised: whether a state keeps it. */
export const PROMISES = {
  'no payer is charged twice': (state: State, { repeatedSubmit }: ModelRules) =>
    repeatedSubmit === 'HARMLESS' || state.arrivals <= 1,
  'a payment is FAILED only once no payer is charged or can be': (state: State, rules: ModelRules) =>
    state.payment !== 'FAILED' || state.operator === 'FAILED' || isOutOfReach(state, rules),
  'no payer is charged for a payment that is FAILED': ({ payment, operator }: State) =>
    payment !== 'FAILED' || operator !== 'COMPLETED',
  'a payment is COMPLETED only when the payer was charged': (state: State) =>
    state.payment !== 'COMPLETED' || state.operator === 'COMPLETED',
  'one request at a time is permitted or on its way': (state: State) =>
    state.wire.length + state.workers.filter(isPermitted).length <= 1,
  'a payment that is not final has a next step': (state: State) =>
    isFinal(state.payment) || state.nextAction !== null,
} as const satisfies Record<string, (state: State, rules: ModelRules) => boolean>;

export type PromiseName = keyof typeof PROMISES;

/** Not of one state but of all that follow: looked at once the whole graph is there. */
export const UNMATCHED = 'every payment can still end or reach reconciliation';

/** Where every payment must be able to get to from wherever it is. */
export function isAtRest({ payment, nextAction }: State): boolean {
  return isFinal(payment) || (payment === 'IN_RECONCILIATION' && nextAction === 'ENQUIRE');
}

function isOutOfReach(state: State, rules: ModelRules): boolean {
  const canSend = state.workers.some(
    (worker) => worker.at === 'CLEARED' || (worker.at === 'MAY_SEND' && rules.maySend(worker.deadlineIn)),
  );
  return state.operator === 'NOTHING' && state.wire.length === 0 && !canSend;
}

function isPermitted(worker: State['workers'][number]): boolean {
  return worker.at === 'CLEARED' || (worker.at === 'MAY_SEND' && worker.deadlineIn > 0);
}
