// What must be true of a merchant at every moment of a move.
import type { MoveRules } from './rules.ts';
import type { State } from './state.ts';

export const PROMISES = {
  'nothing acknowledged is lost': ({ old, fresh, acknowledged }: State) =>
    (old.lock === 'AWAY' ? fresh.version : old.version) >= acknowledged,
  'nothing is done twice': ({ isDoubled }: State) => !isDoubled,
  'one cell at most serves the merchant': ({ old, fresh }: State) =>
    !(servesOld(old) && fresh.lock === 'HERE'),
  'a merchant is served again without any mover': (state: State, rules: MoveRules) =>
    servesOld(state.old) || state.fresh.lock === 'HERE' || isServedSoon(state, rules),
} as const satisfies Record<string, (state: State, rules: MoveRules) => boolean>;

export type PromiseName = keyof typeof PROMISES;

export const FINISHED = 'every move can still be finished or aborted';

/** The merchant is served, and nothing is left of a move. */
export function isAtRest({ old, fresh }: State): boolean {
  return fresh.lock === 'HERE' || (old.lock === 'NONE' && fresh.lock !== 'ARRIVING');
}

function servesOld({ lock }: State['old']): boolean {
  return lock === 'NONE' || lock === 'COPYING';
}

/** The migration lock lapses, or the new cell's workers finish the move. */
function isServedSoon({ old, fresh }: State, { lapses, workersFinish }: MoveRules): boolean {
  if (old.lock === 'LEAVING') return lapses;
  return workersFinish && fresh.lock === 'ARRIVING' && fresh.moveNo === old.moveNo;
}
