// Examples: every function of this package has one, and every one is typed, run, and prints what it says it prints.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as client from '@malipo/sdk';
import * as callbacks from '@malipo/sdk/callbacks';
import * as node from '@malipo/sdk/node';
import * as testing from '@malipo/sdk/testing';
import { openTestGateway, type TestGateway } from '../../server/test/gateway.ts';

const SDK = fileURLToPath(new URL('../', import.meta.url));
const ROOT = join(SDK, '..');
const run = promisify(execFile);

type Example = { readonly name: string; readonly code: string };

const sources = await readSources();
const examples = [
  ...sources.flatMap(listExamples),
  // A page is one program from its first block to its last.
  { name: 'readme', code: blocksOf(await readFile(join(SDK, 'README.md'), 'utf8')).join('\n') },
  { name: 'guide', code: blocksOf(await readFile(join(ROOT, 'docs/guides/sdk.md'), 'utf8')).join('\n') },
];

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  gateway = await openTestGateway();
  // Within the package, so that its own name leads to it.
  folder = await mkdtemp(join(SDK, '.run-'));
  await Promise.all(examples.map(({ name, code }) => writeFile(join(folder, `${name}.ts`), completed(code))));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

test('every function and method of the package has an example', () => {
  const all = examples.map(({ code }) => code).join('\n');
  const published = [client, callbacks, node, testing].flatMap((entry) => Object.keys(entry));
  const methods = Object.entries(
    new client.Malipo({ baseUrl: 'http://gateway.example', token: 'token' }),
  ).flatMap(([kind, resource]) =>
    listMethods(resource as object).map((method) => `malipo.${kind}.${method}`),
  );
  expect(published.length + methods.length).toBeGreaterThan(40);
  const lacking = [...published, ...methods].filter((name) => !shows(all, name));
  expect(lacking).toEqual([]);
});

/** What one kind shows of a method that several have need not be shown again for each. */
function shows(all: string, name: string): boolean {
  const [, kind, method] = name.split('.');
  if (method === undefined) return new RegExp(`\\b${name}\\b`).test(all);
  return all.includes(`malipo.${kind}.`) && all.includes(`.${method}(`);
}

test('every example is well typed', async () => {
  const compilerOptions = { noUnusedLocals: false };
  const config = { extends: '../../tsconfig.json', include: ['*.ts'], compilerOptions };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiling = run(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '-p', folder]);
  const { stdout } = await compiling.catch((error: { readonly stdout: string }) => error);
  expect(stdout).toBe('');
});

test('every example runs and prints what it says', async () => {
  const names = examples.map(({ name }) => name);
  // One process for all of them: each takes milliseconds, and a process half a second.
  const script = `for (const name of ${JSON.stringify(names)}) {
    console.log('== ' + name);
    await import('./' + name + '.ts');
  }
  process.exit();`;
  await writeFile(join(folder, 'all.mjs'), script);
  const settings = {
    BASE: gateway.url,
    TOKEN: gateway.apiToken,
    MALIPO_MERCHANT_ID: gateway.merchantId,
    FOLDER: folder,
    RECEIVER: 'http://127.0.0.1:0',
  };
  const env = { ...process.env, ...settings };
  const { stdout } = await run(process.execPath, ['all.mjs'], { cwd: folder, env });
  const printed = stdout.split(/^== .*\n/m).slice(1);
  const kept = examples.map(({ name, code }, index) => [name, keptPromises(code, printed[index] ?? '')]);
  expect(kept).toEqual(examples.map(({ name, code }) => [name, promisesOf(code)]));
  expect(examples.flatMap(({ code }) => promisesOf(code)).length).toBeGreaterThan(25);
});

/** What an example says it prints: comments behind `console.log`, and those on lines of their own below it. */
function promisesOf(code: string): readonly string[] {
  const said = code.matchAll(
    /console\.log\(.*\); \/\/ (.+)$|(?<=console\.log\(.*\);\n(?:\/\/ .+\n)*)\/\/ (.+)$/gm,
  );
  return [...said].map(([, behind, below]) => behind ?? below ?? '');
}

/** Those of its promises that were printed, in their order. It may print other things between them. */
function keptPromises(code: string, printed: string): readonly string[] {
  const lines = printed.split('\n');
  return promisesOf(code).filter((promise) => {
    const at = lines.indexOf(promise);
    if (at >= 0) lines.splice(0, at + 1);
    return at >= 0;
  });
}

async function readSources(): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const names = (await readdir(join(SDK, 'src'))).filter((name) => name !== 'schema.ts');
  return Promise.all(
    names.map(async (name) => ({
      name: name.replace('.ts', ''),
      text: await readFile(join(SDK, 'src', name), 'utf8'),
    })),
  );
}

function listExamples({ name, text }: { readonly name: string; readonly text: string }): readonly Example[] {
  const comments = text.match(/\/\*\*[\s\S]*?\*\//g) ?? [];
  const blocks = comments.flatMap((comment) => blocksOf(comment.replaceAll(/^ *\* ?/gm, '')));
  return blocks.map((code, index) => ({ name: `${name}-${index + 1}`, code }));
}

function blocksOf(text: string): readonly string[] {
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
}

/** Where an example says `malipo` without more, the client is the one that the page on Malipo shows. */
function completed(code: string): string {
  if (!code.includes('malipo.') || code.includes('new Malipo(')) return `${code}\nexport {};\n`;
  const made = "new Malipo({ baseUrl: process.env['BASE'] ?? '', token: process.env['TOKEN'] ?? '' })";
  return `import { Malipo } from '@malipo/sdk';\nconst malipo = ${made};\n${code}\nexport {};\n`;
}

/** Names of the methods of an object that its class does not keep to itself. */
function listMethods(resource: object): readonly string[] {
  const kept = sources.flatMap(({ text }) => [...text.matchAll(/protected (?:override )?(?:async )?(\w+)/g)]);
  const names: string[] = [];
  for (let at: object = resource; at !== Object.prototype; at = Object.getPrototypeOf(at) as object) {
    names.push(...Object.getOwnPropertyNames(at));
  }
  const own = names.filter((name) => typeof (resource as Record<string, unknown>)[name] === 'function');
  return own.filter((name) => name !== 'constructor' && !kept.some(([, one]) => one === name));
}
