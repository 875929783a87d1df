// Workers killed and stopped for real, at each point where a payment could be lost or made twice.
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  eventually,
  initiate,
  openTestGateway,
  readDeposit,
  select,
  waitForStatus,
  type TestGateway,
} from './gateway.ts';
import { SHORT_TIMING, startServerProcess, type ServerProcess } from './server-process.ts';

let gateway: TestGateway;
let workers: ServerProcess[];

beforeEach(async () => {
  workers = [];
  gateway = await openTestGateway({
    role: 'api',
    worker: { stepLeaseMs: 2_000 },
    timing: SHORT_TIMING,
    // Each send is preceded by a token call: that is where a worker stands between its attempt and its send.
    simulator: { tokenLifetimeSeconds: 0 },
  });
});
afterEach(async () => {
  for (const worker of workers) await worker.kill();
  await gateway.stop();
});

async function startWorker(): Promise<ServerProcess> {
  const worker = await startServerProcess(gateway, 'worker');
  workers.push(worker);
  return worker;
}

/** Waits until a request hangs at the simulator. */
async function waitUntilHanging(step: string): Promise<void> {
  await eventually(() => gateway.simulator.hanging().map((request) => request.step)).toContain(step);
}

type Held = { readonly waitUntilWanted: () => Promise<void>; readonly release: () => Promise<void> };

/** Holds the lock of a payment, so that anyone who wants to change it waits. */
const lockPayment = (depositId: string) =>
  hold(`select 1 from payments where payment_id = '${depositId}' for update`);

/** Anyone who wants to claim a payment waits in the middle of its transaction. */
const lockAttempts = () => hold('lock table payment_attempts in share mode');

async function hold(sql: string): Promise<Held> {
  const client = new Client({ connectionString: gateway.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query(sql);
  return {
    waitUntilWanted: () =>
      eventually(async () => {
        const waiting = await select(
          gateway,
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return waiting.length;
      }).toBeGreaterThan(0),
    release: async () => {
      await client.query('rollback');
      await client.end();
    },
  };
}

async function attemptsOf(depositId: string): Promise<number> {
  return (await select(gateway, 'select 1 from payment_attempts where payment_id = $1', [depositId])).length;
}

/** The deposit ended as the operator says, was charged once, is in both books alike, and was announced. */
async function expectSettledOnce(depositId: string): Promise<void> {
  await waitForStatus(gateway, depositId, 'COMPLETED');
  const { charges, totals } = gateway.simulator.books();
  expect(charges).toHaveLength(1);
  expect(charges[0]).toMatchObject({ status: 'SUCCESSFUL', submissions: 1 });
  const floats = await select(
    gateway,
    `select provider, currency, sum(amount)::numeric::text as received from transfers
     join accounts on account_id = debit_account_id where type = 'FLOAT' group by 1, 2`,
  );
  expect(floats).toEqual([
    { provider: totals[0]!.provider, currency: totals[0]!.currency, received: `${totals[0]!.received}.0000` },
  ]);
  const acknowledged = () =>
    select(gateway, `select 1 from callbacks where payment_id = $1 and status = 'DELIVERED'`, [depositId]);
  await eventually(async () => (await acknowledged()).length).toBe(1);
  const announced = gateway.receiver.received.filter(({ body }) => body['depositId'] === depositId);
  expect(announced.length).toBeGreaterThanOrEqual(1);
  expect(announced.at(-1)!.body).toEqual(await readDeposit(gateway, depositId));
}

describe('kill -9 of the worker', () => {
  test('before the attempt is committed', async () => {
    const depositId = await initiate(gateway);
    const lock = await lockAttempts();
    const worker = await startWorker();
    await lock.waitUntilWanted();
    await worker.kill();
    await lock.release();
    expect(await attemptsOf(depositId)).toBe(0);
    await startWorker();
    await expectSettledOnce(depositId);
  });

  test('after the attempt is committed but before the send', async () => {
    gateway.simulator.addFault({ type: 'HANG', step: 'token' });
    const depositId = await initiate(gateway);
    const worker = await startWorker();
    await waitUntilHanging('token');
    expect(await attemptsOf(depositId)).toBe(1);
    await worker.kill();
    expect(gateway.simulator.books().charges).toHaveLength(0);
    await startWorker();
    await expectSettledOnce(depositId);
  });

  test.each([{ notifications: true }, { notifications: false }])(
    'after the operator accepted but before we heard (notifications: $notifications)',
    async ({ notifications }) => {
      gateway.simulator.changeSettings({ notifications });
      gateway.simulator.addFault({ type: 'HANG', step: 'submit', when: 'AFTER' });
      const depositId = await initiate(gateway);
      const worker = await startWorker();
      await waitUntilHanging('submit');
      await worker.kill();
      expect(gateway.simulator.books().charges).toHaveLength(1);
      await startWorker();
      await expectSettledOnce(depositId);
    },
  );

  test('after the outcome but before its commit', async () => {
    gateway.simulator.changeSettings({ notifications: false });
    gateway.simulator.addFault({ type: 'HANG', step: 'submit', when: 'AFTER' });
    const depositId = await initiate(gateway);
    const worker = await startWorker();
    await waitUntilHanging('submit');
    const lock = await lockPayment(depositId);
    gateway.simulator.release();
    await lock.waitUntilWanted();
    await worker.kill();
    await lock.release();
    expect(await readDeposit(gateway, depositId)).toMatchObject({ status: 'PROCESSING' });
    await startWorker();
    await expectSettledOnce(depositId);
  });

  test('during callback delivery', async () => {
    gateway.receiver.answerWith(null);
    const depositId = await initiate(gateway);
    const worker = await startWorker();
    await eventually(() => gateway.receiver.received.length).toBe(1);
    await worker.kill();
    gateway.receiver.answerWith({ status: 200 });
    await startWorker();
    await expectSettledOnce(depositId);
  });
});

describe('SIGSTOP of the worker', () => {
  test('between attempt and send until the step has run elsewhere, then SIGCONT: it does not send', async () => {
    gateway.simulator.addFault({ type: 'HANG', step: 'token' });
    const depositId = await initiate(gateway);
    const stopped = await startWorker();
    await waitUntilHanging('token');
    stopped.pause();
    gateway.simulator.release();
    await startWorker();
    await expectSettledOnce(depositId);
    stopped.resume();
    // Long enough for the stopped worker to read its token and decide.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await expectSettledOnce(depositId);
  });
});
