// Statements that wait to be made: merchants take turns, however many each of them asked for.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { claimStatement, insertStatement } from '../../src/store/statements/statements.ts';
import { addMerchant, NOON, openTestStore, secondsAfterNoon, type TestStore } from './open-store.ts';

let store: TestStore;
beforeEach(async () => {
  await store?.stop();
  store = await openTestStore();
});
afterAll(() => store.stop());

/** As many statements of a merchant as asked for, which are due some seconds after noon. */
async function addStatements(merchantId: string, count: number, dueAfterSeconds: number): Promise<void> {
  const first = {
    merchantId,
    statementId: randomUUID(),
    wallet: { country: 'RWA', currency: 'RWF', provider: '' },
    startsAt: NOON,
    endsAt: secondsAfterNoon(1),
    coversUntil: secondsAfterNoon(1),
    isCompressed: false,
    callbackUrl: null,
    baseUrl: 'http://localhost',
    createdAt: NOON,
    dueAt: secondsAfterNoon(dueAfterSeconds),
  };
  await insertStatement(store.database, first);
  await store.database.query(
    `insert into statements (merchant_id, statement_id, country, currency, provider, starts_at, ends_at, covers_until,
       is_compressed, base_url, status, created_at, due_at)
     select merchant_id, gen_random_uuid(), country, currency, provider, starts_at, ends_at, covers_until,
       is_compressed, base_url, status, created_at, due_at
     from statements, generate_series(2, $2) where statement_id = $1`,
    [first.statementId, count],
  );
}

/** Whose statement is made at each second of an hour after noon. */
async function claimedInTurn(count: number): Promise<readonly (string | undefined)[]> {
  const claimed = [];
  for (let no = 0; no < count; no += 1) {
    const order = { now: secondsAfterNoon(3_600 + no), leasedUntil: secondsAfterNoon(9_999) };
    claimed.push((await claimStatement(store.database, order))?.statement.merchantId);
  }
  return claimed;
}

describe('B12: a fair queue for statements', () => {
  test('a merchant with 1,200 statements delays the only one of another merchant by one statement at most', async () => {
    const [many, one] = [store.merchantId, await addMerchant(store)];
    await addStatements(many, 1_200, 0);
    await addStatements(one, 1, 60);
    expect(await claimedInTurn(2)).toContain(one);
    expect(await claimedInTurn(3)).toEqual([many, many, many]);
  });

  test('merchants take turns for as long as each of them has any that is due', async () => {
    const merchants = [store.merchantId, await addMerchant(store), await addMerchant(store)];
    for (const [no, merchantId] of merchants.entries()) await addStatements(merchantId, 3, no);
    const later = await addMerchant(store);
    await addStatements(later, 3, 7_200);
    const claimed = await claimedInTurn(10);
    const turn = merchants.toSorted();
    expect(claimed.slice(0, 9)).toEqual([...turn, ...turn, ...turn]);
    expect(claimed[9]).toBeUndefined();
  });

  test('two makers that come at once both find work, also of one merchant', async () => {
    await addStatements(store.merchantId, 2, 0);
    const order = { now: secondsAfterNoon(60), leasedUntil: secondsAfterNoon(120) };
    const client = await store.database.connect();
    try {
      await client.query('begin');
      const first = await claimStatement(client, order);
      const second = await claimStatement(store.database, order);
      expect(second?.statement.statementId).not.toBe(first?.statement.statementId);
      expect([first, second]).not.toContain(null);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
