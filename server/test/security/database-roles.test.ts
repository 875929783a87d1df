// Processes whose database role is not the owner of the tables: everything goes on, and the past cannot be changed.
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGateway, type Gateway, type Role } from '../../src/commands/compose.ts';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { startSimulator, type RunningSimulator } from '../../src/connectors/simulator/fake.ts';
import { readAuditLog } from '../../src/core/audit.ts';
import { approveResolution, proposeResolution } from '../../src/core/resolve-cases.ts';
import { prune } from '../../src/core/retention.ts';
import { listUnbalancedWallets } from '../../src/store/ledger.ts';
import { TABLE_RIGHTS } from '../../src/store/rights.ts';
import { runCommandHere } from '../command-process.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { depositRequest, eventually, SIMULATOR_CLIENT, testConfig, waitUntil } from '../gateway.ts';
import { start, startCompleted, waitForPayment } from '../payments.ts';
import { startCallbackReceiver, type CallbackReceiver } from '../receiver.ts';
import { payoutRequest, refundRequest, wallet } from '../requests.ts';
import { MINIMAL_SETTINGS } from '../settings.ts';

const API = `api_${randomBytes(4).toString('hex')}`;
const WORKER = `worker_${randomBytes(4).toString('hex')}`;

let database: TestDatabase;
let simulator: RunningSimulator;
let receiver: CallbackReceiver;
let api: Gateway;
let worker: Gateway;
let caller: { readonly url: string; readonly apiToken: string };

beforeAll(async () => {
  database = await createTestDatabase();
  await asRole('malipo', `create role ${API} login; create role ${WORKER} login`);
  expect(await grant(API, '--for', 'api')).toMatchObject({ code: 0 });
  expect(await grant(WORKER)).toMatchObject({ code: 0 });
  receiver = await startCallbackReceiver();
  simulator = await startSimulator({ ...SIMULATOR_CLIENT, control: true, outcomeDelayMs: 100 });
  api = await open(API, 'api');
  const { url } = await api.start();
  worker = await open(WORKER, 'worker', url);
  await worker.start();
  const { apiToken } = await createDemoMerchant(worker.engine, receiver.url);
  caller = { url, apiToken };
});
afterAll(async () => {
  for (const gateway of [worker, api]) await gateway?.stop();
  await simulator?.stop();
  await receiver?.stop();
  await database.drop();
  const maintenance = new Client({ connectionString: urlOf('malipo', 'postgres') });
  await maintenance.connect();
  await maintenance.query(`drop role ${API}; drop role ${WORKER}`);
  await maintenance.end();
});

function urlOf(role: string, name?: string): string {
  const url = new URL(database.url);
  url.username = role;
  if (name !== undefined) url.pathname = `/${name}`;
  return url.href;
}

function grant(role: string, ...options: readonly string[]) {
  const settings = { ...MINIMAL_SETTINGS, DATABASE_URL: database.url };
  return runCommandHere(settings, ['grant-rights', '--to', role, ...options, '--by', 'Ana']);
}

function open(databaseRole: string, role: Role, operatorsUrl: string | null = null): Promise<Gateway> {
  const config = testConfig(urlOf(databaseRole), simulator.url, {});
  return openGateway({ ...config, operatorsUrl, clockIsMovable: false }, { role, logTo: 2 });
}

/** Runs statements as this role and undoes them. Answers PostgreSQL's code of the refusal, "done" if there is none. */
async function attempt(role: string, statement: string): Promise<string> {
  const client = new Client({ connectionString: urlOf(role) });
  await client.connect();
  try {
    await client.query('begin');
    return await client.query(statement).then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
  } finally {
    await client.end();
  }
}

async function asRole(role: string, statement: string): Promise<readonly Record<string, any>[]> {
  const client = new Client({ connectionString: urlOf(role) });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function listCases() {
  return asRole('malipo', 'select case_id, approved_by from cases');
}

async function countNotifications(): Promise<number> {
  return (await asRole('malipo', 'select 1 from operator_notifications')).length;
}

describe('under roles with fewer rights', () => {
  test('payments of every kind come to their end, are announced, and the books add up', async () => {
    const depositId = await startCompleted(caller, 'deposit', depositRequest());
    await startCompleted(caller, 'refund', refundRequest(depositId, { amount: '40', currency: 'RWF' }));
    await startCompleted(caller, 'payout', payoutRequest());
    const failing = payoutRequest({ recipient: wallet('MTN_MOMO_RWA', '250783456089') });
    await waitForPayment(caller, 'payout', await start(caller, 'payout', failing), 'FAILED');
    await eventually(() => receiver.received.length).toBe(4);
    expect(await listUnbalancedWallets(api.engine.store.database)).toEqual([]);
  });

  test('two people resolve a case', async () => {
    simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
    const request = depositRequest({ payer: wallet('MTN_MOMO_RWA', '250783456039') });
    await waitForPayment(caller, 'deposit', await start(caller, 'deposit', request), 'FAILED');
    await waitUntil(async () => (await listCases()).length === 1);
    const caseId = (await listCases())[0]!['case_id'];
    const order = {
      by: 'Ana',
      caseId,
      resolution: 'CREDIT_MERCHANT',
      amount: null,
      reason: 'seen in the statement',
    } as const;
    await proposeResolution(api.engine, order);
    await approveResolution(api.engine, { by: 'Ben', caseId });
    expect(await listCases()).toEqual([{ case_id: caseId, approved_by: 'Ben' }]);
  });

  test('a worker prunes what is old, and a process that only serves cannot', async () => {
    const tomorrow = { notificationDays: -1, callbackAttemptDays: -1, statementDays: -1 };
    await waitUntil(
      async () =>
        !(await asRole('malipo', 'select 1 from operator_notifications where applied_at is null')).length,
    );
    expect(await countNotifications()).toBeGreaterThan(0);
    await expect(prune(api.engine, tomorrow, () => false)).rejects.toMatchObject({ code: REFUSED });
    await prune(worker.engine, tomorrow, () => false);
    expect(await countNotifications()).toBe(0);
  });
});

/** PostgreSQL's word for a missing right. */
const REFUSED = '42501';

const FORBIDDEN = [
  'update transfers set amount = amount + 1',
  `update transfers set debit_account_id = credit_account_id, credit_account_id = debit_account_id`,
  'delete from transfers',
  'truncate transfers',
  'delete from wallets',
  'update accounts set type = type',
  'delete from accounts',
  'update payments set amount = amount + 1',
  'update payments set merchant_id = merchant_id',
  'delete from payments',
  'update payment_events set event = event',
  'delete from payment_events',
  'delete from payment_attempts',
  'delete from provider_transactions',
  'update cases set evidence = evidence',
  'delete from cases',
  'delete from money_orders',
  `update audit_log set actor = 'nobody'`,
  'delete from audit_log',
  'truncate audit_log',
  'delete from recoveries',
  'update payout_batch_sums set amount = amount',
  'delete from callbacks',
  'delete from merchants',
  'delete from migrations',
  // The trigger lets a merchant's past go once it has moved away: only the owner can begin to say so.
  `insert into merchant_fences (merchant_id, state, other_cell, move_id)
   select merchant_id, 'AWAY', '0002', merchant_id from merchants`,
  'alter table transfers disable trigger all',
  'drop trigger transfers_are_never_deleted on transfers',
  'drop table transfers cascade',
  'create table notes (note text)',
  `create or replace function refuse_to_change_the_past() returns trigger language plpgsql as 'begin return old; end'`,
  'set session_replication_role = replica',
  'set role malipo',
];

describe.each([
  ['the API', API],
  ['the worker', WORKER],
])('the role of %s', (_, role) => {
  test.each(FORBIDDEN)('is refused: %s', async (statement) => {
    expect(await attempt(role, statement)).toBe(REFUSED);
    // The owner gets as far as a trigger or a reference: the statement is sound, and it is the right that is missing.
    expect(['done', '23503', '23514']).toContain(await attempt('malipo', statement));
  });
});

describe('the list of rights', () => {
  test('names every table', async () => {
    const rows = await asRole(
      'malipo',
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    expect(rows.map(({ name }) => String(name)).toSorted()).toEqual(Object.keys(TABLE_RIGHTS).toSorted());
  });

  test('allows every statement of the store, but neither migrations nor moves of merchants', () => {
    const needed = new Map(Object.keys(TABLE_RIGHTS).map((table) => [table, new Set<string>()]));
    for (const source of storeSources()) {
      const text = readFileSync(source, 'utf8').toLowerCase();
      for (const [verb, pattern] of STATEMENTS)
        for (const [, table = ''] of text.matchAll(pattern)) needed.get(table)?.add(verb);
    }
    const missing = [...needed].flatMap(([table, verbs]) =>
      [...verbs].filter((verb) => !mayDo(table, verb)).map((verb) => `${verb} ${table}`),
    );
    expect(missing).toEqual(['insert migrations']);
    expect(needed.get('transfers')).toEqual(new Set(['insert', 'update']));
  });
});

const STATEMENTS = [
  ['insert', /insert into (\w+)/g],
  ['insert', /rowinserter(?:<[^(]*>)?\(\s*'(\w+)'/g],
  ['update', /update (\w+)(?: \w+)? set/g],
  ['delete', /delete from (\w+)/g],
] as const;

function storeSources(): readonly string[] {
  const folder = fileURLToPath(new URL('../../src/store/', import.meta.url));
  return globSync('*.ts', { cwd: folder }).map((name) => `${folder}${name}`);
}

function mayDo(table: string, verb: string): boolean {
  const rights = TABLE_RIGHTS[table] ?? [];
  return rights.some((right) => right.startsWith(verb) || (right === 'prune' && verb === 'delete'));
}

describe('grant-rights', () => {
  test('is written down', async () => {
    const entries = await readAuditLog(worker.engine, {
      merchantId: null,
      act: 'RIGHTS_GRANTED',
      countMax: 10,
    });
    expect(entries.map(({ subject, detail }) => [subject, detail])).toEqual([
      [WORKER, { for: 'all' }],
      [API, { for: 'api' }],
    ]);
  });

  test('takes away what a role had beyond it', async () => {
    await asRole(
      'malipo',
      `grant all on transfers, audit_log to ${API}; grant update (amount) on payments to ${API}`,
    );
    expect(await attempt(API, 'update payments set amount = amount')).toBe('done');
    await grant(API, '--for', 'api');
    for (const statement of [
      'delete from transfers',
      'update payments set amount = amount',
      'delete from audit_log',
    ])
      expect(await attempt(API, statement)).toBe(REFUSED);
  });

  test('refuses a role that is not there, the owner, and one that can become the owner', async () => {
    expect(await grant('nobody')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('no role nobody'),
    });
    expect(await grant('malipo')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('owns the tables'),
    });
    await asRole('malipo', `grant malipo to ${API}`);
    expect(await grant(API)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('become their owner'),
    });
    await asRole('malipo', `revoke malipo from ${API}`);
  });
});
