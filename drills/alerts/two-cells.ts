// An installation of two cells of which one no longer answers. It is not the one of the other scenes: there, every
// worker is of a single cell.
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { startDatabase } from '../kit/database.ts';
import { openAdmin, startServer } from '../kit/processes.ts';
import type { Say } from '../kit/program.ts';
import { openScratch } from '../kit/scratch.ts';
import { gatewaySettings } from '../kit/settings.ts';
import { startPrometheus } from './prometheus.ts';
import { until } from './setup.ts';

const HOURS_MS = 2 * 3_600_000;

/** Returns the names of the alerts that fired. */
export async function showSilentCell(hooks: ShutdownHooks, { say }: { readonly say: Say }) {
  say('scene: a cell does not answer, so that nobody compares its transactions');
  const scratch = openScratch(hooks);
  const databaseUrl = await startDatabase(hooks);
  const silent = new URL(databaseUrl);
  silent.port = String(await freePort());
  const environment = {
    ...gatewaySettings(databaseUrl),
    MALIPO_CELL: '0001',
    MALIPO_CELLS: `0001=${databaseUrl} 0002=${silent.href}`,
    MALIPO_CELL_URLS: '0001=http://127.0.0.1:1 0002=http://127.0.0.1:2',
    MALIPO_OPERATORS_URL: 'http://127.0.0.1:1',
    MALIPO_MOVABLE_CLOCK: 'on',
    MALIPO_MONITOR_INTERVAL_MS: '1000',
  };
  const worker = await startServer(hooks, scratch, { role: 'worker', environment });
  const { movableClock } = await openAdmin(hooks, environment);
  const targets = [`127.0.0.1:${worker.port}`];
  const prometheus = await startPrometheus(hooks, { scratch, targets }, 'QUICK');
  await movableClock?.move(HOURS_MS);
  const fired = 'MalipoTransactionsUncompared';
  await until(`${fired} fires`, async () =>
    (await prometheus.alerts()).some(({ name, state, summary }) => {
      const isFiring = name === fired && state === 'firing';
      if (isFiring) say(`  ${name}: ${summary}`);
      return isFiring;
    }),
  );
  return [fired];
}
