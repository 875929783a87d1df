import { describe, expect, test } from 'vitest';
import { addCounts, TIME_BOUNDS_SECONDS, timeOfShare } from '../../src/domain/payments/time-to-final.ts';

/** Counts by the upper bound of their span; Infinity for what took longer than all. */
function counts(by: Readonly<Record<number, number>>): readonly number[] {
  return [...TIME_BOUNDS_SECONDS, Infinity].map((bound) => by[bound] ?? 0);
}

describe('the time within which a share of payments ended', () => {
  test('the time within which a share of payments ended is not known without payments', () => {
    expect(timeOfShare(counts({}), 0.5)).toBeNull();
    expect(timeOfShare([], 0.5)).toBeNull();
  });

  test('the time within which a share of payments ended lies in the span of the payment that makes the share full', () => {
    const of = counts({ 1: 50, 10: 40, 60: 10 });
    expect(timeOfShare(of, 0.5)).toBe(1);
    expect(timeOfShare(of, 0.9)).toBe(10);
    expect(timeOfShare(of, 0.7)).toBe(7.5);
    expect(timeOfShare(of, 0.95)).toBe(45);
  });

  test('the time within which a share of payments ended is a day where it took longer than anybody counts', () => {
    expect(timeOfShare(counts({ 1: 1, [Infinity]: 9 }), 0.9)).toBe(86_400);
  });
});

test('counts of several providers are added span by span', () => {
  expect(addCounts(counts({ 1: 1, 60: 2 }), counts({ 60: 3, [Infinity]: 4 }))).toEqual(
    counts({ 1: 1, 60: 5, [Infinity]: 4 }),
  );
  expect(addCounts([], counts({ 2: 2 }))).toEqual(counts({ 2: 2 }));
});
