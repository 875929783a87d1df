// Several cells on one machine, each as a host would have it: a PostgreSQL cluster, an API and a worker of its own, and
// merchants who live there. One operator and one receiver of callbacks serve them all.
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { startLocalCluster } from '../../server/src/commands/sandbox/local-cluster.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/schema/migrate.ts';
import type { Scratch } from '../../drills/kit/scratch.ts';
import { furnish, startGateway, startNeighbours } from './growth-setup.ts';
import type { BenchMerchant } from './merchants.ts';
import { findPostmaster, Meters } from './meters.ts';
import type { Receiver } from './receiver.ts';
import { CLUSTER_SETTINGS, settings } from './setup.ts';

export type BenchCell = {
  readonly port: number;
  readonly shops: readonly BenchMerchant[];
  /** Of this cell's own processes and cluster. */
  readonly meters: Meters;
};

export type CellStage = { readonly cells: readonly BenchCell[]; readonly receiver: Receiver };

type Order = {
  readonly count: number;
  readonly scratch: Scratch;
  readonly shutdownHooks: ShutdownHooks;
  readonly say: (text: string) => void;
};

export async function openCellStage({ count, scratch, shutdownHooks, say }: Order): Promise<CellStage> {
  say(`${count} PostgreSQL clusters and their schema`);
  const urls = await Promise.all(Array.from({ length: count }, () => startCluster(shutdownHooks)));
  const ports: number[] = [];
  for (const _ of urls) ports.push(await freePort());
  const { receiver, callbackUrl, simulatorUrl } = await startNeighbours(scratch, shutdownHooks);
  // Keys are the same everywhere, and so are the lists: these are the cells of one host.
  const shared = settings(urls[0] ?? '', simulatorUrl, scratch);
  const environmentOf = (index: number): Record<string, string> => ({
    ...shared,
    MALIPO_CELLS: listed(urls),
    MALIPO_CELL_URLS: listed(ports.map((port) => `http://127.0.0.1:${port}`)),
    MALIPO_CELL: nameOf(index),
  });
  say('merchants, APIs and workers');
  const build = async (port: number, index: number): Promise<BenchCell> => {
    const environment = environmentOf(index);
    const shops = await furnish(environment, callbackUrl);
    const pids = await startGateway(environment, port, shutdownHooks);
    const url = (urls[index] ?? '').replace(/malipo$/, 'postgres');
    const database = openDatabase({ url, connectionsMax: 1, applicationName: 'bench' });
    shutdownHooks.add(() => database.end());
    return { port, shops, meters: await Meters.open(database, pids) };
  };
  // The first is the directory of the others, so it is there before them.
  const first = await build(ports[0] ?? 0, 0);
  const others = await Promise.all(ports.slice(1).map((port, index) => build(port, index + 1)));
  const cells = [first, ...others];
  return { cells, receiver };
}

function listed(values: readonly string[]): string {
  return values.map((value, index) => `${nameOf(index)}=${value}`).join(' ');
}

function nameOf(index: number): string {
  return String(index + 1).padStart(4, '0');
}

async function startCluster(shutdownHooks: ShutdownHooks): Promise<string> {
  const cluster = await startLocalCluster({ settings: CLUSTER_SETTINGS });
  if (cluster === null)
    throw new Error('The bench needs PostgreSQL 15 or newer: install its server programs.');
  shutdownHooks.add(cluster.stop);
  const own = openDatabase({
    url: cluster.url,
    connectionsMax: 1,
    applicationName: 'bench',
    isPatient: true,
  });
  const postmaster = await findPostmaster(own);
  // At once: no one needs what a last checkpoint would bring to the disk.
  shutdownHooks.add(async () => void process.kill(postmaster, 'SIGQUIT'));
  await migrate(own, { now: new Date() });
  await own.end();
  return cluster.url;
}
