// Everything a chaos run plays on: the database with its standby, the balancer, the processes, the merchants.
import { setTimeout as sleep } from 'node:timers/promises';
import { openGateway, type Gateway } from '../../server/src/commands/serve/compose.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { readConfig } from '../../server/src/config.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/schema/migrate.ts';
import { startBalancer, type Balancer } from './balancer.ts';
import type { BrokenRule } from './broken-rules.ts';
import { copyBuild, copyNewerBuild, type Build } from '../kit/builds.ts';
import { DatabaseCluster } from './database-cluster.ts';
import { Fleet, type Member } from '../kit/fleet.ts';
import type { Merchant } from '../kit/load/load.ts';
import { createMerchants, type OnFinal } from '../kit/merchants.ts';
import type { Market } from '../kit/load/markets.ts';
import { Accounts, argumentsOf, bindingsOf, marketsOf, namesOf, type Operators } from './operators.ts';
import { openScratch, type Scratch } from '../kit/scratch.ts';
import { serverEnvironment, type Tempo } from '../kit/settings.ts';

export type Stage = {
  readonly scratch: Scratch;
  readonly cluster: DatabaseCluster;
  readonly balancer: Balancer;
  readonly fleet: Fleet;
  readonly newerBuild: Build;
  /** The operators by their names, and where each of them is. */
  readonly operatorUrls: ReadonlyMap<string, string>;
  readonly markets: readonly Market[];
  readonly accounts: Accounts;
  readonly merchants: readonly Merchant[];
  /** The gateway as a person at the console has it. */
  readonly console: Gateway;
  readonly close: () => Promise<void>;
};

export type StageOptions = {
  readonly tempo: Tempo;
  readonly operators: Operators;
  readonly brokenRule: BrokenRule | null;
  readonly keep: boolean;
  readonly onProgress: (text: string) => void;
  readonly onFinal: OnFinal;
};

export async function openStage(options: StageOptions): Promise<Stage> {
  const scratch = openScratch({ keep: options.keep });
  try {
    return await build(scratch, options);
  } catch (error) {
    await scratch.close();
    throw error;
  }
}

async function build(scratch: Scratch, options: StageOptions): Promise<Stage> {
  const { onProgress } = options;
  onProgress('PostgreSQL: a monitor, a primary and a synchronous standby');
  const cluster = await DatabaseCluster.start(scratch);
  const { tempo, operators } = options;
  const members = await nameMembers(namesOf(operators));
  const apiPorts = members.filter(({ victim }) => victim === 'api').map(({ port }) => port);
  const balancer = await startBalancer(scratch, cluster, apiPorts);
  onProgress('the schema');
  await bringUpToDate(balancer.databaseUrl);
  const operatorUrls = new Map(
    members
      .filter(({ victim }) => victim === 'simulator')
      .map(({ name, port }) => [name, `http://127.0.0.1:${port}`]),
  );
  const carriers =
    operators.type === 'SIMULATOR'
      ? { simulatorUrl: operatorUrls.get('simulator') ?? '', repeats: operators.repeats }
      : { bindings: bindingsOf(operators) };
  const environment = serverEnvironment({ ...balancer, ...carriers, tempo });
  const fleet = new Fleet({
    scratch,
    build: copyBuild(scratch, 'this', options.brokenRule),
    members,
    serverEnvironment: environment,
    operatorArguments: (member) => argumentsOf(scratch, member, { ...balancer, operators, tempo }),
  });
  const newerBuild = copyNewerBuild(scratch, options.brokenRule);
  onProgress(`the gateway, and ${namesOf(operators).join(', ')}`);
  const console = await openGateway(readConfig({ ...environment, MALIPO_LOG_LEVEL: 'silent' }), {
    role: 'admin',
  });
  const markets = marketsOf(operators);
  const merchants = await createMerchants(console.engine, { markets, onFinal: options.onFinal });
  await fleet.start();
  const accounts = new Accounts(console.engine, scratch, operators);
  await accounts.enrol();
  return {
    scratch,
    cluster,
    balancer,
    fleet,
    newerBuild,
    operatorUrls,
    markets,
    accounts,
    merchants,
    console,
    close: async () => {
      fleet.stop();
      await console.stop().catch(() => undefined);
      for (const { endpoint } of merchants) await endpoint.close();
      await cluster.stop();
      balancer.stop();
      await scratch.close();
    },
  };
}

async function nameMembers(operators: readonly string[]): Promise<readonly Member[]> {
  const posts = [
    ['api1', 'api'],
    ['api2', 'api'],
    ['worker1', 'worker'],
    ['worker2', 'worker'],
    ...operators.map((name) => [name, 'simulator'] as const),
  ] as const;
  const members: Member[] = [];
  for (const [name, victim] of posts) members.push({ name, victim, port: await freePort() });
  return members;
}

/** The balancer may need a moment to learn who is primary. */
async function bringUpToDate(url: string): Promise<void> {
  const database = openDatabase({
    url,
    connectionsMax: 1,
    applicationName: 'chaos migrate',
    isPatient: true,
  });
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        await migrate(database, { now: new Date() });
        return;
      } catch (error) {
        if (tries === 50) throw error;
        await sleep(100);
      }
    }
  } finally {
    await database.end();
  }
}
