// Graphile Worker: payments whose steps are its jobs.
import { Logger, run } from 'graphile-worker';
import { Pool } from 'pg';
import { compare, randomPayment, inLoops, runStep } from '../like-for-like.mjs';

const NEXT = { submit: 'settle', settle: 'deliver' };

await compare('Graphile Worker lifecycle, 16 jobs at once', live);

async function live(url) {
  const pool = new Pool({ connectionString: url, max: 20 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
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
