// Lanes: one for each endpoint, leased by one deliverer at a time, who takes its callbacks and says how it fares.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  abandonSwitchedOff,
  disableEndpoint,
  leaseLanes,
  reportLanes,
} from '../../src/store/callbacks/endpoint-queues.ts';
import {
  eventIdOf,
  insertCallbacks,
  listDueCallbacks,
  recordDeliveries,
  type Delivery,
  type DueCallback,
} from '../../src/store/callbacks/callbacks.ts';
import { inTransaction, type Tx } from '../../src/store/database.ts';
import { setCallbackEndpoint } from '../../src/store/merchants/merchants.ts';
import { eventually, initiate, openTestGateway, select, waitForStatus } from '../gateway.ts';
import { addMerchant, NOON, openTestStore, secondsAfterNoon, type TestStore } from './open-store.ts';

const LEASE_SECONDS = 30;

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.stop());
beforeEach(async () => {
  await store.database.query('truncate callback_attempts, callbacks, callback_lanes, callback_endpoints');
});

type Lane = { readonly merchantId: string; readonly endpointId: string };

/** An endpoint of a merchant of its own, with as many callbacks, due one second after the other. */
async function addLane(callbackCount: number): Promise<Lane> {
  const lane = { merchantId: await addMerchant(store), endpointId: randomUUID() };
  await setCallbackEndpoint(store.database, {
    ...lane,
    kind: 'DEPOSIT',
    url: 'https://shop.example/',
    now: NOON,
  });
  await announce(lane, callbackCount);
  return lane;
}

async function announce({ merchantId }: Lane, callbackCount: number): Promise<void> {
  const callbacks = Array.from({ length: callbackCount }, (_, index) => ({
    merchantId,
    kind: 'DEPOSIT' as const,
    paymentId: randomUUID(),
    announcedState: 'COMPLETED' as const,
    createdAt: secondsAfterNoon(index),
  }));
  // The order they are written in is not the order they are due in.
  await insertCallbacks(store.database, callbacks.toReversed());
}

type LeaseOptions = {
  readonly at: Date;
  readonly lanesMax?: number;
  readonly callbacksPerLaneMax?: number;
  readonly among?: 'SOUND' | 'FAILING';
  readonly except?: readonly string[];
};

/** The callbacks taken with the lanes that were leased. */
async function lease(
  tx: Tx,
  { at, lanesMax = 100, callbacksPerLaneMax = 5, among = 'SOUND', except = [] }: LeaseOptions,
): Promise<readonly DueCallback[]> {
  const leasedUntil = leaseEnd(at);
  const lanes = await leaseLanes(tx, { now: at, leasedUntil, lanesMax, callbacksPerLaneMax, among, except });
  return lanes.flatMap(({ callbacks }) => callbacks);
}

const leaseEnd = (at: Date) => new Date(at.getTime() + LEASE_SECONDS * 1_000);

const report = (
  { endpointId }: Pick<Lane, 'endpointId'>,
  leasedAt: Date,
  changes: { readonly nextLeasedUntil: Date; readonly failureCount?: number; readonly pausedUntil?: Date },
) =>
  reportLanes(store.database, [
    {
      endpointId,
      url: 'https://shop.example/',
      leasedUntil: leaseEnd(leasedAt),
      failureCount: 0,
      failingSince: null,
      pausedUntil: changes.nextLeasedUntil,
      ...changes,
    },
  ]);

const release = (lane: Pick<Lane, 'endpointId'>, leasedAt: Date, now: Date) =>
  report(lane, leasedAt, { nextLeasedUntil: now });

const lanesOf = (due: readonly DueCallback[]) => [...new Set(due.map(({ endpointId }) => endpointId))];

const LATER = secondsAfterNoon(60);

describe('a lease', () => {
  test('holds a lane against everybody else until it is given back', async () => {
    const lane = await addLane(12);
    expect(lanesOf(await lease(store.database, { at: LATER }))).toEqual([lane.endpointId]);
    expect(await lease(store.database, { at: LATER })).toEqual([]);
    await release(lane, LATER, LATER);
    expect(lanesOf(await lease(store.database, { at: LATER }))).toEqual([lane.endpointId]);
  });

  test('holds a lane before its transaction is committed: another deliverer passes by without waiting', async () => {
    const [first, second] = [await addLane(1), await addLane(1)];
    const both = [first.endpointId, second.endpointId].toSorted();
    const held = await inTransaction(store.database, async (tx) => {
      const mine = lanesOf(await lease(tx, { at: LATER, lanesMax: 1 }));
      const theirs = lanesOf(await lease(store.database, { at: LATER }));
      return [...mine, ...theirs];
    });
    expect(held.toSorted()).toEqual(both);
  });

  test('of many deliverers at once, no two hold one lane', async () => {
    const lanes = await Promise.all(Array.from({ length: 10 }, () => addLane(3)));
    const leases = await Promise.all(
      Array.from({ length: 12 }, () => lease(store.database, { at: LATER, lanesMax: 2 })),
    );
    const held = leases.flatMap(lanesOf);
    expect(new Set(held).size).toBe(held.length);
    expect(leases.every((one) => lanesOf(one).length <= 2)).toBe(true);
    const rest = lanesOf(await lease(store.database, { at: LATER }));
    expect([...held, ...rest].toSorted()).toEqual(lanes.map(({ endpointId }) => endpointId).toSorted());
  });

  test('comes to an end by itself: a lane of a deliverer that crashed is free again then, and not before', async () => {
    const lane = await addLane(1);
    const [callback] = await lease(store.database, { at: LATER });
    expect(await lease(store.database, { at: secondsAfterNoon(60 + LEASE_SECONDS - 1) })).toEqual([]);
    const again = await lease(store.database, { at: secondsAfterNoon(60 + LEASE_SECONDS) });
    expect(again).toEqual([callback]);
    expect(again[0]!.endpointId).toBe(lane.endpointId);
  });

  test('that ran out cannot give back the lane, which belongs to somebody else now', async () => {
    const lane = await addLane(1);
    const then = secondsAfterNoon(60 + LEASE_SECONDS);
    await lease(store.database, { at: LATER });
    expect(await lease(store.database, { at: then })).toHaveLength(1);
    await release(lane, LATER, then);
    expect(await lease(store.database, { at: then })).toEqual([]);
    await release(lane, then, then);
    expect(await lease(store.database, { at: then })).toHaveLength(1);
  });

  test('is not given to one who still works on the lane, although the lease ran out', async () => {
    const lane = await addLane(1);
    await lease(store.database, { at: LATER });
    const then = { at: leaseEnd(LATER) };
    expect(await lease(store.database, { ...then, except: [lane.endpointId] })).toEqual([]);
    expect(await lease(store.database, then)).toHaveLength(1);
  });

  test('goes round: the lane that was served longest ago comes first', async () => {
    const lanes = [await addLane(9), await addLane(9), await addLane(9)];
    const served: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const at = secondsAfterNoon(60 + round);
      const [endpointId] = lanesOf(await lease(store.database, { at, lanesMax: 1 }));
      served.push(endpointId!);
      await release({ endpointId: endpointId! }, at, at);
    }
    expect(new Set(served.slice(0, 3)).size).toBe(3);
    expect(served.slice(3)).toEqual(served.slice(0, 3));
    expect(served.toSorted()).toEqual(lanes.flatMap(({ endpointId }) => [endpointId, endpointId]).toSorted());
  });
});

describe('a report', () => {
  test('keeps a lane longer, and says whether it was still held', async () => {
    const lane = await addLane(2);
    await lease(store.database, { at: LATER });
    const then = secondsAfterNoon(80);
    expect(await report(lane, LATER, { nextLeasedUntil: leaseEnd(then) })).toEqual(
      new Set([lane.endpointId]),
    );
    expect(await lease(store.database, { at: leaseEnd(LATER) })).toEqual([]);
    expect(await report(lane, LATER, { nextLeasedUntil: leaseEnd(then) })).toEqual(new Set());
    expect(await lease(store.database, { at: leaseEnd(then) })).toHaveLength(2);
  });

  test('of failures puts a lane apart from those that are sound, and pauses it', async () => {
    const lane = await addLane(1);
    await lease(store.database, { at: LATER });
    const pausedUntil = secondsAfterNoon(70);
    await report(lane, LATER, { nextLeasedUntil: LATER, failureCount: 3, pausedUntil });
    expect(await lease(store.database, { at: pausedUntil })).toEqual([]);
    expect(await lease(store.database, { at: secondsAfterNoon(69), among: 'FAILING' })).toEqual([]);
    expect(await lease(store.database, { at: pausedUntil, among: 'FAILING' })).toHaveLength(1);
  });

  test('of an address that was replaced meanwhile says nothing about the new one', async () => {
    const lane = await addLane(1);
    await lease(store.database, { at: LATER });
    const address = {
      ...lane,
      endpointId: randomUUID(),
      kind: 'DEPOSIT' as const,
      url: 'https://new.example/',
    };
    await setCallbackEndpoint(store.database, { ...address, now: LATER });
    const pausedUntil = secondsAfterNoon(600);
    await report(lane, LATER, { nextLeasedUntil: LATER, failureCount: 9, pausedUntil });
    expect(await lease(store.database, { at: LATER })).toHaveLength(1);
  });
});

describe('a held lane', () => {
  test('gives its holder what is due and not in hand, those that are due longest first', async () => {
    const [lane, other] = [await addLane(5), await addLane(2)];
    const inHand = await lease(store.database, { at: LATER, callbacksPerLaneMax: 2 });
    const wishes = [lane, other].map(({ endpointId }) => ({
      endpointId,
      countMax: 2,
      except: inHand.map(({ callbackId }) => callbackId),
    }));
    const due = await listDueCallbacks(store.database, wishes, secondsAfterNoon(3));
    expect(lanesOf(due)).toEqual([lane.endpointId]);
    expect(due.map(({ createdAt }) => createdAt)).toEqual([secondsAfterNoon(2), secondsAfterNoon(3)]);
  });
});

describe('what a lease takes', () => {
  test('at most a few callbacks of each lane, those that are due longest first', async () => {
    const [long, short] = [await addLane(20), await addLane(2)];
    const due = await inTransaction(store.database, async (tx) => {
      // The index would put them in order by itself, as long as the planner uses it.
      await tx.query('set local enable_indexscan = off; set local enable_bitmapscan = off');
      return lease(tx, { at: LATER, callbacksPerLaneMax: 5 });
    });
    const secondsOf = (lane: Lane) =>
      due
        .filter(({ endpointId }) => endpointId === lane.endpointId)
        .map(({ createdAt }) => (createdAt.getTime() - NOON.getTime()) / 1_000);
    expect(secondsOf(long)).toEqual([0, 1, 2, 3, 4]);
    expect(secondsOf(short)).toEqual([0, 1]);
  });

  test('only what is due; a lane with nothing due is not leased', async () => {
    await addLane(3);
    const [callback, ...others] = await lease(store.database, { at: NOON });
    expect(others).toEqual([]);
    expect(callback!.createdAt).toEqual(NOON);
    const idle = await addLane(0);
    expect(await lease(store.database, { at: NOON })).toEqual([]);
    const { rows } = await store.database.query(
      'select leased_until from callback_lanes where endpoint_id = $1',
      [idle.endpointId],
    );
    expect(rows[0].leased_until).toEqual(NOON);
  });

  test('nothing of a lane that is paused, until its pause is over', async () => {
    const lane = await addLane(1);
    await store.database.query('update callback_lanes set paused_until = $2 where endpoint_id = $1', [
      lane.endpointId,
      LATER,
    ]);
    expect(await lease(store.database, { at: secondsAfterNoon(59) })).toEqual([]);
    expect(await lease(store.database, { at: LATER })).toHaveLength(1);
  });

  test('where the callback goes, what it announces and how often it was tried', async () => {
    const lane = await addLane(1);
    expect(await lease(store.database, { at: LATER })).toEqual([
      {
        merchantId: lane.merchantId,
        kind: 'DEPOSIT',
        paymentId: expect.any(String),
        callbackId: expect.any(String),
        endpointId: lane.endpointId,
        url: 'https://shop.example/',
        isSwitchedOff: false,
        announcedState: 'COMPLETED',
        attemptCount: 0,
        createdAt: NOON,
        sealedBody: null,
      },
    ]);
  });
});

/** An attempt that failed and is to be repeated. */
const delivery = (callback: DueCallback, changes: Partial<Delivery>): Delivery => ({
  callback,
  startedAt: LATER,
  durationMs: 12,
  httpStatus: 500,
  errorCode: null,
  answer: null,
  status: 'PENDING',
  dueAt: secondsAfterNoon(65),
  ...changes,
});

/** A callback that is held. */
async function addCallback(): Promise<DueCallback> {
  await addLane(1);
  return (await lease(store.database, { at: LATER }))[0]!;
}

const readCallback = async ({ callbackId }: DueCallback) => {
  const { rows } = await store.database.query(
    `select status, attempt_count, due_at,
       array(select http_status from callback_attempts a where a.callback_id = c.callback_id order by attempt_no)
         as answers
     from callbacks c where callback_id = $1`,
    [callbackId],
  );
  return rows[0];
};

describe('deliveries', () => {
  test('are a row each, and decide when the callback is due again', async () => {
    const callback = await addCallback();
    await recordDeliveries(store.database, store.keyring, [delivery(callback, {})]);
    const dueAt = secondsAfterNoon(65);
    expect(await readCallback(callback)).toEqual({
      status: 'PENDING',
      attempt_count: 1,
      due_at: dueAt,
      answers: [500],
    });
    const second = { ...callback, attemptCount: 1 };
    await recordDeliveries(store.database, store.keyring, [
      delivery(second, { httpStatus: 200, status: 'DELIVERED' }),
    ]);
    expect(await readCallback(callback)).toMatchObject({
      status: 'DELIVERED',
      attempt_count: 2,
      answers: [500, 200],
    });
  });

  test('a late failure of another run does not take back a delivery', async () => {
    const callback = await addCallback();
    await recordDeliveries(store.database, store.keyring, [
      delivery(callback, { httpStatus: 200, status: 'DELIVERED' }),
    ]);
    await recordDeliveries(store.database, store.keyring, [
      delivery(callback, { dueAt: secondsAfterNoon(900) }),
    ]);
    expect(await readCallback(callback)).toMatchObject({ status: 'DELIVERED', attempt_count: 1 });
  });

  test('what was delivered or abandoned is not handed out again', async () => {
    for (const status of ['DELIVERED', 'ABANDONED'] as const) {
      await recordDeliveries(store.database, store.keyring, [
        delivery(await addCallback(), { status, dueAt: LATER }),
      ]);
    }
    expect(await lease(store.database, { at: secondsAfterNoon(3_600) })).toEqual([]);
  });
});

const switchOff = ({ endpointId }: Lane) =>
  disableEndpoint(store.database, { endpointId, url: 'https://shop.example/', because: 'GONE', now: LATER });

const giveUp = ({ endpointId }: Lane, countMax: number) =>
  abandonSwitchedOff(store.database, { endpointId, countMax });

async function statusesOf({ endpointId }: Lane): Promise<Record<string, number>> {
  const { rows } = await store.database.query(
    'select status, count(*)::int as count from callbacks where endpoint_id = $1 group by status',
    [endpointId],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

describe('the identifier of an event', () => {
  const payment = { merchantId: randomUUID(), kind: 'DEPOSIT' as const, paymentId: randomUUID() };
  const identify = (announcedState: DueCallback['announcedState']) =>
    eventIdOf({ ...payment, announcedState, callbackId: randomUUID() });

  test('is one for the end of a payment, whichever callback tells of it', () => {
    expect(identify('COMPLETED')).toBe(identify('COMPLETED'));
    expect(identify('COMPLETED')).not.toBe(identify('FAILED'));
  });

  test('is another for each announcement on the way there, because each has other news', () => {
    expect(identify('PROCESSING')).not.toBe(identify('PROCESSING'));
    const callback = { ...payment, announcedState: 'PROCESSING' as const, callbackId: randomUUID() };
    expect(eventIdOf(callback)).toBe(eventIdOf({ ...callback }));
  });
});

describe('an endpoint that is gone', () => {
  test('is left alone when its merchant has named another address meanwhile', async () => {
    const { endpointId } = await addLane(1);
    await disableEndpoint(store.database, {
      endpointId,
      url: 'https://old.example/',
      because: 'GONE',
      now: LATER,
    });
    expect(lanesOf(await lease(store.database, { at: LATER }))).toEqual([endpointId]);
  });

  test('gets nothing any more, what was waiting included, until its merchant names an address again', async () => {
    const lane = await addLane(2);
    const other = await addLane(1);
    await switchOff(lane);
    await announce(lane, 1);
    expect(await giveUp(lane, 1_000)).toBe(2);
    expect(lanesOf(await lease(store.database, { at: LATER }))).toEqual([other.endpointId]);
    expect(await statusesOf(lane)).toEqual({ ABANDONED: 2 });
    const address = {
      ...lane,
      endpointId: randomUUID(),
      kind: 'DEPOSIT' as const,
      url: 'https://new.example/',
    };
    await setCallbackEndpoint(store.database, { ...address, now: LATER });
    await announce(lane, 1);
    const [callback, ...others] = await lease(store.database, { at: LATER });
    expect(others).toEqual([]);
    expect(callback).toMatchObject({ endpointId: lane.endpointId, url: 'https://new.example/' });
  });

  test('is told apart in everything that is taken for it, also what was made beside the switching off', async () => {
    const [lane, other] = [await addLane(2), await addLane(1)];
    await switchOff(lane);
    const isMarked = (due: readonly DueCallback[]) =>
      due.map(({ endpointId, isSwitchedOff }) => (endpointId === lane.endpointId) === isSwitchedOff);
    expect(isMarked(await lease(store.database, { at: LATER }))).toEqual([true, true, true]);
    const wishes = [lane, other].map(({ endpointId }) => ({ endpointId, countMax: 5, except: [] }));
    expect(isMarked(await listDueCallbacks(store.database, wishes, LATER))).toEqual([true, true, true]);
  });

  test('is switched off without a look at what waits for it, which is given up a part at a time', async () => {
    const lane = await addLane(5);
    await switchOff(lane);
    expect(await statusesOf(lane)).toEqual({ PENDING: 5 });
    expect(await giveUp(lane, 3)).toBe(3);
    expect(await statusesOf(lane)).toEqual({ ABANDONED: 3, PENDING: 2 });
    expect(await giveUp(lane, 3)).toBe(2);
    expect(await giveUp(lane, 3)).toBe(0);
  });

  test('keeps nobody waiting who writes a row of it, and an endpoint that is not gone loses nothing', async () => {
    const [lane, other] = [await addLane(2), await addLane(1)];
    await switchOff(lane);
    await inTransaction(store.database, async (tx) => {
      await tx.query('select 1 from callbacks where endpoint_id = $1 limit 1 for update', [lane.endpointId]);
      expect(await giveUp(lane, 5)).toBe(1);
    });
    expect(await giveUp(other, 5)).toBe(0);
    expect(await statusesOf(other)).toEqual({ PENDING: 1 });
  });

  test('is one that answers 410, and one answer is enough', async () => {
    const gateway = await openTestGateway();
    try {
      gateway.receiver.answerWith({ status: 410 });
      const depositId = await initiate(gateway);
      const endpoint = () =>
        select(
          gateway,
          `select disabled_at is not null as gone, (select status from callbacks where payment_id = $2) as status
           from callback_endpoints where merchant_id = $1 and kind = 'DEPOSIT'`,
          [gateway.merchantId, depositId],
        );
      await eventually(endpoint).toEqual([{ gone: true, status: 'ABANDONED' }]);
      await waitForStatus(gateway, await initiate(gateway), 'COMPLETED');
      expect(await select(gateway, 'select 1 from callbacks')).toHaveLength(1);
      expect(gateway.receiver.received).toHaveLength(1);
    } finally {
      await gateway.stop();
    }
  });
});
