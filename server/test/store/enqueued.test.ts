// Payments that wait for their provider: who is released first, and that every merchant has its turn.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../../src/store/database.ts';
import { book, ensureAccounts, post } from '../../src/store/ledger/ledger.ts';
import { accountId } from '../../src/store/ledger/wallet-funds.ts';
import { suspend } from '../../src/store/merchants/merchants.ts';
import { listEnqueued, listFormerlyHeld } from '../../src/store/payments/enqueued.ts';
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
  listEnqueued(store.database, {
    countMax: 10,
    except: [],
    startAt: randomUUID(),
    now: NOON,
    ...look,
  });
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

/** From now on the merchant lives in another cell, which left its rows here. */
const moveAway = (merchantId: string) =>
  store.database.query(
    `insert into migration_locks (merchant_id, state, other_cell, move_id) values ($1, 'AWAY', '0002', $1)`,
    [merchantId],
  );

test('what was released, and what a merchant has that is suspended or elsewhere, is left out', async () => {
  const [suspended, moved] = [await addMerchant(store), await addMerchant(store)];
  await suspend(store.database, suspended, NOON);
  await moveAway(moved);
  for (const merchantId of [suspended, moved]) await enqueue(merchantId, 1);
  await enqueue(store.merchantId, 1, { nextAction: 'SUBMIT', nextActionAt: NOON });
  const waiting = await enqueue(store.merchantId, 2);
  expect(idsOf(await list({ countMax: 1 }))).toEqual(idsOf([waiting]));
});

/** A payout that holds all that its wallet has. */
async function enqueuePayout(
  merchantId: string,
  seconds: number,
  { country = 'RWA', currency = 'RWF' }: { readonly country?: string; readonly currency?: string } = {},
) {
  const place = { country, currency, provider: '' };
  const wallet = { type: 'WALLET', merchantId, ...place } as const;
  const payout = await enqueue(merchantId, seconds, {
    kind: 'PAYOUT',
    currency,
    walletId: accountId(wallet),
  });
  const float = { type: 'FLOAT', ...place, provider: payout.provider } as const;
  const { paymentNo: id, amount } = payout;
  const about = { template: 'TEST', firstLegNo: 0 };
  await inTransaction(store.database, async (tx) => {
    await ensureAccounts(tx, [wallet, float]);
    const subject = { merchantId, kind: 'TOP_UP', id: randomUUID() };
    await post(tx, [{ subject, ...about, legs: [{ debit: float, credit: wallet, amount }] }], NOON);
    const legs = [{ debit: wallet, credit: float, amount }];
    await book(tx, { held: [{ subject: { merchantId, kind: 'PAYOUT', id }, ...about, legs }] }, NOON);
  });
  return payout;
}

const owe = ({ walletId }: StoredPayment) =>
  store.database.query('update wallets set owed = 1 where account_id = $1', [walletId]);

test('payouts of a wallet that owes more than it has take nothing from those of others', async () => {
  const other = await addMerchant(store);
  const owing = await enqueuePayout(store.merchantId, 1);
  const dollars = await enqueuePayout(store.merchantId, 2, { currency: 'USD' });
  const another = await enqueuePayout(other, 3);
  await owe(owing);
  expect(idsOf(await list({ countMax: 1 }))).toEqual(idsOf([dollars]));
  expect(idsOf(await list({ countMax: 2 }))).toEqual(idsOf([dollars, another]));
});

test('a part of a split payment whose collection was reversed keeps no payout of another wallet back', async () => {
  const part = await enqueuePayout(store.merchantId, 1, { country: 'SEN', currency: 'XOF' });
  const payout = await enqueuePayout(store.merchantId, 2, { country: 'CIV', currency: 'XOF' });
  await owe(part);
  expect(idsOf(await list({ countMax: 1 }))).toEqual(idsOf([payout]));
});

test('of an ended freeze, payments that may not go yet take nothing from the others', async () => {
  const moved = await addMerchant(store);
  await moveAway(moved);
  const unavailable = await enqueue(store.merchantId, 1, { provider: 'AIRTEL_RWA' });
  await enqueue(moved, 2);
  const first = await enqueue(store.merchantId, 3);
  const second = await enqueue(store.merchantId, 4);
  await store.database.query(`update payments set held = 'FREEZE', held_by = $1`, [randomUUID()]);
  const look = (countMax: number, except: readonly string[]) =>
    listFormerlyHeld(store.database, { countMax, except, now: NOON });
  const except = ['AIRTEL_RWA DEPOSIT'];
  expect(idsOf(await look(1, except))).toEqual(idsOf([first]));
  expect(idsOf(await look(9, except))).toEqual(idsOf([first, second]));
  expect(idsOf(await look(9, []))).toEqual(idsOf([unavailable, first, second]));
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
       currency, country, provider, connector, wallet_id, encrypted_details, created_at)
     select md5('number' || n)::uuid, md5('merchant' || n)::uuid, kind, payment_id, api_version, state, amount,
       amount_text, fee, currency, country, provider, connector, wallet_id, encrypted_details, created_at
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
