// Endpoint queues: one for each endpoint, leased by one deliverer at a time, who takes its callbacks and says how it
// fares.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  abandonSwitchedOff,
  disableEndpoint,
  leaseEndpointQueues,
  reportEndpointQueues,
} from '../../src/store/callbacks/endpoint-queues.ts';
import {
  eventIdOf,
  insertCallbacks,
  listDueCallbacks,
  recordDeliveries,
  type Delivery,
  type DueCallback,
} from '../../src/store/callbacks/callbacks.ts';
import { replayCallbacks } from '../../src/store/callbacks/callback-repeats.ts';
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
  await store.database.query('truncate callback_attempts, callbacks, endpoint_queues, callback_endpoints');
});

type EndpointQueue = { readonly merchantId: string; readonly endpointId: string };

/** An endpoint of a merchant of its own, with as many callbacks, due one second after the other. */
async function addEndpointQueue(callbackCount: number): Promise<EndpointQueue> {
  const endpointQueue = { merchantId: await addMerchant(store), endpointId: randomUUID() };
  await setCallbackEndpoint(store.database, {
    ...endpointQueue,
    kind: 'DEPOSIT',
    url: 'https://shop.example/',
    now: NOON,
  });
  await announce(endpointQueue, callbackCount);
  return endpointQueue;
}

async function announce({ merchantId }: EndpointQueue, callbackCount: number): Promise<void> {
  const callbacks = Array.from({ length: callbackCount }, (_, index) => ({
    merchantId,
    kind: 'DEPOSIT' as const,
    paymentId: randomUUID(),
    subjectId: randomUUID(),
    announcedState: 'COMPLETED' as const,
    createdAt: secondsAfterNoon(index),
  }));
  // The order they are written in is not the order they are due in.
  await insertCallbacks(store.database, callbacks.toReversed());
}

type LeaseOptions = {
  readonly at: Date;
  readonly endpointQueuesMax?: number;
  readonly callbacksPerEndpointQueueMax?: number;
  readonly among?: 'SOUND' | 'FAILING';
  readonly except?: readonly string[];
};

/** The callbacks taken with the endpoint queues that were leased. */
async function lease(
  tx: Tx,
  {
    at,
    endpointQueuesMax = 100,
    callbacksPerEndpointQueueMax = 5,
    among = 'SOUND',
    except = [],
  }: LeaseOptions,
): Promise<readonly DueCallback[]> {
  const leasedUntil = leaseEnd(at);
  const endpointQueues = await leaseEndpointQueues(tx, {
    now: at,
    leasedUntil,
    endpointQueuesMax,
    callbacksPerEndpointQueueMax,
    among,
    except,
  });
  return endpointQueues.flatMap(({ callbacks }) => callbacks);
}

const leaseEnd = (at: Date) => new Date(at.getTime() + LEASE_SECONDS * 1_000);

const report = (
  { endpointId }: Pick<EndpointQueue, 'endpointId'>,
  leasedAt: Date,
  changes: { readonly nextLeasedUntil: Date; readonly failureCount?: number; readonly pausedUntil?: Date },
) =>
  reportEndpointQueues(store.database, [
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

const release = (endpointQueue: Pick<EndpointQueue, 'endpointId'>, leasedAt: Date, now: Date) =>
  report(endpointQueue, leasedAt, { nextLeasedUntil: now });

const endpointQueuesOf = (due: readonly DueCallback[]) => [
  ...new Set(due.map(({ endpointId }) => endpointId)),
];

const LATER = secondsAfterNoon(60);

describe('a lease', () => {
  test('a lease holds an endpoint queue against everybody else until it is given back', async () => {
    const endpointQueue = await addEndpointQueue(12);
    expect(endpointQueuesOf(await lease(store.database, { at: LATER }))).toEqual([endpointQueue.endpointId]);
    expect(await lease(store.database, { at: LATER })).toEqual([]);
    await release(endpointQueue, LATER, LATER);
    expect(endpointQueuesOf(await lease(store.database, { at: LATER }))).toEqual([endpointQueue.endpointId]);
  });

  test('a lease holds an endpoint queue before its transaction is committed: another deliverer passes by without waiting', async () => {
    const [first, second] = [await addEndpointQueue(1), await addEndpointQueue(1)];
    const both = [first.endpointId, second.endpointId].toSorted();
    const held = await inTransaction(store.database, async (tx) => {
      const mine = endpointQueuesOf(await lease(tx, { at: LATER, endpointQueuesMax: 1 }));
      const theirs = endpointQueuesOf(await lease(store.database, { at: LATER }));
      return [...mine, ...theirs];
    });
    expect(held.toSorted()).toEqual(both);
  });

  test('of many deliverers at once, no two hold one endpoint queue', async () => {
    const endpointQueues = await Promise.all(Array.from({ length: 10 }, () => addEndpointQueue(3)));
    const leases = await Promise.all(
      Array.from({ length: 12 }, () => lease(store.database, { at: LATER, endpointQueuesMax: 2 })),
    );
    const held = leases.flatMap(endpointQueuesOf);
    expect(new Set(held).size).toBe(held.length);
    expect(leases.every((one) => endpointQueuesOf(one).length <= 2)).toBe(true);
    const rest = endpointQueuesOf(await lease(store.database, { at: LATER }));
    expect([...held, ...rest].toSorted()).toEqual(
      endpointQueues.map(({ endpointId }) => endpointId).toSorted(),
    );
  });

  test('a lease comes to an end by itself: an endpoint queue of a deliverer that crashed is free again then, and not before', async () => {
    const endpointQueue = await addEndpointQueue(1);
    const [callback] = await lease(store.database, { at: LATER });
    expect(await lease(store.database, { at: secondsAfterNoon(60 + LEASE_SECONDS - 1) })).toEqual([]);
    const again = await lease(store.database, { at: secondsAfterNoon(60 + LEASE_SECONDS) });
    expect(again).toEqual([callback]);
    expect(again[0]!.endpointId).toBe(endpointQueue.endpointId);
  });

  test('a lease that ran out cannot give back the endpoint queue, which belongs to somebody else now', async () => {
    const endpointQueue = await addEndpointQueue(1);
    const then = secondsAfterNoon(60 + LEASE_SECONDS);
    await lease(store.database, { at: LATER });
    expect(await lease(store.database, { at: then })).toHaveLength(1);
    await release(endpointQueue, LATER, then);
    expect(await lease(store.database, { at: then })).toEqual([]);
    await release(endpointQueue, then, then);
    expect(await lease(store.database, { at: then })).toHaveLength(1);
  });

  test('a lease is not given to one who still works on the endpoint queue, although the lease ran out', async () => {
    const endpointQueue = await addEndpointQueue(1);
    await lease(store.database, { at: LATER });
    const then = { at: leaseEnd(LATER) };
    expect(await lease(store.database, { ...then, except: [endpointQueue.endpointId] })).toEqual([]);
    expect(await lease(store.database, then)).toHaveLength(1);
  });

  test('a lease goes round: the endpoint queue that was served longest ago comes first', async () => {
    const endpointQueues = [await addEndpointQueue(9), await addEndpointQueue(9), await addEndpointQueue(9)];
    const served: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const at = secondsAfterNoon(60 + round);
      const [endpointId] = endpointQueuesOf(await lease(store.database, { at, endpointQueuesMax: 1 }));
      served.push(endpointId!);
      await release({ endpointId: endpointId! }, at, at);
    }
    expect(new Set(served.slice(0, 3)).size).toBe(3);
    expect(served.slice(3)).toEqual(served.slice(0, 3));
    expect(served.toSorted()).toEqual(
      endpointQueues.flatMap(({ endpointId }) => [endpointId, endpointId]).toSorted(),
    );
  });
});

describe('a report', () => {
  test('a report keeps an endpoint queue longer, and says whether it was still held', async () => {
    const endpointQueue = await addEndpointQueue(2);
    await lease(store.database, { at: LATER });
    const then = secondsAfterNoon(80);
    expect(await report(endpointQueue, LATER, { nextLeasedUntil: leaseEnd(then) })).toEqual(
      new Set([endpointQueue.endpointId]),
    );
    expect(await lease(store.database, { at: leaseEnd(LATER) })).toEqual([]);
    expect(await report(endpointQueue, LATER, { nextLeasedUntil: leaseEnd(then) })).toEqual(new Set());
    expect(await lease(store.database, { at: leaseEnd(then) })).toHaveLength(2);
  });

  test('of failures puts an endpoint queue apart from those that are sound, and pauses it', async () => {
    const endpointQueue = await addEndpointQueue(1);
    await lease(store.database, { at: LATER });
    const pausedUntil = secondsAfterNoon(70);
    await report(endpointQueue, LATER, { nextLeasedUntil: LATER, failureCount: 3, pausedUntil });
    expect(await lease(store.database, { at: pausedUntil })).toEqual([]);
    expect(await lease(store.database, { at: secondsAfterNoon(69), among: 'FAILING' })).toEqual([]);
    expect(await lease(store.database, { at: pausedUntil, among: 'FAILING' })).toHaveLength(1);
  });

  test('of an address that was replaced meanwhile says nothing about the new one', async () => {
    const endpointQueue = await addEndpointQueue(1);
    await lease(store.database, { at: LATER });
    const address = {
      ...endpointQueue,
      endpointId: randomUUID(),
      kind: 'DEPOSIT' as const,
      url: 'https://new.example/',
    };
    await setCallbackEndpoint(store.database, { ...address, now: LATER });
    const pausedUntil = secondsAfterNoon(600);
    await report(endpointQueue, LATER, { nextLeasedUntil: LATER, failureCount: 9, pausedUntil });
    expect(await lease(store.database, { at: LATER })).toHaveLength(1);
  });
});

describe('a held endpoint queue', () => {
  test('a held endpoint queue gives its holder what is due and not in hand, those that are due longest first', async () => {
    const [endpointQueue, other] = [await addEndpointQueue(5), await addEndpointQueue(2)];
    const inHand = await lease(store.database, { at: LATER, callbacksPerEndpointQueueMax: 2 });
    const wishes = [endpointQueue, other].map(({ endpointId }) => ({
      endpointId,
      countMax: 2,
      except: inHand.map(({ callbackId }) => callbackId),
    }));
    const due = await listDueCallbacks(store.database, wishes, secondsAfterNoon(3));
    expect(endpointQueuesOf(due)).toEqual([endpointQueue.endpointId]);
    expect(due.map(({ createdAt }) => createdAt)).toEqual([secondsAfterNoon(2), secondsAfterNoon(3)]);
  });
});

describe('what a lease takes', () => {
  test('at most a few callbacks of each endpoint queue, those that are due longest first', async () => {
    const [long, short] = [await addEndpointQueue(20), await addEndpointQueue(2)];
    const due = await inTransaction(store.database, async (tx) => {
      // The index would put them in order by itself, as long as the planner uses it.
      await tx.query('set local enable_indexscan = off; set local enable_bitmapscan = off');
      return lease(tx, { at: LATER, callbacksPerEndpointQueueMax: 5 });
    });
    const secondsOf = (endpointQueue: EndpointQueue) =>
      due
        .filter(({ endpointId }) => endpointId === endpointQueue.endpointId)
        .map(({ createdAt }) => (createdAt.getTime() - NOON.getTime()) / 1_000);
    expect(secondsOf(long)).toEqual([0, 1, 2, 3, 4]);
    expect(secondsOf(short)).toEqual([0, 1]);
  });

  test('only what is due; an endpoint queue with nothing due is not leased', async () => {
    await addEndpointQueue(3);
    const [callback, ...others] = await lease(store.database, { at: NOON });
    expect(others).toEqual([]);
    expect(callback!.createdAt).toEqual(NOON);
    const idle = await addEndpointQueue(0);
    expect(await lease(store.database, { at: NOON })).toEqual([]);
    const { rows } = await store.database.query(
      'select leased_until from endpoint_queues where endpoint_id = $1',
      [idle.endpointId],
    );
    expect(rows[0].leased_until).toEqual(NOON);
  });

  test('nothing of an endpoint queue that is paused, until its pause is over', async () => {
    const endpointQueue = await addEndpointQueue(1);
    await store.database.query('update endpoint_queues set paused_until = $2 where endpoint_id = $1', [
      endpointQueue.endpointId,
      LATER,
    ]);
    expect(await lease(store.database, { at: secondsAfterNoon(59) })).toEqual([]);
    expect(await lease(store.database, { at: LATER })).toHaveLength(1);
  });

  test('where the callback goes, what it announces and how often it was tried', async () => {
    const endpointQueue = await addEndpointQueue(1);
    expect(await lease(store.database, { at: LATER })).toEqual([
      {
        merchantId: endpointQueue.merchantId,
        kind: 'DEPOSIT',
        paymentId: expect.any(String),
        subjectId: expect.any(String),
        callbackId: expect.any(String),
        endpointId: endpointQueue.endpointId,
        url: 'https://shop.example/',
        isSwitchedOff: false,
        announcedState: 'COMPLETED',
        attemptCount: 0,
        createdAt: NOON,
        encryptedBody: null,
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
  await addEndpointQueue(1);
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
  test('deliveries are a row each, and decide when the callback is due again', async () => {
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

const switchOff = ({ endpointId }: EndpointQueue) =>
  disableEndpoint(store.database, { endpointId, url: 'https://shop.example/', because: 'GONE', now: LATER });

const giveUp = ({ endpointId }: EndpointQueue, countMax: number) =>
  abandonSwitchedOff(store.database, { endpointId, countMax });

async function statusesOf({ endpointId }: EndpointQueue): Promise<Record<string, number>> {
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

  test('the identifier of an event is one for the end of a payment, whichever callback tells of it', () => {
    expect(identify('COMPLETED')).toBe(identify('COMPLETED'));
    expect(identify('COMPLETED')).not.toBe(identify('FAILED'));
  });

  test('the identifier of an event is another for each announcement on the way there, because each has other news', () => {
    expect(identify('PROCESSING')).not.toBe(identify('PROCESSING'));
    const callback = { ...payment, announcedState: 'PROCESSING' as const, callbackId: randomUUID() };
    expect(eventIdOf(callback)).toBe(eventIdOf({ ...callback }));
  });
});

describe('an endpoint that is gone', () => {
  test('an endpoint that is gone is left alone when its merchant has named another address meanwhile', async () => {
    const { endpointId } = await addEndpointQueue(1);
    await disableEndpoint(store.database, {
      endpointId,
      url: 'https://old.example/',
      because: 'GONE',
      now: LATER,
    });
    expect(endpointQueuesOf(await lease(store.database, { at: LATER }))).toEqual([endpointId]);
  });

  test('an endpoint that is gone gets nothing any more, what was waiting included, until its merchant names an address again', async () => {
    const endpointQueue = await addEndpointQueue(2);
    const other = await addEndpointQueue(1);
    await switchOff(endpointQueue);
    await announce(endpointQueue, 1);
    expect(await giveUp(endpointQueue, 1_000)).toBe(2);
    expect(endpointQueuesOf(await lease(store.database, { at: LATER }))).toEqual([other.endpointId]);
    expect(await statusesOf(endpointQueue)).toEqual({ ABANDONED: 2 });
    const address = {
      ...endpointQueue,
      endpointId: randomUUID(),
      kind: 'DEPOSIT' as const,
      url: 'https://new.example/',
    };
    await setCallbackEndpoint(store.database, { ...address, now: LATER });
    await announce(endpointQueue, 1);
    const [callback, ...others] = await lease(store.database, { at: LATER });
    expect(others).toEqual([]);
    expect(callback).toMatchObject({ endpointId: endpointQueue.endpointId, url: 'https://new.example/' });
  });

  test('an endpoint that is gone is told apart in everything that is taken for it, also what was made beside the switching off', async () => {
    const [endpointQueue, other] = [await addEndpointQueue(2), await addEndpointQueue(1)];
    await switchOff(endpointQueue);
    const isMarked = (due: readonly DueCallback[]) =>
      due.map(({ endpointId, isSwitchedOff }) => (endpointId === endpointQueue.endpointId) === isSwitchedOff);
    expect(isMarked(await lease(store.database, { at: LATER }))).toEqual([true, true, true]);
    const wishes = [endpointQueue, other].map(({ endpointId }) => ({ endpointId, countMax: 5, except: [] }));
    expect(isMarked(await listDueCallbacks(store.database, wishes, LATER))).toEqual([true, true, true]);
  });

  test('an endpoint that is gone is switched off without a look at what waits for it, which is given up a part at a time', async () => {
    const endpointQueue = await addEndpointQueue(5);
    await switchOff(endpointQueue);
    expect(await statusesOf(endpointQueue)).toEqual({ PENDING: 5 });
    expect(await giveUp(endpointQueue, 3)).toBe(3);
    expect(await statusesOf(endpointQueue)).toEqual({ ABANDONED: 3, PENDING: 2 });
    expect(await giveUp(endpointQueue, 3)).toBe(2);
    expect(await giveUp(endpointQueue, 3)).toBe(0);
  });

  test('an endpoint that is gone keeps no one waiting who writes a row of it, and an endpoint that is not gone loses nothing', async () => {
    const [endpointQueue, other] = [await addEndpointQueue(2), await addEndpointQueue(1)];
    await switchOff(endpointQueue);
    await inTransaction(store.database, async (tx) => {
      await tx.query('select 1 from callbacks where endpoint_id = $1 limit 1 for update', [
        endpointQueue.endpointId,
      ]);
      expect(await giveUp(endpointQueue, 5)).toBe(1);
    });
    expect(await giveUp(other, 5)).toBe(0);
    expect(await statusesOf(other)).toEqual({ PENDING: 1 });
  });

  test('an endpoint that is gone is one that answers 410, and one answer is enough', async () => {
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

const bodyOf = (merchantId: string, kind: string) => Buffer.from(`${merchantId} ${kind}`);

test('a replay takes nothing from another merchant, or another kind, that has the same identifier', async () => {
  const checkoutId = randomUUID();
  const kinds = ['CHECKOUT', 'SPLIT_PAYMENT'] as const;
  const merchantIds = [await addMerchant(store), await addMerchant(store)];
  for (const merchantId of merchantIds)
    for (const kind of kinds) {
      const endpoint = { endpointId: randomUUID(), merchantId, url: 'https://shop.example/' };
      await setCallbackEndpoint(store.database, { ...endpoint, kind, now: NOON });
      const about = { merchantId, kind, paymentId: checkoutId, subjectId: checkoutId, createdAt: NOON };
      const encryptedBody = bodyOf(merchantId, kind);
      await insertCallbacks(store.database, [{ ...about, announcedState: 'COMPLETED', encryptedBody }]);
    }
  const [merchantId = ''] = merchantIds;
  // What others still have to deliver is not this merchant's.
  await store.database.query(`update callbacks set status = 'DELIVERED' where merchant_id = $1`, [
    merchantId,
  ]);
  const span = { from: NOON, to: LATER, now: LATER };
  const order = { merchantId, kinds, statuses: ['DELIVERED'] as const, ...span };
  expect(await replayCallbacks(store.database, order)).toBe(2);
  const { rows } = await store.database.query(
    `select kind, encrypted_body from callbacks where merchant_id = $1 and status = 'PENDING' order by kind::text`,
    [merchantId],
  );
  expect(rows).toEqual(kinds.map((kind) => ({ kind, encrypted_body: bodyOf(merchantId, kind) })));
});
