// Everything a bench plays on: one cluster with three databases, the gateway's processes, an operator, the merchants.
// "malipo" is the whole gateway, with API and worker. "intake" has an API and no worker, so that intake and status
// checks are measured alone. "bare" has the same schema and merchants, and only pgbench.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { openGateway, type Gateway } from '../../server/src/commands/serve/compose.ts';
import { startLocalCluster } from '../../server/src/commands/sandbox/local-cluster.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { readConfig, type Config } from '../../server/src/config.ts';
import { openDatabase, type Database } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/schema/migrate.ts';
import { Child } from '../../drills/kit/child.ts';
import { openScratch, type Scratch } from '../../drills/kit/scratch.ts';
import { LONE_PAYMENTS, readablePayments } from './bare-sql.ts';
import { describeProcesses, startCrew, type Processes } from './crew.ts';
import { createMerchants, type BenchMerchants } from './merchants.ts';
import { findPostmaster, Meters, type Pids } from './meters.ts';
import { Receiver } from './receiver.ts';

export type Stage = {
  readonly merchants: BenchMerchants;
  readonly receiver: Receiver;
  /** The whole gateway as a person at the console has it. */
  readonly console: Gateway;
  /** Of every process that serves the API of the whole gateway. */
  readonly gatewayPorts: readonly number[];
  readonly intakePorts: readonly number[];
  readonly operatorUrl: string;
  /** The merchants' own, which all of them have told the gateway. */
  readonly callbackUrl: string;
  readonly bareUrl: string;
  readonly pgbench: string;
  readonly meters: Meters;
  readonly pids: Pids;
  readonly database: Database;
  readonly folder: string;
  /** Where the probes of memory write, if there are any. */
  readonly memoryFolder: string;
  readonly close: () => Promise<void>;
};

export type StageOptions = {
  /** Where profiles of API and worker are put; null for none. */
  readonly profileFolder: string | null;
  readonly processes: Processes;
  /** Node's own options for API and worker. */
  readonly nodeArgs?: readonly string[];
  /** What is other than `settings` for the gateway's processes. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where the cluster lives, and what it is told besides CLUSTER_SETTINGS. */
  readonly cluster?: { readonly directory: string; readonly settings: readonly string[] };
  /** Whether there is an API for intake alone. */
  readonly hasIntake?: boolean;
  readonly onProgress: (text: string) => void;
};

/**
 * As a host would run it: whatever is acknowledged is on the disk. Both sides of every comparison have the same
 * cluster, so the settings decide about figures and hardly about ratios. A checkpoint in the middle of a round would be
 * one side's bad luck.
 */
export const CLUSTER_SETTINGS = [
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'shared_buffers=256MB',
  'max_wal_size=4GB',
  'checkpoint_timeout=30min',
  'shared_preload_libraries=pg_stat_statements',
];

const CLIENT = { clientId: 'malipo', clientSecret: 'bench', notificationSecret: 'bench-notifications' };

const SIMULATOR = fileURLToPath(new URL('../../drills/kit/simulator-process.ts', import.meta.url));

export async function openStage(options: StageOptions): Promise<Stage> {
  const shutdownHooks = new ShutdownHooks();
  // Whatever happens to the bench, none of its processes outlives it.
  const scratch = openScratch({ keep: false });
  shutdownHooks.add(scratch.close);
  try {
    return await build(shutdownHooks, scratch, options);
  } catch (error) {
    await shutdownHooks.run();
    throw error;
  }
}

async function build(shutdownHooks: ShutdownHooks, scratch: Scratch, options: StageOptions): Promise<Stage> {
  const { onProgress } = options;
  onProgress('PostgreSQL and the schema');
  const { directory, settings: clusterSettings = [] } = options.cluster ?? {};
  const cluster = await startLocalCluster({
    settings: [...CLUSTER_SETTINGS, ...clusterSettings],
    ...(directory !== undefined && { directory }),
  });
  if (cluster === null)
    throw new Error('The bench needs PostgreSQL 15 or newer: install its server programs.');
  shutdownHooks.add(cluster.stop);
  const urlOf = (name: string) => cluster.url.replace(/malipo$/, name);
  await inDatabase(cluster.url, async (own) => {
    const postmaster = await findPostmaster(own);
    // At once: no one needs what a last checkpoint would bring to the disk, and that can take many seconds.
    shutdownHooks.add(async () => void process.kill(postmaster, 'SIGQUIT'));
    await migrate(own, { now: new Date() });
  });

  onProgress('merchants, their server and their operator');
  const receiver = new Receiver();
  const callbackUrl = await receiver.open();
  shutdownHooks.add(() => receiver.close());
  const simulator = await startSimulatorProcess(scratch);
  shutdownHooks.add(() => simulator.child.end('SIGKILL'));
  const environment = { ...settings(cluster.url, simulator.url, scratch), ...options.settings };
  const merchants = await furnish(environment, callbackUrl);
  const database = openDatabase({ url: urlOf('postgres'), connectionsMax: 2, applicationName: 'bench' });
  shutdownHooks.add(() => database.end());
  for (const name of ['bare', 'intake']) await database.query(`create database ${name} template malipo`);
  await furnishBare(urlOf('bare'), merchants);

  onProgress(`API and worker: ${describeProcesses(options.processes)}`);
  const memoryFolder = scratch.folder('memory');
  const crew = await startCrew(shutdownHooks, { ...options, environment, intakeUrl: urlOf('intake') });
  const console = await openGateway(silent(environment), { role: 'admin' });
  shutdownHooks.add(console.stop);
  const pids = { ...crew.pids, simulator: [simulator.child.pid], clients: [process.pid] };
  return {
    merchants,
    receiver,
    console,
    gatewayPorts: crew.gatewayPorts,
    intakePorts: crew.intakePorts,
    operatorUrl: simulator.url,
    callbackUrl,
    bareUrl: urlOf('bare'),
    pgbench: await findPgbench(database),
    meters: await Meters.open(database, pids),
    pids,
    database,
    folder: scratch.folder('pgbench'),
    memoryFolder,
    close: () => shutdownHooks.run(),
  };
}

/** The other databases are copies of this one, and anyone who copies a database must be alone in it. */
async function furnish(environment: Record<string, string>, callbackUrl: string): Promise<BenchMerchants> {
  const gateway = await openGateway(silent(environment), { role: 'admin' });
  try {
    return await createMerchants(gateway.engine, callbackUrl);
  } finally {
    await gateway.stop();
  }
}

async function furnishBare(url: string, { shops: [first] }: BenchMerchants): Promise<void> {
  if (first === undefined) throw new Error('there are no merchants');
  await inDatabase(url, async (database) => {
    await database.query(`${LONE_PAYMENTS}; ${readablePayments(first)} analyze`);
  });
}

async function inDatabase(url: string, work: (database: Database) => Promise<void>): Promise<void> {
  const database = openDatabase({ url, connectionsMax: 1, applicationName: 'bench', isPatient: true });
  try {
    await work(database);
  } finally {
    await database.end();
  }
}

export async function startSimulatorProcess(scratch: Scratch) {
  const port = await freePort();
  const child = new Child({
    command: process.execPath,
    args: [SIMULATOR, scratch.path, JSON.stringify({ ...CLIENT, port, control: true })],
    env: { PATH: process.env['PATH'] ?? '' },
    logPath: join(scratch.folder('logs'), 'simulator.log'),
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 300; tries += 1) {
    if ((await fetch(`${url}/control/settings`).catch(() => null))?.ok === true) return { child, url };
    await sleep(100);
  }
  await child.end('SIGKILL');
  throw new Error('the simulator did not start');
}

/** The program that belongs to the server: another version might not understand it. */
async function findPgbench(database: Database): Promise<string> {
  const { rows } = await database.query<{ setting: string }>(
    `select setting from pg_config where name = 'BINDIR'`,
  );
  return join(rows[0]?.setting ?? '', 'pgbench');
}

/** What a host would have, but for what turns requests away, which is there to be met by no one. */
export function settings(
  databaseUrl: string,
  simulatorUrl: string,
  scratch: Scratch,
): Record<string, string> {
  return {
    MALIPO_ENVIRONMENT: 'sandbox',
    MALIPO_LOG_LEVEL: 'info',
    DATABASE_URL: databaseUrl,
    MALIPO_PORT: '0',
    MALIPO_ENCRYPTION_KEYS: `1:${randomKey()}`,
    MALIPO_SEARCH_KEY: randomKey(),
    MALIPO_REFERENCE_KEY: randomKey(),
    MALIPO_SIMULATOR_URL: simulatorUrl,
    MALIPO_SIMULATOR_CLIENT_ID: CLIENT.clientId,
    MALIPO_SIMULATOR_CLIENT_SECRET: CLIENT.clientSecret,
    MALIPO_SIMULATOR_NOTIFICATION_SECRET: CLIENT.notificationSecret,
    MALIPO_OUTGOING_ALLOW: '127.0.0.0/8',
    MALIPO_REQUESTS_PER_SECOND: '1000000',
    MALIPO_REQUEST_BURST: '1000000',
    MALIPO_AUTH_FAILURES_PER_SECOND: '1000000',
    MALIPO_AUTH_FAILURE_BURST: '1000000',
    MALIPO_ORDERS_WAITING: '1000000',
    MALIPO_BACKLOG_MS: '3600000',
    // By this the process is found if the bench is killed.
    BENCH_SCRATCH: scratch.path,
  };
}

export function silent(environment: Record<string, string>): Config {
  return readConfig({ ...environment, MALIPO_LOG_LEVEL: 'silent' });
}

function randomKey(): string {
  return randomBytes(32).toString('base64');
}
