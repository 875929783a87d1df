// Where the drill runs: a gateway with its default settings, a real PostgreSQL, and the fakes of operators over HTTP
// both ways. Each operator account has the rate that its connector publishes.
import { openGateway, type Gateway } from '../../server/src/commands/serve/compose.ts';
import { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { startLocalCluster } from '../../server/src/commands/sandbox/local-cluster.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { enrol, startFakes, type RunningFakes } from '../../server/src/commands/sandbox/operator-fakes.ts';
import { readConfig } from '../../server/src/config.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/schema/migrate.ts';
import type { Merchant } from '../kit/load/load.ts';
import { marketOf } from '../kit/load/markets.ts';
import { createMerchants } from '../kit/merchants.ts';

export type BurstStage = Pick<RunningFakes, 'bindings'> & {
  readonly gateway: Gateway;
  readonly apiUrl: string;
  readonly merchant: Merchant;
  readonly close: () => Promise<void>;
};

/** At once: a healthy operator that answers with the end, such as Vodacom, answers a time-out where it comes later. */
const OUTCOME_DELAY_MS = 0;

export async function openBurstStage(names: readonly string[]): Promise<BurstStage> {
  const shutdownHooks = new ShutdownHooks();
  try {
    return await build(names, shutdownHooks);
  } catch (error) {
    await shutdownHooks.run();
    throw error;
  }
}

async function build(names: readonly string[], shutdownHooks: ShutdownHooks): Promise<BurstStage> {
  const cluster = await startLocalCluster();
  if (cluster === null) throw new Error('There is no PostgreSQL on this machine.');
  shutdownHooks.add(cluster.stop);
  await bringUpToDate(cluster.url);
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const fakes = await startFakes({
    outcomeDelayMs: OUTCOME_DELAY_MS,
    openingFloat: '100000000',
    gatewayUrl: () => apiUrl,
    names,
  });
  shutdownHooks.add(fakes.stop);
  const { bindings } = fakes;
  const config = readConfig(environmentOf({ databaseUrl: cluster.url, apiUrl, port, bindings }));
  const gateway = await openGateway(config, { role: 'all', logTo: 2 });
  shutdownHooks.add(gateway.stop);
  await enrol(gateway.engine, { by: 'drill', ...fakes });
  const markets = bindings.map(({ provider }) => marketOf(provider));
  const merchants = await createMerchants(gateway.engine, { markets, onFinal: () => undefined });
  for (const { endpoint } of merchants) shutdownHooks.add(() => endpoint.close());
  await gateway.start();
  const [merchant] = merchants;
  if (merchant === undefined) throw new Error('There is no merchant.');
  return { bindings, gateway, apiUrl, merchant, close: () => shutdownHooks.run() };
}

type Place = Pick<BurstStage, 'apiUrl' | 'bindings'> & {
  readonly databaseUrl: string;
  readonly port: number;
};

/** Only addresses and keys are set, and the merchant's own limit is lifted: what is shown are the defaults. */
function environmentOf({ databaseUrl, apiUrl, port, bindings }: Place): Record<string, string> {
  return {
    MALIPO_ENVIRONMENT: 'sandbox',
    MALIPO_LOG_LEVEL: 'warn',
    MALIPO_PORT: String(port),
    DATABASE_URL: databaseUrl,
    MALIPO_OPERATORS_URL: apiUrl,
    MALIPO_OPERATORS: bindings.map(({ provider, connector }) => `${provider}=${connector}`).join(' '),
    MALIPO_ENCRYPTION_KEYS: `1:${key(1)}`,
    MALIPO_SEARCH_KEY: key(2),
    MALIPO_REFERENCE_KEY: key(3),
    MALIPO_OUTGOING_ALLOW: '127.0.0.0/8',
    MALIPO_REQUESTS_PER_SECOND: '1000000',
    MALIPO_REQUEST_BURST: '1000000',
  };
}

function key(byte: number): string {
  return Buffer.alloc(32, byte).toString('base64');
}

async function bringUpToDate(url: string): Promise<void> {
  const database = openDatabase({ url, connectionsMax: 1, applicationName: 'drill', isPatient: true });
  await migrate(database, { now: new Date() });
  await database.end();
}
