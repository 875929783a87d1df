// What a host has beside the image: a database with a role for each kind of process, an operator, and a merchant.
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { startCluster } from '../kit/database.ts';
import { startSimulator } from '../kit/processes.ts';
import { openScratch, type Scratch } from '../kit/scratch.ts';
import {
  CONSOLE_SETTINGS,
  gatewaySettings,
  simulatorOptions,
  simulatorSettings,
  type Environment,
} from '../kit/settings.ts';
import { openPodman, type Podman } from './podman.ts';
import { Shop } from './shop.ts';

export type Role = 'owner' | 'api' | 'worker';

export type Setup = {
  readonly image: string;
  readonly podman: Podman;
  readonly scratch: Scratch;
  readonly hooks: ShutdownHooks;
  readonly shop: Shop;
  /** The settings of a process, with the address of the database as its role has it. */
  readonly settingsOf: (role: Role) => Environment;
  /** Where operators and merchants reach the API. */
  readonly apiPort: number;
};

export const ROLES = { api: 'malipo_api', worker: 'malipo_worker' } as const;

export async function startSetup(hooks: ShutdownHooks, image: string): Promise<Setup> {
  const scratch = openScratch(hooks);
  const ownerUrl = await startCluster(hooks);
  await createRoles(ownerUrl);
  const simulator = await startSimulator(hooks, scratch, simulatorOptions('SHORT'));
  const apiPort = await freePort();
  const shared = {
    ...gatewaySettings(ownerUrl),
    ...simulatorSettings(simulator.url),
    ...CONSOLE_SETTINGS,
    MALIPO_LINK_KEYS: randomBytes(32).toString('base64'),
    MALIPO_OPERATORS_URL: `http://127.0.0.1:${apiPort}`,
    // By this the processes of a run are found and ended if the run is killed.
    DRILL: scratch.path,
  };
  const settingsOf = (role: Role): Environment => {
    const url = new URL(ownerUrl);
    if (role !== 'owner') url.username = ROLES[role];
    return { ...shared, DATABASE_URL: url.href };
  };
  const shop = await Shop.open(hooks);
  return { image, podman: openPodman(scratch), scratch, hooks, shop, settingsOf, apiPort };
}

async function createRoles(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const role of Object.values(ROLES)) await client.query(`create role ${role} login`);
  await client.end();
}
