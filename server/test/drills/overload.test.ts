// What `npm run drill:overload` judges: against what the same run did without a slow part, so that a busy machine fails
// nothing.
import { describe, expect, test } from 'vitest';
import { listFaults } from '../../../drills/overload/report.ts';
import type { Outcome } from '../../../drills/overload/run.ts';

const COUNTS = { offered: 10, accepted: 10, shed: 0, checksShed: 0, otherwise: 0, initiationP99Ms: 10 };
const life = (p99Ms: number) => {
  const step = { p50Ms: p99Ms / 2, p99Ms };
  return { initiation: step, callback: step };
};

const second = (no: number, statusP99Ms: number, shed: number) => ({
  ...COUNTS,
  second: no,
  statusP99Ms,
  shed,
});
const span = (no: number) => ({ fromSecond: no, toSecond: no + 1 });

/** A run of four seconds: calm, overload, after, drained. What is shed until it is drained is still the overload. */
function outcomeOf(ms: {
  readonly status: readonly [number, number];
  readonly life: readonly [number, number];
}) {
  const [calm, troubled] = ms.life;
  return {
    seconds: [
      second(0, ms.status[0], 0),
      second(1, ms.status[1], 5),
      second(2, ms.status[0], 5),
      second(3, ms.status[0], 0),
    ],
    calm: span(0),
    overload: span(1),
    after: span(2),
    drained: span(3),
    neighbours: {
      rounds: 1,
      calm: life(calm),
      slowOperator: life(troubled),
      answeringEndpoint: life(calm),
      deadEndpoint: life(troubled),
    },
    drainedAfterSeconds: 1,
    otherwise: {},
    fullDisk: null,
    verdict: { accepted: 1, shed: 1, lost: 0, takenUnsaid: 0, undelivered: 0, unbalancedWallets: 0 },
  } as unknown as Outcome;
}

function besideDeadEndpoint(p99Ms: number): Outcome {
  const outcome = outcomeOf({ status: [20, 20], life: [100, 100] });
  return { ...outcome, neighbours: { ...outcome.neighbours, rounds: 3, deadEndpoint: life(p99Ms) } };
}

describe('no second tries: the judgment of an overload', () => {
  test('a busy machine, on which all is slow also without a slow part, is not a fault', () => {
    expect(listFaults(outcomeOf({ status: [900, 7_000], life: [2_500, 5_000] }))).toEqual([]);
  });

  test('status checks and neighbours that only the slow part makes slow are a fault', () => {
    expect(listFaults(outcomeOf({ status: [20, 7_000], life: [100, 5_000] }))).toEqual([
      'status checks are answered under overload',
      'a slow operator delays only its own',
      'a slow merchant delays only itself',
    ]);
  });

  test('a shed share that swings after ten seconds of overload is a fault, and before that it is not', () => {
    const swinging = (from: number) => {
      const seconds = Array.from({ length: 20 }, (_, no) =>
        second(no, 20, no >= from && no % 4 < 2 ? 10 : 5),
      );
      const calm = outcomeOf({ status: [20, 20], life: [100, 100] });
      const drained = { fromSecond: 20, toSecond: 21 };
      return { ...calm, seconds, overload: { fromSecond: 0, toSecond: 20 }, calm: span(0), drained };
    };
    expect(listFaults(swinging(0))).toEqual(['the shed share is steady after ten seconds of overload']);
    const early = { ...swinging(20), seconds: [second(0, 20, 10), ...swinging(20).seconds.slice(1)] };
    expect(listFaults(early)).toEqual([]);
  });

  test('in three rounds, a dead endpoint may make the others slower by less than a third', () => {
    expect(listFaults(besideDeadEndpoint(130))).toEqual([]);
    expect(listFaults(besideDeadEndpoint(140))).toEqual(['a slow merchant delays only itself']);
  });
});
