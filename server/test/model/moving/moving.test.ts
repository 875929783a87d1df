// The model of a move, searched to its end: in no interleaving of movers, clients and a person who aborts, any of whom
// pause or die anywhere, is anything lost, done twice or refused; and no rule can be taken away.
import { expect, test } from 'vitest';
import { renderTrace } from '../report.ts';
import { CASTS, searchMoves, searchMoveVariant, type Cast } from './check.ts';
import { VARIANTS } from './rules.ts';
import { renderState } from './state.ts';

test.each(Object.keys(CASTS) as Cast[])(
  'With %s no interleaving breaks a promise.',
  (cast) => {
    const { states, counterexample } = searchMoves(cast);
    expect(counterexample === null ? '' : renderTrace(counterexample, renderState)).toBe('');
    // A model that is accidentally small proves nothing.
    expect(states).toBeGreaterThan(10_000);
  },
  240_000,
);

/** Each rule that can be taken away, and the last thing that happens before the harm is done. */
const LAST_MOVES: readonly (readonly [variant: string, lastMove: string])[] = [
  ['a migration lock that waits for no transaction', 'a change is committed in the old cell'],
  ['a change without a note', 'mover 1 decides'],
  ['notes that are deleted unread', 'mover 1 decides'],
  ['a copy that is read before the lock is held', 'mover 2 writes the copy'],
  ["a decision under another mover's lock", 'mover 1 decides'],
  ['a decision after the lock has lapsed', 'a change is committed in the old cell'],
  ['nothing copied behind the lock', 'mover 1 decides'],
  ['a mover that stood still and arrives without a second look', 'mover 2 writes the copy'],
  ['a copy that is deleted before the move is ended', 'the abort deletes the copy'],
  ['an abort of whatever arrives', 'the abort deletes the copy'],
  ['an aborted move that begins again', 'the abort deletes the copy'],
  ['no worker that finishes a move', 'mover 1 decides'],
  ['a lock that never lapses', 'mover 1 sets the migration lock'],
];

test('Every variant is in the table.', () => {
  expect(LAST_MOVES.map(([variant]) => variant).toSorted()).toEqual(Object.keys(VARIANTS).toSorted());
});

test.each(LAST_MOVES)(
  '%s: a shortest way to the harm is shown.',
  (variant, lastMove) => {
    const { counterexample, expected } = searchMoveVariant(variant);
    expect(counterexample?.promise).toBe(expected);
    const shown = renderTrace(counterexample!, renderState).split('\n');
    expect(shown[0]).toBe(`BROKEN PROMISE: ${expected}`);
    expect(shown.at(-1)).toContain(lastMove);
  },
  240_000,
);
