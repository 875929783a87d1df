// Restate: a payment is an invocation with four journaled runs, of which each is the transaction of that step. Its
// server is a second store beside PostgreSQL, with a directory of its own.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as restate from '@restatedev/restate-sdk';
import { Pool } from 'pg';
import { compare, randomPayment, inLoops, runStep, STEPS } from '../like-for-like.mjs';

const ADMIN = 'http://127.0.0.1:9070';
const INGRESS = 'http://127.0.0.1:8080';

let pool;
const service = restate.service({
  name: 'payment',
  handlers: {
    live: async (context, payment) => {
      for (const step of Object.keys(STEPS)) await context.run(step, () => inTransaction(step, payment));
    },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'restate-'));
const server = spawn(join(import.meta.dirname, 'node_modules/.bin/restate-server'), ['--base-dir', folder], {
  stdio: 'ignore',
  env: { ...process.env, RUST_LOG: 'error' },
});
try {
  await restate.serve({ services: [service], port: 9080, logger: () => undefined });
  await until(() => fetch(`${ADMIN}/health`));
  await until(() =>
    fetch(`${ADMIN}/deployments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uri: 'http://127.0.0.1:9080' }),
    }),
  );
  await compare('Restate invocation, 32 at once', async (url) => {
    pool = new Pool({ connectionString: url, max: 16 });
    const rate = await inLoops(32, async () => {
      const answer = await fetch(`${INGRESS}/payment/live`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(randomPayment()),
      });
      if (!answer.ok) throw new Error(await answer.text());
      await answer.text();
    });
    await pool.end();
    return rate;
  });
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

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

async function until(ask) {
  for (let tries = 0; tries < 300; tries += 1) {
    const answer = await ask().catch(() => null);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('Restate did not start');
}
