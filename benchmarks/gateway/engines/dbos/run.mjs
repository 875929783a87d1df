// DBOS: a payment is a workflow of four steps, of which each is the transaction of that step.
import { DBOS } from '@dbos-inc/dbos-sdk';
import { Pool } from 'pg';
import { compare, randomPayment, inLoops, runStep, STEPS } from '../like-for-like.mjs';

let pool;
const life = DBOS.registerWorkflow(
  async (payment) => {
    for (const step of Object.keys(STEPS))
      await DBOS.runStep(() => inTransaction(step, payment), { name: step });
  },
  { name: 'life' },
);

await compare('DBOS workflow, 32 at once', async (url) => {
  pool = new Pool({ connectionString: url, max: 16 });
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: url.replace(/malipo$/, 'dbos'),
    logLevel: 'error',
    runAdminServer: false,
  });
  await DBOS.launch();
  try {
    return await inLoops(32, async () => {
      const handle = await DBOS.startWorkflow(life)(randomPayment());
      await handle.getResult();
    });
  } finally {
    await DBOS.shutdown();
    await pool.end();
  }
});

async function inTransaction(step, payment) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await runStep(client, step, [payment]);
    await client.query('commit');
  } finally {
    client.release();
  }
}
