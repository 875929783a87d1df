// `malipo-server generate connector`: makes the empty folder of a connector and enters it and its fake in the
// registries. What it makes says that it is not written: the contract suite fails until it is.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Command } from '../../command.ts';
import { print } from '../../output.ts';
import { UsageError } from '../../options.ts';
import { enterInFakes, enterInRegistry, renderFiles } from './folder.ts';

const SOURCES = fileURLToPath(new URL('../../../', import.meta.url));

export const newConnectorCommand: Command = {
  usage: 'NAME',
  summary: "create a connector's folder, and register it",
  run: async (args) => {
    const [name = ''] = parseArgs({ args: [...args], allowPositionals: true, strict: true }).positionals;
    for (const path of await createConnectorFolder(name, SOURCES)) print(`wrote ${path}`);
    print(`Fill it until this passes: npx vitest run server/test/connectors -t '${name}'`);
  },
};

/** Answers the paths it wrote. */
export async function createConnectorFolder(name: string, sources: string): Promise<readonly string[]> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new UsageError('The name must be lower case with hyphens, such as mtn-momo.');
  }
  const connectors = join(sources, 'connectors');
  const registryPath = join(connectors, 'registry.ts');
  const fakesPath = join(sources, 'sandbox', 'fakes', 'registry.ts');
  const registry = enterInRegistry(await readFile(registryPath, 'utf8'), name);
  const fakes = enterInFakes(await readFile(fakesPath, 'utf8'), name);
  if (registry === null || fakes === null)
    throw new UsageError(`The registry already has ${name}, or cannot be read.`);
  const folder = join(connectors, name);
  await mkdir(folder).catch(() => {
    throw new UsageError(`The folder ${folder} exists already.`);
  });
  const files = Object.entries(renderFiles(name)).map(([file, text]) => ({ path: join(folder, file), text }));
  const written = [...files, { path: registryPath, text: registry }, { path: fakesPath, text: fakes }];
  for (const { path, text } of written) await writeFile(path, text);
  return written.map(({ path }) => path);
}
