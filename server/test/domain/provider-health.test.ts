// When a provider counts as DELAYED and when as OPERATIONAL again: row by row, and in random lives of an hour.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Outcome, UnknownReason } from '../../src/domain/payments/outcome.ts';
import { describeReason } from '../../src/domain/operators/availability-reason.ts';
import {
  DEFAULT_HEALTH,
  isConsistent,
  assessHealth,
  resultOf,
  type CallBucket,
  type CallStep,
  type HealthVerdict,
  type ProviderHealth,
} from '../../src/domain/operators/provider-health.ts';

const START = Date.parse('2026-01-02T03:00:00Z');
const at = (second: number) => new Date(START + second * 1_000);

const unknown = (reason: UnknownReason): Outcome => ({ type: 'UNKNOWN', reason });

describe('what a call says about an operator', () => {
  test.each<[string, Outcome, string]>([
    ['COMPLETED', { type: 'COMPLETED' }, 'ANSWERED'],
    ['FAILED by the customer', { type: 'FAILED', code: 'PAYMENT_NOT_APPROVED' }, 'ANSWERED'],
    ['PENDING', { type: 'PENDING' }, 'ANSWERED'],
    ['NOT_SEEN', { type: 'NOT_SEEN' }, 'ANSWERED'],
    ['a code no one knows', unknown('UNMAPPED_CODE'), 'ANSWERED'],
    ['another amount', unknown('AMOUNT_DIFFERS'), 'ANSWERED'],
    ['another currency', unknown('CURRENCY_DIFFERS'), 'ANSWERED'],
    ['another party', unknown('PARTY_DIFFERS'), 'ANSWERED'],
    ["another payment's transaction", unknown('TRANSACTION_TAKEN'), 'ANSWERED'],
    ['an error', unknown('OPERATOR_ERROR'), 'FAILING'],
    ['a text no one can read', unknown('UNREADABLE_ANSWER'), 'FAILING'],
    ['no answer', unknown('NO_ANSWER'), 'SILENT'],
    ['no connection', unknown('NOT_SENT'), 'SILENT'],
  ])('%s', (_, outcome, result) => {
    expect(resultOf(outcome)).toBe(result);
  });
});

type Counted = Partial<Pick<CallBucket, 'answered' | 'failing' | 'silent'>>;

/** Calls of one step in one second. */
function calls(second: number, counts: Counted, step: CallStep = 'SUBMIT'): CallBucket {
  return { step, startedAt: at(second), answered: 0, failing: 0, silent: 0, ...counts };
}

const healthy: ProviderHealth = {
  status: 'OPERATIONAL',
  changedAt: null,
  goodSince: null,
  relapses: 0,
  buckets: [],
};

/** What a look at second 100 finds. */
function look(changes: Partial<ProviderHealth>): string {
  const verdict = assessHealth({ ...healthy, ...changes }, DEFAULT_HEALTH, at(100));
  return verdict.type === 'STAYS' ? 'stays' : `${verdict.to}: ${describeReason(verdict.why)}`;
}

const FAILED_HALF = '10 of 20 calls failed in 60 s (50 %)';

describe('an OPERATIONAL provider', () => {
  test.each<[string, readonly CallBucket[], string]>([
    ['no one calls', [], 'stays'],
    [
      'half of enough calls fail',
      [calls(99, { answered: 10, failing: 7, silent: 3 })],
      `DELAYED: ${FAILED_HALF}; DELAYED from 50 %`,
    ],
    ['a little less than half fail', [calls(99, { answered: 11, failing: 9 })], 'stays'],
    ['all of too few calls fail', [calls(99, { failing: 19 })], 'stays'],
    [
      'those calls are spread over the window',
      Array.from({ length: 20 }, (_, index) =>
        calls(50 + index, index < 10 ? { failing: 1 } : { answered: 1 }),
      ),
      `DELAYED: ${FAILED_HALF}; DELAYED from 50 %`,
    ],
    ['they were made before the window', [calls(40, { failing: 20 })], 'stays'],
    [
      'enquiries fail and nothing is being sent',
      [calls(99, { failing: 20 }, 'QUERY')],
      'DELAYED: 20 of 20 calls failed in 60 s (100 %); DELAYED from 50 %',
    ],
    [
      'only enquiries fail while payments get through',
      [calls(99, { failing: 100 }, 'QUERY'), calls(98, { answered: 2 })],
      'stays',
    ],
    [
      'payments fail while enquiries are answered',
      [calls(99, { answered: 100 }, 'QUERY'), calls(98, { failing: 20 })],
      'DELAYED: 20 of 20 calls failed in 60 s (100 %); DELAYED from 50 %',
    ],
    [
      'three calls in half a minute are not answered',
      [60, 75, 90].map((second) => calls(second, { silent: 1 })),
      'DELAYED: 3 calls in 30 s and no answer; DELAYED from 30 s',
    ],
    ['two are not', [60, 90].map((second) => calls(second, { silent: 1 })), 'stays'],
    ['three are not, all at once', [calls(60, { silent: 3 })], 'stays'],
    [
      'even an error in between is a sign of life',
      [calls(60, { silent: 2 }), calls(75, { failing: 1 }), calls(90, { silent: 2 })],
      'stays',
    ],
  ])('%s', (_, buckets, verdict) => {
    expect(look({ buckets })).toBe(verdict);
  });

  test('what was counted before somebody opened it manually does not close it again', () => {
    const buckets = [calls(90, { failing: 100 })];
    expect(look({ buckets })).toContain('DELAYED');
    expect(look({ buckets, changedAt: at(95) })).toBe('stays');
  });
});

describe('a DELAYED provider', () => {
  const delayed = { status: 'DELAYED', changedAt: at(50) } as const;
  const well = [calls(90, { answered: 4, failing: 1 }, 'PROBE')];
  const OPENED = 'OPERATIONAL: 1 of 5 calls failed in 50 s (20 %); OPERATIONAL after 15 s at 20 % or less';

  test.each<[string, Partial<ProviderHealth>, string]>([
    ['well for long enough', { buckets: well, goodSince: at(85) }, OPENED],
    ['well, but not yet for long enough', { buckets: well, goodSince: at(86) }, 'stays'],
    ['well for the first time', { buckets: well }, 'stays'],
    ['too few calls to tell', { buckets: [calls(90, { answered: 2 })], goodSince: at(1) }, 'stays'],
    [
      'a little more than the lower threshold fails',
      { buckets: [calls(90, { answered: 15, failing: 4 })], goodSince: at(1) },
      'stays',
    ],
    [
      'probes are answered but payments are not',
      { buckets: [calls(90, { answered: 90 }, 'PROBE'), calls(90, { silent: 1 })], goodSince: at(1) },
      'stays',
    ],
    [
      'it was well before it was delayed',
      { buckets: [calls(50, { answered: 9 })], goodSince: at(1) },
      'stays',
    ],
    ['after one relapse, not yet', { buckets: well, goodSince: at(71), relapses: 1 }, 'stays'],
    ['after one relapse, twice as late', { buckets: well, goodSince: at(70), relapses: 1 }, 'OPERATIONAL'],
    [
      'after many relapses, sixteen times',
      { buckets: well, goodSince: at(-140), relapses: 99 },
      'OPERATIONAL',
    ],
    ['after many relapses, not before', { buckets: well, goodSince: at(-139), relapses: 99 }, 'stays'],
    ['no one can call', { changedAt: at(-200) }, 'OPERATIONAL: no call could be made for 300 s'],
    ['no one could call for a short time only', { changedAt: at(-199) }, 'stays'],
    [
      'there is no probe, but enquiries fail',
      { changedAt: at(-999), buckets: [calls(90, { silent: 1 }, 'QUERY')] },
      'stays',
    ],
  ])('%s', (_, changes, verdict) => {
    expect(look({ ...delayed, ...changes })).toContain(verdict);
  });

  test('since when it is well is remembered, and forgotten at the first bad look', () => {
    const judged = (buckets: readonly CallBucket[], goodSince: Date | null) =>
      assessHealth({ ...healthy, ...delayed, buckets, goodSince }, DEFAULT_HEALTH, at(100));
    expect(judged(well, null)).toEqual({ type: 'STAYS', goodSince: at(100) });
    expect(judged(well, at(99))).toEqual({ type: 'STAYS', goodSince: at(99) });
    expect(judged([calls(90, { failing: 9 })], at(99))).toEqual({ type: 'STAYS', goodSince: null });
  });
});

/** How many calls one second has, and how many of them fail. */
type Second = { readonly count: number; readonly failed: number; readonly step: CallStep };
type Turn = { readonly second: number } & HealthVerdict;

/** Looks every second and does what it is told, as the gateway does. Answers every turn and the status at the end. */
function live(seconds: readonly Second[], from: ProviderHealth['status'] = 'OPERATIONAL') {
  const turns: Turn[] = [];
  let health: ProviderHealth = { ...healthy, status: from };
  for (const [second, { count, failed, step }] of seconds.entries()) {
    const counted = calls(second, { answered: count - failed, failing: failed }, step);
    const buckets = [...health.buckets, counted].slice(-61);
    const verdict = assessHealth({ ...health, buckets }, DEFAULT_HEALTH, at(second));
    if (verdict.type === 'STAYS') {
      health = { ...health, buckets, goodSince: verdict.goodSince };
      continue;
    }
    const relapses = turns.filter((turn) => turn.type === 'TURNS' && turn.to === 'DELAYED').length;
    health = { ...health, buckets, status: verdict.to, changedAt: at(second), goodSince: null, relapses };
    turns.push({ second, ...verdict });
  }
  return { turns, status: health.status };
}

const arbitrarySecond: fc.Arbitrary<Second> = fc
  .record({
    count: fc.nat(10),
    failed: fc.nat(10),
    step: fc.constantFrom<CallStep>('SUBMIT', 'QUERY', 'PROBE'),
  })
  .map(({ count, failed, step }) => ({ count, failed: Math.min(count, failed), step }));

/** Stretches of weather, because real trouble lasts. */
const arbitraryLife = fc
  .array(fc.tuple(arbitrarySecond, fc.integer({ min: 1, max: 60 })), { maxLength: 30 })
  .map((stretches) => stretches.flatMap(([second, lasts]) => Array.from({ length: lasts }, () => second)));

const repeated = (second: Second, count: number) => Array.from({ length: count }, () => second);

describe('hysteresis', () => {
  test.each(['OPERATIONAL', 'DELAYED'] as const)(
    'a provider that is %s and hovers between the thresholds stays so permanently',
    (from) => {
      const between = fc.record({
        count: fc.constant(10),
        failed: fc.constantFrom(3, 4),
        step: fc.constantFrom<CallStep>('SUBMIT', 'QUERY'),
      });
      fc.assert(
        fc.property(fc.array(between, { maxLength: 300 }), (seconds) => {
          expect(live(seconds, from).turns).toEqual([]);
        }),
      );
    },
  );

  test('whatever happens, no provider comes back before its wait is over, and each relapse makes the wait longer', () => {
    fc.assert(
      fc.property(arbitraryLife, (seconds) => {
        const { turns } = live(seconds);
        let relapses = -1;
        for (const [index, turn] of turns.entries()) {
          const before = turns[index - 1];
          // It always turns to the other side.
          expect(turn).toMatchObject({ to: index % 2 === 0 ? 'DELAYED' : 'OPERATIONAL' });
          if (index % 2 === 0) relapses += 1;
          else expect(turn.second - before!.second).toBeGreaterThanOrEqual(15 * 2 ** Math.min(relapses, 4));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('random lives do turn: the rule above is about something', () => {
    const lives = fc.sample(arbitraryLife, { numRuns: 200, seed: 1 });
    expect(lives.filter((seconds) => live(seconds).turns.length > 1).length).toBeGreaterThan(10);
  });

  test('whatever came before, a provider that answers is OPERATIONAL within five minutes of the last failure', () => {
    const probe: Second = { count: 1, failed: 0, step: 'PROBE' };
    fc.assert(
      fc.property(arbitraryLife, (seconds) => {
        expect(live([...seconds, ...repeated(probe, 60 + 240 + 5)]).status).toBe('OPERATIONAL');
      }),
      { numRuns: 200 },
    );
  });

  test('whatever came before, a provider that fails every payment is DELAYED within a minute', () => {
    const failing: Second = { count: 2, failed: 2, step: 'SUBMIT' };
    fc.assert(
      fc.property(arbitraryLife, (seconds) => {
        expect(live([...seconds, ...repeated(failing, 61)]).status).toBe('DELAYED');
      }),
      { numRuns: 200 },
    );
  });
});

test('the default figures leave room for hysteresis, and others that do not are told apart', () => {
  expect(isConsistent(DEFAULT_HEALTH)).toBe(true);
  expect(isConsistent({ ...DEFAULT_HEALTH, operationalPercent: 50 })).toBe(false);
  expect(isConsistent({ ...DEFAULT_HEALTH, silenceMs: 60_000 })).toBe(false);
  expect(isConsistent({ ...DEFAULT_HEALTH, recoverAfterMs: 1_999 })).toBe(false);
});
