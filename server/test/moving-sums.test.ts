// Sums of a merchant's transfers in both cells, while it moves from one to the other.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recountLedger } from '../src/core/monitoring/recount-ledger.ts';
import { sumLedger } from '../src/core/monitoring/sum-ledger.ts';
import { copySummedUntil } from '../src/store/cells/moving/ledger-sums.ts';
import { addMerchant, NOON, openTestStore, type TestStore } from './store/open-store.ts';
import {
  after,
  bookAt,
  DAY_MS,
  engineAt,
  expectSummed,
  FEE,
  FLOAT,
  MINUTE_MS,
  posting,
  tamper,
  wallet,
} from './summed-books.ts';

const setLock = ({ database }: TestStore, merchantId: string, state: string) =>
  database.query(
    `insert into migration_locks (merchant_id, state, other_cell, move_id) values ($1, $2, '0002', gen_random_uuid())
     on conflict (merchant_id) do update set state = $2`,
    [merchantId, state],
  );

describe('a merchant that moves to another cell', () => {
  let one: TestStore;
  let two: TestStore;
  const MOVED_AT = after(NOON, 3 * DAY_MS);
  beforeEach(async () => {
    [one, two] = [await openTestStore(), await openTestStore()];
  });
  afterEach(() => Promise.all([one.stop(), two.stop()]));

  /** All rows of a merchant's books, as the mover copies them. */
  async function copyBooks(merchantId: string): Promise<void> {
    await two.database.query(
      `insert into merchants select * from json_populate_record(null::merchants, $1)`,
      (
        await one.database.query('select to_json(m) as row from merchants m where merchant_id = $1', [
          merchantId,
        ])
      ).rows.map(({ row }) => JSON.stringify(row)),
    );
    for (const table of ['accounts', 'transfers', 'wallets', 'ledger_days', 'ledger_totals']) {
      const where = table === 'accounts' ? 'coalesce(merchant_id, $1) = $1' : 'merchant_id = $1';
      const { rows } = await one.database.query<{ rows: string }>(
        `select json_agg(t)::text as rows from ${table} t where ${where}`,
        [merchantId],
      );
      await two.database.query(
        `insert into ${table} select * from json_populate_recordset(null::${table}, $1) on conflict do nothing`,
        [rows[0]!.rows],
      );
    }
    await copySummedUntil({ from: one.database, to: two.database }, merchantId);
  }

  test.each([
    ['as far as', 0, 0],
    ['farther than', DAY_MS, 2 * DAY_MS],
    ['less far than', 2 * DAY_MS, DAY_MS],
  ])(
    'sums of both cells stay right where those of the old cell go %s those of the new one',
    async (_how, a, b) => {
      const shop = one.merchantId;
      const moving = posting(shop, [[wallet(shop), FLOAT, 3]]);
      await bookAt(one, NOON, { posted: [posting(shop, [[FLOAT, wallet(shop), 100]])], held: [moving] });
      await bookAt(one, after(NOON, DAY_MS), { posted: [posting(shop, [[FLOAT, FEE, 2]])] });
      for (const store of [one, two]) {
        const stays = await addMerchant(store);
        await bookAt(store, after(NOON, DAY_MS), { posted: [posting(stays, [[FLOAT, wallet(stays), 7]])] });
      }
      await sumLedger(engineAt(one, after(MOVED_AT, -a)));
      await sumLedger(engineAt(two, after(MOVED_AT, -b)));
      await bookAt(one, after(MOVED_AT, -MINUTE_MS), {
        ended: [{ subject: moving.subject, state: 'POSTED' }],
      });
      await setLock(two, shop, 'ARRIVING');
      await copyBooks(shop);
      await expectSummed(one, two);
      await sumLedger(engineAt(two, after(MOVED_AT, -b)));
      await setLock(one, shop, 'AWAY');
      await one.database.query('delete from wallets where merchant_id = $1', [shop]);
      await two.database.query('delete from migration_locks');
      await expectSummed(one, two);
      await tamper(one, 'delete from transfers where merchant_id = $1', [shop]);
      await expectSummed(one, two);
      for (const at of [after(MOVED_AT, -DAY_MS / 2), MOVED_AT, after(MOVED_AT, DAY_MS)]) {
        await sumLedger(engineAt(one, at));
        await sumLedger(engineAt(two, at));
        await expectSummed(one, two);
      }
      const { rows } = await two.database.query('select merchant_id from ledger_progress');
      expect(rows).toEqual([{ merchant_id: null }]);
      for (const store of [one, two]) {
        const recount = await recountLedger(engineAt(store, after(MOVED_AT, 5 * DAY_MS)));
        expect(recount).toEqual({ changedAccountIds: [], next: null });
      }
    },
  );
});
