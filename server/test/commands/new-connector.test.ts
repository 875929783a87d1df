// The empty folder of a connector: it fits its siblings, and does not pretend to be written.
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConnectorFolder } from '../../src/commands/contributor/new-connector/command.ts';
import type { Operator } from '../../src/connectors/operator.ts';
import type { loadFake as LoadFake } from '../../src/sandbox/fakes/registry.ts';
import { openStage, TRIALS } from '../connectors/stage.ts';
import { openTestStore, type TestStore } from '../store/open-store.ts';

const SERVER = fileURLToPath(new URL('../../', import.meta.url));

let scratch: string;
let store: TestStore;
beforeAll(async () => {
  // Within the repository, so that what is imported finds its packages.
  scratch = await mkdtemp(join(SERVER, '.scratch-'));
  for (const folder of ['connectors', 'domain', 'sandbox']) {
    await cp(join(SERVER, 'src', folder), join(scratch, folder), { recursive: true });
  }
  store = await openTestStore();
});
afterAll(async () => {
  await rm(scratch, { recursive: true });
  await store.stop();
});

const create = (name: string) => createConnectorFolder(name, scratch);

test('it has the files of its siblings, stands in the registry, and cannot be made twice', async () => {
  await create('tigo-pesa');
  expect((await readdir(join(scratch, 'connectors', 'tigo-pesa'))).toSorted()).toEqual([
    'README.md',
    'connector.ts',
    'failures.ts',
    'fake.ts',
    'wire.ts',
  ]);
  const registry = await readFile(join(scratch, 'connectors', 'registry.ts'), 'utf8');
  expect(registry).toContain(`import { tigoPesa } from './tigo-pesa/connector.ts';`);
  expect(registry).toContain(`  'tigo-pesa': tigoPesa,\n};`);
  const fakes = await readFile(join(scratch, 'sandbox', 'fakes', 'registry.ts'), 'utf8');
  expect(fakes).toContain(`  'tigo-pesa': () => import('../../connectors/tigo-pesa/fake.ts'),\n};`);
  await expect(create('tigo-pesa')).rejects.toThrow('The registry already has tigo-pesa');
});

test('each call of it answers that it is not written', async () => {
  await create('unwritten');
  const { OPERATORS } = (await import(join(scratch, 'connectors', 'registry.ts'))) as {
    OPERATORS: Readonly<Record<string, Operator>>;
  };
  const operator = OPERATORS['unwritten']!;
  const { loadFake } = (await import(join(scratch, 'sandbox', 'fakes', 'registry.ts'))) as {
    loadFake: typeof LoadFake;
  };
  const { startFake } = await loadFake('unwritten');
  const fake = await startFake({});
  expect(() => fake.credentialsOf('MTN_MOMO_RWA')).toThrow('credentialsOf is not written');
  await fake.stop();
  expect(operator.providers).toEqual([]);
  const { connector, order, stop } = await openStage(TRIALS[0]!, store);
  const empty = operator.create({ clock: { now: () => new Date() }, timing: {} } as never);
  await expect(empty.submit(order(), { isOpen: () => true })).rejects.toThrow('submit is not written');
  expect(empty.supports('DEPOSIT', 'MTN_MOMO_RWA')).toBe(false);
  expect(connector.supports('DEPOSIT', 'MTN_MOMO_RWA')).toBe(true);
  await stop();
});

test.each(['', 'MTN', 'mtn_momo', '../mtn', 'mtn-'])('%j is no name', async (name) => {
  await expect(create(name)).rejects.toThrow('such as mtn-momo');
});
