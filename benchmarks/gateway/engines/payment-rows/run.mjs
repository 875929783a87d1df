// Work claimed from the payment rows, as the gateway does it: a row says what comes next, and a step takes a hundred
// that are due, does them and writes what follows in one transaction.
import { Pool } from 'pg';
import { compare, inLoops, randomPayment, runStep } from '../like-for-like.mjs';

const BATCH = 100;
const OPEN_MAX = 1_000;
const NEXT = { submit: 'settle', settle: 'deliver', deliver: null };

await compare('work claimed from payment rows, batches of 100', live, { prepare: addWork });

async function addWork({ database }) {
  await database.query(
    `alter table payments add wallet int not null default 1 + floor(random() * 8), add next_action text default 'submit';
     create index payments_due on payments (next_action, created_at) where next_action is not null`,
  );
}

/** One loop for every step. */
async function live(url) {
  const pool = new Pool({ connectionString: url, max: 8 });
  // What the measurement before left open must not be taken for this one's.
  await pool.query('update payments set next_action = null where next_action is not null');
  let open = 0;
  const accept = inLoops(1, async () => {
    if (open > OPEN_MAX) return pause();
    await inTransaction(pool, (client) =>
      runStep(client, 'accept', Array.from({ length: BATCH }, randomPayment)),
    );
    open += BATCH;
    return 0;
  });
  const work = (step) =>
    inLoops(1, async () => {
      const count = await inTransaction(pool, (client) => claimAndRun(client, step));
      if (count === 0) return pause();
      if (step !== 'deliver') return 0;
      open -= count;
      return count;
    });
  try {
    const [, , , delivered] = await Promise.all([accept, work('submit'), work('settle'), work('deliver')]);
    return delivered;
  } finally {
    await pool.end();
  }
}

async function claimAndRun(client, step) {
  const { rows: payments } = await client.query(
    `select id, wallet from payments where next_action = $1 order by created_at limit $2 for update skip locked`,
    [step, BATCH],
  );
  if (payments.length === 0) return 0;
  await runStep(client, step, payments);
  await client.query('update payments set next_action = $2 where id = any ($1::uuid[])', [
    payments.map(({ id }) => id),
    NEXT[step],
  ]);
  return payments.length;
}

async function inTransaction(pool, work) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    client.release();
  }
}

async function pause() {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return 0;
}
