// Somebody who wants money that is not theirs: adversary/README.md.
import { expect, test } from 'vitest';
import { ACTIONS } from './adversary/actions.ts';
import { runAdversary } from './adversary/adversary.ts';

/** Of a seed, so that a failure can be repeated. */
const SEED = Number(process.env['MALIPO_ADVERSARY_SEED'] ?? 7);

/** `npm run test:adversary` takes ten thousand. */
const STEPS = Number(process.env['MALIPO_ADVERSARY_STEPS'] ?? 2_000);

/**
 * What an adversary can do nothing without, for each step. Payments that are not sent, because a rule takes the moving
 * of time for a clock that was set, are never completed, charged back or refunded.
 */
const LEAST_OFTEN: Readonly<Record<string, number>> = { sent: 0.1, refunds: 0.005 };

test(
  'whatever an adversary chooses, facts are recorded, books balance, and nothing is spent twice',
  { timeout: STEPS * 400 },
  async () => {
    const first = await runAdversary({ seed: SEED, steps: STEPS / 4 });
    expect(first.violation).toBeNull();
    // Knows every identifier that the first run wrote.
    const second = await runAdversary({ seed: SEED, steps: STEPS - first.steps, earlier: first.identifiers });
    expect(second.violation).toBeNull();
    expect(first.steps + second.steps).toBe(STEPS);
    // A run in which nothing of this happened has shown nothing.
    expect(Object.keys(second.counts.movesTo).toSorted()).toEqual(['0001', '0002']);
    for (const [what, count] of Object.entries({ ...second.counts, movesTo: 1 }))
      expect(count, what).toBeGreaterThan((LEAST_OFTEN[what] ?? 0) * second.steps);
    expect(Object.keys(second.taken).toSorted()).toEqual(Object.keys(ACTIONS).toSorted());
  },
);
