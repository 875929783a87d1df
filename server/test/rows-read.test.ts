// What a statement reads does not follow from how much waits: by PostgreSQL's own count of rows and index entries, on
// a hundredth of the data of `npm run bench:plans`.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '../src/store/database.ts';
import { insertManyPayments } from './many-payments.ts';
import { insertManyWaiting, leaveDeadSteps, sizesOf, STEPS_DUE } from './many-waiting.ts';
import { leaveUnanalysed } from './query-plans.ts';
import { NOON, openTestStore, type TestStore } from './store/open-store.ts';
import { createLooks, measureLook, type LookFigures } from './waiting-looks.ts';

const SIZES = sizesOf(1 / 100);

/** What each look finds, and what it may read for that: far less than waits. */
const EXPECTED = {
  release: { found: 20, rowsReadMax: 1_000 },
  'formerly held': { found: 20, rowsReadMax: 500 },
  'unsent deposits': { found: 0, rowsReadMax: 100 },
  'unsent before a restore': { found: 0, rowsReadMax: 500 },
  'review queue': { found: 50, rowsReadMax: 300 },
  'later page of the review queue': { found: 50, rowsReadMax: 300 },
  'count of the review queue': { found: 100, rowsReadMax: 300 },
  'progress of a recovery': { found: 100, rowsReadMax: 2_000 },
  'due submits': { found: STEPS_DUE, rowsReadMax: 500 },
  'due enquiries': { found: STEPS_DUE, rowsReadMax: 500 },
  'callback lease': { found: 20, rowsReadMax: 500 },
  // Five payments, five cases, an endpoint, and three measurements that were never made. A hundred are counted.
  'open problems': { found: 14, rowsReadMax: 1_000 },
  // The transfers of the last ten minutes, one a second, with their index entries, and a row for each account.
  'trial balance': { found: 2, rowsReadMax: 2_000 },
  'unbalanced wallets': { found: 1, rowsReadMax: 2_000 },
  floats: { found: 1, rowsReadMax: 2_000 },
  'page of a move': { found: 500, rowsReadMax: 20_000 },
};

let store: TestStore;
let loader: Database;
let opened: { readonly end: () => void } | undefined;

beforeAll(async () => {
  store = await openTestStore();
  const { url, merchantId } = store;
  loader = openDatabase({ url, connectionsMax: 2, applicationName: 'loader', isPatient: true });
  await leaveUnanalysed(loader);
  await insertManyPayments(loader, { merchantId, count: 10_000, now: NOON });
  await insertManyWaiting(loader, { merchantId, now: NOON, ...SIZES });
  opened = await leaveDeadSteps(loader, NOON);
  // A quarter of a million rows, on a machine that does other work beside it.
});
afterAll(async () => {
  opened?.end();
  await loader.end();
  await store.stop();
});

/** Each look twice, on connections that have planned nothing before. */
async function measureAll(): Promise<Readonly<Record<string, readonly LookFigures[]>>> {
  const database: Database = openDatabase({ url: store.url, connectionsMax: 2, applicationName: 'looks' });
  const looks = await createLooks(database, { now: NOON, merchantId: store.merchantId });
  const figures: Record<string, readonly LookFigures[]> = {};
  for (const one of looks) {
    figures[one.name] = [await measureLook(database, one), await measureLook(database, one)];
  }
  await database.end();
  return figures;
}

test.each(['that PostgreSQL has not analysed', 'that PostgreSQL has analysed'])(
  'no look for work reads what waits, on data %s',
  async (data) => {
    if (data.endsWith('has analysed')) await store.database.query('analyze');
    const figures = await measureAll();
    for (const [name, { found, rowsReadMax }] of Object.entries(EXPECTED)) {
      const last = figures[name]?.at(-1);
      expect([name, last?.found]).toEqual([name, found]);
      expect([name, last?.rowsRead, (last?.rowsRead ?? Infinity) <= rowsReadMax]).toContain(true);
    }
    // The first look of a process is at everything, also at what an open transaction keeps.
    expect(figures['due submits']?.[0]?.rowsRead).toBeGreaterThan(SIZES.steps);
    expect(figures['due enquiries']?.[0]?.rowsRead).toBeGreaterThan(SIZES.steps);
  },
);
