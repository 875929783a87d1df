// A PostgreSQL cluster, the gateway as a separate process with a probe in it, the simulator, merchants and people. A
// validation may be removed from the copy of the source that the gateway is started from.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import type { MemorySample } from '../../benchmarks/gateway/memory-samples.ts';
import { benchSettings } from '../../benchmarks/gateway/settings.ts';
import { copyBuild } from '../kit/builds.ts';
import { readLines } from '../kit/child.ts';
import { startDatabase } from '../kit/database.ts';
import { Endpoint } from '../kit/load/endpoint.ts';
import { MAIN, openAdmin, startServer, startSimulator } from '../kit/processes.ts';
import type { Say } from '../kit/program.ts';
import { openScratch } from '../kit/scratch.ts';
import { CONSOLE_SETTINGS } from '../kit/settings.ts';
import { createWorld, type CreatedWorld } from './create-world.ts';
import type { Hole } from './holes.ts';

export type ProbeSample = MemorySample & { readonly stallMs: number };

export type Setup = CreatedWorld & {
  readonly samples: () => readonly ProbeSample[];
  /** The gateway's log lines about requests that it could not answer. */
  readonly complaints: () => readonly string[];
  readonly hasEnded: () => boolean;
};

export type SetupOptions = { readonly hole: Hole | null; readonly keep: boolean; readonly say: Say };

const PROBE = fileURLToPath(new URL('probe.ts', import.meta.url));

/** Every connector listens; the payments of the run go to the simulator. */
const OPERATORS = [
  '*=simulator',
  'MTN_MOMO_CMR=mtn-momo',
  'MPESA_ETH=mpesa-daraja',
  'AIRTEL_MWI=airtel-money',
  'ORANGE_SLE=gsma',
  'ORANGE_CIV=orange-sonatel',
  'VODACOM_TZA=vodacom-mpesa',
  'WAVE_CIV=wave',
];

export async function startSetup(hooks: ShutdownHooks, { hole, keep, say }: SetupOptions): Promise<Setup> {
  const scratch = openScratch(hooks, { keep });
  say('PostgreSQL, the simulator and the gateway');
  const databaseUrl = await startDatabase(hooks);
  const simulator = await startSimulator(hooks, scratch);
  const port = await freePort();
  const probePath = join(scratch.folder('probe'), 'gateway.jsonl');
  const environment = {
    ...benchSettings(databaseUrl, simulator.url),
    ...CONSOLE_SETTINGS,
    MALIPO_PORT: String(port),
    MALIPO_LOG_LEVEL: 'error',
    MALIPO_OPERATORS: OPERATORS.join(' '),
    MALIPO_OPERATORS_URL: `http://127.0.0.1:${port}`,
    FUZZ_PROBE: probePath,
  };
  const { child } = await startServer(hooks, scratch, {
    role: 'all',
    name: 'gateway',
    environment,
    nodeArgs: ['--expose-gc', `--import=${PROBE}`],
    mainPath: hole === null ? MAIN : copyBuild(scratch, 'planted', hole).mainPath,
  });
  const admin = await openAdmin(hooks, environment);
  const endpoint = await Endpoint.start(hooks);
  say('merchants, people, pages and payments');
  return {
    ...(await createWorld(admin, { port, callbackUrl: endpoint.url })),
    samples: () => readLines(probePath).map((line) => JSON.parse(line) as ProbeSample),
    complaints: () => readLines(child.logPath),
    hasEnded: () => child.hasEnded,
  };
}
