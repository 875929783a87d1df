// `malipo-server generate openapi`: writes the OpenAPI documents from the routes, from them the types of the dashboard
// and of the SDK with the known providers, and from those of merchants a collection for API clients. CI fails when the
// committed ones differ.
import { readFile, writeFile } from 'node:fs/promises';
import { type Command } from '../../command.ts';
import { print } from '../../output.ts';
import { readOptions, UsageError } from '../../options.ts';
import { openApiCollection } from './collection.ts';
import { openApiTypescript } from './typescript.ts';

const ROOT = new URL('../../../../../', import.meta.url);

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
  summary: 'write the OpenAPI documents, or check that they are current',
  run: async (args) => {
    const keep = readOptions('[--check]', args).isGiven('check') ? requireCurrent : write;
    // Only here: in a clone every command loads this file.
    const { DOCUMENTS } = await import('./documents.ts');
    const made = new Map<string, object>();
    for (const [name, make] of Object.entries(DOCUMENTS)) {
      const document = await make();
      made.set(name, document);
      await keep(`openapi/${name}`, `${JSON.stringify(document, null, 2)}\n`);
      const types = TYPED[name];
      if (types !== undefined) await keep(types, openApiTypescript(document, name));
    }
    const { knownValues } = await import('./known-values.ts');
    await keep('sdk/src/known-values.ts', knownValues(made.get('v2.json') ?? {}));
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
