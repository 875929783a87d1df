// The image in containers as docs/operating/containers.md starts them: migrate and rights, an API, a worker, a merchant
// that is made by commands, and a deposit up to its signed callback.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { isUp } from '../kit/processes.ts';
import { BY, type Environment } from '../kit/settings.ts';
import { environmentOptions, SHUT_IN } from './podman.ts';
import { ROLES, type Role, type Setup } from './setup.ts';
import type { Shop } from './shop.ts';

const READY_WITHIN_MS = 120_000;

export type ContainerRun = {
  /** What a container can do to itself: must be nothing. */
  readonly confinement: Confinement;
  readonly apiToken: string;
};

export type Confinement = {
  readonly user: number;
  readonly capabilities: string;
  /** The code of the error when it writes beside its program, or null. */
  readonly writing: string | null;
};

export async function runContainers(setup: Setup): Promise<ContainerRun> {
  const { apiPort, shop } = setup;
  const owner: Command = (...args) => runOnce(setup, args);
  await owner('migrate');
  for (const [kind, role] of Object.entries(ROLES))
    await owner('rights', 'grant', '--to', role, '--for', kind, '--by', BY);
  const apiToken = await registerShop(shop, owner);

  const api = await startContainer(setup, 'api', { MALIPO_PORT: String(apiPort) });
  const worker = await startContainer(setup, 'worker', {});
  shop.connect(`http://127.0.0.1:${apiPort}`, apiToken);
  await shop.waitUntilPaid([await shop.startDeposit()]);
  await expectScreens(apiPort);
  for (const name of [api, worker]) await setup.podman('healthcheck', 'run', name);
  const confinement = await readConfinement(setup, api);
  for (const name of [api, worker]) await stop(setup, name);
  return { confinement, apiToken };
}

/** Runs a command of the gateway. Answers what it printed. */
export type Command = (...args: readonly string[]) => Promise<string>;

/** Makes it a merchant. Answers its API token. */
export async function registerShop(shop: Shop, command: Command): Promise<string> {
  const merchant = await command('merchant', 'create', '--name', 'Test Shop', '--by', BY);
  shop.register(merchant);
  const own = ['--merchant', merchant, '--by', BY];
  await command('callback-url', 'set', '--url', shop.callbackUrl, ...own);
  const scopes = 'deposits:write,deposits:read,toolkit:read';
  return command('token', 'create', '--name', 'till', '--scopes', scopes, ...own);
}

async function runOnce({ podman, image, settingsOf }: Setup, args: readonly string[]): Promise<string> {
  return podman('run', '--rm', ...SHUT_IN, ...environmentOptions(settingsOf('owner')), image, ...args);
}

/** Resolves when it is ready. Returns its name. */
async function startContainer(setup: Setup, role: Exclude<Role, 'owner'>, own: Environment): Promise<string> {
  const { image, settingsOf } = setup;
  const name = `malipo-drill-${role}-${randomBytes(4).toString('hex')}`;
  const port = String(await freePort());
  const environment = { ...settingsOf(role), ...own, MALIPO_METRICS_PORT: port };
  const words = [...SHUT_IN, '--init', ...environmentOptions(environment), image, role];
  await startNamed(setup, { name, words, readyUrl: `http://127.0.0.1:${port}/ready` });
  return name;
}

/** Starts a container by these words of `podman run`. Resolves when it is ready. */
export async function startNamed(
  { podman, hooks }: Pick<Setup, 'podman' | 'hooks'>,
  {
    name,
    words,
    readyUrl,
  }: { readonly name: string; readonly words: readonly string[]; readonly readyUrl: string },
): Promise<void> {
  hooks.add(async () => void (await podman('rm', '--force', '--ignore', '--time=0', name)));
  await podman('run', '--detach', `--name=${name}`, ...words);
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isUp(readyUrl))) {
    if (Date.now() > deadline) throw new Error(`${name} is not ready: ${await podman('logs', name)}`);
    await sleep(100);
  }
}

async function expectScreens(apiPort: number): Promise<void> {
  for (const path of ['/dashboard', '/docs/']) {
    const answer = await fetch(`http://127.0.0.1:${apiPort}${path}`);
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
  }
}

const PROBE = `
const { readFileSync, writeFileSync } = require('node:fs');
let writing = null;
try { writeFileSync('/opt/malipo/server/probe', ''); } catch (error) { writing = error.code; }
const [, capabilities] = /^CapEff:\\s*(\\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8'));
console.log(JSON.stringify({ user: process.getuid(), capabilities, writing }));`;

async function readConfinement({ podman }: Setup, name: string): Promise<Confinement> {
  return JSON.parse(await podman('exec', name, 'node', '-e', PROBE)) as Confinement;
}

/** It must end by itself. */
export async function stop({ podman }: Pick<Setup, 'podman'>, name: string): Promise<void> {
  await podman('stop', '--time=45', name);
  const code = await podman('inspect', '--format={{.State.ExitCode}}', name);
  if (code !== '0') throw new Error(`${name} ended with ${code}`);
}
