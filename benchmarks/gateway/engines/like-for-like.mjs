// The common benchmark of all engines: its own cluster, the tables of a small gateway, a payment's life in four
// transactions, and bare PostgreSQL for comparison, before and after.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ShutdownHooks } from '../../../server/src/commands/serve/shutdown-hooks.ts';
import { startLocalCluster } from '../../../server/src/commands/sandbox/local-cluster.ts';
import { openDatabase } from '../../../server/src/store/database.ts';
import { runPgbench } from '../pgbench.ts';
import { CLUSTER_SETTINGS } from '../settings.ts';

const SCHEMA = `
  create table payments (id uuid primary key, state text not null, amount numeric(22,4) not null, details bytea,
    created_at timestamptz not null);
  create table payment_events (payment_id uuid, event_no int, event text not null, at timestamptz not null,
    primary key (payment_id, event_no));
  create table transfers (payment_id uuid primary key, wallet int not null, amount numeric(22,4) not null);
  create table wallets (wallet int primary key, posted numeric(22,4) not null);
  create table deliveries (payment_id uuid primary key, at timestamptz not null);
  insert into wallets select generate_series(1, 8), 0;`;

/** Each step is one transaction, of any number of payments: $1 are their identifiers, $2 their wallets. */
export const STEPS = {
  accept: [
    `insert into payments select id, 'ACCEPTED', 100, decode(repeat('5a', 190), 'hex'), now()
     from unnest($1::uuid[]) as id`,
    `insert into payment_events select id, 1, 'ACCEPTED', now() from unnest($1::uuid[]) as id`,
  ],
  submit: [
    `update payments set state = 'PROCESSING' where id = any ($1::uuid[])`,
    `insert into payment_events select id, 2, 'SUBMIT_CLAIMED', now() from unnest($1::uuid[]) as id`,
  ],
  settle: [
    `update payments set state = 'COMPLETED' where id = any ($1::uuid[])`,
    `insert into payment_events select id, 3, 'OPERATOR_ANSWERED', now() from unnest($1::uuid[]) as id`,
    `insert into transfers select id, wallet, 100 from unnest($1::uuid[], $2::int[]) as one (id, wallet)`,
    `update wallets set posted = posted + 100 * times
     from (
       select wallet, count(*) as times from unnest($1::uuid[], $2::int[]) as one (id, wallet) group by 1) as counted
     where wallets.wallet = counted.wallet`,
  ],
  deliver: ['insert into deliveries select id, now() from unnest($1::uuid[]) as id'],
};

/** Runs a step for these payments on a connection that is in a transaction. */
export async function runStep(client, step, payments) {
  const values = [payments.map(({ id }) => id), payments.map(({ wallet }) => wallet)];
  for (const text of STEPS[step]) await client.query(text, text.includes('$2') ? values : values.slice(0, 1));
}

export function randomPayment() {
  return { id: randomUUID(), wallet: 1 + Math.floor(Math.random() * 8) };
}

/** The same for one payment, as pgbench runs it. */
const BARE = `\\set number random(1, 9223372036854775807)
\\set wallet random(1, 8)
${Object.values(STEPS)
  .map((texts) => `begin;\n${texts.map((text) => `${inline(text)};`).join('\n')}\ncommit;`)
  .join('\n')}
`;

function inline(text) {
  return text
    .replaceAll('$1::uuid[]', 'array[md5(:number::text)::uuid]')
    .replaceAll('$2::int[]', 'array[:wallet::int]')
    .replaceAll(/\s+/g, ' ');
}

/**
 * Measures bare PostgreSQL, the engine twice, and bare PostgreSQL again, and prints one line. `measure` gets the
 * address of the database and returns the rate per second.
 */
export async function compare(name, measure, { prepare } = {}) {
  const shutdownHooks = new ShutdownHooks();
  const folder = mkdtempSync(join(tmpdir(), 'malipo-engine-'));
  shutdownHooks.add(async () => rmSync(folder, { recursive: true }));
  try {
    const cluster = await startLocalCluster({ settings: CLUSTER_SETTINGS });
    shutdownHooks.add(cluster.stop);
    const database = openDatabase({ url: cluster.url, connectionsMax: 1, applicationName: 'engines' });
    shutdownHooks.add(() => database.end());
    await database.query(SCHEMA);
    const { rows } = await database.query(`select setting from pg_config where name = 'BINDIR'`);
    const program = join(rows[0].setting, 'pgbench');
    await prepare?.({ url: cluster.url, database });
    const bare = async () => {
      const options = {
        program,
        databaseUrl: cluster.url,
        clients: 8,
        scripts: [BARE],
        folder,
      };
      const { count, seconds } = await runPgbench({
        ...options,
        warmMs: 500,
        windowMs: 3_500,
        onWindow: async () => undefined,
      });
      return count / seconds;
    };
    const rates = [await bare(), await measure(cluster.url), await measure(cluster.url), await bare()];
    const [before, first, second, after] = rates.map(Math.round);
    const ratio = (first + second) / (before + after);
    process.stdout.write(
      `${JSON.stringify({ name, engine: [first, second], bare: [before, after], ratio })}\n`,
    );
  } finally {
    await shutdownHooks.run();
  }
}

/** Runs `work` in this many loops for a while. Returns the rate per second. */
export async function inLoops(count, work, { warmMs = 1_000, windowMs = 4_000 } = {}) {
  const beganAt = performance.now();
  const endsAt = beganAt + warmMs + windowMs;
  let done = 0;
  const loop = async () => {
    while (performance.now() < endsAt) {
      const many = (await work()) ?? 1;
      const now = performance.now();
      if (now >= beganAt + warmMs && now < endsAt) done += many;
    }
  };
  await Promise.all(Array.from({ length: count }, loop));
  return done / (windowMs / 1_000);
}
