// The setup of a growth run: one cluster in a folder that may be kept, with two databases of the same merchants.
// "malipo" has almost no payments, "loaded" has many; each has its own API and worker.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { sumLedger } from '../../server/src/core/monitoring/sum-ledger.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import type { Database } from '../../server/src/store/database.ts';
import { loadDataKeys } from '../../server/src/store/encryption/data-keys.ts';
import {
  inDatabase,
  migrateDatabase,
  openRunDatabase,
  startCluster,
  startDatabase,
  withHooks,
} from '../../drills/kit/database.ts';
import { openAdmin, startServer } from '../../drills/kit/processes.ts';
import type { Say } from '../../drills/kit/program.ts';
import { openScratch, type Scratch } from '../../drills/kit/scratch.ts';
import type { Environment } from '../../drills/kit/settings.ts';
import { loadPayments } from './growth-load.ts';
import { depositTemplates } from './closed-loads.ts';
import { runLives } from './lives.ts';
import type { BenchMerchant } from './merchants.ts';
import type { Pids } from './meters.ts';
import type { Receiver } from './receiver.ts';
import { benchSettings, CLUSTER_SETTINGS } from './settings.ts';
import { addBenchMerchants, startNeighbours, urlOfDatabase } from './setup.ts';
import { findWrk } from './wrk.ts';

/** What a later run must know to continue with a folder. */
export type Kept = {
  readonly payments: number;
  readonly loadSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly shops: readonly BenchMerchant[];
};

export type Side = { readonly name: 'empty' | 'loaded'; readonly port: number; readonly database: Database };

export type GrowthSetup = {
  readonly kept: Kept;
  readonly receiver: Receiver;
  readonly sides: { readonly empty: Side; readonly loaded: Side };
  readonly wrk: string;
  /** For the load generator. */
  readonly folder: string;
};

/** A load need not survive a power cut: it would be repeated. */
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

type PreparedRequest = { readonly folder: string; readonly say: Say };

/** Loads an empty folder. Everything it started has ended when it returns. */
export function load({
  folder,
  payments,
  say,
}: PreparedRequest & { readonly payments: number }): Promise<void> {
  if (existsSync(join(folder, 'data'))) throw new Error(`${folder} was left half loaded: remove it`);
  return withHooks(async (hooks) => {
    const scratch = openScratch(hooks);
    const url = await startDatabase(hooks, { settings: LOADING_SETTINGS, directory: folder });
    const { receiver, simulator, callbackUrl } = await startNeighbours(hooks, scratch);
    const environment = benchSettings(url, simulator.url);
    const { shops } = await addBenchMerchants(environment, callbackUrl);
    say('payments to copy');
    await playTemplates({ scratch, environment, receiver, shops });
    const administer = (sql: string) =>
      inDatabase(urlOfDatabase(url, 'postgres'), (database) => database.query(sql));
    for (const name of ['workshop', 'loaded']) await administer(`create database ${name} template malipo`);
    const since = performance.now();
    await withHooks(async (own) => {
      const { store } = (await openAdmin(own, environment)).engine;
      const merchantIds = shops.map(({ merchantId }) => merchantId);
      await loadDataKeys(store, merchantIds);
      const open = (name: string) => openRunDatabase(own, urlOfDatabase(url, name), 4);
      const databases = { database: open('loaded'), workshop: open('workshop') };
      const { keyring } = store;
      await loadPayments({ ...databases, keyring, merchantIds, count: payments, until: new Date(), say });
    });
    const loadSeconds = Math.round((performance.now() - since) / 1_000);
    await administer('drop database workshop');
    const kept: Kept = { payments, loadSeconds, environment, shops };
    writeFileSync(join(folder, FACTS), JSON.stringify(kept));
  });
}

/** Both gateways on a loaded folder, with the settings of a host. */
export async function startGrowth(hooks: ShutdownHooks, { folder }: PreparedRequest): Promise<GrowthSetup> {
  const kept = readKept(folder);
  if (kept === null) throw new Error(`${folder} was not loaded`);
  const scratch = openScratch(hooks);
  const cluster = await startCluster(hooks, { settings: CLUSTER_SETTINGS, directory: folder });
  const { receiver, simulator, callbackUrl } = await startNeighbours(hooks, scratch);
  const side = async (name: Side['name'], databaseName: string): Promise<Side> => {
    const url = urlOfDatabase(cluster, databaseName);
    // A folder of an older build is migrated to this one's schema.
    await migrateDatabase(url);
    const database = openRunDatabase(hooks, url, 4);
    await database.query('update callback_endpoints set url = $1', [callbackUrl]);
    // A worker that was stopped during a measurement would block the others.
    await database.query('truncate monitor_readings');
    const port = await freePort();
    const environment = {
      ...kept.environment,
      MALIPO_SIMULATOR_URL: simulator.url,
      DATABASE_URL: url,
    };
    // Payments that were copied in have no sums yet, and the first look at the books would add all of them up.
    await withHooks(async (own) => sumLedger((await openAdmin(own, environment)).engine));
    await startGateway(hooks, scratch, { environment, port });
    return { name, port, database };
  };
  const [empty, loaded] = await Promise.all([side('empty', 'malipo'), side('loaded', 'loaded')]);
  return { kept, receiver, sides: { empty, loaded }, wrk: findWrk(), folder: scratch.folder('load') };
}

export async function startGateway(
  hooks: ShutdownHooks,
  scratch: Scratch,
  { environment, port }: { readonly environment: Environment; readonly port: number },
): Promise<Pids> {
  const start = async (role: 'api' | 'worker', own: Environment) => {
    const options = { role, name: `${role}-${port}`, environment: { ...environment, ...own } };
    return [(await startServer(hooks, scratch, options)).child.pid];
  };
  const api = await start('api', { MALIPO_PORT: String(port) });
  const worker = await start('worker', { MALIPO_OPERATORS_URL: `http://127.0.0.1:${port}` });
  return { api, worker };
}

/** A few hundred real deposits: one of each shop is the template of the copies. */
function playTemplates({
  scratch,
  environment,
  receiver,
  shops,
}: {
  readonly scratch: Scratch;
  readonly environment: Environment;
  readonly receiver: Receiver;
  readonly shops: readonly BenchMerchant[];
}): Promise<void> {
  return withHooks(async (hooks) => {
    const port = await freePort();
    await startGateway(hooks, scratch, { environment, port });
    const window = { inFlight: 16, warmMs: 0, windowMs: 1_500, onWindow: async () => undefined };
    const place = { receiver, gatewayPorts: [port], wrk: findWrk(), folder: scratch.folder('load') };
    await runLives(place, { ...window, requests: depositTemplates(shops) });
    // Operator notifications that came after the callback have arrived by now.
    await sleep(1_500);
  });
}
