// Work is taken from the payments themselves: by one at a time, the longest due first, and again when no one came back.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/store/database.ts';
import { DueFloors } from '../../src/store/payments/due-floors.ts';
import {
  bringEnquiriesForward,
  countWaitingSubmits,
  leaseEnquiries,
  listDueEnquiries,
  listDueSubmits,
  lockDueSubmits,
  postpone,
  type Taking,
  LISTED_FOR_EACH,
} from '../../src/store/payments/due-steps.ts';
import { listPayments, type StoredPayment } from '../../src/store/payments/payments.ts';
import { Keyring } from '../../src/store/encryption/encryption.ts';
import { eventually, TEST_KEYS } from '../gateway.ts';
import { addPayment, NOON, openTestStore, samplePayment, secondsAfterNoon } from './open-store.ts';
import type { TestStore } from './open-store.ts';

let store: TestStore;
beforeEach(async () => {
  await store?.stop();
  store = await openTestStore();
});
afterAll(() => store.stop());

const dueAt = (seconds: number, changes: Partial<StoredPayment> = {}) =>
  addPayment(store, samplePayment(store.merchantId, { nextActionAt: secondsAfterNoon(seconds), ...changes }));
const ENQUIRE = { state: 'PROCESSING', nextAction: 'ENQUIRE' } as const;
const idsOf = (payments: readonly { readonly paymentId: string }[]) =>
  payments.map(({ paymentId }) => paymentId);

describe('payments that wait to be sent', () => {
  test('payments that wait to be sent are locked the longest due first, as many as asked for, and none whose time has not come', async () => {
    const [second, first] = [await dueAt(-1), await dueAt(-2)];
    await dueAt(1);
    await dueAt(-3, ENQUIRE);
    const lock = async (countMax: number) => {
      const keys = await listDueSubmits(store.database, { now: NOON, countMax: 10 });
      return inTransaction(store.database, (tx) =>
        lockDueSubmits(tx, store.keyring, keys, { now: NOON, countMax }),
      );
    };
    expect(idsOf(await lock(10))).toEqual(idsOf([first, second]));
    expect(idsOf(await lock(1))).toEqual(idsOf([first]));
    expect(idsOf(await listDueSubmits(store.database, { now: NOON, countMax: 10 }))).toEqual(
      idsOf([first, second]),
    );
  });

  test('payments that wait to be sent are in one hand at a time: anyone who comes meanwhile gets the others, and waits for no one', async () => {
    const payments = await Promise.all(Array.from({ length: 50 }, (_, index) => dueAt(-1 - index)));
    const listed = await listDueSubmits(store.database, { now: NOON, countMax: 100 });
    expect(listed).toHaveLength(payments.length);
    const { promise: allHaveTaken, resolve } = Promise.withResolvers<void>();
    let count = 0;
    const taken = await Promise.all(
      Array.from({ length: 5 }, () =>
        inTransaction(store.database, async (tx) => {
          const mine = await lockDueSubmits(tx, store.keyring, listed, { now: NOON, countMax: 10 });
          count += 1;
          if (count === 5) resolve();
          await allHaveTaken;
          return idsOf(mine);
        }),
      ),
    );
    expect(new Set(taken.flat()).size).toBe(payments.length);
  });

  test('payments that wait to be sent are opened by a process that has never seen their merchant, on the one connection it has', async () => {
    const key = await dueAt(-1);
    const keyring = new Keyring(TEST_KEYS);
    const [payment] = await inTransaction(store.database, (tx) =>
      lockDueSubmits(tx, keyring, [key], { now: NOON, countMax: 1 }),
    );
    expect(payment?.details.phoneNumber).toBe('250783456789');
  });

  test('payments that wait to be sent stand back when they are put off, but only for the step that was looked at', async () => {
    const [payment, processing] = [await dueAt(-1), await dueAt(-1, ENQUIRE)];
    const step = { action: 'SUBMIT', now: NOON, until: secondsAfterNoon(60) } as const;
    await postpone(store.database, payment, step);
    await postpone(store.database, processing, step);
    const [first] = await listPayments(store.database, store.keyring, [payment]);
    const [second] = await listPayments(store.database, store.keyring, [processing]);
    expect(first?.nextActionAt).toEqual(secondsAfterNoon(60));
    expect(second?.nextActionAt).toEqual(secondsAfterNoon(-1));
  });
});

describe('looks of one loop', () => {
  test('a look passes over providers and kinds that have to wait, and finds the others', async () => {
    await dueAt(-3);
    const [payout, elsewhere] = [
      await dueAt(-1, { kind: 'PAYOUT' }),
      await dueAt(-2, { provider: 'AIRTEL_RWA' }),
    ];
    const except = [{ provider: 'MTN_MOMO_RWA', operation: 'DEPOSIT' }] as const;
    const due = await listDueSubmits(store.database, { now: NOON, countMax: 10, except });
    expect(idsOf(due)).toEqual(idsOf([elsewhere, payout]));
  });

  test('a look finds at once what became due since the last, and within 30 seconds what was due long before it', async () => {
    const floors = new DueFloors();
    const look = async (seconds: number) =>
      idsOf(await listDueSubmits(store.database, { now: secondsAfterNoon(seconds), countMax: 10, floors }));
    const [first, removed] = [await dueAt(-2), await dueAt(-1, { provider: 'NO_LONGER_SERVED' })];
    expect(await look(0)).toEqual(idsOf([first, removed]));
    const [now, before] = [await dueAt(-5), await dueAt(-60)];
    expect(await look(1)).toEqual(idsOf([now, first, removed]));
    expect(await look(30)).toEqual(idsOf([before, now, first, removed]));
  });

  test('a look finds the first steps of other providers and kinds at once, also where it is full', async () => {
    const floors = new DueFloors(() => 0);
    const look = async (countMax: number, except: Taking['except'] = []) =>
      idsOf(await listDueSubmits(store.database, { now: NOON, countMax, except, floors }));
    const known = await dueAt(-9, { provider: 'MTN_MOMO_RWA' });
    expect(await look(10)).toEqual(idsOf([known]));
    const others = [
      await dueAt(-8, { provider: 'AIRTEL_RWA' }),
      await dueAt(-7, { provider: 'AIRTEL_RWA', kind: 'PAYOUT' }),
      await dueAt(-6, { provider: 'MTN_MOMO_RWA', kind: 'PAYOUT' }),
      await dueAt(-5, { provider: 'ZAMTEL_ZMB' }),
    ];
    await dueAt(5, { provider: 'ORANGE_SEN' });
    expect(await look(1)).toEqual(idsOf([known]));
    expect(await look(10)).toEqual(idsOf([known, ...others]));
    const except = [{ provider: 'AIRTEL_RWA', operation: 'PAYOUT' }] as const;
    expect(await look(10, except)).toEqual(idsOf([known, others[0]!, others[2]!, others[3]!]));
  });

  test('whatever providers and kinds a look knows, it finds the first steps of all others', async () => {
    const groups = ['AIRTEL_RWA', 'MTN_MOMO_RWA'].flatMap((provider) =>
      (['DEPOSIT', 'PAYOUT', 'REMITTANCE'] as const).map((kind) => ({ provider, kind })),
    );
    const all: StoredPayment[] = [];
    for (const group of groups) all.push(await dueAt(all.length - groups.length, group));
    for (const [index, one] of groups.entries()) {
      for (const other of groups.slice(index)) {
        const floors = new DueFloors(() => 0);
        await floors.groupsAt(NOON, async () => [one, other], 'ACTIVE');
        const found = await listDueSubmits(store.database, { now: NOON, countMax: 100, floors });
        expect([one, other, idsOf(found)]).toEqual([one, other, idsOf(all)]);
      }
    }
  });

  test('what waits is counted by a loop of looks as by one look', async () => {
    const floors = new DueFloors();
    const count = async (seconds: number, countMax = 10) => {
      const times = { now: secondsAfterNoon(seconds), settled: NOON, before: secondsAfterNoon(-2) };
      return (await countWaitingSubmits(store.database, { ...times, countMax, floors })).submits;
    };
    for (const seconds of [-3, -2, -1]) await dueAt(seconds);
    const counted = { provider: 'MTN_MOMO_RWA', operation: 'DEPOSIT', since: secondsAfterNoon(-3) };
    expect(await count(0)).toMatchObject([{ ...counted, count: 3, fromBefore: 2 }]);
    expect(await count(1)).toMatchObject([{ ...counted, count: 3, fromBefore: 2 }]);
    expect(await count(2, 2)).toMatchObject([{ ...counted, count: 2, fromBefore: 2 }]);
  });
});

const take = async (seconds: number, countMax = 10) => {
  const [now, until] = [secondsAfterNoon(seconds), secondsAfterNoon(seconds + 60)];
  const due = await listDueEnquiries(store.database, { now, countMax: countMax * LISTED_FOR_EACH });
  return leaseEnquiries(store.database, due, { now, until, countMax });
};

describe('payments that are to be asked about', () => {
  test('payments that are to be asked about are taken the longest due first, and are due again when no one comes back in time', async () => {
    const [second, first] = [await dueAt(-1, ENQUIRE), await dueAt(-2, ENQUIRE)];
    await dueAt(-3);
    expect(idsOf(await take(0, 1))).toEqual(idsOf([first]));
    expect(idsOf(await take(0))).toEqual(idsOf([second]));
    expect(await take(59)).toEqual([]);
    expect(new Set(idsOf(await take(60)))).toEqual(new Set(idsOf([first, second])));
  });

  test('payments that are to be asked about are taken by one of many that come at once', async () => {
    await Promise.all(Array.from({ length: 100 }, () => dueAt(-1, ENQUIRE)));
    const taken = (await Promise.all(Array.from({ length: 10 }, () => take(0, 30)))).flat();
    const rest = await take(0, 100);
    const ids = idsOf([...taken, ...rest]);
    expect(ids).toHaveLength(100);
    expect(new Set(ids).size).toBe(100);
  });

  test('payments that are to be asked about keep everything but the time of their step', async () => {
    const payment = await dueAt(-1, ENQUIRE);
    await take(0);
    const [after] = await listPayments(store.database, store.keyring, [payment]);
    expect(after).toEqual({ ...payment, nextActionAt: secondsAfterNoon(60) });
  });
});

/** Status checks that are due a minute after noon and later, of a provider. */
async function insertEnquiries(provider: string, count: number): Promise<void> {
  await store.database.query(
    `with numbers as (select gen_random_uuid() as id, n from generate_series(1, $4::int) as n),
     keys as (
       insert into payment_keys (payment_no, merchant_id, kind, payment_id, created_at, fingerprint)
       select id, $1::uuid, 'DEPOSIT', id, $2::timestamptz, '' from numbers)
     insert into payments (payment_no, merchant_id, kind, payment_id, api_version, state, amount, amount_text, fee,
       currency, country, provider, connector, encrypted_details, created_at, next_action, next_action_at)
     select id, $1::uuid, 'DEPOSIT', id, 'v2', 'PROCESSING', 100, '100', 0, 'RWF', 'RWA', $3, 'simulator', '',
       $2::timestamptz, 'ENQUIRE', $2::timestamptz + interval '1 minute' + n * interval '1 millisecond' from numbers`,
    [store.merchantId, NOON, provider, count],
  );
}

async function countDueNow(provider: string): Promise<unknown> {
  const { rows } = await store.database.query(
    'select count(*)::int as count from payments where provider = $1 and next_action_at = $2',
    [provider, NOON],
  );
  return rows[0]?.count;
}

const firstSteps = (count: number) =>
  `payment_no in (
     select payment_no from payments where provider = 'AIRTEL_RWA' order by next_action_at limit ${count})`;

describe('payments whose status checks are brought forward', () => {
  test('payments whose status checks are brought forward are all due now, but for those that end at the same moment', async () => {
    await insertEnquiries('AIRTEL_RWA', 20_000);
    await insertEnquiries('MTN_MOMO_RWA', 10);
    let brought: Promise<void> | undefined;
    await inTransaction(store.database, async (tx) => {
      // Ten are put off by a day, and five end: what lies between is brought forward all the same.
      await tx.query(
        `update payments set next_action_at = next_action_at + interval '1 day' where ${firstSteps(10)}`,
      );
      await tx.query(
        `update payments set state = 'COMPLETED', next_action = null, next_action_at = null where ${firstSteps(5)}`,
      );
      brought = inTransaction(store.database, (other) => bringEnquiriesForward(other, NOON));
      brought.catch(() => undefined);
      const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(async () => (await store.database.query(waits)).rows.length).toBe(1);
    });
    await brought;
    expect(await countDueNow('AIRTEL_RWA')).toBe(19_995);
    expect(await countDueNow('MTN_MOMO_RWA')).toBe(10);
  });

  test('payments whose status checks are brought forward are each read once in the index of steps', async () => {
    await insertEnquiries('AIRTEL_RWA', 35_000);
    const read = await inTransaction(store.database, async (tx) => {
      await bringEnquiriesForward(tx, NOON);
      const { rows } = await tx.query<{ count: number }>(
        `select pg_stat_get_xact_tuples_returned('payments_due_steps'::regclass)::int as count`,
      );
      return rows[0]?.count ?? 0;
    });
    expect(await countDueNow('AIRTEL_RWA')).toBe(35_000);
    expect([read, read >= 35_000 && read <= 36_000]).toContain(true);
  });
});

test.each([
  ['COPYING', 1],
  ['AWAY', 0],
  ['ARRIVING', 0],
])('of a merchant that is %s here, %i submit and as many enquiries can be taken', async (state, count) => {
  await dueAt(-1);
  await dueAt(-1, ENQUIRE);
  await store.database.query(
    `insert into migration_locks (merchant_id, state, other_cell, move_id) values ($1, $2, '0002', $1)`,
    [store.merchantId, state],
  );
  expect(await listDueSubmits(store.database, { now: NOON, countMax: 10 })).toHaveLength(count);
  expect(await take(0)).toHaveLength(count);
});
