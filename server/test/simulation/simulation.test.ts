// The deterministic simulation: the product's own rules in a world of faults, a million steps from a seed that is
// new. What it finds is found again with `npm run test:simulation -- --seed N`.
import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { PLANTED } from './planted.ts';
import { renderFailure } from './report.ts';
import { simulate, type Simulation } from './simulate.ts';

const MILLION = 1_000_000;

/** Enough for every planted mistake, a twentieth of the budget. */
const PLANTED_STEPS = 50_000;

function expectKept(run: Simulation): void {
  expect(run.failure, renderFailure(run)).toBeNull();
}

/** Made about twice in a million steps, so that some seeds never make it. */
const RARE_MOVE = { seed: 5, move: 'PROVIDER_DELAYED: ENQUEUED -> ENQUEUED' };

/** Moves of payments that a run must have made: what was never reached was never tried. Each is made often. */
const MOVES = [
  'SUBMIT_CLAIMED: ACCEPTED -> PROCESSING',
  'SUBMIT_CLAIMED: ENQUEUED -> PROCESSING',
  'SUBMIT_CLAIMED: PROCESSING -> PROCESSING',
  'SUBMIT_UNSENT: PROCESSING -> PROCESSING',
  'SUBMIT_EXPIRED: PROCESSING -> FAILED',
  'RESUBMIT_CLAIMED: PROCESSING -> PROCESSING',
  'PROVIDER_DELAYED: ACCEPTED -> ENQUEUED',
  'PROVIDER_DELAYED: PROCESSING -> PROCESSING',
  'RELEASED: ENQUEUED -> ENQUEUED',
  'CANCELLED: ENQUEUED -> FAILED',
  'HINTED: PROCESSING -> PROCESSING',
  'HINTED: IN_RECONCILIATION -> IN_RECONCILIATION',
  'HORIZON_PASSED: PROCESSING -> IN_RECONCILIATION',
  'PENDING: PROCESSING -> PROCESSING',
  'NOT_SEEN: PROCESSING -> PROCESSING',
  'NOT_SEEN: IN_RECONCILIATION -> IN_RECONCILIATION',
  'COMPLETED: PROCESSING -> COMPLETED',
  'COMPLETED: IN_RECONCILIATION -> COMPLETED',
  'COMPLETED: FAILED -> FAILED',
  'FAILED PAYMENT_NOT_APPROVED: PROCESSING -> FAILED',
  'FAILED PAYMENT_NOT_APPROVED: COMPLETED -> COMPLETED',
  'FAILED UNSPECIFIED_FAILURE: PROCESSING -> FAILED',
  'ENDED_MANUALLY COMPLETED: IN_RECONCILIATION -> COMPLETED',
  'UNKNOWN NO_ANSWER: PROCESSING -> PROCESSING',
  'UNKNOWN NOT_SENT: PROCESSING -> PROCESSING',
  'UNKNOWN OPERATOR_ERROR: PROCESSING -> PROCESSING',
  'UNKNOWN AMOUNT_DIFFERS: PROCESSING -> IN_RECONCILIATION',
  'UNKNOWN TRANSACTION_TAKEN: PROCESSING -> IN_RECONCILIATION',
  'UNKNOWN SECOND_TRANSACTION: COMPLETED -> COMPLETED',
];

test('a million steps from a fresh seed break no promise, and reach every kind of fault', () => {
  const run = simulate({ seed: randomInt(2 ** 32), steps: MILLION });
  expectKept(run);
  expect(run.steps).toBeGreaterThanOrEqual(MILLION);
  const missed = MOVES.filter((move) => run.reached[move] === undefined);
  expect(missed, `moves that seed ${run.seed} never made`).toEqual([]);
});

test.each([1, 2030, 4_294_967_295])('seed %i breaks no promise, and leads to the same end twice', (seed) => {
  const run = simulate({ seed, steps: PLANTED_STEPS });
  expectKept(run);
  expect(run.payments).toBeGreaterThan(1_000);
  expect(simulate({ seed, steps: PLANTED_STEPS })).toEqual(run);
});

test('a payment that waits goes on waiting when its provider is delayed once more', () => {
  const run = simulate({ seed: RARE_MOVE.seed, steps: PLANTED_STEPS });
  expectKept(run);
  expect(run.reached[RARE_MOVE.move]).toBeGreaterThan(0);
});

test('two seeds are two worlds', () => {
  const [one, other] = [3, 4].map((seed) => simulate({ seed, steps: 1_000 }));
  expect(one!.digest).not.toBe(other!.digest);
});

/** Each planted mistake and the promise it breaks first, with seed 1. */
const FOUND: readonly (readonly [mistake: string, promise: string])[] = [
  ['PENDING is taken for FAILED', 'a payment its operator knows is FAILED only when the operator says so'],
  ['no answer is taken for FAILED', 'a payment its operator knows is FAILED only when the operator says so'],
  ['FAILED posts what was held', 'books that differ from the operator have a case'],
  ['COMPLETED frees what was held', 'has nothing available below zero'],
  ['a contradiction moves the state', 'final is final'],
  ['evidence after the end is ignored', 'books that differ from the operator have a case'],
  ['a payment can be claimed while it is PROCESSING', 'of two permissions to send the first has ended'],
  ['an unsigned notification moves money', 'an unsigned notification moves neither money nor state'],
  [
    'a payment at its operator can be cancelled',
    'a payment its operator knows is FAILED only when the operator says so',
  ],
  ['an end is not announced', 'a payment that ends is announced once'],
  ['the horizon leaves no next step', 'an open payment has a next step'],
  ['resubmission does not look at the number of sends', 'of two permissions to send the first has ended'],
  ['a leg of the fee is left out', 'books that differ from the operator have a case'],
  ['the fee is credited twice', 'books that differ from the operator have a case'],
  [
    'the fee comes out of the wallet, and the wallet gets the whole amount',
    'books that differ from the operator have a case',
  ],
  ['a hold forgets the fee', 'is what was earned'],
  ['a late success is posted the wrong way round', 'the float is what the operator holds'],
  [
    '"not found" is believed before it is proof',
    'a payment its operator knows is FAILED only when the operator says so',
  ],
  ['the deadline is not looked at before the write', 'a payment is FAILED only once no payer can be charged'],
  [
    'a refund does not look at earlier refunds',
    'nothing is refunded while it is open what an earlier refund gave back',
  ],
  ['a refund does not add up earlier refunds', 'no more is refunded than was deposited'],
  ['everybody gets the money that is there', 'has nothing available below zero'],
  ['a split is announced with its collection', 'a split is announced when its last share has ended'],
];

test('every planted mistake is in the table', () => {
  expect(FOUND.map(([mistake]) => mistake).toSorted()).toEqual(Object.keys(PLANTED).toSorted());
});

test.each(FOUND)('found: %s', (mistake, promise) => {
  const rules = PLANTED[mistake]!;
  const run = simulate({ seed: 1, steps: PLANTED_STEPS, rules });
  expect(run.failure?.promise).toContain(promise);
  const { step } = run.failure!;
  expect(step).toBeLessThanOrEqual(PLANTED_STEPS);
  // The seed and the step are enough to have it again, and the report says both.
  expect(simulate({ seed: 1, steps: step, rules }).failure).toEqual(run.failure);
  expect(renderFailure(run)).toContain(`--seed 1 --steps ${step}`);
});
