// `malipo-server generate openapi`: writes the OpenAPI documents from the routes, from them the types of the dashboard
// and of the SDK, and from those of merchants a collection for API clients. CI fails when the committed ones differ.
import { readFile, writeFile } from 'node:fs/promises';
import { registerConsole } from '../../edge/console/plugin.ts';
import type { ConsoleParts } from '../../edge/console/route.ts';
import {
  consoleOpenApiOptions,
  createOpenApi,
  earlierOpenApiOptions,
  sandboxOpenApiOptions,
} from '../../edge/openapi.ts';
import { registerV1 } from '../../edge/v1/plugin.ts';
import { registerV2 } from '../../edge/v2/plugin.ts';
import { print, type Command } from '../command.ts';
import { readOptions, UsageError } from '../options.ts';
import { openApiCollection } from './openapi-collection.ts';
import { openApiTypescript } from './openapi-typescript.ts';

const ROOT = new URL('../../../../', import.meta.url);

/** How each document is made, by the name of its file. */
const MADE: Readonly<Record<string, () => Promise<object>>> = {
  'v2.json': () => createOpenApi((app, engine) => registerV2(app, engine)),
  'v1.json': () => createOpenApi((app, engine) => registerV1(app, engine), earlierOpenApiOptions()),
  'console.json': () =>
    createOpenApi(
      // Routes only keep their parts for later requests, and no request will come.
      (app, engine) => registerConsole(app, { engine } as ConsoleParts),
      consoleOpenApiOptions(),
    ),
  'sandbox.json': async () => {
    // Only here: in a clone every command loads this file, those of production too.
    const { registerSandbox } = await import('../../sandbox/control/plugin.ts');
    return createOpenApi(
      (app, engine) => registerSandbox(app, engine, { simulator: null, clock: null, fakeUrls: new Map() }),
      sandboxOpenApiOptions(),
    );
  },
};

/** Where the types of a document are kept, for those that have a reader in TypeScript. */
const TYPED: Readonly<Record<string, string>> = {
  'console.json': 'dashboard/src/api/schema.ts',
  'v2.json': 'sdk/src/schema.ts',
};

/** What a merchant's developer tries out, by the name it has in the collection. The console is no API of theirs. */
const COLLECTED: Readonly<Record<string, string>> = {
  'API v2': 'v2.json',
  Sandbox: 'sandbox.json',
  'API v1': 'v1.json',
};

export const openApiCommand: Command = {
  usage: '[--check]',
  summary: 'write the OpenAPI documents from the routes, or check that they are current',
  run: async (args) => {
    const keep = readOptions('[--check]', args).isGiven('check') ? requireCurrent : write;
    const made = new Map<string, object>();
    for (const [name, make] of Object.entries(MADE)) {
      const document = await make();
      made.set(name, document);
      await keep(`openapi/${name}`, `${JSON.stringify(document, null, 2)}\n`);
      const types = TYPED[name];
      if (types !== undefined) await keep(types, openApiTypescript(document, name));
    }
    const collected = Object.entries(COLLECTED).map(([name, file]) => ({
      name,
      document: made.get(file) ?? {},
    }));
    await keep('openapi/collection.json', `${JSON.stringify(openApiCollection(collected), null, 2)}\n`);
  },
};

async function requireCurrent(path: string, text: string): Promise<void> {
  const committed = await readFile(new URL(path, ROOT), 'utf8').catch(() => '');
  if (committed !== text) throw new UsageError(`${path} is not current. Run: npm run generate:openapi`);
  print(`${path} is current`);
}

async function write(path: string, text: string): Promise<void> {
  await writeFile(new URL(path, ROOT), text);
  print(`wrote ${path}`);
}
