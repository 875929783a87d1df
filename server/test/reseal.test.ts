// A change of sealing keys to its end: what the old one has sealed is sealed anew, and then the old one can go.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGateway, type Gateway } from '../src/commands/compose.ts';
import { readAuditLog } from '../src/core/audit.ts';
import { reseal } from '../src/core/reseal.ts';
import { findCredentials, setCredentials } from '../src/store/operator-credentials.ts';
import { insertStatement, keepLines } from '../src/store/operator-statements.ts';
import { keepOperatorToken } from '../src/store/operator-tokens.ts';
import { insertTraffic, listTraffic } from '../src/store/operator-traffic.ts';
import { resealPage, SEALED_COLUMNS } from '../src/store/resealing.ts';
import {
  depositRequest,
  openTestGateway,
  readDeposit,
  select,
  TEST_KEYS,
  type TestGateway,
} from './gateway.ts';
import { startCompleted } from './payments.ts';

const OLD = TEST_KEYS.sealingKeys[0]!;
const NEW = { id: 2, key: Buffer.alloc(32, 9) };
const MTN = { connector: 'mtn-momo', account: 'MTN_MOMO_RWA' };
const PRODUCTS = ['collection', 'disbursement', 'remittance'];
const VALUES = { apiKey: 'x' };

let gateway: TestGateway;
let changed: Gateway;
let depositId: string;
beforeAll(async () => {
  gateway = await openTestGateway({ keys: { ...TEST_KEYS, sealingKeys: [OLD, NEW] } });
  depositId = await startCompleted(gateway, 'deposit', depositRequest());
  await fillHouse(gateway);
  changed = await openWith([NEW, OLD]);
});
afterAll(async () => {
  await changed.stop();
  await gateway.stop();
});

function openWith(sealingKeys: readonly (typeof NEW)[]): Promise<Gateway> {
  const keys = { ...TEST_KEYS, sealingKeys };
  return openGateway({ ...gateway.config, keys }, { role: 'all', logTo: 2 });
}

/** What no payment of the sandbox leaves behind. */
async function fillHouse({ engine }: TestGateway): Promise<void> {
  const { database, keyring } = engine.store;
  const now = engine.clock.now();
  for (const product of PRODUCTS)
    await setCredentials(database, keyring, { ...MTN, product, values: VALUES, now });
  await keepOperatorToken(database, keyring, { account: 'a', token: 't', renewAt: now, expiresAt: now });
  const facts = { step: 'query', reference: null, httpStatus: 200, error: null, durationMs: 1 };
  await insertTraffic(database, keyring, [{ ...MTN, ...facts, at: now, request: 'asked', answer: 'told' }]);
  const file = { provider: 'MTN_MOMO_RWA', fileHash: Buffer.alloc(32), now };
  const statement = await insertStatement(database, file);
  const line = { occurredAt: now, direction: 'IN', status: 'COMPLETED', amount: 1n, currency: 'RWF' } as const;
  await keepLines(database, keyring, statement, [{ lineNo: 1, line }]);
}

/** How many values name this sealing key, in whatever column of the database sealed ones are. */
async function countUnder({ id }: typeof NEW): Promise<Record<string, number>> {
  const columns = await select(
    gateway,
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea' and column_name ~ '^(sealed_|data_key$)'`,
  );
  const counted = columns.map(
    ({ table, column }) =>
      `select '${table}' as "table", count(*)::int as count from ${table} where get_byte(${column}, 1) = ${id}`,
  );
  const rows = await changed.engine.store.database.query(counted.join(' union all '));
  return Object.fromEntries(rows.rows.filter(({ count }) => count > 0).map((row) => [row.table, row.count]));
}

test('the list has every table with values under a sealing key', async () => {
  const tables = Object.keys(await countUnder(OLD));
  expect(tables.toSorted()).toEqual(SEALED_COLUMNS.map(({ table }) => table).toSorted());
});

test('a run that is cut off is taken up where it was', async () => {
  const { database, keyring } = changed.engine.store;
  const credentials = SEALED_COLUMNS.find(({ table }) => table === 'operator_credentials')!;
  const first = await resealPage(database, keyring, credentials, { after: null, countMax: 1 });
  expect(first).toEqual({ count: 1, next: ['mtn-momo', 'MTN_MOMO_RWA', 'collection'] });
  const counts = new Map<string, number>();
  await reseal(changed.engine, { by: 'Ana', onDone: (table, count) => counts.set(table, count) });
  expect(counts.get('operator_credentials')).toBe(2);
  expect(counts.get('merchants')).toBe(1);
  const [entry] = await readAuditLog(changed.engine, { merchantId: null, act: 'DATA_RESEALED', countMax: 1 });
  expect(entry).toMatchObject({ actor: 'Ana', subject: 'sealing key 2' });
});

test('payments go on meanwhile, and afterwards the old key can go', async () => {
  const order = { by: 'Ana', onDone: () => undefined };
  await Promise.all([reseal(changed.engine, order), startCompleted(gateway, 'deposit', depositRequest())]);
  // The process that still had the old key in front has sealed under it.
  await gateway.gateway.stop();
  await reseal(changed.engine, order);
  expect(await reseal(changed.engine, order)).toBe(0);

  const without = await openWith([NEW]);
  try {
    const { url } = await without.start();
    const there = { ...gateway, url };
    expect(await readDeposit(there, depositId)).toMatchObject({
      payer: { accountDetails: { phoneNumber: '250783456789' } },
    });
    await startCompleted(there, 'deposit', depositRequest());
    const { database, keyring } = without.engine.store;
    for (const product of PRODUCTS)
      expect(await findCredentials(database, keyring, { ...MTN, product })).toEqual(VALUES);
    const [traffic] = await listTraffic(database, keyring, { reference: null, countMax: 1 });
    expect(traffic).toMatchObject({ request: 'asked', answer: 'told' });
  } finally {
    await without.stop();
  }
});
