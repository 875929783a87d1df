// The setup: two API processes and two workers of the earlier release behind a host's proxy, a database that it
// created, and an operator and merchants outside it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import type { Database } from '../../server/src/store/database.ts';
import { argumentsOf } from '../chaos/operators.ts';
import type { Build } from '../kit/builds.ts';
import { readLines } from '../kit/child.ts';
import { openRunDatabase, startCluster } from '../kit/database.ts';
import { Fleet, nameMembers } from '../kit/fleet.ts';
import type { Merchant } from '../kit/merchants.ts';
import { runCommand } from '../kit/processes.ts';
import { openScratch, type Scratch } from '../kit/scratch.ts';
import { drillSettings } from '../kit/settings.ts';
import { addMerchant } from './merchants.ts';
import { startReleaseProxy } from './proxy.ts';
import { takeReleases, type Releases } from './releases.ts';

export type Setup = {
  readonly scratch: Scratch;
  readonly releases: Releases;
  readonly apiUrl: string;
  readonly fleet: Fleet;
  readonly merchants: readonly Merchant[];
  readonly database: Database;
  /** A command of either release. Returns its output. */
  readonly command: (build: Build, ...args: readonly string[]) => Promise<string>;
};

export type SetupOptions = { readonly from: string; readonly looksEveryMs: number; readonly keep: boolean };

/** The hardest operator: it charges every request, including repeats. */
const OPERATORS = { type: 'SIMULATOR', repeats: 'CHARGED' } as const;

export async function startSetup(hooks: ShutdownHooks, options: SetupOptions): Promise<Setup> {
  const { from, looksEveryMs } = options;
  const scratch = openScratch(hooks, options);
  const releases = await takeReleases(scratch, from);
  const databaseUrl = await startCluster(hooks);
  const members = await nameMembers(['simulator']);
  const [one = 0, two = 0, , , simulatorPort] = members.map(({ port }) => port);
  const apiUrl = await startReleaseProxy(hooks, scratch, { ports: [one, two], looksEveryMs });
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}`;
  const tempo = 'SHORT';
  const environment = drillSettings({
    databaseUrl,
    apiUrl,
    simulatorUrl,
    tempo,
    repeats: OPERATORS.repeats,
  });
  const command: Setup['command'] = ({ mainPath }, ...args) => runCommand(environment, args, mainPath);
  await command(releases.earlier, 'migrate');
  const fleet = new Fleet({
    scratch,
    build: releases.earlier,
    members,
    serverEnvironment: environment,
    operatorArguments: (member) => argumentsOf(scratch, member, { operators: OPERATORS, tempo, apiUrl }),
  });
  const add = (name: string) => addMerchant(hooks, (...args) => command(releases.earlier, ...args), name);
  const [merchants] = await Promise.all([Promise.all(['Shop 1', 'Shop 2'].map(add)), fleet.start(hooks)]);
  const database = openRunDatabase(hooks, databaseUrl);
  return { scratch, releases, apiUrl, fleet, merchants, database, command };
}

/** The error lines in the processes' logs. */
export function listErrors(scratch: Scratch): readonly string[] {
  const folder = scratch.folder('logs');
  return readdirSync(folder)
    .filter((name) => /^(api|worker)/.test(name))
    .flatMap((name) => {
      const errors = readLines(join(folder, name)).filter((line) => !/"level":[1-4]0,/.test(line));
      return errors.map((line) => `${name}: ${line}`);
    });
}
