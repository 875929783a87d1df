// What waits to be sent, as admission counts it: the oldest first, without merchants that no worker may send for.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { suspend } from '../../src/store/merchants/merchants.ts';
import { countWaitingSubmits } from '../../src/store/payments/due-steps.ts';
import {
  addMerchant,
  addPayment,
  NOON,
  openTestStore,
  samplePayment,
  secondsAfterNoon,
  type TestStore,
} from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.stop());

test('submits are counted by provider and kind, up to a number, and those of a suspended merchant are not', async () => {
  const suspended = await addMerchant(store);
  const due = (merchantId: string, seconds: number) =>
    addPayment(store, samplePayment(merchantId, { nextActionAt: secondsAfterNoon(seconds) }));
  for (const seconds of [1, 2, 3, 4]) await due(store.merchantId, seconds);
  await due(suspended, 0);
  await suspend(store.database, suspended, NOON);
  const times = { now: secondsAfterNoon(10), settled: secondsAfterNoon(3), before: secondsAfterNoon(1) };
  const all = await countWaitingSubmits(store.database, { ...times, countMax: 10 });
  expect(all).toMatchObject({ until: times.now, settled: times.settled });
  expect(all.submits).toEqual([
    expect.objectContaining({ count: 4, settledCount: 3, fromBefore: 1, since: secondsAfterNoon(1) }),
  ]);
  const some = await countWaitingSubmits(store.database, { ...times, countMax: 3 });
  expect(some).toMatchObject({ until: secondsAfterNoon(2), settled: secondsAfterNoon(2) });
  expect(some.submits).toEqual([expect.objectContaining({ count: 2, settledCount: 2, fromBefore: 1 })]);
});
