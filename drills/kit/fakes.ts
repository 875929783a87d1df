// A gateway in this process, and the fakes of operators over HTTP both ways.
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { enrol, startFakes, type FakesOptions } from '../../server/src/commands/sandbox/operator-fakes.ts';
import { openGateway } from '../../server/src/commands/serve/compose.ts';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { readConfig } from '../../server/src/config.ts';
import type { Binding } from '../../server/src/connectors/bindings.ts';
import { startDatabase } from './database.ts';
import { marketOf } from './load/markets.ts';
import { addMerchants } from './merchants.ts';
import { BY, type Environment } from './settings.ts';

export type FakeSetupOptions = {
  readonly names: readonly string[];
  readonly fakes: Omit<FakesOptions, 'names' | 'gatewayUrl'>;
  readonly settingsOf: (facts: {
    readonly databaseUrl: string;
    readonly apiUrl: string;
    readonly bindings: readonly Binding[];
  }) => Environment;
  /** Further settings of every operator account, such as its rate. */
  readonly agreed?: Readonly<Record<string, string>>;
};

export async function startFakeSetup(
  hooks: ShutdownHooks,
  { names, fakes, settingsOf, agreed = {} }: FakeSetupOptions,
) {
  const databaseUrl = await startDatabase(hooks);
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const running = await startFakes({ ...fakes, names, gatewayUrl: () => apiUrl });
  hooks.add(running.stop);
  const { bindings } = running;
  const environment = { ...settingsOf({ databaseUrl, apiUrl, bindings }), MALIPO_PORT: String(port) };
  const gateway = await openGateway(readConfig(environment), { role: 'all', logTo: 2 });
  hooks.add(gateway.stop);
  await enrol(gateway.engine, { by: BY, ...running, agreed });
  const markets = bindings.map(({ provider }) => marketOf(provider));
  const merchants = await addMerchants(hooks, gateway.engine, { markets });
  await gateway.start();
  return { ...running, gateway, apiUrl, merchants };
}
