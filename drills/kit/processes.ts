// The gateway and the simulator as separate processes, started as a host would start them.
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { openGateway, type Gateway } from '../../server/src/commands/serve/compose.ts';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { readConfig } from '../../server/src/config.ts';
import type { SimulatorOptions } from '../../server/src/sandbox/simulator/simulator.ts';
import { Child, readLines } from './child.ts';
import type { Scratch } from './scratch.ts';
import { CLIENT, type Environment } from './settings.ts';

const run = promisify(execFile);

export const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
export const SKEWED_CLOCK = fileURLToPath(new URL('./skewed-clock.mjs', import.meta.url));
const SIMULATOR = fileURLToPath(new URL('./simulator-process.ts', import.meta.url));

export type Server = { readonly url: string; readonly port: number; readonly child: Child };

export type ServerOptions = {
  readonly role: 'api' | 'worker' | 'all';
  /** The log's name, if there are several of a role. */
  readonly name?: string;
  /** With MALIPO_PORT 0 it gets a free one. */
  readonly environment: Environment;
  readonly nodeArgs?: readonly string[];
  readonly mainPath?: string;
  /** Used to end it after the run. */
  readonly signal?: NodeJS.Signals;
};

/** Resolves when it is ready. */
export async function startServer(
  hooks: ShutdownHooks,
  scratch: Scratch,
  options: ServerOptions,
): Promise<Server> {
  const { role, name = role, environment, nodeArgs = [], mainPath = MAIN, signal = 'SIGKILL' } = options;
  const wanted = Number(environment['MALIPO_PORT'] ?? 0);
  const port = wanted === 0 ? await freePort() : wanted;
  const child = new Child({
    args: [...nodeArgs, mainPath, role],
    env: { ...environment, ...runEnvironment(scratch), MALIPO_PORT: String(port) },
    logPath: join(scratch.folder('logs'), `${name}.log`),
  });
  hooks.add(() => child.end(signal));
  const url = `http://127.0.0.1:${port}`;
  await waitUntilUp(`${url}/ready`, child);
  return { url, port, child };
}

/** Every process of a run is found by this directory; they also share its compile cache. */
export function runEnvironment(scratch: Scratch): Environment {
  return { NODE_COMPILE_CACHE: join(scratch.path, 'compiled') };
}

/** Returns its address. */
export async function startSimulator(
  hooks: ShutdownHooks,
  scratch: Scratch,
  options: Partial<SimulatorOptions> = {},
): Promise<Server> {
  const port = await freePort();
  const logPath = join(scratch.folder('logs'), 'simulator.log');
  const child = new Child({ args: simulatorArguments(scratch, { ...options, port }), logPath });
  hooks.add(() => child.end());
  const url = `http://127.0.0.1:${port}`;
  await waitUntilUp(`${url}/control/settings`, child);
  return { url, port, child };
}

export function simulatorArguments(scratch: Scratch, options: Partial<SimulatorOptions>): readonly string[] {
  return [SIMULATOR, scratch.path, JSON.stringify({ ...CLIENT, control: true, ...options })];
}

/** HAProxy, as Debian installs it. */
export function startProxy(hooks: ShutdownHooks, scratch: Scratch, configPath: string): void {
  const logPath = join(scratch.folder('logs'), 'haproxy.log');
  const child = new Child({ command: '/usr/sbin/haproxy', args: ['-db', '-f', configPath], logPath });
  hooks.add(() => child.end());
}

/** The gateway as in a command: it serves nothing, and can do what an administrator can. */
export async function openAdmin(hooks: ShutdownHooks, environment: Environment): Promise<Gateway> {
  const config = readConfig({ ...environment, MALIPO_LOG_LEVEL: 'silent' });
  const gateway = await openGateway(config, { role: 'admin' });
  hooks.add(() => gateway.stop().catch(() => undefined));
  return gateway;
}

/** The same from a copy of the source, in which a rule may be broken. */
export async function openAdminOf(
  hooks: ShutdownHooks,
  { mainPath }: { readonly mainPath: string },
  environment: Environment,
): Promise<Gateway> {
  const load = (file: string) => import(pathToFileURL(join(dirname(mainPath), file)).href);
  const [compose, config] = await Promise.all([
    load('commands/serve/compose.ts') as Promise<{ openGateway: typeof openGateway }>,
    load('config.ts') as Promise<{ readConfig: typeof readConfig }>,
  ]);
  const read = config.readConfig({ ...environment, MALIPO_LOG_LEVEL: 'silent' });
  const gateway = await compose.openGateway(read, { role: 'admin' });
  hooks.add(() => gateway.stop().catch(() => undefined));
  return gateway;
}

/** A command of the gateway in a separate process. Returns its output. */
export async function runCommand(
  environment: Environment,
  args: readonly string[],
  mainPath = MAIN,
): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  const { stdout } = await run(process.execPath, [mainPath, ...args], { env });
  return stdout.trim();
}

export function isUp(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

export async function waitUntilUp(url: string, child: Child): Promise<void> {
  for (let tries = 1; tries <= 600 && !child.hasEnded; tries += 1) {
    if (await isUp(url)) return;
    await sleep(100);
  }
  throw new Error(`${url} does not answer: ${readLines(child.logPath).slice(-5).join('\n')}`);
}
