// The setup of a benchmark: one cluster with three databases, the gateway's processes, an operator, the merchants.
// "malipo" is the whole gateway, with API and worker. "intake" has an API and no worker, so that intake and status
// checks are measured alone. "bare" has frozen tables, and only pgbench and bare routes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import type { Gateway } from '../../server/src/commands/serve/compose.ts';
import type { Database } from '../../server/src/store/database.ts';
import { inDatabase, openRunDatabase, startDatabase, withHooks } from '../../drills/kit/database.ts';
import { openAdmin, startSimulator } from '../../drills/kit/processes.ts';
import type { Say } from '../../drills/kit/program.ts';
import { openScratch, type Scratch } from '../../drills/kit/scratch.ts';
import type { Environment } from '../../drills/kit/settings.ts';
import { BARE_SCHEMA } from './bare/life.ts';
import { describeProcesses, startProcesses, type Processes, type RoutePorts } from './processes.ts';
import { createMerchants, setTenLimits, type BenchMerchants } from './merchants.ts';
import { findPostmaster, Meters, type Pids } from './meters.ts';
import { Receiver } from './receiver.ts';
import { benchSettings, CLUSTER_SETTINGS } from './settings.ts';
import { findWrk } from './wrk.ts';

export type Setup = {
  readonly merchants: BenchMerchants;
  readonly receiver: Receiver;
  readonly admin: Gateway;
  /** Of every process that serves the API of the whole gateway. */
  readonly gatewayPorts: readonly number[];
  readonly intakePorts: readonly number[];
  readonly routePorts: RoutePorts;
  readonly operatorUrl: string;
  /** The merchants' own endpoint, registered with the gateway. */
  readonly callbackUrl: string;
  readonly bareUrl: string;
  readonly intakeUrl: string;
  readonly pgbench: string;
  readonly wrk: string;
  readonly meters: Meters;
  readonly pids: Pids;
  readonly database: Database;
  readonly folder: string;
  /** Where the memory probes write, if there are any. */
  readonly memoryFolder: string;
};

export type SetupOptions = {
  /** The folder for profiles of API and worker; null for none. */
  readonly profileFolder: string | null;
  readonly processes: Processes;
  /** Node's own options for API and worker. */
  readonly nodeArgs?: readonly string[];
  /** Overrides of `benchSettings` for the gateway's processes. */
  readonly settings?: Environment;
  /** The cluster's folder, and settings besides CLUSTER_SETTINGS. */
  readonly cluster?: { readonly directory: string; readonly settings: readonly string[] };
  /** Whether shops have ten limits; default: none. */
  readonly hasLimits?: boolean;
  /** Whether there is an API for intake alone, and bare routes to compare it with. */
  readonly hasIntake?: boolean;
  readonly say: Say;
};

export async function startSetup(hooks: ShutdownHooks, options: SetupOptions): Promise<Setup> {
  const { say } = options;
  const wrk = findWrk();
  const scratch = openScratch(hooks);
  say('PostgreSQL and the schema');
  const url = await startBenchDatabase(hooks, options.cluster);
  const urlOf = (name: string) => urlOfDatabase(url, name);

  say('merchants, their server and their operator');
  const { receiver, callbackUrl, simulator } = await startNeighbours(hooks, scratch);
  const environment = { ...benchSettings(url, simulator.url), ...options.settings };
  const merchants = await addBenchMerchants(environment, callbackUrl, options);
  const database = openRunDatabase(hooks, urlOf('postgres'));
  await database.query('create database intake template malipo');
  await database.query('create database bare');
  await inDatabase(urlOf('bare'), (bare) => bare.query(BARE_SCHEMA));

  say(`API and worker: ${describeProcesses(options.processes)}`);
  const memoryFolder = scratch.folder('memory');
  const processes = await startProcesses(hooks, scratch, {
    ...options,
    environment,
    intakeUrl: urlOf('intake'),
    bareUrl: urlOf('bare'),
  });
  const pids = { ...processes.pids, simulator: [simulator.child.pid], clients: [process.pid] };
  return {
    merchants,
    receiver,
    admin: await openAdmin(hooks, environment),
    gatewayPorts: processes.gatewayPorts,
    intakePorts: processes.intakePorts,
    routePorts: processes.routePorts,
    operatorUrl: simulator.url,
    callbackUrl,
    bareUrl: urlOf('bare'),
    intakeUrl: urlOf('intake'),
    pgbench: await findPgbench(database),
    wrk,
    meters: await Meters.open(database, pids),
    pids,
    database,
    folder: scratch.folder('load'),
    memoryFolder,
  };
}

/** Another database of the same cluster. */
export function urlOfDatabase(url: string, name: string): string {
  return url.replace(/malipo$/, name);
}

export async function startBenchDatabase(
  hooks: ShutdownHooks,
  { settings = [], ...place }: Partial<NonNullable<SetupOptions['cluster']>> = {},
): Promise<string> {
  const url = await startDatabase(hooks, { settings: [...CLUSTER_SETTINGS, ...settings], ...place });
  const postmaster = await inDatabase(url, findPostmaster);
  // At once: a final checkpoint is not needed, and can take many seconds.
  hooks.add(async () => void process.kill(postmaster, 'SIGQUIT'));
  return url;
}

/** The merchants' server, and the operator. */
export async function startNeighbours(hooks: ShutdownHooks, scratch: Scratch) {
  return { ...(await startReceiver(hooks)), simulator: await startSimulator(hooks, scratch) };
}

export async function startReceiver(hooks: ShutdownHooks) {
  const receiver = new Receiver();
  const callbackUrl = await receiver.open();
  hooks.add(() => receiver.close());
  return { receiver, callbackUrl };
}

/** Ends before others are started: the other databases are copies of this one, and copying needs it unused. */
export function addBenchMerchants(
  environment: Environment,
  callbackUrl: string,
  { hasLimits = false }: Pick<SetupOptions, 'hasLimits'> = {},
): Promise<BenchMerchants> {
  return withHooks(async (hooks) => {
    const { engine } = await openAdmin(hooks, environment);
    const merchants = await createMerchants(engine, callbackUrl);
    if (hasLimits) for (const { merchantId } of merchants.shops) await setTenLimits(engine, merchantId);
    return merchants;
  });
}

/** The program that belongs to the server: another version might not understand it. */
async function findPgbench(database: Database): Promise<string> {
  const { rows } = await database.query<{ setting: string }>(
    `select setting from pg_config where name = 'BINDIR'`,
  );
  const path = join(rows[0]?.setting ?? '', 'pgbench');
  if (!existsSync(path)) throw new Error(`${path} is needed: install it with apt-get install postgresql`);
  return path;
}
