// What is deleted when it is old, and that nothing a payment, its merchant or its money needs is among it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_RETENTION, prune } from '../src/core/retention.ts';
import { replayCallbacks } from '../src/store/callbacks/callback-repeats.ts';
import { firstTimedUuid, timedUuid } from '../src/store/timed-uuid.ts';
import { nowOf } from './clocks.ts';
import {
  call,
  eventually,
  initiate,
  openTestGateway,
  readDeposit,
  select,
  waitForStatus,
  type TestGateway,
} from './gateway.ts';

const DAY_MS = 24 * 3_600_000;
const NOT_STOPPING = () => false;

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await openTestGateway();
});
afterEach(() => gateway.stop());

const count = async (table: string) =>
  Number((await select(gateway, `select count(*) from ${table}`))[0]?.['count']);

/** A deposit that is COMPLETED, announced, and notified of. */
async function completeDeposit(): Promise<string> {
  const [before, heard] = [await count('callback_attempts'), await count('operator_notifications')];
  const depositId = await initiate(gateway);
  await waitForStatus(gateway, depositId, 'COMPLETED');
  await eventually(() => count('callback_attempts')).toBe(before + 1);
  await eventually(() => count('operator_notifications')).toBe(heard + 1);
  await eventually(() => count('operator_notifications where applied_at is null')).toBe(0);
  return depositId;
}

const pruneNow = () => prune(gateway.engine, DEFAULT_RETENTION, NOT_STOPPING);
const grow = (days: number) => gateway.gateway.movableClock!.move(days * DAY_MS);

describe('after the days it is kept', () => {
  test('a message of an operator and an attempt at a callback are deleted, and counted; younger ones stay', async () => {
    await completeDeposit();
    await grow(DEFAULT_RETENTION.notificationDays - 1);
    await pruneNow();
    expect(await count('operator_notifications')).toBeGreaterThan(0);
    expect(await count('callback_attempts')).toBe(1);
    await grow(2);
    await completeDeposit();
    await pruneNow();
    expect(await count('callback_attempts')).toBe(1);
    const { text } = await gateway.gateway.metrics.render();
    expect(text).toMatch(/malipo_pruned_total\{what="callback_attempt"\} 1\n/);
    expect(text).toMatch(/malipo_pruned_total\{what="notification"\} [1-9]/);
  });

  test('a message that has had no effect yet stays', async () => {
    await completeDeposit();
    await select(gateway, 'update operator_notifications set applied_at = null');
    const waiting = await count('operator_notifications');
    await grow(DEFAULT_RETENTION.notificationDays + 1);
    await pruneNow();
    expect(await count('operator_notifications')).toBe(waiting);
  });

  test('a row whose identifier says nothing about its age stays until it is old by its own time', async () => {
    await completeDeposit();
    await select(
      gateway,
      `update callback_attempts set callback_id = '00000000-0000-4000-8000-000000000000'`,
    );
    await pruneNow();
    expect(await count('callback_attempts')).toBe(1);
  });

  test('the payment is read, its identifier is taken, and its callback is replayed as before', async () => {
    const depositId = await completeDeposit();
    const from = nowOf(gateway.engine);
    const told = gateway.receiver.received[0]?.body;
    const [before, posted] = [await readDeposit(gateway, depositId), await count('transfers')];
    await grow(3 * DEFAULT_RETENTION.notificationDays);
    await pruneNow();
    expect(await count('operator_notifications')).toBe(0);
    expect(await count('callback_attempts')).toBe(0);

    expect(await readDeposit(gateway, depositId)).toEqual(before);
    const again = await call(gateway, 'POST', '/v2/deposits', {
      depositId,
      amount: '100',
      currency: 'RWF',
      payer: { type: 'MMO', accountDetails: { phoneNumber: '250783456789', provider: 'MTN_MOMO_RWA' } },
    });
    expect(again.body).toMatchObject({ depositId, status: 'DUPLICATE_IGNORED' });
    expect(await count('transfers')).toBe(posted);

    const span = { from: new Date(from.getTime() - DAY_MS), to: new Date(from.getTime() + DAY_MS) };
    const replay = { ...span, merchantId: gateway.merchantId, kinds: ['DEPOSIT'] as const };
    const { database } = gateway.engine.store;
    const now = nowOf(gateway.engine);
    expect(await replayCallbacks(database, { ...replay, statuses: ['MISSING', 'ABANDONED'], now })).toBe(0);
    expect(await replayCallbacks(database, { ...replay, statuses: ['DELIVERED'], now })).toBe(1);
    gateway.engine.wake();
    await eventually(() => gateway.receiver.received.length).toBe(2);
    expect(gateway.receiver.received[1]?.body).toEqual(told);
  });

  test('work that is told to stop stops, and what is left goes the next time', async () => {
    await completeDeposit();
    await grow(DEFAULT_RETENTION.notificationDays + 1);
    await prune(gateway.engine, DEFAULT_RETENTION, () => true);
    expect(await count('callback_attempts')).toBe(1);
    await pruneNow();
    expect(await count('callback_attempts')).toBe(0);
  });
});

test('identifiers in time are in the order of their times, and one of a time is not before that time', () => {
  const times = [0, 1, 1_772_366_400_000, 1_772_366_400_001, 4_102_444_800_000].map((ms) => new Date(ms));
  const ids = times.map(timedUuid);
  expect(ids.toSorted()).toEqual(ids);
  for (const [index, at] of times.entries()) {
    expect(ids[index]! >= firstTimedUuid(at)).toBe(true);
    expect(ids[index]! < firstTimedUuid(new Date(at.getTime() + 1))).toBe(true);
    expect(ids[index]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(new Set(Array.from({ length: 1_000 }, () => timedUuid(times[2]!))).size).toBe(1_000);
});
