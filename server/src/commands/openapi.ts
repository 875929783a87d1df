// `malipo-server openapi`: writes the OpenAPI documents from the routes. CI fails when the committed ones differ.
import { readFile, writeFile } from 'node:fs/promises';
import { createOpenApi, earlierOpenApiOptions, sandboxOpenApiOptions } from '../edge/openapi.ts';
import { registerSandbox } from '../edge/simulator/plugin.ts';
import { registerV1 } from '../edge/v1/plugin.ts';
import { registerV2 } from '../edge/v2/plugin.ts';
import { print, readOptions, UsageError, type Command } from './command.ts';

const DOCUMENTS = new URL('../../../openapi/', import.meta.url);

/** How each document is made, by the name of its file. */
const MADE: Readonly<Record<string, () => Promise<object>>> = {
  'v2.json': () => createOpenApi((app, engine) => registerV2(app, engine)),
  'v1.json': () => createOpenApi((app, engine) => registerV1(app, engine), earlierOpenApiOptions()),
  'sandbox.json': () =>
    createOpenApi(
      (app, engine) => registerSandbox(app, engine, { simulator: null, clock: null, doubleUrls: new Map() }),
      sandboxOpenApiOptions(),
    ),
};

export const openApiCommand: Command = {
  usage: 'openapi [--check]',
  summary: 'write the OpenAPI documents from the routes, or check that they are current',
  run: async (args) => {
    const { check } = readOptions(args, { check: { type: 'boolean', default: false } });
    for (const [name, make] of Object.entries(MADE)) {
      const text = `${JSON.stringify(await make(), null, 2)}\n`;
      await (check === true ? requireCurrent(name, text) : write(name, text));
    }
  },
};

async function requireCurrent(name: string, text: string): Promise<void> {
  const committed = await readFile(new URL(name, DOCUMENTS), 'utf8').catch(() => '');
  if (committed !== text) throw new UsageError(`openapi/${name} is not current. Run: npm run openapi`);
  print(`openapi/${name} is current`);
}

async function write(name: string, text: string): Promise<void> {
  await writeFile(new URL(name, DOCUMENTS), text);
  print(`wrote openapi/${name}`);
}
