// What delivery promises, in short. At its full size: npm run test:delivery.
import { expect, test } from 'vitest';
import { measureFairness, percentile } from './delivery/fairness.ts';
import { deliverThroughKills } from './delivery/kills.ts';

test('endpoints that are silent or fail do not hold up a healthy one, and get little themselves', async () => {
  const fairness = await measureFairness({ callbackCount: 40, silentCount: 3, failingCount: 3 });
  expect(fairness.delivered).toBe(40);
  // Far below the time-out of ten seconds, which is what waiting for a silent one would cost.
  expect(percentile(fairness.delaysMs, 0.99)).toBeLessThan(5_000);
  expect(fairness.silentAtOnceMax).toBeLessThanOrEqual(4);
  expect(fairness.wastedAttempts).toBeLessThan(6 * 10);
});

test('kill -9 of the worker during delivery: all is acknowledged, and repeats are the same event and bytes', async () => {
  const after = await deliverThroughKills({ depositCount: 150, killCount: 3, lifeMs: 300 });
  expect(after).toMatchObject({ finalPayments: 150, unacknowledged: 0, kills: 3 });
  expect(after).toMatchObject({ changedBodies: 0, changedEvents: 0 });
  expect(after.repeats).toBeLessThanOrEqual(after.inFlightAtKills);
});
