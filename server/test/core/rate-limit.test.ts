// The bucket of a token: how much it lets through, and how long it makes others wait.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRateLimiter, draw, type Bucket, type RateRule } from '../../src/core/access/rate-limit.ts';

const RULE: RateRule = { perSecond: 10, burst: 3 };

/** Draws once at each time. Answers the waits. */
function waitsAt(timesMs: readonly number[], rule = RULE): readonly number[] {
  let bucket: Bucket | undefined;
  return timesMs.map((nowMs) => {
    const drawn = draw(bucket, rule, nowMs);
    bucket = drawn.bucket;
    return drawn.waitMs;
  });
}

describe('a bucket', () => {
  test('a bucket lets a burst through at once, then makes the next one wait for its share of a second', () => {
    expect(waitsAt([0, 0, 0, 0])).toEqual([0, 0, 0, 100]);
  });

  test('a bucket lets the next one through exactly when it said, and not a millisecond before', () => {
    expect(waitsAt([0, 0, 0, 0, 99, 100, 100])).toEqual([0, 0, 0, 100, 1, 0, 100]);
  });

  test('a request that must wait costs nothing', () => {
    const impatient = Array.from({ length: 50 }, () => 50);
    expect(waitsAt([0, 0, 0, ...impatient, 100]).at(-1)).toBe(0);
  });

  test('a bucket is full again after a pause, and never more than full', () => {
    expect(waitsAt([0, 0, 0, 3_600_000, 3_600_000, 3_600_000, 3_600_000])).toEqual([0, 0, 0, 0, 0, 0, 100]);
  });

  test('a clock that is moved back neither fills nor empties it', () => {
    expect(waitsAt([10_000, 10_000, 0, 0, 100])).toEqual([0, 0, 0, 100, 0]);
  });

  test('a bucket rounds the wait up to whole milliseconds', () => {
    expect(waitsAt([0, 0, 333, 334], { perSecond: 3, burst: 1 })).toEqual([0, 334, 1, 0]);
  });

  const anyRule = fc.record({
    perSecond: fc.integer({ min: 1, max: 1_000_000 }),
    burst: fc.integer({ min: 1, max: 1_000 }),
  });
  const anyPauses = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 400 });

  test('a bucket never lets through more than its burst and what the time has brought', () => {
    fc.assert(
      fc.property(anyRule, anyPauses, (rule, pauses) => {
        let nowMs = 0;
        const times = pauses.map((pause) => (nowMs += pause));
        const passed = waitsAt(times, rule).filter((wait) => wait === 0).length;
        const elapsedMs = nowMs - (times[0] ?? 0);
        expect(passed).toBeLessThanOrEqual(rule.burst + (elapsedMs * rule.perSecond) / 1_000);
      }),
    );
  });

  test('anyone who waits as long as it says is let through', () => {
    fc.assert(
      fc.property(anyRule, anyPauses, (rule, pauses) => {
        let nowMs = 0;
        let bucket: Bucket | undefined;
        for (const pause of pauses) {
          nowMs += pause;
          const drawn = draw(bucket, rule, nowMs);
          bucket = drawn.bucket;
          if (drawn.waitMs > 0) expect(draw(bucket, rule, nowMs + drawn.waitMs).waitMs).toBe(0);
          if (drawn.waitMs > 1) expect(draw(bucket, rule, nowMs + drawn.waitMs - 1).waitMs).toBe(1);
        }
      }),
    );
  });
});

describe('a limiter', () => {
  test('a limiter counts each token by itself, on the clock it is given', () => {
    const clock = { at: 0, now: () => new Date(clock.at) };
    const limiter = createRateLimiter(clock, { perSecond: 1, burst: 1 });
    expect(['a', 'a', 'b', 'b'].map(limiter.waitMsOf)).toEqual([0, 1_000, 0, 1_000]);
    clock.at = 1_000;
    expect(['a', 'b', 'a'].map(limiter.waitMsOf)).toEqual([0, 0, 1_000]);
  });

  test('a limiter forgets the token that was quiet for longest when there are too many, and no other', () => {
    const limiter = createRateLimiter({ now: () => new Date(0) }, { perSecond: 1, burst: 1 });
    limiter.waitMsOf('quiet');
    limiter.waitMsOf('busy');
    for (let count = 0; count < 9_998; count += 1) limiter.waitMsOf(`token ${count}`);
    expect(limiter.waitMsOf('busy')).toBe(1_000);
    limiter.waitMsOf('one too many');
    expect(limiter.waitMsOf('busy')).toBe(1_000);
    expect(limiter.waitMsOf('quiet')).toBe(0);
  });
});
