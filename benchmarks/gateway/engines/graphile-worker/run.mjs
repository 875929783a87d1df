// Graphile Worker: how many jobs it takes one by one, and payments whose steps are its jobs.
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { Pool } from 'pg';
import { BARE_INSERT, compare, randomPayment, inLoops, runStep } from '../like-for-like.mjs';

const NEXT = { submit: 'settle', settle: 'deliver' };

await compare('Graphile Worker, jobs added one by one, against one row', enqueue, {
  bareScript: BARE_INSERT,
});
await compare('Graphile Worker lifecycle, 16 jobs at once', live);

async function enqueue(url) {
  const utils = await makeWorkerUtils({ connectionString: url });
  await utils.migrate();
  const pool = new Pool({ connectionString: url, max: 16 });
  try {
    return await inLoops(16, async () => {
      await pool.query(`select graphile_worker.add_job('submit', $1)`, [JSON.stringify(randomPayment())]);
    });
  } finally {
    // What waits must not be worked on by the next.
    await pool.query('truncate graphile_worker._private_jobs');
    await pool.end();
    await utils.release();
  }
}

async function live(url) {
  const pool = new Pool({ connectionString: url, max: 20 });
  pool.on('error', () => undefined);
  const ended = new Map();
  const work = (step) => async (payment, helpers) => {
    await helpers.withPgClient(async (client) => {
      await client.query('begin');
      await runStep(client, step, [payment]);
      if (step in NEXT) await client.query(`select graphile_worker.add_job($1, $2)`, [NEXT[step], payment]);
      await client.query('commit');
    });
    if (step === 'deliver') ended.get(payment.id)?.();
  };
  const taskList = Object.fromEntries(['submit', 'settle', 'deliver'].map((step) => [step, work(step)]));
  const runner = await run({
    pgPool: pool,
    concurrency: 16,
    noHandleSignals: true,
    taskList,
    logger: new Logger(() => () => undefined),
  });
  try {
    return await inLoops(64, async () => {
      const payment = randomPayment();
      const end = new Promise((resolve) => ended.set(payment.id, resolve));
      const client = await pool.connect();
      await client.query('begin');
      await runStep(client, 'accept', [payment]);
      await client.query(`select graphile_worker.add_job('submit', $1)`, [payment]);
      await client.query('commit');
      client.release();
      await end;
      ended.delete(payment.id);
    });
  } finally {
    await runner.stop();
    await pool.end();
  }
}
