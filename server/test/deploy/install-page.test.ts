// docs/operating/install.md: its lines and its units do what the page says, with folders of the test in place of
// /opt/malipo and /etc/malipo, up to a deposit whose callback arrives; and the proxy's own check reads
// deploy/haproxy.cfg. `npm run test:packages` installs the program from its package as the page says.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDatabasePage } from '../../../drills/kit/database-page.ts';
import { freePort, isFree } from '../../src/commands/sandbox/local-machine.ts';
import { readConfig } from '../../src/config.ts';
import { startSimulator, type RunningSimulator } from '../../src/sandbox/simulator/simulator.ts';
import { createEmptyDatabase } from '../database.ts';
import { eventually, initiate, SIMULATOR_CLIENT, waitUntil } from '../gateway.ts';
import { startCallbackReceiver, type CallbackReceiver } from '../receiver.ts';
import { parseSettings, startUnit, type RunningUnit } from './units.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');
const run = promisify(execFile);
const isPackaged = process.env['MALIPO_TEST_PROGRAM'] === 'packages';

const page = readFileSync(join(ROOT, 'docs/operating/install.md'), 'utf8');
const [, packages = '', settings = '', rights = '', commands = ''] = [
  ...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm),
].map(([, text = '']) => text);

let folder: string;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let simulator: RunningSimulator;
let receiver: CallbackReceiver;
/** Of the merchant that the page makes. */
let merchantId: string;
let apiToken: string;
const units: RunningUnit[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'malipo-install-'));
  database = await createEmptyDatabase();
  await asOwner(ROLES.map((role) => `create role ${role} login`).join('; '));
  simulator = await startSimulator({ ...SIMULATOR_CLIENT, control: true, outcomeDelayMs: 0 });
  receiver = await startCallbackReceiver();
  if (isPackaged) await installPackage();
});
afterAll(async () => {
  for (const unit of units) await unit.stop();
  await receiver.stop();
  await simulator.stop();
  await asOwner(ROLES.map((role) => `drop owned by ${role}; drop role ${role}`).join('; '));
  await database.drop();
  await rm(folder, { recursive: true });
});

const ROLES = ['malipo_all', 'malipo_api', 'malipo_worker'];

async function asOwner(statement: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** What the page says, with the package that `npm run packages` made. */
async function installPackage(): Promise<void> {
  const made = join(ROOT, 'packages');
  const name = (await readdir(made)).find((one) => one.startsWith('malipo-server-'))!;
  const lines = here(packages).replace(/\S+\.tgz/, join(made, name));
  // npm finds its registry by the settings of the person who runs the test.
  await run('/bin/sh', ['-e', '-c', lines], { env: process.env });
}

const etc = (name: string) => join(folder, 'malipo', name);
const urlAs = (role: string) => {
  const url = new URL(database.url);
  url.username = role;
  return url.href;
};

/** Changes lines of a file of settings, and adds those that are not there, as a host does it. */
async function change(path: string, changes: Readonly<Record<string, string>>): Promise<void> {
  const before = (await readFile(path, 'utf8')).split('\n');
  const kept = before.filter((line) => !Object.keys(changes).some((name) => line.startsWith(`${name}=`)));
  const added = Object.entries(changes).map(([name, value]) => `${name}=${value}`);
  await writeFile(path, [...kept, ...added, ''].join('\n'));
}

const program = () => (isPackaged ? join(folder, 'program') : ROOT);
const here = (text: string) =>
  text
    .replaceAll('/opt/malipo', program())
    .replaceAll('/etc/malipo', join(folder, 'malipo'))
    // The Node.js of the machine, which the program from a package runs on.
    .replaceAll('/usr/local/bin', dirname(process.execPath));

async function shell(script: string): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-e', '-c', here(script)], { env: { PATH: process.env['PATH'] } });
  return stdout;
}

/** Resolves when its process is ready at this port. */
async function startReady(name: string, port: number): Promise<RunningUnit> {
  const unit = startUnit(name, here);
  units.push(unit);
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  // On a busy machine a process takes its time to start.
  await waitUntil(async () => unit.code() !== null || (await isReady()), { timeout: 180_000 });
  expect(unit.code(), unit.output()).toBe(null);
  return unit;
}

/** No operator is in reach of a test: the sandbox's is. It and the merchant are on this machine. */
async function useSimulator(): Promise<void> {
  await change(etc('malipo.env'), {
    MALIPO_ENVIRONMENT: 'sandbox',
    MALIPO_OUTGOING_ALLOW: '127.0.0.0/8',
    MALIPO_SIMULATOR_URL: simulator.url,
    MALIPO_SIMULATOR_CLIENT_ID: SIMULATOR_CLIENT.clientId,
    MALIPO_SIMULATOR_CLIENT_SECRET: SIMULATOR_CLIENT.clientSecret,
    MALIPO_SIMULATOR_NOTIFICATION_SECRET: SIMULATOR_CLIENT.notificationSecret,
  });
  const [malipo] = commands.split('\n');
  const of = `--merchant ${merchantId} --by 'Ana Uwase'`;
  await shell(`${malipo}\nmalipo callback-url set --url ${receiver.url} ${of}`);
  const scopes = 'deposits:write,deposits:read';
  apiToken = (await shell(`${malipo}\nmalipo token create --name test --scopes ${scopes} ${of}`)).trim();
}

async function payThrough(port: number): Promise<void> {
  const depositId = await initiate({ url: `http://127.0.0.1:${port}`, apiToken });
  await eventually(() => receiver.received.map(({ body }) => body['depositId'])).toContain(depositId);
}

describe('Install', () => {
  test('the settings it makes have keys of their own and are taken by the server', async () => {
    await shell(settings);
    for (const one of [etc('malipo.env'), etc('owner.env')])
      expect((await stat(one)).mode & 0o777).toBe(0o600);
    const made = parseSettings((await readFile(etc('malipo.env'), 'utf8')).split('\n'));
    const { keys, console, trustedProxies } = readConfig(made);
    expect(trustedProxies).toEqual(['127.0.0.1']);
    const all = [
      keys.encryptionKeys[0]!.key,
      keys.searchKey,
      keys.referenceKey,
      keys.linkKeys[0],
      console!.key,
    ];
    expect(new Set(all.map((key) => key.toString('hex'))).size).toBe(5);
  });

  test('keys that are there are not overwritten', async () => {
    const before = await readFile(etc('malipo.env'), 'utf8');
    await expect(shell(settings)).rejects.toThrow();
    expect(await readFile(etc('malipo.env'), 'utf8')).toBe(before);
  });

  test('the unit for migrations makes the tables as their owner, and ends', async () => {
    await change(etc('malipo.env'), { DATABASE_URL: urlAs('malipo_all') });
    await change(etc('owner.env'), { DATABASE_URL: database.url });
    const unit = startUnit('malipo-migrate.service', here);
    expect(await unit.ended, unit.output()).toBe(0);
    expect(unit.output()).toContain('applied ');
  });

  test('its processes are not the owner of the tables, who gives them their rights', async () => {
    expect(await shell(rights)).toBe('malipo_all has the rights that its processes need\n');
  });

  test('its commands make a merchant, a token and a link for the first administrator', async () => {
    const [token, link, , id] = (await shell(`${commands}\necho "$MERCHANT"`)).trim().split('\n');
    merchantId = id!;
    expect(token).toMatch(/^mlp_production_0001_/);
    expect(link).toMatch(/^https:\/\/pay\.example\.com\//);
  });

  test('the unit of one process takes a deposit up to its callback, and ends when it is told to', async () => {
    await useSimulator();
    const [port, operations] = [await freePort(), await freePort()];
    await change(etc('malipo.env'), {
      MALIPO_PORT: String(port),
      MALIPO_METRICS_PORT: String(operations),
      MALIPO_OPERATORS_URL: `http://127.0.0.1:${port}`,
    });
    const unit = await startReady('malipo-all.service', operations);
    await payThrough(port);
    expect(await unit.stop(), unit.output()).toBe(0);
  });

  test('the units of several processes do the same, each with the ports of its name and a role of its own', async () => {
    for (const kind of ['api', 'worker']) {
      const granted = await shell(rights.replace('--to malipo_all', `--to malipo_${kind} --for ${kind}`));
      expect(granted).toBe(`malipo_${kind} has the rights that its processes need\n`);
      await writeFile(etc(`${kind}.env`), `DATABASE_URL=${urlAs(`malipo_${kind}`)}\n`);
    }
    const [port, workerPort] = [await freePortOfFourDigits(), await freePort()];
    const before = (await readFile(etc('malipo.env'), 'utf8')).split('\n');
    // The page: remove both from the settings.
    const kept = before.filter((line) => !/^MALIPO_(METRICS_)?PORT=/.test(line));
    await writeFile(etc('malipo.env'), kept.join('\n'));
    await change(etc('malipo.env'), { MALIPO_OPERATORS_URL: `http://127.0.0.1:${port}` });
    const api = await startReady(`malipo-api@${port}.service`, 10_000 + port);
    const worker = await startReady(`malipo-worker@${workerPort}.service`, workerPort);
    await payThrough(port);
    for (const unit of [api, worker]) expect(await unit.stop(), unit.output()).toBe(0);
  });

  test('HAProxy takes the file for the proxy with the lines for PostgreSQL, and would not take every file', async () => {
    const certificate = join(folder, 'tls.pem');
    const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-keyout', certificate];
    await run('openssl', ['req', ...made, '-out', `${certificate}.crt`]);
    await appendFile(certificate, await readFile(`${certificate}.crt`));
    const proxy = await readFile(join(ROOT, 'deploy/haproxy.cfg'), 'utf8');
    const text = `${proxy}\n${readDatabasePage('text', 'listen database')}\n`;
    const config = join(folder, 'haproxy.cfg');
    const check = async () => run('/usr/sbin/haproxy', ['-c', '-f', config]);
    await writeFile(config, text.replace('/etc/malipo/tls.pem', certificate));
    await check();
    await writeFile(config, text.replace('/etc/malipo/tls.pem', certificate).replace('httpchk', 'httpchek'));
    await expect(check()).rejects.toThrow(/httpchek/);
  });
});

/** Health and metrics are at the same port with 1 before it. */
async function freePortOfFourDigits(): Promise<number> {
  for (;;) {
    const port = (await freePort()) % 10_000;
    if (port >= 2_000 && (await isFree(port)) && (await isFree(10_000 + port))) return port;
  }
}
