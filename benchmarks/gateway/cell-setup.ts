// Several cells on one machine, each as a host would have it: its own PostgreSQL cluster, API, worker and merchants.
// One operator serves them all. Each has its own receiver of callbacks, which counts the cell's payments.
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { listed, nameOf } from '../../drills/move-merchant/setup.ts';
import { openRunDatabase } from '../../drills/kit/database.ts';
import { startSimulator } from '../../drills/kit/processes.ts';
import type { Say } from '../../drills/kit/program.ts';
import { openScratch } from '../../drills/kit/scratch.ts';
import { startGateway } from './growth-setup.ts';
import type { BenchMerchant } from './merchants.ts';
import { Meters } from './meters.ts';
import type { Receiver } from './receiver.ts';
import { benchSettings } from './settings.ts';
import { addBenchMerchants, startBenchDatabase, startReceiver, urlOfDatabase } from './setup.ts';

export type BenchCell = {
  readonly port: number;
  readonly shops: readonly BenchMerchant[];
  readonly receiver: Receiver;
  /** Of this cell's own processes and cluster. */
  readonly meters: Meters;
};

export async function startCells(
  hooks: ShutdownHooks,
  { count, say }: { readonly count: number; readonly say: Say },
): Promise<readonly BenchCell[]> {
  const scratch = openScratch(hooks);
  say(`${count} PostgreSQL clusters and their schema`);
  const urls = await Promise.all(Array.from({ length: count }, () => startBenchDatabase(hooks)));
  const ports: number[] = [];
  for (const _ of urls) ports.push(await freePort());
  const simulator = await startSimulator(hooks, scratch);
  say('merchants, APIs and workers');
  const build = async (port: number, index: number): Promise<BenchCell> => {
    const url = urls[index] ?? '';
    // All cells of a host share the same keys and lists.
    const environment = {
      ...benchSettings(urls[0] ?? '', simulator.url),
      MALIPO_CELLS: listed(urls),
      MALIPO_CELL_URLS: listed(ports.map((some) => `http://127.0.0.1:${some}`)),
      MALIPO_CELL: nameOf(index),
    };
    const { receiver, callbackUrl } = await startReceiver(hooks);
    const { shops } = await addBenchMerchants(environment, callbackUrl);
    const pids = await startGateway(hooks, scratch, { environment, port });
    const database = openRunDatabase(hooks, urlOfDatabase(url, 'postgres'), 1);
    return { port, shops, receiver, meters: await Meters.open(database, pids) };
  };
  // The first is the directory of the others, so it starts before them.
  const first = await build(ports[0] ?? 0, 0);
  const others = await Promise.all(ports.slice(1).map((port, index) => build(port, index + 1)));
  return [first, ...others];
}
