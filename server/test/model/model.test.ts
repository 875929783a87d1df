// The model of claim, send, expire and enquire, searched to its end: in no interleaving of two workers that pause and
// crash anywhere is a payer charged twice or a payment forgotten; and no rule can be taken away.
import { expect, test } from 'vitest';
import { OPERATORS, searchAll, searchVariant } from './check.ts';
import { renderCounterexample } from './report.ts';
import { VARIANTS } from './rules.ts';

test.each(Object.keys(OPERATORS) as (keyof typeof OPERATORS)[])(
  'with %s no interleaving breaks a promise',
  (name) => {
    const { states, counterexample } = searchAll(name, { workerCount: 2 });
    expect(counterexample === null ? '' : renderCounterexample(counterexample)).toBe('');
    // A model that is accidentally small proves nothing.
    expect(states).toBeGreaterThan(4_000);
  },
);

/** Each rule that can be taken away, and the last thing that happens before the harm is done. */
const LAST_MOVES: readonly (readonly [variant: string, lastMove: string])[] = [
  ['no look at the deadline before the write', 'worker 2 brings FAILED to the write path'],
  ['not found is proof at once', 'worker 2 brings FAILED to the write path'],
  [
    'resubmission on not found, without waiting for proof',
    'worker 2 brings RESUBMIT_CLAIMED to the write path',
  ],
  ['resubmission where a repeat charges again', 'the operator gets the order again'],
  ['a claim without an attempt of its own', 'the operator gets the order again'],
  ['resubmission without the number of sends', 'worker 2 brings RESUBMIT_CLAIMED to the write path'],
  ['a conclusion from not found without the number of sends', 'worker 2 brings FAILED to the write path'],
  ['a permission that is given back without the number of sends', 'worker 1 commits its claim'],
  ['an unsent deposit that ends although it may have been sent', 'the operator charges the payer'],
  ['a pause between the look at the deadline and the write', 'worker 2 brings FAILED to the write path'],
  ['an enquiry that is never due again', 'worker 1 crashes'],
];

test('every variant is in the table', () => {
  expect(LAST_MOVES.map(([variant]) => variant).toSorted()).toEqual(Object.keys(VARIANTS).toSorted());
});

test.each(LAST_MOVES)('%s: a shortest way to the harm is shown', (variant, lastMove) => {
  const { counterexample, expected } = searchVariant(variant);
  expect(counterexample?.promise).toBe(expected);
  const shown = renderCounterexample(counterexample!).split('\n');
  expect(shown[0]).toBe(`BROKEN PROMISE: ${expected}`);
  expect(shown.at(-1)).toContain(lastMove);
});
