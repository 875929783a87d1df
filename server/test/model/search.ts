// The search through the life of one payment.
import { explore, type Search as SearchOf } from './explore.ts';
import { createMoves, type ModelRules } from './moves.ts';
import { UNMATCHED, isAtRest, PROMISES, type PromiseName } from './promises.ts';
import { initialState, keyOf, type State } from './state.ts';

export type SearchOptions = {
  readonly rules: ModelRules;
  readonly workerCount: number;
  /** All of them where none are named. */
  readonly promises?: readonly PromiseName[];
  readonly statesMax: number;
};

export type Search = SearchOf<State>;

export function search(options: SearchOptions): Search {
  const { rules, workerCount, promises = Object.keys(PROMISES) as PromiseName[], statesMax } = options;
  return explore({
    initial: initialState(workerCount),
    begins: 'a payment is accepted',
    keyOf,
    movesOf: createMoves(rules),
    promises: Object.fromEntries(
      promises.map((name) => [name, (state: State) => PROMISES[name](state, rules)]),
    ),
    isAtRest,
    restPromise: UNMATCHED,
    statesMax,
  });
}
