import { describe, expect, test } from 'vitest';
import { chooseCurrentKey, isRotationDue, listPublishedKeys } from '../../src/domain/key-rotation.ts';

const at = (seconds: number) => new Date(seconds * 1_000);
const key = (keyNo: number, signsFrom: number, retiredAt: number | null = null) => ({
  keyNo,
  signsFrom: at(signsFrom),
  retiredAt: retiredAt === null ? null : at(retiredAt),
});

/** The first signs from 0, the second from 100, the third from 200. */
const KEYS = [key(1, 0), key(2, 100), key(3, 200)];
const publishedAt = (seconds: number, keys = KEYS) =>
  listPublishedKeys(keys, { now: at(seconds), keepMs: 50_000 }).map(({ keyNo }) => keyNo);

describe('the key that signs', () => {
  test.each([
    [0, 1],
    [99.999, 1],
    [100, 2],
    [5_000, 3],
  ])('at %d s is number %d', (seconds, keyNo) => {
    expect(chooseCurrentKey(KEYS, at(seconds))?.keyNo).toBe(keyNo);
  });

  test('the key that signs is not a retired one: the one before it signs again', () => {
    expect(chooseCurrentKey([key(1, 0), key(2, 100, 120)], at(119))?.keyNo).toBe(2);
    expect(chooseCurrentKey([key(1, 0), key(2, 100, 120)], at(120))?.keyNo).toBe(1);
  });

  test('the key that signs is the next one before its time where all others are retired, and none where all are', () => {
    expect(chooseCurrentKey([key(1, 0, 10), key(2, 100)], at(20))?.keyNo).toBe(2);
    expect(chooseCurrentKey([key(1, 0, 10)], at(20))).toBeNull();
  });
});

describe('the keys that are published', () => {
  test.each([
    ['the current one first, then those to come', 50, [1, 2, 3]],
    ['then the one before it', 100, [2, 3, 1]],
    ['which stays for as long as its callbacks are tried', 149.999, [2, 3, 1]],
    ['and no longer', 150, [2, 3]],
    ['the last alone', 250, [3]],
  ])('%s', (_, seconds, expected) => {
    expect(publishedAt(seconds)).toEqual(expected);
  });

  test.each([
    ['before it signed', 90],
    ['after it had signed', 120],
  ])('a key stays its whole time where the next was withdrawn %s', (_, retiredAt) => {
    const keys = [key(1, 0), key(2, 100, retiredAt), key(3, 200)];
    expect(publishedAt(199, keys)).toEqual([1, 3]);
    expect(publishedAt(201, keys)).toEqual([3, 1]);
    expect(publishedAt(250, keys)).toEqual([3]);
  });

  test('a retired key is not published', () => {
    expect(publishedAt(110, [key(1, 0, 105), key(2, 100)])).toEqual([2]);
  });

  test('a key is published before it signs and while anything it signed may still come, whatever the times', () => {
    for (let seconds = 0; seconds < 300; seconds += 1) {
      const signed = [0, 10, 49].map((ago) => chooseCurrentKey(KEYS, at(Math.max(0, seconds - ago)))!.keyNo);
      for (const keyNo of signed) expect(publishedAt(seconds)).toContain(keyNo);
      expect(publishedAt(seconds)[0]).toBe(chooseCurrentKey(KEYS, at(seconds))!.keyNo);
    }
  });
});

test('the next key is due when the newest has signed for long enough, and at once when there is none', () => {
  const isDue = (seconds: number, keys = KEYS) =>
    isRotationDue(keys, { now: at(seconds), afterMs: 1_000_000 });
  expect(isDue(1_199)).toBe(false);
  expect(isDue(1_200)).toBe(true);
  expect(isDue(1_200, [...KEYS, key(4, 2_000)])).toBe(false);
  expect(isDue(0, [])).toBe(true);
});
