// A server that takes no more writes and keeps its connections, as one does that was demoted behind a proxy. It is a
// cluster of its own: the setting is the whole server's.
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createDemoMerchant } from '../src/commands/sandbox/demo-merchant.ts';
import { startLocalCluster, type LocalCluster } from '../src/commands/sandbox/local-cluster.ts';
import { openGateway, type Gateway } from '../src/commands/serve/compose.ts';
import { createAdvancer } from '../src/jobs/advancer.ts';
import { startSimulator, type RunningSimulator } from '../src/sandbox/simulator/simulator.ts';
import { DEFAULT_CONNECTIONS, inTransaction, leaveMark, openDatabase } from '../src/store/database.ts';
import { migrate } from '../src/store/schema/migrate.ts';
import { checkoutRequest } from './checkouts.ts';
import { told } from './edge/answers.ts';
import {
  call,
  depositRequest,
  eventually,
  SIMULATOR_CLIENT,
  testConfig,
  type TestGateway,
} from './gateway.ts';
import { start } from './payments.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { earlierDeposit } from './v1.ts';

let cluster: LocalCluster;
/** Its transactions write whatever the server is set to. */
let administrator: Client;
let simulator: RunningSimulator;
let gateway: Gateway;
let at: Pick<TestGateway, 'url' | 'apiToken' | 'merchantId'>;

beforeAll(async () => {
  const started = await startLocalCluster();
  if (started === null) throw new Error('there is no PostgreSQL here');
  cluster = started;
  await migrateOnce(cluster.url);
  administrator = new Client({ connectionString: cluster.url });
  await administrator.connect();
  await administrator.query('set default_transaction_read_only = off');
  simulator = await startSimulator({ ...SIMULATOR_CLIENT, control: true, outcomeDelayMs: 0 });
  const cell = { id: '0001', databaseUrl: cluster.url, urls: [] };
  // No pooler stands before this cluster.
  const direct = { cell, cells: [cell], connections: DEFAULT_CONNECTIONS, directUrl: null };
  const config = { ...testConfig(cluster.url, simulator.url, {}), ...direct };
  gateway = await openGateway(config, { role: 'api', logTo: 2 });
  const merchant = await createDemoMerchant(gateway.engine, null);
  at = { ...merchant, url: (await gateway.start()).url };
});
afterEach(async () => {
  await administrator.query('alter database malipo reset default_transaction_read_only');
  // Those that were opened meanwhile would not follow the server's setting.
  await administrator.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'malipo'`,
  );
  await setReadOnly('off');
  await eventually(ready).toEqual([200, { status: 'READY' }]);
});
afterAll(async () => {
  await gateway.stop();
  await simulator.stop();
  await administrator.end();
  await cluster.stop();
});

async function migrateOnce(url: string): Promise<void> {
  const database = openDatabase({ url, connectionsMax: 1, applicationName: 'owner', isPatient: true });
  await migrate(database, { now: new Date() });
  await database.end();
}

/**
 * For every connection, also for those that are open: PostgreSQL signals all of them before it lets a new one see the
 * value.
 */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  await administrator.query(`alter system set default_transaction_read_only = ${value}`);
  await administrator.query('select pg_reload_conf()');
  await eventually(readSetting).toBe(value);
}

async function readSetting(): Promise<string> {
  const client = new Client({ connectionString: cluster.url });
  await client.connect();
  const { rows } = await client.query<{ readonly value: string }>(
    `select current_setting('default_transaction_read_only') as value`,
  );
  await client.end();
  return rows[0]?.value ?? '';
}

/** The gateway's connections stay read-only, and new ones are not. Answers which they are. */
async function leaveReadOnly(): Promise<readonly number[]> {
  // Several, so that one refused write must rid the gateway of others too.
  await Promise.all(
    Array.from({ length: 8 }, () => gateway.engine.store.database.query('select pg_sleep(0.1)')),
  );
  await setReadOnly('on');
  const open = await listConnections();
  await administrator.query('alter database malipo set default_transaction_read_only = off');
  return open;
}

async function listConnections(): Promise<readonly number[]> {
  const { rows } = await administrator.query<{ readonly pid: number }>(
    `select pid from pg_stat_activity where application_name = 'malipo'`,
  );
  return rows.map(({ pid }) => pid);
}

async function ready(): Promise<readonly unknown[]> {
  const answer = await fetch(`${at.url}/ready`);
  return [answer.status, await answer.json()];
}

async function post(path: string, request: object): Promise<readonly unknown[]> {
  const answer = await fetch(`${at.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${at.apiToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  return [answer.status, answer.headers.get('retry-after')];
}

test('while the server is read-only, requests are answered 503 with Retry-After, reads are answered, and it is not ready', async () => {
  const known = await start(at, 'deposit', depositRequest());
  const request = depositRequest();
  await eventually(ready).toEqual([200, { status: 'READY' }]);
  await setReadOnly('on');
  expect(await post('/v2/deposits', request)).toEqual([503, '1']);
  expect(await post('/deposits', earlierDeposit())).toEqual([503, '1']);
  expect(await post('/v2/checkouts', checkoutRequest())).toEqual([503, '1']);
  expect((await call(at, 'GET', `/v2/deposits/${known}`)).body['status']).toBe('FOUND');
  await eventually(ready).toEqual([503, { status: 'NOT_READY', reason: 'DATABASE_READ_ONLY' }]);
  await setReadOnly('off');
  // Nothing was done with it.
  expect(told(await call(at, 'POST', '/v2/deposits', request))).toBe('200 ACCEPTED');
});

// That a write is refused lasts a moment, and another part of the gateway may meet it first: what is left afterwards is
// what these two look at.
test('a connection on which a write was refused is not used again: the next one leads to a server that takes writes', async () => {
  const before = await leaveReadOnly();
  const request = depositRequest();
  // What was reading at that moment comes back to the pool, and costs one more request.
  await eventually(async () => told(await call(at, 'POST', '/v2/deposits', request))).toBe('200 ACCEPTED');
  await eventually(() => stillOpen(before)).toEqual([]);
});

test('readiness alone gets rid of connections to a read-only server', async () => {
  const before = await leaveReadOnly();
  await eventually(async () => {
    await ready();
    return stillOpen(before);
  }).toEqual([]);
  await eventually(ready).toEqual([200, { status: 'READY' }]);
});

async function stillOpen(pids: readonly number[]): Promise<readonly number[]> {
  return (await listConnections()).filter((pid) => pids.includes(pid));
}

test('an answer of an operator is kept while the server is read-only, and stored when it is not any more', async () => {
  const paymentId = await start(at, 'deposit', depositRequest());
  const advancer = createAdvancer(gateway.engine, { stopping: new AbortController().signal });
  await setReadOnly('on');
  let isStored = false;
  const kept = advancer([
    {
      key: { merchantId: at.merchantId, kind: 'DEPOSIT', paymentId },
      event: { type: 'OPERATOR_ANSWERED', outcome: { type: 'PENDING' } },
    },
  ]).finally(() => (isStored = true));
  await eventually(ready).toEqual([503, { status: 'NOT_READY', reason: 'DATABASE_READ_ONLY' }]);
  expect(isStored).toBe(false);
  await setReadOnly('off');
  expect(await kept).toHaveLength(1);
});

test('behind PgBouncer the session on which a write was refused is ended: the next transaction gets another', async () => {
  const pooler = await startPgBouncer(cluster.url);
  const url = new URL(cluster.url);
  url.port = pooler.port;
  const connections = { ...DEFAULT_CONNECTIONS, statementNames: 'none', isPooled: true } as const;
  const pooled = openDatabase({ url: url.href, connectionsMax: 2, applicationName: 'malipo', connections });
  const write = () => inTransaction(pooled, leaveMark);
  await write();
  await setReadOnly('on');
  await administrator.query('alter database malipo set default_transaction_read_only = off');
  await expect(write()).rejects.toMatchObject({ code: '25006' });
  await write();
  await pooled.end();
  await pooler.stop();
});
