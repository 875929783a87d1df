// What is new among operators' transactions is found without reading the others.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database, type Tx } from '../../src/store/database.ts';
import { listTransactionClaims, listTransactionsClaimed } from '../../src/store/payments/attempts.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const COUNT = 200_000;
const BEGIN = Date.parse('2027-03-01T00:00:00Z');
const at = (index: number) => new Date(BEGIN + index * 100);

let created: TestDatabase;
let database: Database;
beforeAll(async () => {
  created = await createTestDatabase();
  database = openDatabase({ url: created.url, connectionsMax: 1, applicationName: 'test' });
  await database.query(
    `insert into provider_transactions (provider, provider_transaction_id, merchant_id, kind, payment_id, claimed_at)
     select 'MTN_MOMO_RWA', 'T' || number, gen_random_uuid(), 'DEPOSIT', gen_random_uuid(),
       $1::timestamptz + number * interval '100 milliseconds'
     from generate_series(0, $2 - 1) as number`,
    [at(0), COUNT],
  );
  // As PostgreSQL does by itself when a range of pages is full.
  await database.query(`select brin_summarize_new_values('provider_transactions_by_time')`);
});
afterAll(async () => {
  await database.end();
  await created.drop();
});

type Node = {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
};

/** How many rows of the table a statement reads. */
async function countRead(look: (tx: Tx) => Promise<unknown>): Promise<number> {
  let count = 0;
  const countIn = (node: Node): void => {
    const removed = (node['Rows Removed by Index Recheck'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
    if (node['Relation Name'] !== undefined) count += node['Actual Rows'] + removed;
    node.Plans?.forEach(countIn);
  };
  const explaining = {
    query: async (text: string, values?: unknown[]) => {
      const { rows } = await database.query(`explain (analyze, format json) ${text}`, values);
      countIn(rows[0]['QUERY PLAN'][0].Plan);
      return { rows: [] };
    },
  };
  await look(explaining as unknown as Tx);
  return count;
}

/** Rows of 32 pages, which the index knows together. */
const RANGE_MAX = 4_000;

test('what was claimed in the last seconds is read with its pages, and no others', async () => {
  const page = { from: at(COUNT - 100), to: at(COUNT), countMax: 1_000 };
  expect(await listTransactionsClaimed(database, page)).toHaveLength(100);
  expect(await countRead((tx) => listTransactionsClaimed(tx, page))).toBeLessThan(RANGE_MAX);
});

test('a span in the middle is read with its pages, and no others', async () => {
  const page = { from: at(100_000), to: at(100_500), countMax: 1_000 };
  expect(await listTransactionsClaimed(database, page)).toHaveLength(500);
  expect(await countRead((tx) => listTransactionsClaimed(tx, page))).toBeLessThan(2 * RANGE_MAX);
});

test('a thousand transactions of another cell are looked for one by one', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => ({
    provider: 'MTN_MOMO_RWA',
    providerTransactionId: `T${index * 500}`,
  }));
  expect(await listTransactionClaims(database, names)).toHaveLength(400);
  expect(await countRead((tx) => listTransactionClaims(tx, names))).toBeLessThan(2_000);
});
