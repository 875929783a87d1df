// How much is rejected, by how long payments wait to be sent.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBacklog, shedShare, type Backlog } from '../../src/core/payments/accept/backlog.ts';
import type { Recovery } from '../../src/domain/recovery.ts';

const NOON = new Date('2026-03-02T12:00:00Z');
const FROM_MS = 5_000;

let waitedMs: number;
/** How many wait, all for a while, and how many of them did at the look before. */
let queue: { count: number; fromBefore: number };
let now: Date;
let recovery: Recovery | null;
let backlog: Backlog;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  waitedMs = 0;
  now = NOON;
  queue = { count: 1, fromBefore: 1 };
  recovery = null;
  backlog = createBacklog({
    clock: { now: () => now },
    fromMs: FROM_MS,
    look: async (times) => ({
      submits: [
        {
          provider: 'LATE',
          operation: 'DEPOSIT',
          since: new Date(now.getTime() - waitedMs),
          settledCount: queue.count,
          ...queue,
        },
      ],
      until: times.now,
      settled: times.settled,
    }),
    recovery: async () => recovery,
  });
});
afterEach(() => void vi.useRealTimers());

/** Of 100 orders a second after the last ones, how many are rejected. */
async function shed(provider = 'LATE', kind: 'DEPOSIT' | 'PAYOUT' = 'DEPOSIT'): Promise<number> {
  vi.advanceTimersByTime(1_000);
  now = new Date(now.getTime() + 1_000);
  backlog.sheds('NO_ONE', 'DEPOSIT');
  // The look has been taken when whatever was due now is done.
  await new Promise((resolve) => void setImmediate(resolve));
  return Array.from({ length: 100 }, () => backlog.sheds(provider, kind)).filter(Boolean).length;
}

test.each([
  [FROM_MS, 0],
  [FROM_MS + FROM_MS / 2, 39],
  [2 * FROM_MS, 63],
  [100 * FROM_MS, 100],
])(
  'with the first having waited %i ms and none sent, about %i of 100 are rejected',
  async (waited, count) => {
    waitedMs = waited;
    await shed();
    expect(Math.abs((await shed()) - count)).toBeLessThanOrEqual(1);
  },
);

test('a bound that is shorter than the delay of what is seen does not make the share steeper', () => {
  expect(shedShare(4_100, 100)).toBeCloseTo(1 - 1 / Math.E, 5);
});

test('how long the last of many will wait is known long before it has', async () => {
  queue = { count: 1_000, fromBefore: 0 };
  await shed();
  // In a second 200 of them were sent, so the last of 2,000 waits for ten.
  queue = { count: 2_000, fromBefore: 800 };
  await shed();
  queue = { count: 2_000, fromBefore: 1_800 };
  expect(Math.abs((await shed()) - 63)).toBeLessThanOrEqual(1);
});

test('a first one that has waited long is not a backlog where the others are sent soon', async () => {
  waitedMs = 10 * FROM_MS;
  queue = { count: 500, fromBefore: 1 };
  for (let look = 0; look < 4; look += 1) expect(await shed()).toBe(0);
});

test('many who come at once are no backlog while those before them were sent', async () => {
  for (const count of [2, 100, 300, 600]) {
    queue = { count, fromBefore: 0 };
    expect(await shed()).toBe(0);
  }
});

test('merchants who take turns are rejected alike', async () => {
  waitedMs = 1.7 * FROM_MS;
  await shed();
  await shed();
  const [one = 0, other = 0] = [0, 1].map((merchant) => {
    const answers = Array.from({ length: 2_000 }, () => backlog.sheds('LATE', 'DEPOSIT'));
    return answers.filter((isShed, index) => index % 2 === merchant && isShed).length;
  });
  expect(Math.abs(one - other)).toBeLessThan(150);
});

test('what is rejected is of that provider and kind alone', async () => {
  waitedMs = 3 * FROM_MS;
  await shed();
  expect(await shed('WELL')).toBe(0);
  expect(await shed('LATE', 'PAYOUT')).toBe(0);
});

test('one look is not believed, and when no one waits any more everything is taken at once', async () => {
  waitedMs = 30 * FROM_MS;
  expect(await shed()).toBe(0);
  expect(await shed()).toBe(100);
  waitedMs = 0;
  expect(await shed()).toBe(0);
});

test('what was seen before a pause is not held against who comes after it', async () => {
  waitedMs = 30 * FROM_MS;
  await shed();
  expect(await shed()).toBe(100);
  vi.advanceTimersByTime(10_000);
  expect(backlog.sheds('LATE', 'DEPOSIT')).toBe(false);
});

test('while a restore holds everything back, nothing is rejected for that', async () => {
  waitedMs = 3 * FROM_MS;
  recovery = { lostFrom: NOON, begunAt: NOON, isHolding: true, isOpen: true, resumedProviders: new Set() };
  await shed();
  expect(await shed()).toBe(0);
});
