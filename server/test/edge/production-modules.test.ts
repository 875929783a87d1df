// What the processes of production load: nothing of the sandbox, neither simulator nor control API, phone or fake.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATORS } from '../../src/connectors/registry.ts';
import { playedProvidersOf } from '../../src/connectors/operator.ts';
import { FAKES } from '../../src/sandbox/fakes/registry.ts';
import { createTestDatabase } from '../database.ts';
import { call, depositRequest, openTestGateway, type TestGateway } from '../gateway.ts';
import { startSandboxIn, whenReady } from '../sandbox-process.ts';
import { startServerProcess } from '../server-process.ts';

const HOOK = new URL('../loaded-modules.mjs', import.meta.url);
const SOURCES = new URL('../../src/', import.meta.url);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'malipo-modules-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** What makes a process write down its modules under this name. */
function listing(name: string): Record<string, string> {
  return { NODE_OPTIONS: `--import ${HOOK.href}`, LOADED_MODULES_FILE: join(folder, name) };
}

/** The files of server/src that were loaded, and how many modules there were in all. */
async function readListing(name: string) {
  const urls = (await readFile(join(folder, name), 'utf8')).split('\n').filter((url) => url !== '');
  const own = urls.filter((url) => url.startsWith(SOURCES.href)).map((url) => url.slice(SOURCES.href.length));
  return { count: urls.length, own };
}

const isOfSandbox = (path: string) => /^(commands\/)?sandbox\//.test(path);
const isFake = (path: string) => /\/fake[\w-]*\.ts$/.test(path);

const BINDINGS = Object.entries(OPERATORS).map(
  ([name, operator]) => `${playedProvidersOf(operator)[0]}=${name}`,
);

const PRODUCTION = {
  MALIPO_ENVIRONMENT: 'production',
  MALIPO_PUBLIC_URL: 'https://pay.example',
  MALIPO_SIMULATOR_URL: '',
  MALIPO_CONSOLE_KEY: Buffer.alloc(32, 7).toString('base64'),
  MALIPO_OPERATORS: BINDINGS.join(' '),
};

/** Whole processes are started: on a busy machine each takes its time. */
const PATIENCE_MS = 60_000;

describe('a process of production', { timeout: PATIENCE_MS + 30_000 }, () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await openTestGateway({ environment: 'production', role: 'admin' });
  });
  afterAll(() => gateway.stop());

  test.each(['api', 'worker', 'all'] as const)(
    '%s loads nothing of the sandbox and no fake',
    async (role) => {
      const server = await startServerProcess(
        gateway,
        role,
        { ...PRODUCTION, ...listing(role) },
        { timeout: PATIENCE_MS },
      );
      if (role !== 'worker') {
        const { apiToken } = gateway;
        expect(
          (await call({ url: server.url, apiToken }, 'POST', '/v2/deposits', depositRequest())).status,
        ).toBe(200);
        expect((await fetch(`${server.url}/sandbox/phone`)).status).toBe(404);
        expect((await fetch(`${server.url}/`)).status).toBe(404);
        expect(await (await fetch(`${server.url}/dashboard/sign-in`)).text()).not.toContain('demo.example');
      }
      expect(await server.terminate()).toBe(0);
      const { count, own } = await readListing(role);
      expect(count).toBeGreaterThan(200);
      expect(own).toContain('main.ts');
      expect(own).toContain('connectors/wave/connector.ts');
      expect(own.filter((path) => isOfSandbox(path) || isFake(path))).toEqual([]);
    },
  );
});

test(
  'the same listing of a sandbox has its simulator, control API, phone and fakes',
  { timeout: PATIENCE_MS + 30_000 },
  async () => {
    const database = await createTestDatabase();
    const environment = { DATABASE_URL: database.url, ...listing('sandbox') };
    const sandbox = startSandboxIn(environment, '--json', '--operators', 'fakes');
    await whenReady(sandbox);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    sandbox.process.once('exit', () => resolve());
    sandbox.process.kill('SIGTERM');
    await ended;
    await database.drop();
    const { own } = await readListing('sandbox');
    for (const path of [
      'sandbox/parts.ts',
      'sandbox/simulator/simulator.ts',
      'sandbox/control/plugin.ts',
      'sandbox/phone/routes.ts',
      'sandbox/landing/routes.ts',
    ])
      expect(own).toContain(path);
    expect(own.filter(isFake)).toEqual(
      expect.arrayContaining(Object.keys(OPERATORS).map((name) => `connectors/${name}/fake.ts`)),
    );
  },
);

test('every operator has a fake, and every fake an operator', () => {
  expect(Object.keys(FAKES).toSorted()).toEqual(Object.keys(OPERATORS).toSorted());
});
