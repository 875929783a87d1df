// pg-boss: payments whose steps are its jobs, in batches with the ledger.
import { Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import { compare, randomPayment, inLoops, runStep } from '../like-for-like.mjs';

const BATCH = 100;
const NEXT = { submit: 'settle', settle: 'deliver' };

await compare('pg-boss lifecycle, batches of 100', (url) => withBoss(url, live));

async function withBoss(url, measure) {
  const pool = new Pool({ connectionString: url, max: 8 });
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  boss.on('error', () => undefined);
  await boss.start();
  for (const queue of ['submit', 'settle', 'deliver']) await boss.createQueue(queue);
  try {
    return await measure(boss, pool);
  } finally {
    await boss.stop({ graceful: false });
    await pool.end();
  }
}

/** One loop for every step. What it did and its next jobs are one transaction. */
async function live(boss, pool) {
  let open = 0;
  const accept = inLoops(1, async () => {
    if (open > 1_000) return pause();
    const payments = Array.from({ length: BATCH }, randomPayment);
    await inTransaction(pool, async (client, db) => {
      await runStep(client, 'accept', payments);
      await boss.insert(
        'submit',
        payments.map((data) => ({ data })),
        { db },
      );
    });
    open += BATCH;
    return 0;
  });
  const work = (step) =>
    inLoops(1, async () => {
      const jobs = await boss.fetch(step, { batchSize: BATCH });
      if (jobs.length === 0) return pause();
      const payments = jobs.map(({ data }) => data);
      await inTransaction(pool, async (client, db) => {
        await runStep(client, step, payments);
        if (step in NEXT)
          await boss.insert(
            NEXT[step],
            payments.map((data) => ({ data })),
            { db },
          );
        await boss.deleteJob(
          step,
          jobs.map(({ id }) => id),
          { db },
        );
      });
      if (step !== 'deliver') return 0;
      open -= jobs.length;
      return jobs.length;
    });
  const [, , , delivered] = await Promise.all([accept, work('submit'), work('settle'), work('deliver')]);
  return delivered;
}

async function inTransaction(pool, work) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await work(client, { executeSql: (text, values) => client.query(text, values) });
    await client.query('commit');
  } finally {
    client.release();
  }
}

async function pause() {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return 0;
}
