import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRetryAfterMs, RETRY_DELAYS_MS, retryDelayMs } from '../../src/callbacks/schedule.ts';
import { readTextTable } from '../domain/text-table.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const UNIT_MS = { s: SECOND_MS, min: MINUTE_MS, h: HOUR_MS } as const;

/** Delays as the design writes them: "5 s", "30 min". */
function readDelayMs(text: string): number {
  const [count, unit] = text.split(' ') as [string, keyof typeof UNIT_MS];
  return Number(count) * UNIT_MS[unit];
}

const SCHEDULE = readTextTable(`
  after attempt | wait   | jitter
  1             | 5 s    | no
  2             | 15 s   | no
  3             | 30 s   | no
  4             | 1 min  | no
  5             | 2 min  | no
  6             | 4 min  | no
  7             | 7 min  | no
  8             | 30 min | yes
  9             | 2 h    | yes
  10            | 5 h    | yes
  11            | 10 h   | yes
  12            | 14 h   | yes
  13            | 20 h   | yes
  14            | 24 h   | yes
`).map(([attempt, wait, jitter]) => ({
  attempt: Number(attempt),
  waitMs: readDelayMs(wait!),
  hasJitter: jitter === 'yes',
}));

const calm = { random: 0, retryAfterMs: null };

describe('the schedule', () => {
  test.each(SCHEDULE)('after attempt $attempt a callback waits $waitMs ms', ({ attempt, waitMs }) => {
    expect(retryDelayMs(attempt, calm)).toBe(waitMs);
  });

  test('there are fifteen attempts: after the last one a callback is given up', () => {
    expect(RETRY_DELAYS_MS).toHaveLength(14);
    expect(retryDelayMs(15, calm)).toBeNull();
    expect(retryDelayMs(15, { random: 0, retryAfterMs: HOUR_MS })).toBeNull();
    expect(retryDelayMs(16, calm)).toBeNull();
  });

  test('the first eight attempts are the fifteen minutes that clients expect', () => {
    const firstMs = SCHEDULE.slice(0, 7).reduce((sum, { waitMs }) => sum + waitMs, 0);
    expect(firstMs).toBeLessThanOrEqual(15 * MINUTE_MS);
    expect(firstMs).toBeGreaterThan(14 * MINUTE_MS);
  });

  test('the tail carries an endpoint over an outage of three days', () => {
    const allMs = SCHEDULE.reduce((sum, { waitMs }) => sum + waitMs, 0);
    expect(allMs).toBeGreaterThan(72 * HOUR_MS);
  });
});

const arbitraryStep = fc.constantFrom(...SCHEDULE);
const arbitraryRandom = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('jitter', () => {
  test('jitter is zero in the first minutes, which are a promise', () => {
    const promised = SCHEDULE.filter(({ hasJitter }) => !hasJitter);
    fc.assert(
      fc.property(fc.constantFrom(...promised), arbitraryRandom, ({ attempt, waitMs }, random) => {
        expect(retryDelayMs(attempt, { random, retryAfterMs: null })).toBe(waitMs);
      }),
    );
  });

  test('jitter adds up to a tenth in the tail, and never shortens the wait', () => {
    const tail = SCHEDULE.filter(({ hasJitter }) => hasJitter);
    fc.assert(
      fc.property(fc.constantFrom(...tail), arbitraryRandom, ({ attempt, waitMs }, random) => {
        const delayMs = retryDelayMs(attempt, { random, retryAfterMs: null })!;
        expect(delayMs).toBeGreaterThanOrEqual(waitMs);
        expect(delayMs).toBeLessThanOrEqual(waitMs * 1.1);
      }),
    );
  });

  test('jitter spreads many callbacks over the whole of it', () => {
    for (const { attempt, waitMs } of SCHEDULE.filter(({ hasJitter }) => hasJitter)) {
      const [low, high] = [0.01, 0.99].map((random) =>
        retryDelayMs(attempt, { random, retryAfterMs: null })!,
      );
      expect(high! - low!).toBeCloseTo(waitMs * 0.098, 0);
    }
  });
});

describe('Retry-After', () => {
  test('Retry-After makes a wait longer and never shorter, and no longer than a day', () => {
    fc.assert(
      fc.property(
        arbitraryStep,
        arbitraryRandom,
        fc.integer({ min: 0, max: 100 * HOUR_MS }),
        ({ attempt }, random, retryAfterMs) => {
          const unasked = retryDelayMs(attempt, { random, retryAfterMs: null })!;
          const asked = retryDelayMs(attempt, { random, retryAfterMs })!;
          expect(asked).toBe(Math.max(unasked, Math.min(retryAfterMs, 24 * HOUR_MS)));
        },
      ),
    );
  });

  test('a second attempt that was asked to wait ten minutes waits ten minutes', () => {
    expect(retryDelayMs(1, { random: 0, retryAfterMs: 10 * MINUTE_MS })).toBe(10 * MINUTE_MS);
  });

  const now = new Date('2026-03-01T12:00:00Z');

  test.each([
    ['120', 120 * SECOND_MS],
    ['0', 0],
    ['Sun, 01 Mar 2026 12:05:00 GMT', 5 * MINUTE_MS],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ])('"%s" is a wish for %s ms', (header, wishMs) => {
    expect(parseRetryAfterMs(header, now)).toBe(wishMs);
  });

  test.each([undefined, '', 'soon', 'later today', '１２０'])('%s is no wish', (header) => {
    expect(parseRetryAfterMs(header, now)).toBeNull();
  });

  test('whatever an endpoint sends, the wish is nothing or a number of milliseconds', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const wishMs = parseRetryAfterMs(header, now);
        expect(wishMs === null || wishMs >= 0).toBe(true);
      }),
    );
  });
});
