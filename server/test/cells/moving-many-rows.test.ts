// A merchant with more checkouts, sessions of the payment page and rows of payout batches than are read at once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyHistory } from '../../src/core/cells/moving/copy-history.ts';
import { begin } from '../../src/core/cells/moving/begin-move.ts';
import { abortMove } from '../../src/core/cells/moving/abort-move.ts';
import { copyNotedPieces, copyPieces } from '../../src/core/cells/moving/copy-pieces.ts';
import type { MoveCells } from '../../src/core/cells/moving/copy-payments.ts';
import { moveMerchant } from '../../src/core/cells/moving/move-merchant.ts';
import { inTransaction } from '../../src/store/database.ts';
import type { Engine } from '../../src/core/engine.ts';
import type { Database } from '../../src/store/database.ts';
import { moveBetween, openTwoCells, pairOf, type TestCell, type TwoCells } from '../two-cells.ts';

/** For the figures of a large merchant: MALIPO_TEST_ROWS=300000. */
const COUNT = Number(process.env['MALIPO_TEST_ROWS'] ?? 2_000);
/** A page of identifiers, and what is left of a batch's last piece. */
const ROWS_AT_ONCE = 1_000;
const TABLES = ['checkouts', 'payment_pages', 'payout_batches', 'payout_batch_rows'] as const;

let cells: TwoCells;
let merchantId: string;
beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
  ({ merchantId } = cells.merchant);
  for (const { engine } of [cells.one, cells.two])
    await engine.store.database.query(
      `insert into operator_accounts (connector, account_hash, noted_at) values ('simulator', 'same', now())`,
    );
  await insertMany(cells.one.engine.store.database);
}, 600_000);
afterAll(() => cells.stop());

const BATCH = '0198f3f0-0000-7000-8000-000000000001';

async function insertMany(database: Database): Promise<void> {
  const timed = `('0198f3f0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
  for (const text of [
    `insert into payment_keys (merchant_id, kind, payment_id, created_at, payment_no, fingerprint)
     select $1, 'CHECKOUT', md5('checkout' || n)::uuid, now(), ${timed}, decode(repeat('5a', 32), 'hex')
     from generate_series(1, $2::int) n`,
    `insert into checkouts (merchant_id, checkout_id, written_id, api_version, code_hash, status, encrypted_order,
       created_at, expires_at, ended_at)
     select $1, md5('checkout' || n)::uuid, 'order ' || n, 'v2', sha256(('c' || n)::bytea), 'EXPIRED',
       decode(repeat('5a', 400), 'hex'), now(), now() + interval '1 h', now() from generate_series(1, $2::int) n`,
    `insert into payment_pages (merchant_id, deposit_id, written_id, api_version, code_hash, encrypted_order,
       created_at, expires_at)
     select $1, md5('page' || n)::uuid, 'order ' || n, 'v2', sha256(('p' || n)::bytea),
       decode(repeat('5a', 400), 'hex'), now(), now() + interval '1 h' from generate_series(1, $2::int) n`,
    `insert into payout_batches (merchant_id, batch_id, source, api_version, encrypted_title, content_hash, row_count,
       status, prepared_by, prepared_by_name, prepared_at, needs_approval)
     select $1, '${BATCH}', 'FILE', 'v2', 'title', 'hash', $2::int, 'WAITING', 'ana', 'ana', now(), true`,
    `insert into payout_batch_rows (merchant_id, batch_id, row_no, payout_id, payment_no, provider, currency, amount,
       fee, encrypted_order, number_hash, status)
     select $1, '${BATCH}', n, md5('payout' || n)::uuid, md5('no' || n)::uuid, 'MTN_MOMO_RWA', 'RWF', 100, 1,
       decode(repeat('5a', 200), 'hex'), sha256(n::text::bytea), 'WAITING' from generate_series(1, $2::int) n`,
  ])
    await inTransaction(database, async (tx) => {
      await tx.query('set local statement_timeout to 0');
      await tx.query(text, text.includes('$2') ? [merchantId, COUNT] : [merchantId]);
    });
}

/** The most rows of a table that one statement wrote, in this cell. */
async function watchInserts({ engine }: TestCell): Promise<() => Promise<Readonly<Record<string, number>>>> {
  const { database } = engine.store;
  await database.query('create table inserted (table_name text, count int)');
  await database.query('grant all on inserted to public');
  await database.query(`create function count_inserted() returns trigger language plpgsql security definer as $$
    begin insert into inserted select tg_table_name, count(*) from added; return null; end $$`);
  for (const table of TABLES)
    await database.query(`create trigger counted after insert on ${table} referencing new table as added
      for each statement execute function count_inserted()`);
  return async () => {
    const { rows } = await database.query<{ table_name: string; most: number }>(
      'select table_name, max(count) as most from inserted group by 1',
    );
    return Object.fromEntries(rows.map((row) => [row.table_name, row.most]));
  };
}

async function contentsOf({ engine }: TestCell): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {};
  for (const table of TABLES) {
    const { rows } = await engine.store.database.query(
      `select count(*)::int as count, sum(hashtextextended(t::text, 0))::text as hash
       from ${table} t where merchant_id = $1`,
      [merchantId],
    );
    found[table] = rows[0];
  }
  return found;
}

/** Begins a move and copies everything once. What changes from here on is noted. */
async function copyOnce(): Promise<{
  readonly pair: MoveCells;
  readonly step: Parameters<typeof copyPieces>[1];
}> {
  const pair = await pairOf(cells.one, cells.two);
  const begun = await begin(pair, { merchantId, by: 'test' });
  if (begun.type !== 'BEGUN') throw new Error(begun.type);
  const watch = { onProgress: () => undefined };
  await copyHistory(pair, begun.step, watch);
  await copyPieces(pair, begun.step, watch);
  return { pair, step: begun.step };
}

const noteCount = async ({ store }: Engine, table: string) =>
  Number((await store.database.query(`select count(*) from ${table}`)).rows[0]?.['count']);

test('what changes while it is copied is noted by the database, a cancelled batch with few notes', async () => {
  const { engine } = cells.one;
  const { pair, step } = await copyOnce();
  try {
    const { database } = engine.store;
    const ids = await database.query(
      `select (select checkout_id from checkouts limit 1) as checkout,
         (select deposit_id from payment_pages limit 1) as page`,
    );
    const { checkout, page } = ids.rows[0] as { checkout: string; page: string };
    const before = await noteCount(engine, 'moving_payments');
    await database.query(`update checkouts set encrypted_order = 'erased' where checkout_id = $1`, [
      checkout,
    ]);
    expect(await noteCount(engine, 'moving_payments')).toBe(before + 1);
    await database.query(
      `update payment_pages set encrypted_order = 'other' where deposit_id <> $1 and deposit_id in (
      select deposit_id from payment_pages order by deposit_id limit 2)`,
      [page],
    );
    await database.query('delete from payment_pages where deposit_id = $1', [page]);
    const erased = await noteCount(engine, 'moving_pieces');
    expect(erased).toBeGreaterThanOrEqual(2);
    await database.query(`update payout_batch_rows set status = 'CANCELLED'`);
    expect(await noteCount(engine, 'moving_pieces')).toBe(erased + Math.floor(COUNT / 500) + 1);
    await copyNotedPieces(pair, step, { onProgress: () => undefined });
    expect(await noteCount(engine, 'moving_pieces')).toBe(0);
    const [old, copied] = [await contentsOf(cells.one), await contentsOf(cells.two)];
    for (const table of ['payment_pages', 'payout_batch_rows']) expect(copied[table]).toEqual(old[table]);
  } finally {
    await abortMove(pair, { merchantId, by: 'test', onProgress: () => undefined });
  }
  // What was copied is gone again, however much it was, but for what the merchant is known by.
  const left = await contentsOf(cells.two);
  expect(left['payout_batch_rows']).toMatchObject({ count: 0 });
}, 600_000);

describe('a planted mistake', () => {
  test.each([
    ['checkouts', `update checkouts set written_id = 'other' where checkout_id = md5('checkout7')::uuid`],
    ['payment_pages', `update payment_pages set written_id = 'other' where deposit_id = md5('page7')::uuid`],
    ['payout_batch_rows', 'update payout_batch_rows set fee = 2 where row_no = 777'],
    ['payout_batch_rows', 'delete from payout_batch_rows where row_no = 778'],
  ])(
    'in %s is found before the merchant is locked',
    async (table, mistake) => {
      await copyOnce();
      await inTransaction(cells.two.engine.store.database, async (tx) => {
        await tx.query('set local session_replication_role = replica');
        await tx.query(mistake);
      });
      const said: string[] = [];
      const answer = await moveBetween(cells, cells.one, cells.two, (text) => void said.push(text));
      expect(answer).toMatchObject({ type: 'DIFFERENT', table });
      expect(said.join()).not.toContain('is leaving');
      const pair = await pairOf(cells.one, cells.two);
      await abortMove(pair, { merchantId, by: 'test', onProgress: () => undefined });
      await inTransaction(cells.two.engine.store.database, async (tx) => {
        await tx.query('set local session_replication_role = replica');
        for (const one of ['checkouts', 'payment_pages']) await tx.query(`delete from ${one}`);
      });
    },
    600_000,
  );
});

test('moves it, never many rows with one statement, and all of it is there and equal', async () => {
  const readMost = await watchInserts(cells.two);
  const before = await contentsOf(cells.one);
  const pair = await pairOf(cells.one, cells.two);
  const said: string[] = [];
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50);
  const since = performance.now();
  const order = { merchantId, home: '0001', by: 'test', onProgress: (text: string) => void said.push(text) };
  expect(await moveMerchant(pair, order)).toEqual({ type: 'MOVED' });
  clearInterval(timer);
  if (process.env['MALIPO_TEST_ROWS'] !== undefined)
    process.stdout.write(
      `${said.join('\n')}\n${Math.round(performance.now() - since)} ms, ${Math.round(peak / 1e6)} MB at most\n`,
    );
  expect(await contentsOf(cells.two)).toEqual(before);
  expect(before).toMatchObject({ checkouts: { count: COUNT }, payout_batch_rows: { count: COUNT } });
  const most = await readMost();
  for (const table of TABLES) expect.soft([table, most[table]! <= ROWS_AT_ONCE]).toEqual([table, true]);
  // The old cell keeps only what it knows pages by.
  const { rows } = await cells.one.engine.store.database.query(
    `select (select count(*)::int from payout_batch_rows) as rows,
       (select count(*)::int from checkouts where encrypted_order is not null) as checkouts,
       (select count(*)::int from payment_pages where encrypted_order is not null) as pages`,
  );
  expect(rows).toEqual([{ rows: 0, checkouts: 0, pages: 0 }]);
}, 1_800_000);
