// What delivery promises, at the size it is promised for. `npm run test:delivery`; a short form runs with the tests.
import { expect, test } from 'vitest';
import { measureFairness, percentile } from './fairness.ts';
import { deliverThroughKills } from './kills.ts';

test('1,000 callbacks each to a silent, a failing and a healthy endpoint: the healthy one waits less than 2 s', async () => {
  const fairness = await measureFairness({
    callbackCount: 1_000,
    perSecond: 100,
    silentCount: 1,
    failingCount: 1,
  });
  tell('1,000 each at 100 a second, beside 1 silent and 1 failing', fairness.delaysMs);
  expect(fairness.delivered).toBe(1_000);
  expect(percentile(fairness.delaysMs, 0.99)).toBeLessThan(2_000);
  expect(fairness.silentAtOnceMax).toBeLessThanOrEqual(4);
  expect(fairness.wastedAttempts).toBeLessThan(50);
});

test('the same all at once: the others cost the healthy one less than as much again', async () => {
  const alone = await measureFairness({ callbackCount: 1_000, silentCount: 0, failingCount: 0 });
  const beside = await measureFairness({ callbackCount: 1_000, silentCount: 1, failingCount: 1 });
  tell('1,000 at once, alone', alone.delaysMs);
  tell('1,000 at once, beside 1 silent and 1 failing', beside.delaysMs);
  expect(beside.delivered).toBe(1_000);
  expect(percentile(beside.delaysMs, 0.99)).toBeLessThan(2 * percentile(alone.delaysMs, 0.99) + 500);
});

test('128 silent endpoints with a backlog do not hold up a healthy one', async () => {
  const fairness = await measureFairness({ callbackCount: 20, silentCount: 128, failingCount: 0 });
  tell('20 at once, beside 128 silent', fairness.delaysMs);
  expect(fairness.delivered).toBe(20);
  expect(percentile(fairness.delaysMs, 0.99)).toBeLessThan(2_000);
});

test('an endpoint that takes 300 ms to answer gets more than 40 callbacks a second', async () => {
  const { delaysMs } = await measureFairness({
    callbackCount: 400,
    silentCount: 0,
    failingCount: 0,
    healthyAfterMs: 300,
  });
  tell('400 at once, answered after 300 ms', delaysMs);
  expect(400 / (percentile(delaysMs, 1) / 1_000)).toBeGreaterThan(40);
});

test('kill -9 of the worker 20 times during 5,000 callbacks: all acknowledged, repeats only of what was in flight', async () => {
  const after = await deliverThroughKills({ depositCount: 5_000, killCount: 20, lifeMs: 1_500 });
  process.stdout.write(`5,000 deposits, 20 kills: ${JSON.stringify(after)}\n`);
  expect(after).toMatchObject({
    finalPayments: 5_000,
    unacknowledged: 0,
    kills: 20,
    changedBodies: 0,
    changedEvents: 0,
  });
  expect(after.inFlightAtKills).toBeGreaterThan(0);
  expect(after.repeats).toBeLessThanOrEqual(after.inFlightAtKills);
});

function tell(title: string, delaysMs: readonly number[]): void {
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => Math.round(percentile(delaysMs, share)));
  process.stdout.write(`${title}: p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms\n`);
}
