// The setup of a chaos run: the database with its standby, balancer and pooler, the processes, the merchants.
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import type { Gateway } from '../../server/src/commands/serve/compose.ts';
import { copyBuild, copyNewerBuild, type Build } from '../kit/builds.ts';
import { migrateDatabase } from '../kit/database.ts';
import { Fleet, nameMembers } from '../kit/fleet.ts';
import type { Market } from '../kit/load/markets.ts';
import { addMerchants, type Merchant } from '../kit/merchants.ts';
import { openAdmin, openAdminOf } from '../kit/processes.ts';
import type { Say } from '../kit/program.ts';
import { streamOf } from '../kit/random.ts';
import { openScratch, type Scratch } from '../kit/scratch.ts';
import { drillSettings, type Environment, type Tempo } from '../kit/settings.ts';
import { startBalancer, type Balancer } from '../kit/balancer.ts';
import { startPooler, type Pooler } from '../kit/pooler.ts';
import type { BrokenRule } from './broken-rules.ts';
import { DatabaseCluster } from '../kit/database-cluster.ts';
import { Accounts, argumentsOf, bindingsOf, marketsOf, namesOf, type Operators } from './operators.ts';
import { People } from './people.ts';
import { addApprovers, ScreeningService, screenMerchant } from './screening.ts';
import { cellSettings, placeSecondCell, startSecondCell, type SecondCell } from './second-cell.ts';

export type Setup = Pick<Balancer, 'apiUrl'> & {
  readonly scratch: Scratch;
  readonly cluster: DatabaseCluster;
  readonly balancer: Balancer;
  readonly pooler: Pooler;
  readonly fleet: Fleet;
  readonly newerBuild: Build;
  /** The operators by name, with their addresses. */
  readonly operatorUrls: ReadonlyMap<string, string>;
  readonly markets: readonly Market[];
  readonly accounts: Accounts;
  readonly merchants: readonly Merchant[];
  readonly admin: Gateway;
  /** Null with the fakes of operators, whose accounts are those of one cell. */
  readonly second: SecondCell | null;
  /** At work in both cells. */
  readonly people: People | null;
  /** All payments of the first merchant are screened by it. */
  readonly screening: ScreeningService;
};

export type SetupOptions = {
  readonly seed: number;
  readonly tempo: Tempo;
  readonly operators: Operators;
  readonly brokenRule: BrokenRule | null;
  readonly keep: boolean;
  readonly say: Say;
};

export async function startSetup(hooks: ShutdownHooks, options: SetupOptions): Promise<Setup> {
  const { tempo, operators, brokenRule, say } = options;
  const scratch = openScratch(hooks, options);
  say('PostgreSQL: Patroni with a primary and a synchronous standby, and etcd');
  const cluster = await DatabaseCluster.start(hooks, scratch);
  const members = await nameMembers(namesOf(operators));
  const apiPorts = members.filter(({ victim }) => victim === 'api').map(({ port }) => port);
  const balancer = await startBalancer(hooks, scratch, { cluster, apiPorts });
  say('the schema');
  await migrateDatabase(balancer.databaseUrl);
  const pooler = await startPooler(hooks, scratch, balancer.databaseUrl);
  const operatorUrls = new Map(
    members
      .filter(({ victim }) => victim === 'simulator')
      .map(({ name, port }) => [name, `http://127.0.0.1:${port}`]),
  );
  const carriers =
    operators.type === 'SIMULATOR'
      ? { simulatorUrl: operatorUrls.get('simulator') ?? '', repeats: operators.repeats }
      : { bindings: bindingsOf(operators) };
  const screening = await ScreeningService.start(hooks, streamOf(options.seed, 'screening'));
  const place = operators.type === 'SIMULATOR' ? await placeSecondCell(hooks) : null;
  const pooled = { ...balancer, databaseUrl: pooler.environment['DATABASE_URL'] ?? '' };
  const environment = {
    ...drillSettings({ ...balancer, ...carriers, tempo }),
    ...pooler.environment,
    ...(place === null ? {} : cellSettings('0001', place, pooled)),
    ...screening.environment,
    ...AT_WORK,
  };
  const build = copyBuild(scratch, 'this', brokenRule);
  const fleet = new Fleet({
    scratch,
    build,
    members,
    serverEnvironment: environment,
    operatorArguments: (member) => argumentsOf(scratch, member, { ...balancer, operators, tempo }),
  });
  const newerBuild = copyNewerBuild(scratch, brokenRule);
  say(`the gateway, and ${namesOf(operators).join(', ')}`);
  const admin = await openAdmin(hooks, environment);
  const markets = marketsOf(operators);
  const merchants = await addMerchants(hooks, admin.engine, { markets });
  await addApprovers(admin.engine);
  await screenMerchant(admin.engine, screenedOf({ merchants }));
  await fleet.start(hooks);
  const second =
    place === null || operators.type !== 'SIMULATOR'
      ? null
      : await startSecondCell(hooks, scratch, {
          place,
          first: balancer,
          build,
          simulatorUrl: operatorUrls.get('simulator') ?? '',
          repeats: operators.repeats,
          tempo,
          markets,
          further: AT_WORK,
        });
  const people =
    second === null
      ? null
      : await startPeople(hooks, { build, environment, merchants, second, seed: options.seed });
  const accounts = new Accounts(admin.engine, scratch, operators);
  await accounts.enrol();
  const { apiUrl } = balancer;
  return {
    apiUrl,
    scratch,
    cluster,
    balancer,
    pooler,
    fleet,
    newerBuild,
    operatorUrls,
    markets,
    accounts,
    merchants,
    admin,
    second,
    people,
    screening,
  };
}

/** A bank account may be used at once; connections of other cells are not named by a statement either. */
const AT_WORK: Environment = { MALIPO_BANK_COOLING_OFF_HOURS: '0', MALIPO_DATABASE_STATEMENT_NAMES: 'none' };

/** For a merchant of each cell, and for the one that moves. */
async function startPeople(
  hooks: ShutdownHooks,
  {
    build,
    environment,
    merchants,
    second,
    seed,
  }: {
    readonly build: Build;
    readonly environment: Environment;
    readonly merchants: readonly Merchant[];
    readonly second: SecondCell;
    readonly seed: number;
  },
): Promise<People> {
  const gateways = [
    await openAdminOf(hooks, build, environment),
    await openAdminOf(hooks, build, second.environment),
  ];
  const employers = [merchants[0], merchants[1], ...second.merchants].flatMap((merchant) =>
    merchant === undefined ? [] : [{ merchantId: merchant.merchantId, walletProvider: '' }],
  );
  const engines = gateways.map(({ engine }) => engine);
  return People.start({
    build,
    engines,
    employers,
    moving: second.merchants[0]?.merchantId ?? '',
    random: streamOf(seed, 'people'),
  });
}

/** The merchant whose payments are screened. */
export function screenedOf({ merchants }: Pick<Setup, 'merchants'>): string {
  return merchants[0]?.merchantId ?? '';
}
