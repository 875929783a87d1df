// The stage of a growth run: one cluster in a folder that may stay, with two databases of the same merchants. "malipo"
// has next to no payments, "loaded" has as many as wanted; each has an API and a worker of its own.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { openGateway } from '../../server/src/commands/serve/compose.ts';
import { startLocalCluster } from '../../server/src/commands/sandbox/local-cluster.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { openDatabase, type Database } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/schema/migrate.ts';
import { loadDataKeys } from '../../server/src/store/encryption/data-keys.ts';
import { startServerProcess } from '../../drills/kit/server-process.ts';
import type { Scratch } from '../../drills/kit/scratch.ts';
import { loadPayments } from './growth-load.ts';
import { lifeTurn, runLoad } from './load.ts';
import { createMerchants, type BenchMerchant } from './merchants.ts';
import type { Pids } from './meters.ts';
import { depositOrder } from './orders.ts';
import { Receiver } from './receiver.ts';
import { CLUSTER_SETTINGS, settings, silent, startSimulatorProcess } from './setup.ts';

/** What a later run must know to go on with a folder. */
export type Kept = {
  readonly payments: number;
  readonly loadSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly shops: readonly BenchMerchant[];
};

export type Side = { readonly name: 'empty' | 'loaded'; readonly port: number; readonly database: Database };

export type GrowthStage = {
  readonly kept: Kept;
  readonly receiver: Receiver;
  readonly sides: { readonly empty: Side; readonly loaded: Side };
};

/** Nothing of a load need survive a power cut: it would be made again. */
const LOADING_SETTINGS = [
  'wal_level=minimal',
  'max_wal_senders=0',
  'shared_buffers=2GB',
  'max_wal_size=3GB',
  'checkpoint_timeout=1h',
  'autovacuum=off',
];

const FACTS = 'growth.json';

export function readKept(folder: string): Kept | null {
  const path = join(folder, FACTS);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Kept) : null;
}

type Order = {
  readonly folder: string;
  readonly scratch: Scratch;
  readonly shutdownHooks: ShutdownHooks;
  readonly say: (text: string) => void;
};

/** Loads a folder that has nothing yet. Everything it started has ended when it answers. */
export async function load(order: Order & { readonly payments: number }): Promise<void> {
  const { folder, scratch, payments, say } = order;
  if (existsSync(join(folder, 'data'))) throw new Error(`${folder} was left half loaded: remove it`);
  const shutdownHooks = new ShutdownHooks();
  try {
    const cluster = await start(folder, LOADING_SETTINGS, shutdownHooks);
    await inDatabase(cluster, 'malipo', (own) => migrate(own, { now: new Date() }));
    const { receiver, simulatorUrl, callbackUrl } = await startNeighbours(scratch, shutdownHooks);
    const environment = settings(urlOf(cluster, 'malipo'), simulatorUrl, scratch);
    const shops = await furnish(environment, callbackUrl);
    say('payments to copy');
    await playTemplates({ environment, receiver, shops });
    await inDatabase(cluster, 'postgres', async (own) => {
      for (const name of ['workshop', 'loaded']) await own.query(`create database ${name} template malipo`);
    });
    const since = performance.now();
    const gateway = await openGateway(silent(environment), { role: 'admin' });
    const merchantIds = shops.map(({ merchantId }) => merchantId);
    const { store } = gateway.engine;
    await loadDataKeys(store, merchantIds);
    const [database, workshop] = ['loaded', 'workshop'].map((name) => open(cluster, name));
    if (database === undefined || workshop === undefined) throw new Error('there is nothing to load into');
    const until = new Date();
    await loadPayments({
      database,
      workshop,
      keyring: store.keyring,
      merchantIds,
      count: payments,
      until,
      say,
    });
    const loadSeconds = Math.round((performance.now() - since) / 1_000);
    for (const done of [database, workshop]) await done.end();
    await gateway.stop();
    await inDatabase(cluster, 'postgres', (own) => own.query('drop database workshop'));
    const kept: Kept = { payments, loadSeconds, environment, shops };
    writeFileSync(join(folder, FACTS), JSON.stringify(kept));
  } finally {
    await shutdownHooks.run();
  }
}

/** Both gateways on a folder that was loaded, with the settings of a host. */
export async function openGrowthStage({ folder, scratch, shutdownHooks }: Order): Promise<GrowthStage> {
  const kept = readKept(folder);
  if (kept === null) throw new Error(`${folder} was not loaded`);
  const cluster = await start(folder, CLUSTER_SETTINGS, shutdownHooks);
  const { receiver, simulatorUrl, callbackUrl } = await startNeighbours(scratch, shutdownHooks);
  const side = async (name: Side['name'], databaseName: string): Promise<Side> => {
    const database = open(cluster, databaseName);
    shutdownHooks.add(() => database.end());
    // A folder of an older build goes on with this one's schema.
    await migrate(database, { now: new Date() });
    await database.query('update callback_endpoints set url = $1', [callbackUrl]);
    // A worker that was stopped while it measured would keep the others waiting.
    await database.query('truncate monitor_readings');
    const port = await freePort();
    const environment = {
      ...kept.environment,
      MALIPO_SIMULATOR_URL: simulatorUrl,
      DATABASE_URL: urlOf(cluster, databaseName),
      BENCH_SCRATCH: scratch.path,
    };
    await startGateway(environment, port, shutdownHooks);
    return { name, port, database };
  };
  const [empty, loaded] = await Promise.all([side('empty', 'malipo'), side('loaded', 'loaded')]);
  return { kept, receiver, sides: { empty, loaded } };
}

export async function startNeighbours(scratch: Scratch, shutdownHooks: ShutdownHooks) {
  const receiver = new Receiver();
  const callbackUrl = await receiver.open();
  shutdownHooks.add(() => receiver.close());
  const simulator = await startSimulatorProcess(scratch);
  shutdownHooks.add(() => simulator.child.end('SIGKILL'));
  return { receiver, callbackUrl, simulatorUrl: simulator.url };
}

export async function startGateway(
  environment: Readonly<Record<string, string>>,
  port: number,
  shutdownHooks: ShutdownHooks,
): Promise<Pids> {
  const api = await startServerProcess('api', { ...environment, MALIPO_PORT: String(port) });
  shutdownHooks.add(api.kill);
  const operators = { MALIPO_PORT: '0', MALIPO_OPERATORS_URL: `http://127.0.0.1:${port}` };
  const worker = await startServerProcess('worker', { ...environment, ...operators });
  shutdownHooks.add(worker.kill);
  return { api: [api.pid], worker: [worker.pid] };
}

export async function furnish(
  environment: Record<string, string>,
  callbackUrl: string,
): Promise<readonly BenchMerchant[]> {
  const gateway = await openGateway(silent(environment), { role: 'admin' });
  try {
    return (await createMerchants(gateway.engine, callbackUrl)).shops;
  } finally {
    await gateway.stop();
  }
}

/** A few hundred real deposits: one of each shop is what the others are copies of. */
async function playTemplates(with_: {
  readonly environment: Readonly<Record<string, string>>;
  readonly receiver: Receiver;
  readonly shops: readonly BenchMerchant[];
}): Promise<void> {
  const shutdownHooks = new ShutdownHooks();
  const port = await freePort();
  try {
    await startGateway(with_.environment, port, shutdownHooks);
    const options = {
      ports: [port],
      clients: 16,
      warmMs: 0,
      windowMs: 1_500,
      onWindow: async () => undefined,
    };
    await runLoad(options, lifeTurn(with_.receiver, drawDeposit(with_.shops)));
    // What was announced before it was notified of is notified of by now.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  } finally {
    await shutdownHooks.run();
  }
}

export function drawDeposit(shops: readonly BenchMerchant[]) {
  let turn = 0;
  return () => depositOrder(shops[(turn += 1) % shops.length]?.apiToken ?? '');
}

async function start(
  folder: string,
  clusterSettings: readonly string[],
  shutdownHooks: ShutdownHooks,
): Promise<string> {
  const cluster = await startLocalCluster({ settings: clusterSettings, directory: folder });
  if (cluster === null)
    throw new Error('The bench needs PostgreSQL 15 or newer: install its server programs.');
  shutdownHooks.add(cluster.stop);
  return cluster.url;
}

function urlOf(cluster: string, name: string): string {
  return cluster.replace(/malipo$/, name);
}

function open(cluster: string, name: string): Database {
  const options = { connectionsMax: 4, applicationName: 'growth', isPatient: true };
  return openDatabase({ ...options, url: urlOf(cluster, name) });
}

async function inDatabase(
  cluster: string,
  name: string,
  work: (database: Database) => Promise<unknown>,
): Promise<void> {
  const database = open(cluster, name);
  try {
    await work(database);
  } finally {
    await database.end();
  }
}
