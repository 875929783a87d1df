// Processes wake each other: a worker that would look for work every ten minutes only is told at once.
import { afterAll, beforeAll, test } from 'vitest';
import { openGateway, type Gateway } from '../src/commands/serve/compose.ts';
import { startDatabaseProxy } from './edge/database-proxy.ts';
import { eventually, initiate, openTestGateway, waitForStatus, type TestGateway } from './gateway.ts';

let api: TestGateway;
let worker: Gateway;
beforeAll(async () => {
  api = await openTestGateway({ role: 'api' });
  const settings = { ...api.config.worker, pollMs: 600_000 };
  const config = { ...api.config, operatorsUrl: api.url, worker: settings };
  worker = await openGateway(config, { role: 'worker', logTo: 2 });
  await worker.start();
});
afterAll(async () => {
  await worker.stop();
  await api.stop();
});

/** Sessions that have begun to listen, by their process of PostgreSQL. */
async function listeners(): Promise<readonly number[]> {
  const { rows } = await api.engine.store.database.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and application_name = 'malipo wake-ups' and state = 'idle'
       and query ~ '^(listen|notify) ' order by pid`,
  );
  return rows.map(({ pid }) => pid);
}

test('a worker is woken by what another process accepts, and its callback is sent', async () => {
  const depositId = await initiate(api);
  await waitForStatus(api, depositId, 'COMPLETED');
  await eventually(() => api.receiver.received.map(({ body }) => body['depositId'])).toContain(depositId);
});

test('a session for wake-ups that was ended is replaced, and wakes again', async () => {
  await eventually(listeners).toHaveLength(2);
  const ended = await listeners();
  await api.engine.store.database.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [
    ended,
  ]);
  await eventually(async () => (await listeners()).filter((pid) => !ended.includes(pid))).toHaveLength(2);
  await waitForStatus(api, await initiate(api), 'COMPLETED');
});

test('a process starts while the address for wake-ups is out of reach, and wakes others as soon as it is there', async () => {
  const proxy = await startDatabaseProxy(api.databaseUrl);
  proxy.become('CUT');
  const config = { ...api.config, directUrl: proxy.url };
  const late = await openGateway(config, { role: 'api', logTo: 2 });
  const { url } = await late.start();
  const waiting = await initiate({ ...api, url });
  proxy.become('OPEN');
  await eventually(listeners).toHaveLength(3);
  await waitForStatus(api, await initiate({ ...api, url }), 'COMPLETED');
  await waitForStatus(api, waiting, 'COMPLETED');
  await late.stop();
  await proxy.stop();
});

test('a session for wake-ups is replaced when its time is over', async () => {
  const before = await listeners();
  const connections = { ...api.config.connections, lifetimeMs: 200 };
  const other = await openGateway({ ...api.config, connections }, { role: 'api', logTo: 2 });
  const seen = new Set<number>();
  await eventually(async () => {
    for (const pid of await listeners()) if (!before.includes(pid)) seen.add(pid);
    return seen.size;
  }).toBeGreaterThan(1);
  await other.stop();
});
