// Moving seeks: each page of a merchant is found by indexes, beside however many payments of its own and of others.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PoolClient } from 'pg';
import type { OperationKey } from '../../src/domain/payments/payment.ts';
import { deletePayments } from '../../src/store/cells/moving/clear.ts';
import { listDelivered, listDifferences, measureLatest } from '../../src/store/cells/moving/compare-rows.ts';
import {
  CLEARED_TABLES,
  COMPARED_TABLES,
  MERCHANT_TABLES,
  PAYMENT_TABLES,
} from '../../src/store/cells/moving/copied-tables.ts';
import { copyRows, findByKeys, readShapes, type TableShape } from '../../src/store/cells/moving/copy-rows.ts';
import {
  listNoted,
  listNotes,
  listPendingCallbacks,
  noteOpenPayments,
} from '../../src/store/cells/moving/notes.ts';
import { listKeysAfter } from '../../src/store/cells/moving/steps.ts';
import { listTakenTransactions } from '../../src/store/cells/moving/taken-transactions.ts';
import { openTestGateway, type TestGateway } from '../gateway.ts';
import { insertManyPayments } from '../many-payments.ts';

/** A tenth of them are the merchant's. */
const COUNT = 10_000;
/** Smaller than the product's, so that few payments are many pages. */
const PAGE = 100;
/** Of one table, for each payment. A statement that reads more filters. */
const ROWS_OF_PAYMENT_MAX = 6;
/** A merchant has a row for each provider and operation; it has more payments than this. */
const SETTINGS_MAX = 300;

type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
};
type Reading = { readonly table: string; readonly rows: number; readonly text: string };

let gateway: TestGateway;
let client: PoolClient;
let shapes: ReadonlyMap<string, TableShape>;
const readings: Reading[] = [];

beforeAll(async () => {
  gateway = await openTestGateway({ role: 'admin' });
  const { database } = gateway.engine.store;
  await insertManyPayments(database, { merchantId: gateway.merchantId, count: COUNT, now: new Date() });
  shapes = await readShapes(database);
  client = await database.connect();
  for (const setting of [
    `load 'auto_explain'`,
    'set auto_explain.log_min_duration = 0',
    'set auto_explain.log_analyze = on',
    'set auto_explain.log_timing = off',
    'set auto_explain.log_format = json',
    'set client_min_messages = log',
  ])
    await client.query(setting);
  client.on('notice', ({ message = '' }) => {
    const json = message.slice(message.indexOf('{'));
    if (!message.includes('plan:')) return;
    const told = JSON.parse(json) as { readonly 'Query Text': string; readonly Plan: Node };
    readings.push(...listReadings(told.Plan, told['Query Text']));
  });
});
afterAll(async () => {
  client.release(true);
  await gateway.stop();
});

function listReadings(node: Node, text: string): readonly Reading[] {
  const table = node['Relation Name'];
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const own = table === undefined || node['Node Type'].startsWith('Modify') ? [] : [{ table, rows, text }];
  return [...own, ...(node.Plans ?? []).flatMap((plan) => listReadings(plan, text))];
}

/** In a transaction that is rolled back. */
async function read(work: () => Promise<unknown>): Promise<readonly Reading[]> {
  readings.length = 0;
  await client.query('begin');
  await findByKeys(client);
  await work();
  await client.query('rollback');
  expect(readings.length).toBeGreaterThan(0);
  return readings.filter(({ text }) => !text.startsWith('set '));
}

function tooMany(found: readonly Reading[], rowsMax: number): readonly string[] {
  return found
    .filter(({ rows }) => rows > rowsMax)
    .map(({ table, rows, text }) => `${table} ${rows}: ${text.slice(0, 200)}`);
}

async function lastPage(): Promise<readonly OperationKey[]> {
  const { merchantId } = gateway;
  const all = await listKeysAfter(client, { merchantId, after: null, countMax: COUNT });
  expect(all).toHaveLength(COUNT / 10);
  return all.slice(-PAGE);
}

test('A page of identifiers is found where the one before it ends.', async () => {
  const { merchantId } = gateway;
  const [after = null] = await lastPage();
  const found = await read(() => listKeysAfter(client, { merchantId, after, countMax: PAGE }));
  expect(tooMany(found, PAGE)).toEqual([]);
});

test('What filters is noticed.', async () => {
  const text = `select 1 from payments where payment_id = $1`;
  expect(tooMany(await read(() => client.query(text, [gateway.merchantId])), PAGE)).toHaveLength(1);
});

test('Copying, comparing and deleting a page reads the rows of its payments, and no others.', async () => {
  const { merchantId } = gateway;
  const keys = await lastPage();
  const of = { merchantId, keys };
  const tools = { from: client, to: client, shapes };
  const found = await read(async () => {
    await noteOpenPayments(client, keys);
    await listNoted(client, keys);
    await copyRows(tools, PAYMENT_TABLES, of);
    expect(await listDifferences(tools, COMPARED_TABLES, of)).toEqual([]);
    expect(await listDelivered(tools, of)).toEqual([]);
    expect(await listTakenTransactions(tools, of)).toEqual([]);
    await client.query('set local session_replication_role = replica');
    await deletePayments(client, of);
  });
  const tables = new Set(found.map(({ table }) => table));
  for (const { table } of [...COMPARED_TABLES, ...CLEARED_TABLES]) expect(tables).toContain(table);
  expect(tooMany(found, PAGE * ROWS_OF_PAYMENT_MAX)).toEqual([]);
});

test("What is read behind the migration lock does not grow with the merchant's history.", async () => {
  const { merchantId } = gateway;
  const found = await read(async () => {
    await listNotes(client, { merchantId, countMax: PAGE });
    await listPendingCallbacks(client, merchantId);
    await measureLatest(client, { merchantId, since: new Date() });
    await copyRows({ from: client, to: client, shapes }, MERCHANT_TABLES, { merchantId, keys: [] });
  });
  expect(tooMany(found, SETTINGS_MAX)).toEqual([]);
});
