// A PostgreSQL cluster, the gateway as a process of its own with a probe in it, the simulator, and everybody who has to
// do with them. A validation may be taken out of the copy of the source that the gateway is started from.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { openGateway } from '../../server/src/commands/serve/compose.ts';
import { startLocalCluster } from '../../server/src/commands/sandbox/local-cluster.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/schema/migrate.ts';
import { settings, silent, startSimulatorProcess } from '../../benchmarks/gateway/setup.ts';
import type { MemorySample } from '../../benchmarks/gateway/memory-samples.ts';
import { copyBuild } from '../kit/builds.ts';
import { Child } from '../kit/child.ts';
import { Endpoint } from '../kit/load/endpoint.ts';
import { openScratch, type Scratch } from '../kit/scratch.ts';
import type { Hole } from './holes.ts';
import { furnish, type Furnished } from './furnish.ts';

export type ProbeSample = MemorySample & { readonly stallMs: number };

export type Stage = Furnished & {
  readonly scratchPath: string;
  readonly samples: () => readonly ProbeSample[];
  /** What the gateway wrote about requests it could not answer. */
  readonly complaints: () => readonly string[];
  readonly hasEnded: () => boolean;
  readonly close: () => Promise<void>;
};

export type StageOptions = {
  readonly hole: Hole | null;
  readonly keep: boolean;
  readonly onProgress: (text: string) => void;
};

const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
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

export async function openStage(options: StageOptions): Promise<Stage> {
  const shutdownHooks = new ShutdownHooks();
  const scratch = openScratch({ keep: options.keep });
  shutdownHooks.add(scratch.close);
  try {
    return await build(shutdownHooks, scratch, options);
  } catch (error) {
    await shutdownHooks.run();
    throw error;
  }
}

async function build(shutdownHooks: ShutdownHooks, scratch: Scratch, options: StageOptions): Promise<Stage> {
  options.onProgress('PostgreSQL, the simulator and the gateway');
  const cluster = await startLocalCluster();
  if (cluster === null)
    throw new Error('The proof needs PostgreSQL 15 or newer: install its server programs.');
  shutdownHooks.add(cluster.stop);
  await bringUpToDate(cluster.url);
  const simulator = await startSimulatorProcess(scratch);
  shutdownHooks.add(() => simulator.child.end('SIGKILL'));
  const port = await freePort();
  const environment = {
    ...settings(cluster.url, simulator.url, scratch),
    PATH: process.env['PATH'] ?? '',
    MALIPO_PORT: String(port),
    MALIPO_LOG_LEVEL: 'error',
    MALIPO_OPERATORS: OPERATORS.join(' '),
    MALIPO_OPERATORS_URL: `http://127.0.0.1:${port}`,
    MALIPO_CONSOLE_KEY: randomBytes(32).toString('base64'),
    MALIPO_TWO_FACTOR: 'OPTIONAL',
    FUZZ_PROBE: join(scratch.folder('probe'), 'gateway.jsonl'),
  };
  const gateway = startGateway(scratch, environment, options.hole);
  shutdownHooks.add(() => gateway.child.end('SIGKILL'));
  const console = await openGateway(silent(environment), { role: 'admin' });
  shutdownHooks.add(console.stop);
  const endpoint = new Endpoint(() => undefined);
  await endpoint.open();
  shutdownHooks.add(() => endpoint.close());
  await waitUntilUp(`http://127.0.0.1:${port}/ready`, gateway);
  options.onProgress('merchants, people, pages and payments');
  const furnished = await furnish(console, { port, callbackUrl: endpoint.url });
  return {
    ...furnished,
    scratchPath: scratch.path,
    samples: () => readLines(environment.FUZZ_PROBE).map((line) => JSON.parse(line) as ProbeSample),
    complaints: () => readLines(gateway.logPath),
    hasEnded: () => gateway.child.hasEnded,
    close: () => shutdownHooks.run(),
  };
}

type GatewayProcess = { readonly child: Child; readonly logPath: string };

function startGateway(scratch: Scratch, env: Record<string, string>, hole: Hole | null): GatewayProcess {
  const mainPath = hole === null ? MAIN : copyBuild(scratch, 'planted', hole).mainPath;
  const logPath = join(scratch.folder('logs'), 'gateway.log');
  const args = ['--expose-gc', `--import=${PROBE}`, mainPath, 'all'];
  return { child: new Child({ command: process.execPath, args, env, logPath }), logPath };
}

async function bringUpToDate(url: string): Promise<void> {
  const database = openDatabase({ url, connectionsMax: 1, applicationName: 'proof', isPatient: true });
  await migrate(database, { now: new Date() });
  await database.end();
}

async function waitUntilUp(url: string, { child, logPath }: GatewayProcess): Promise<void> {
  for (let tries = 1; tries <= 600 && !child.hasEnded; tries += 1) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await sleep(100);
  }
  throw new Error(`the gateway did not start: ${readLines(logPath).slice(-5).join('\n')}`);
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
