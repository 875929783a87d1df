// Batches whose workers are killed, stand still or compete: each recipient is paid once, and what is told is what was.
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, select, type TestGateway } from '../gateway.ts';
import { SHORT_TIMING, startServerProcess, type ServerProcess } from '../server-process.ts';
import { act, fileOf, prepared, readBatch, waitForBatch } from './payout-files.ts';
import { openTestConsole, signedIn, type TestPerson } from './people.ts';

let gateway: TestGateway;
let workers: ServerProcess[];
let ana: TestPerson;
let ben: TestPerson;
let clients: Client[];

beforeEach(async () => {
  workers = [];
  clients = [];
  gateway = await openTestConsole({ role: 'api', timing: SHORT_TIMING });
  ana = await signedIn(gateway, 'FINANCE');
  ben = await signedIn(gateway, 'FINANCE');
});
afterEach(async () => {
  for (const worker of workers) await worker.kill();
  for (const client of clients) await client.end().catch(() => undefined);
  await gateway.stop();
});

async function startWorker(): Promise<ServerProcess> {
  const worker = await startServerProcess(gateway, 'worker');
  workers.push(worker);
  return worker;
}

/** Keeps others waiting until it is released. */
async function hold(sql: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: gateway.databaseUrl });
  clients.push(client);
  await client.connect();
  await client.query('begin');
  await client.query(sql);
  return async () => void (await client.query('rollback'));
}

/** Waits until somebody waits for what is held. */
async function waitUntilWanted(): Promise<void> {
  await eventually(async () => (await listWaiting()).length).toBeGreaterThan(0);
}

const listWaiting = () =>
  select(
    gateway,
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );

/** No one can make a payment: a lot that was claimed is not yet sent. */
const holdPayments = () => hold('lock table payment_keys in share mode');
const holdBatch = (batchId: string) =>
  hold(`select 1 from payout_batches where batch_id = '${batchId}' for update`);

async function approved(count: number): Promise<string> {
  const batchId = await prepared(gateway, ana, fileOf(count));
  expect((await act(gateway, ben, batchId, 'approve')).status).toBe(200);
  return batchId;
}

/** Everybody once, by the operator's books and by ours. */
async function expectPaidOnce(batchId: string, count: number): Promise<void> {
  await waitForBatch(gateway, ana, batchId, { acceptedCount: count, states: { COMPLETED: count } });
  const { charges } = gateway.simulator.books();
  expect(charges).toHaveLength(count);
  expect(new Set(charges.map(({ phoneNumber }) => phoneNumber)).size).toBe(count);
  const payments = await select(gateway, `select 1 from payments where kind = 'PAYOUT'`);
  expect(payments).toHaveLength(count);
}

test('a worker that is killed before its lot became payouts leaves it to the next', async () => {
  const batchId = await approved(120);
  const release = await holdPayments();
  const worker = await startWorker();
  await waitUntilWanted();
  await worker.kill();
  await release();
  expect(await select(gateway, 'select 1 from payments')).toEqual([]);
  await startWorker();
  await expectPaidOnce(batchId, 120);
});

test('a worker that is killed after its lot became payouts, and before it wrote that down, pays no one twice', async () => {
  const batchId = await approved(120);
  const releasePayments = await holdPayments();
  const worker = await startWorker();
  await waitUntilWanted();
  const releaseBatch = await holdBatch(batchId);
  await releasePayments();
  await eventually(async () => (await select(gateway, 'select 1 from payments')).length).toBe(50);
  await worker.kill();
  await releaseBatch();
  expect(await readBatch(gateway, ana, batchId)).toMatchObject({ status: 'SENDING', acceptedCount: 0 });
  await startWorker();
  await waitForBatch(gateway, ana, batchId, { status: 'DONE' });
  await expectPaidOnce(batchId, 120);
});

test('a worker that stands still for longer than its lease and one that takes over pay everybody once', async () => {
  const batchId = await approved(120);
  const release = await holdPayments();
  const first = await startWorker();
  await waitUntilWanted();
  first.pause();
  await startWorker();
  await release();
  // Longer than a lease of two seconds: by now the other one has the same lot in hand.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  first.resume();
  await expectPaidOnce(batchId, 120);
  expect(await readBatch(gateway, ana, batchId)).toMatchObject({ status: 'DONE', rejectedCount: 0 });
});

test('a batch that is stopped while a lot is on its way pays that lot, no one else, and says so', async () => {
  const batchId = await approved(120);
  const release = await holdPayments();
  await startWorker();
  await waitUntilWanted();
  expect((await act(gateway, ana, batchId, 'cancel')).status).toBe(200);
  expect(await readBatch(gateway, ana, batchId)).toMatchObject({ status: 'STOPPED', cancelledCount: 70 });
  await release();
  await expectPaidOnce(batchId, 50);
  expect(await readBatch(gateway, ana, batchId)).toMatchObject({ status: 'STOPPED', cancelledCount: 70 });
  expect(await select(gateway, 'select 1 from payout_batches where next_send_at is not null')).toEqual([]);
});

test('a suspended merchant pays no one until it is resumed', async () => {
  const batchId = await prepared(gateway, ana, fileOf(3));
  await select(gateway, 'update merchants set suspended_at = created_at');
  await act(gateway, ben, batchId, 'approve');
  await startWorker();
  await eventually(
    async () =>
      (
        await select(
          gateway,
          'select 1 from payout_batches join approvals on subject = batch_id::text where next_send_at > decided_at',
        )
      ).length,
  ).toBe(1);
  expect(await select(gateway, 'select 1 from payments')).toEqual([]);
  await select(gateway, 'update merchants set suspended_at = null');
  await expectPaidOnce(batchId, 3);
});
