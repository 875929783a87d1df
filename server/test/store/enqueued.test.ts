// Payments that wait for their provider: who is released first, and that every merchant has its turn.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { setSuspension } from '../../src/store/merchants/merchants.ts';
import { listEnqueued } from '../../src/store/payments/enqueued.ts';
import type { StoredPayment } from '../../src/store/payments/payments.ts';
import {
  addMerchant,
  addPayment,
  NOON,
  openTestStore,
  samplePayment,
  secondsAfterNoon,
} from './open-store.ts';
import type { TestStore } from './open-store.ts';

let store: TestStore;
beforeEach(async () => {
  await store?.stop();
  store = await openTestStore();
});
afterAll(() => store.stop());

const enqueue = (merchantId: string, seconds: number, changes: Partial<StoredPayment> = {}) =>
  addPayment(
    store,
    samplePayment(merchantId, {
      state: 'ENQUEUED',
      nextAction: null,
      nextActionAt: null,
      createdAt: secondsAfterNoon(seconds),
      ...changes,
    }),
  );
const list = (look: Partial<Parameters<typeof listEnqueued>[1]> = {}) =>
  listEnqueued(store.database, { countMax: 10, except: [], startAt: randomUUID(), now: new Date(), ...look });
const idsOf = (payments: readonly { readonly paymentId: string }[]) =>
  new Set(payments.map(({ paymentId }) => paymentId));

test("every merchant's oldest comes before anybody's second oldest", async () => {
  const other = await addMerchant(store);
  const many = [];
  for (const seconds of [3, 1, 2, 4]) many.push(await enqueue(store.merchantId, seconds));
  const few = [await enqueue(other, 9), await enqueue(other, 8)];
  const [third, first, second] = many;
  expect(idsOf(await list({ countMax: 2 }))).toEqual(idsOf([first!, few[1]!]));
  expect(idsOf(await list({ countMax: 3 }))).toEqual(idsOf([first!, few[1]!, second!]));
  expect(idsOf(await list({ countMax: 5 }))).toEqual(idsOf([first!, second!, third!, ...few]));
});

test('each provider and kind has its own number, and those that are excepted have none', async () => {
  const deposits = [await enqueue(store.merchantId, 1), await enqueue(store.merchantId, 2)];
  const payout = await enqueue(store.merchantId, 3, { kind: 'PAYOUT' });
  const elsewhere = await enqueue(store.merchantId, 4, { provider: 'AIRTEL_RWA' });
  expect(idsOf(await list({ countMax: 1 }))).toEqual(idsOf([deposits[0]!, payout, elsewhere]));
  expect(idsOf(await list({ except: ['MTN_MOMO_RWA DEPOSIT'] }))).toEqual(idsOf([payout, elsewhere]));
});

test('what was released, and what a suspended merchant has, is left out', async () => {
  const suspended = await addMerchant(store);
  await setSuspension(store.database, suspended, NOON);
  await enqueue(suspended, 1);
  await enqueue(store.merchantId, 1, { nextAction: 'SUBMIT', nextActionAt: NOON });
  const waiting = await enqueue(store.merchantId, 2);
  expect(idsOf(await list())).toEqual(idsOf([waiting]));
});

const merchantsFrom = async (startAt: string) => {
  const listed = await list({ countMax: 1_000, startAt });
  expect(new Set(listed.map(({ merchantId }) => merchantId)).size).toBe(200);
  return listed.map(({ merchantId }) => merchantId);
};

test('where more than 200 merchants wait, every one has its turn, and two hundred at each look', async () => {
  const pattern = await enqueue(store.merchantId, 1);
  const client = await store.database.connect();
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into payments (payment_no, merchant_id, kind, payment_id, api_version, state, amount, amount_text, fee,
       currency, country, provider, connector, encrypted_details, created_at)
     select md5('number' || n)::uuid, md5('merchant' || n)::uuid, kind, payment_id, api_version, state, amount,
       amount_text, fee, currency, country, provider, connector, encrypted_details, created_at
     from payments cross join generate_series(1, 299) as n where payment_no = $1`,
    [pattern.paymentNo],
  );
  client.release(true);
  const all = new Set(
    [
      await merchantsFrom('00000000-0000-0000-0000-000000000000'),
      await merchantsFrom('80000000-0000-0000-0000-000000000000'),
      await merchantsFrom('ffffffff-ffff-ffff-ffff-ffffffffffff'),
    ].flat(),
  );
  expect(all.size).toBe(300);
});
