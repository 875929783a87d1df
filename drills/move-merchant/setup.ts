// Two cells as a host runs them: a PostgreSQL cluster each, processes of their own, and one operator for both.
import type { Gateway } from '../../server/src/commands/serve/compose.ts';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { startBalancer } from '../kit/balancer.ts';
import { migrateDatabase, startDatabase } from '../kit/database.ts';
import { DatabaseCluster } from '../kit/database-cluster.ts';
import { MARKETS } from '../kit/load/markets.ts';
import { addMerchants, type Merchant } from '../kit/merchants.ts';
import { openAdmin, startServer, startSimulator } from '../kit/processes.ts';
import { openScratch, type Scratch } from '../kit/scratch.ts';
import { drillSettings, simulatorOptions, type Environment } from '../kit/settings.ts';
import { journalPathOf } from '../kit/verdict/operator-books.ts';

export type Setup = {
  readonly scratch: Scratch;
  /** The first cell's address, to which everything is sent, whatever the merchant's cell. */
  readonly apiUrl: string;
  readonly simulatorUrl: string;
  /** The first one moves, the others stay, unless all do. */
  readonly merchants: readonly Merchant[];
  readonly moving: Merchant;
  /** The first cell's database, where it has a standby. */
  readonly cluster: DatabaseCluster | null;
  readonly admins: readonly Gateway[];
  /** The settings of a process of each cell. */
  readonly environments: readonly Environment[];
};

const CELLS = [0, 1] as const;

export type SetupOptions = {
  readonly keep: boolean;
  readonly merchantCount: number;
  readonly hasStandby: boolean;
};

export async function startSetup(hooks: ShutdownHooks, options: SetupOptions): Promise<Setup> {
  const scratch = openScratch(hooks, options);
  const ports = [await freePort(), await freePort()];
  const cluster = options.hasStandby ? await DatabaseCluster.start(hooks, scratch) : null;
  const urls = [
    cluster === null ? await startDatabase(hooks) : await startAddress(hooks, scratch, { cluster, ports }),
    await startDatabase(hooks),
  ];
  const tempo = 'SHORT';
  const repeats = 'CHARGED';
  const journalPath = journalPathOf(scratch, 'simulator');
  const simulator = await startSimulator(hooks, scratch, {
    ...simulatorOptions(tempo),
    repeats,
    journalPath,
  });
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`);
  const environments = CELLS.map((cell) => ({
    ...drillSettings({
      databaseUrl: urls[cell] ?? '',
      apiUrl: addresses[cell] ?? '',
      simulatorUrl: simulator.url,
      tempo,
      repeats,
    }),
    MALIPO_CELLS: listed(urls),
    MALIPO_CELL_URLS: listed(addresses),
    MALIPO_CELL: nameOf(cell),
    MALIPO_PORT: String(ports[cell]),
  }));
  await Promise.all(
    environments.map((environment, cell) =>
      startServer(hooks, scratch, { role: 'all', name: `cell${cell + 1}`, environment }),
    ),
  );
  const admins = await Promise.all(environments.map((environment) => openAdmin(hooks, environment)));
  const [first] = admins;
  if (first === undefined) throw new Error('there is no cell');
  const merchants = await addMerchants(hooks, first.engine, {
    markets: MARKETS,
    count: options.merchantCount,
  });
  const [moving] = merchants;
  if (moving === undefined) throw new Error('there is no merchant');
  const apiUrl = addresses[0] ?? '';
  return { scratch, apiUrl, simulatorUrl: simulator.url, merchants, moving, cluster, admins, environments };
}

/** It leads to the primary. Requests go to the process itself. */
async function startAddress(
  hooks: ShutdownHooks,
  scratch: Scratch,
  { cluster, ports }: { readonly cluster: DatabaseCluster; readonly ports: readonly number[] },
): Promise<string> {
  const { databaseUrl } = await startBalancer(hooks, scratch, { cluster, apiPorts: ports.slice(0, 1) });
  await migrateDatabase(databaseUrl);
  return databaseUrl;
}

/** The cells in settings format. */
export function listed(values: readonly string[]): string {
  return values.map((value, cell) => `${nameOf(cell)}=${value}`).join(' ');
}

export function nameOf(cell: number): string {
  return String(cell + 1).padStart(4, '0');
}
