// Everything the model of a move is asked: the product's rules keep every promise, and no rule can be taken away.
import { explore, type Search } from '../explore.ts';
import { createMoves } from './moves.ts';
import { FINISHED, isAtRest, PROMISES, type PromiseName } from './promises.ts';
import { RULES, VARIANTS, type MoveRules } from './rules.ts';
import { initialState, keyOf, type State } from './state.ts';

/** Beyond this a search would fill the memory of a small machine. */
const STATES_MAX = 3_000_000;

/** Who is there. All of them at once would be more states than a small machine holds. */
export const CASTS = {
  'two movers': { moverCount: 2, aborts: false },
  'a mover and a person who aborts': { moverCount: 1, aborts: true },
} as const;
export type Cast = keyof typeof CASTS;

export function searchMoves(
  cast: Cast,
  rules: MoveRules = RULES,
  names: readonly PromiseName[] = Object.keys(PROMISES) as PromiseName[],
): Search<State> {
  const { moverCount, aborts } = CASTS[cast];
  return explore({
    initial: initialState(moverCount),
    begins: 'a merchant lives in the old cell',
    keyOf,
    movesOf: createMoves(rules, { aborts }),
    promises: Object.fromEntries(names.map((name) => [name, (state: State) => PROMISES[name](state, rules)])),
    isAtRest,
    restPromise: FINISHED,
    statesMax: STATES_MAX,
  });
}

/** Looks only for what the variant is expected to break, so that the trace ends in the harm itself. */
export function searchMoveVariant(name: string): Search<State> & { readonly expected: string } {
  const variant = VARIANTS[name];
  if (variant === undefined) throw new Error(`there is no variant called ${name}`);
  const { rules, breaks, cast = 'two movers' } = variant;
  return { ...searchMoves(cast, { ...RULES, ...rules }, [breaks]), expected: breaks };
}
