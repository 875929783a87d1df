// A second cell beside the one that everything happens to: its own database and processes, the same operator account
// and the same bank. Its processes are killed, paused, skewed and replaced like those of the first.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import type { Gateway } from '../../server/src/commands/serve/compose.ts';
import type { Build } from '../kit/builds.ts';
import { startDatabase } from '../kit/database.ts';
import { Fleet } from '../kit/fleet.ts';
import type { Market } from '../kit/load/markets.ts';
import { addMerchants, type Merchant } from '../kit/merchants.ts';
import { openAdmin } from '../kit/processes.ts';
import type { Scratch } from '../kit/scratch.ts';
import { drillSettings, type Environment, type Tempo } from '../kit/settings.ts';
import { addApprovers } from './screening.ts';

export type SecondCell = {
  readonly apiUrl: string;
  readonly fleet: Fleet;
  readonly admin: Gateway;
  /** The settings of its processes. */
  readonly environment: Environment;
  /** The first one moves to and fro; the others stay. */
  readonly merchants: readonly Merchant[];
  /** Cuts every connection to its database, and refuses new ones for this long. */
  readonly refuseDatabase: (forMs: number) => Promise<void>;
};

/** Where the second cell will be: the first one has to know it before it starts. */
export type SecondPlace = { readonly databaseUrl: string; readonly port: number };

export async function placeSecondCell(hooks: ShutdownHooks): Promise<SecondPlace> {
  return { databaseUrl: await startDatabase(hooks), port: await freePort() };
}

/** What the processes of either cell know of both. */
export function cellSettings(
  cell: '0001' | '0002',
  place: SecondPlace,
  first: { readonly databaseUrl: string; readonly apiUrl: string },
): Environment {
  return {
    MALIPO_CELL: cell,
    MALIPO_CELLS: `0001=${first.databaseUrl} 0002=${place.databaseUrl}`,
    MALIPO_CELL_URLS: `0001=${first.apiUrl} 0002=http://127.0.0.1:${place.port}`,
  };
}

export async function startSecondCell(
  hooks: ShutdownHooks,
  scratch: Scratch,
  options: {
    readonly place: SecondPlace;
    readonly first: { readonly databaseUrl: string; readonly apiUrl: string };
    readonly build: Build;
    readonly simulatorUrl: string;
    readonly repeats: 'RECOGNISED' | 'CHARGED';
    readonly tempo: Tempo;
    readonly markets: readonly Market[];
    readonly further: Environment;
  },
): Promise<SecondCell> {
  const { place, first, build, simulatorUrl, repeats, tempo, markets, further } = options;
  const apiUrl = `http://127.0.0.1:${place.port}`;
  const environment = {
    ...drillSettings({ databaseUrl: place.databaseUrl, apiUrl, simulatorUrl, repeats, tempo }),
    ...cellSettings('0002', place, first),
    ...further,
  };
  const members = [
    { name: 'second-api', victim: 'api', port: place.port },
    { name: 'second-worker', victim: 'worker', port: await freePort() },
  ] as const;
  const fleet = new Fleet({
    scratch,
    build,
    members,
    serverEnvironment: environment,
    operatorArguments: () => [],
  });
  const admin = await openAdmin(hooks, environment);
  await addApprovers(admin.engine);
  const merchants = await addMerchants(hooks, admin.engine, { markets, count: 2 });
  await fleet.start(hooks);
  const refuseDatabase = (forMs: number) => refuse(place.databaseUrl, forMs);
  return { apiUrl, fleet, admin, environment, merchants, refuseDatabase };
}

async function refuse(databaseUrl: string, forMs: number): Promise<void> {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new Client(url.href);
  await client.connect();
  try {
    await client.query(`alter database ${name} allow_connections false`);
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await sleep(forMs);
  } finally {
    await client.query(`alter database ${name} allow_connections true`);
    await client.end();
  }
}
