// Transfers that changed after they were summed up, as the owner of the tables can change them: the books tell.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sumLedger } from '../src/core/monitoring/sum-ledger.ts';
import { measureBooks, readBooks } from '../src/core/monitoring/measure-books.ts';
import { listUnbalancedWallets, type Posting } from '../src/store/ledger/ledger.ts';
import { accountId } from '../src/store/ledger/wallet-funds.ts';
import { NOON, openTestStore, type TestStore } from './store/open-store.ts';
import {
  after,
  bookAt,
  CLEARING,
  DAY_MS,
  engineAt,
  FLOAT,
  MINUTE_MS,
  posting,
  readPlainSums,
  readSums,
  tamper,
  wallet,
} from './summed-books.ts';

describe('transfers that changed after they were summed up', () => {
  const LATER = after(NOON, 10 * DAY_MS);
  let store: TestStore;
  let shop: string;
  let deposit: Posting;
  beforeEach(async () => {
    store = await openTestStore();
    shop = store.merchantId;
    deposit = posting(shop, [[FLOAT, wallet(shop), 100]]);
    await bookAt(store, NOON, { posted: [deposit, posting(shop, [[CLEARING, FLOAT, 70]])] });
    await bookAt(store, after(NOON, DAY_MS), { posted: [posting(shop, [[FLOAT, wallet(shop), 5]])] });
    await sumLedger(engineAt(store, LATER));
    expect(await look()).toEqual([0, 0]);
  });
  afterEach(() => store.stop());

  /** Wallets and currencies that are unbalanced. */
  async function look(options: Partial<Parameters<typeof measureBooks>[1]> = {}): Promise<readonly number[]> {
    const measured = await measureBooks(engineAt(store, LATER), { last: null, ...options });
    return measured!.samples.map(({ value }) => value);
  }

  const OF_DEPOSIT = 'where subject_id = $1';

  test.each([
    ['deleted', `delete from transfers ${OF_DEPOSIT}`],
    ['larger', `update transfers set amount = amount + 1 ${OF_DEPOSIT}`],
    ['void', `update transfers set state = 'VOIDED', settled_at = created_at ${OF_DEPOSIT}`],
  ])('a transfer of an old day that is %s is found, and stays found', async (_how, text) => {
    await tamper(store, text, [deposit.subject.id]);
    expect(await look()).toEqual([1, 1]);
    // The sums are what the transfers come to again, and the wallet is not.
    expect(await readSums(store)).toEqual(await readPlainSums(store));
    expect(await look()).toEqual([1, 0]);
    const { unbalancedWallets } = await readBooks(engineAt(store, LATER));
    expect(unbalancedWallets).toEqual([accountId(wallet(shop))]);
  });

  test('a transfer between accounts of the platform that is deleted is found', async () => {
    const clearing = accountId(CLEARING);
    await tamper(store, 'delete from transfers where debit_account_id = $1', [clearing]);
    expect(await look()).toEqual([0, 1]);
  });

  test('a transfer that is older than everything is found', async () => {
    await tamper(store, `update transfers set created_at = created_at - interval '1 year' ${OF_DEPOSIT}`, [
      deposit.subject.id,
    ]);
    expect(await look()).toEqual([1, 1]);
    expect(await look()).toEqual([0, 0]);
  });

  test('each look adds up a part of the days, and goes on from where the last one ended', async () => {
    await tamper(store, 'delete from transfers where created_at > $1', [NOON]);
    const engine = engineAt(store, LATER);
    const first = (await measureBooks(engine, { last: null, recountedMax: 1 }))!;
    expect(first.samples.map(({ value }) => value)).toEqual([0, 0]);
    expect(first.checkpoint.recountFrom).toEqual(new Date('2026-03-02T00:00:00Z'));
    const second = (await measureBooks(engine, { last: first.checkpoint, recountedMax: 1 }))!;
    expect(second.samples.map(({ value }) => value)).toEqual([1, 1]);
    expect(await measureBooks(engine, { last: null, isStopping: () => true })).toBeNull();
  });

  test('what was committed long after its time is added, and nothing is reported', async () => {
    await bookAt(store, after(LATER, -60 * MINUTE_MS), {
      posted: [posting(shop, [[FLOAT, wallet(shop), 7]])],
    });
    expect(await listUnbalancedWallets(store.database)).toEqual([accountId(wallet(shop))]);
    expect(await look({ transfersAtOnce: 1 })).toEqual([0, 0]);
    expect(await readSums(store)).toEqual(await readPlainSums(store));
  });
});
