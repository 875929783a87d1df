// What is upgraded: two API processes and two workers of the earlier release behind a host's proxy, a database that it
// made, and an operator and merchants that are no one's part of it.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startLocalCluster, type LocalCluster } from '../../server/src/commands/sandbox/local-cluster.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { openDatabase, type Database } from '../../server/src/store/database.ts';
import type { Build } from '../kit/builds.ts';
import { Fleet, type Member } from '../kit/fleet.ts';
import type { Merchant } from '../kit/load/load.ts';
import type { OnFinal } from '../kit/merchants.ts';
import { argumentsOf } from '../chaos/operators.ts';
import { openScratch, type Scratch } from '../kit/scratch.ts';
import { serverEnvironment } from '../kit/settings.ts';
import { makeMerchant } from './merchants.ts';
import { startProxy } from './proxy.ts';
import { takeReleases, type Releases } from './releases.ts';

export type UpgradeStage = {
  readonly scratch: Scratch;
  readonly releases: Releases;
  readonly apiUrl: string;
  readonly fleet: Fleet;
  readonly merchants: readonly Merchant[];
  readonly database: Database;
  /** A command manually, of either release. Answers what it wrote. */
  readonly command: (build: Build, ...args: readonly string[]) => Promise<string>;
  readonly close: () => Promise<void>;
};

export type UpgradeStageOptions = {
  readonly from: string;
  readonly looksEveryMs: number;
  readonly keep: boolean;
  readonly onFinal: OnFinal;
};

/** The hardest operator: it charges whatever it is asked for, also what it was asked for before. */
const OPERATORS = { type: 'SIMULATOR', repeats: 'CHARGED' } as const;
const MERCHANTS = ['Shop 1', 'Shop 2'];

const run = promisify(execFile);

export async function openUpgradeStage(options: UpgradeStageOptions): Promise<UpgradeStage> {
  const scratch = openScratch(options);
  try {
    return await build(scratch, options);
  } catch (error) {
    await scratch.close();
    throw error;
  }
}

async function build(scratch: Scratch, options: UpgradeStageOptions): Promise<UpgradeStage> {
  const { from, looksEveryMs, onFinal } = options;
  const releases = await takeReleases(scratch, from);
  const cluster = await startCluster();
  const ports = [await freePort(), await freePort()] as const;
  const proxy = await startProxy(scratch, { ports, looksEveryMs });
  const simulatorPort = await freePort();
  const environment = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: join(scratch.path, 'compiled'),
    ...serverEnvironment({
      databaseUrl: cluster.url,
      apiUrl: proxy.url,
      simulatorUrl: `http://127.0.0.1:${simulatorPort}`,
      tempo: 'SHORT',
      repeats: OPERATORS.repeats,
    }),
  };
  const command: UpgradeStage['command'] = async ({ mainPath }, ...args) => {
    const { stdout } = await run(process.execPath, [mainPath, ...args], { env: environment });
    return stdout.trim();
  };
  await command(releases.earlier, 'migrate');
  const fleet = new Fleet({
    scratch,
    build: releases.earlier,
    members: await nameMembers(ports, simulatorPort),
    serverEnvironment: environment,
    operatorArguments: (member) =>
      argumentsOf(scratch, member, { operators: OPERATORS, tempo: 'SHORT', apiUrl: proxy.url }),
  });
  const makes = (name: string) =>
    makeMerchant((...args) => command(releases.earlier, ...args), name, onFinal);
  const [merchants] = await Promise.all([Promise.all(MERCHANTS.map(makes)), fleet.start()]);
  const database = openDatabase({ url: cluster.url, connectionsMax: 2, applicationName: 'drill' });
  const close = async () => {
    fleet.stop();
    proxy.stop();
    for (const { endpoint } of merchants) await endpoint.close();
    await database.end();
    await cluster.stop();
    await scratch.close();
  };
  return { scratch, releases, apiUrl: proxy.url, fleet, merchants, database, command, close };
}

/** What processes wrote about errors, line by line. */
export function listErrors(scratch: Scratch): readonly string[] {
  const folder = scratch.folder('logs');
  return readdirSync(folder)
    .filter((name) => /^(api|worker)/.test(name))
    .flatMap((name) => {
      const lines = readFileSync(join(folder, name), 'utf8').split('\n');
      return lines
        .filter((line) => line !== '' && !/"level":[1-4]0,/.test(line))
        .map((line) => `${name}: ${line}`);
    });
}

async function startCluster(): Promise<LocalCluster> {
  const cluster = await startLocalCluster();
  if (cluster === null) throw new Error('there is no PostgreSQL on this machine');
  return cluster;
}

async function nameMembers(
  [one, two]: readonly [number, number],
  simulatorPort: number,
): Promise<readonly Member[]> {
  return [
    { name: 'simulator', victim: 'simulator', port: simulatorPort },
    { name: 'api1', victim: 'api', port: one },
    { name: 'api2', victim: 'api', port: two },
    { name: 'worker1', victim: 'worker', port: await freePort() },
    { name: 'worker2', victim: 'worker', port: await freePort() },
  ];
}
