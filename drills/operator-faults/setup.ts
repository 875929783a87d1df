// Where the proof plays: a gateway of its own with a real PostgreSQL, and the fakes of operators over HTTP both ways.
import { openGateway, type Gateway } from '../../server/src/commands/serve/compose.ts';
import { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { startLocalCluster } from '../../server/src/commands/sandbox/local-cluster.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { enrol, startFakes, type RunningFakes } from '../../server/src/commands/sandbox/operator-fakes.ts';
import { readConfig } from '../../server/src/config.ts';
import type { Clock } from '../../server/src/domain/clock.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/schema/migrate.ts';
import type { Merchant } from '../kit/load/load.ts';
import { marketOf } from '../kit/load/markets.ts';
import { createMerchants, type OnFinal } from '../kit/merchants.ts';
import { journalPathOf } from '../kit/verdict/operator-books.ts';
import { openScratch, type Scratch } from '../kit/scratch.ts';
import { serverEnvironment, simulatorOptions } from '../kit/settings.ts';

export type OperatorsStage = RunningFakes & {
  readonly scratch: Scratch;
  readonly gateway: Gateway;
  readonly apiUrl: string;
  readonly operatorUrls: ReadonlyMap<string, string>;
  readonly merchants: readonly Merchant[];
  readonly close: () => Promise<void>;
};

/** What operators allow is far less than a proof wants to wait for; that it is kept to has tests of its own. */
const AGREED = { requestsPerSecond: '1000' };

export async function openOperatorsStage(options: {
  readonly names: readonly string[];
  readonly keep: boolean;
  readonly onFinal: OnFinal;
}): Promise<OperatorsStage> {
  const shutdownHooks = new ShutdownHooks();
  try {
    return await build(options, shutdownHooks);
  } catch (error) {
    await shutdownHooks.run();
    throw error;
  }
}

async function build(
  { names, keep, onFinal }: Parameters<typeof openOperatorsStage>[0],
  shutdownHooks: ShutdownHooks,
): Promise<OperatorsStage> {
  const scratch = openScratch({ keep });
  shutdownHooks.add(scratch.close);
  const cluster = await startLocalCluster();
  if (cluster === null) throw new Error('There is no PostgreSQL on this machine.');
  shutdownHooks.add(cluster.stop);
  await bringUpToDate(cluster.url);
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const clock: { current: Clock } = { current: { now: () => new Date() } };
  const fakes = await startFakes({
    ...simulatorOptions('SHORT'),
    control: true,
    clock: { now: () => clock.current.now() },
    gatewayUrl: () => apiUrl,
    names,
    journalPathOf: (name) => journalPathOf(scratch, name),
  });
  shutdownHooks.add(fakes.stop);
  const { bindings } = fakes;
  const environment = serverEnvironment({ databaseUrl: cluster.url, apiUrl, tempo: 'SHORT', bindings });
  const own = { MALIPO_MOVABLE_CLOCK: 'on', MALIPO_PORT: String(port), MALIPO_LOG_LEVEL: 'error' };
  const gateway = await openGateway(readConfig({ ...environment, ...own }), { role: 'all', logTo: 2 });
  shutdownHooks.add(gateway.stop);
  clock.current = gateway.engine.clock;
  await enrol(gateway.engine, { by: 'proof', ...fakes, agreed: AGREED });
  const markets = bindings.map(({ provider }) => marketOf(provider));
  const merchants = await createMerchants(gateway.engine, { markets, onFinal });
  for (const { endpoint } of merchants) shutdownHooks.add(() => endpoint.close());
  await gateway.start();
  const operatorUrls = new Map([...fakes.fakes].map(([name, { url }]) => [name, url]));
  return { ...fakes, scratch, gateway, apiUrl, operatorUrls, merchants, close: () => shutdownHooks.run() };
}

async function bringUpToDate(url: string): Promise<void> {
  const database = openDatabase({ url, connectionsMax: 1, applicationName: 'proof', isPatient: true });
  await migrate(database, { now: new Date() });
  await database.end();
}
