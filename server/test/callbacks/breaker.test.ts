import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterAcknowledgement,
  afterFailure,
  breakerPauseMs,
  healthAtStart,
  shouldDisable,
  type EndpointQueueHealth,
} from '../../src/callbacks/breaker.ts';
import { RETRY_DELAYS_MS } from '../../src/callbacks/schedule.ts';
import { readTextTable } from '../domain/text-table.ts';

const PLACES_MAX = 20;
const NOON = new Date('2026-03-01T12:00:00Z');
const afterNoon = (ms: number) => new Date(NOON.getTime() + ms);
const HOUR_MS = 3_600_000;

const fail = (health: EndpointQueueHealth, at = NOON, wishMs = 0) => afterFailure(health, { at, wishMs });
const acknowledge = (health: EndpointQueueHealth) => afterAcknowledgement(health, PLACES_MAX);
const sound = healthAtStart({ failureCount: 0, failingSince: null }, PLACES_MAX);

/** As many steps one after the other. */
function times(
  count: number,
  step: (health: EndpointQueueHealth) => EndpointQueueHealth,
  from: EndpointQueueHealth,
): EndpointQueueHealth {
  return count === 0 ? from : times(count - 1, step, step(from));
}

describe('slots', () => {
  test('an endpoint begins with four and gains one with every acknowledgement, up to all of them', () => {
    expect(sound.slots).toBe(4);
    expect(acknowledge(sound).slots).toBe(5);
    expect(times(100, acknowledge, sound).slots).toBe(PLACES_MAX);
  });

  test('an endpoint that failed last time begins with one', () => {
    expect(healthAtStart({ failureCount: 1, failingSince: NOON }, PLACES_MAX).slots).toBe(1);
  });

  test('slots are halved by the first failure, and reduced to one by the second', () => {
    const busy = times(100, acknowledge, sound);
    expect(fail(busy).slots).toBe(10);
    expect(fail(fail(busy)).slots).toBe(1);
  });

  test('slots are never fewer than one and never more than the maximum, whatever happens', () => {
    const step = fc.constantFrom(fail, acknowledge);
    fc.assert(
      fc.property(fc.array(step), fc.integer({ min: 1, max: 50 }), (steps, slotsMax) => {
        let health = healthAtStart({ failureCount: 0, failingSince: null }, slotsMax);
        for (const one of steps) {
          health = one === fail ? fail(health) : afterAcknowledgement(health, slotsMax);
          expect(health.slots).toBeGreaterThanOrEqual(1);
          expect(health.slots).toBeLessThanOrEqual(slotsMax);
        }
      }),
    );
  });
});

const PAUSES = readTextTable(`
  failures | pause
  1        | 0
  2        | 0
  3        | 5
  4        | 10
  5        | 20
  6        | 40
  7        | 80
  8        | 120
  50       | 120
`).map(([failures, pause]) => ({ failures: Number(failures), seconds: Number(pause) }));

describe('the breaker', () => {
  test.each(PAUSES)('after $failures failures pauses $seconds s', ({ failures, seconds }) => {
    expect(breakerPauseMs(failures)).toBe(seconds * 1_000);
    const { pausedUntil } = times(failures, fail, sound);
    expect(pausedUntil).toEqual(seconds === 0 ? null : afterNoon(seconds * 1_000));
  });

  test('never makes a single callback wait longer than its own schedule does', () => {
    for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
      expect(breakerPauseMs(index + 1)).toBeLessThanOrEqual(delayMs);
    }
  });

  test('the breaker closes with one acknowledgement', () => {
    const dead = times(9, fail, sound);
    expect(acknowledge(dead)).toEqual({ failureCount: 0, failingSince: null, pausedUntil: null, slots: 2 });
  });

  test('an endpoint that asks for time gets it from the first failure on, up to an hour', () => {
    expect(fail(sound, NOON, 90_000).pausedUntil).toEqual(afterNoon(90_000));
    expect(fail(sound, NOON, 100 * HOUR_MS).pausedUntil).toEqual(afterNoon(HOUR_MS));
    expect(fail(times(8, fail, sound), NOON, 1_000).pausedUntil).toEqual(afterNoon(120_000));
  });
});

describe('an endpoint', () => {
  const threeDays = { switchOffAfterMs: 72 * HOUR_MS };
  const dead = times(10, fail, sound);

  test('an endpoint should be disabled after days of failures, counted from the first', () => {
    expect(shouldDisable(dead, { ...threeDays, now: afterNoon(72 * HOUR_MS) })).toBe(true);
    expect(shouldDisable(dead, { ...threeDays, now: afterNoon(72 * HOUR_MS - 1) })).toBe(false);
    const later = fail(dead, afterNoon(50 * HOUR_MS));
    expect(later.failingSince).toEqual(NOON);
  });

  test('an endpoint should not be disabled when a single callback was acknowledged in between', () => {
    const relapsed = times(10, (health) => fail(health, afterNoon(HOUR_MS)), acknowledge(dead));
    expect(shouldDisable(relapsed, { ...threeDays, now: afterNoon(72 * HOUR_MS) })).toBe(false);
  });

  test('an endpoint should not be disabled after only a few attempts', () => {
    const tried = times(9, fail, sound);
    expect(shouldDisable(tried, { ...threeDays, now: afterNoon(1_000 * HOUR_MS) })).toBe(false);
  });
});
