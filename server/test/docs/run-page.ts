// Runs what a page tells its reader to run: the blocks marked `sh run`, from the first to the last, in one shell, as if
// they were pasted. The block of text or JSON behind one of them is what it prints; … stands for whatever differs from
// run to run. The tabs of another language are one program, which says in comments what it prints.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { outputBehind, readFences } from './page-blocks.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/** Between the outputs of two blocks. */
const MARK = '--- end of a block ---';

/** Its shell blocks need several terminals and packages that are made first: the newcomer's path runs them. */
const NEWCOMER = 'docs/five-minutes.md';

/** Their tabs need a key or a receiver: the test of these guides runs them. */
const WITH_MORE_PARTS = ['docs/guides/callbacks.md', 'docs/guides/signatures.md'];

type Block = { readonly text: string; readonly prints: string | null };

type Language = {
  readonly name: 'js' | 'php' | 'python';
  readonly file: string;
  readonly command: string;
  /** What a line says that it prints. */
  readonly promise: RegExp;
};

export const LANGUAGES: readonly Language[] = [
  { name: 'js', file: 'program.mjs', command: process.execPath, promise: /console\.log\(.*\); \/\/ (.+)$/gm },
  { name: 'php', file: 'program.php', command: 'php', promise: /echo .*; \/\/ (.+)$/gm },
  // Debian's, which has the packages that the SDK needs.
  { name: 'python', file: 'program.py', command: '/usr/bin/python3', promise: /print\(.*\) {2}# (.+)$/gm },
];

/** The README, and every page under docs/ that has something to run. */
export function listRunnablePages(): readonly string[] {
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules/'))
    .map((path) => `docs/${path}`)
    .toSorted();
  return ['README.md', ...pages].filter((path) => {
    if (WITH_MORE_PARTS.includes(path)) return false;
    return blocksOf(path).length > 0 || LANGUAGES.some((language) => programOf(path, language) !== '');
  });
}

export type PageRun = {
  /** What each block printed. */
  readonly printed: readonly string[];
  /** What the page says it prints; null where it says nothing. */
  readonly promised: readonly (string | null)[];
};

export type PageFolder = { readonly path: string; readonly remove: () => Promise<void> };

/** A project of the reader's own, beside a clone of the repository, where programs find the SDKs. */
export async function openPageFolder(): Promise<PageFolder> {
  const home = await mkdtemp(join(tmpdir(), 'malipo-page-'));
  const path = join(home, 'shop');
  await mkdir(join(path, 'vendor'), { recursive: true });
  await symlink(ROOT, join(home, 'malipo'));
  await symlink(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  await writeFile(
    join(path, 'vendor/autoload.php'),
    `<?php require '${join(ROOT, 'sdk/php/src/autoload.php')}';`,
  );
  return { path, remove: () => rm(home, { recursive: true }) };
}

/** Where Python finds the SDK, and every program what the page calls. */
export const PROGRAM_ENVIRONMENT = {
  PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  PYTHONPATH: join(ROOT, 'sdk/python/src'),
  PYTHONDONTWRITEBYTECODE: '1',
};

type Where = { readonly folder: PageFolder; readonly environment: Record<string, string> };

export async function runShell(path: string, { folder, environment }: Where): Promise<PageRun> {
  const blocks = blocksOf(path);
  const env = { ...PROGRAM_ENVIRONMENT, ...environment };
  const { stdout } = await run('/bin/sh', ['-e', '-c', toShell(blocks)], { cwd: folder.path, env });
  return { printed: splitOutput(stdout), promised: blocks.map(({ prints }) => prints) };
}

/** The program that the tabs of a language make, and what it says it prints. */
export async function runTabs(
  path: string,
  language: Language,
  { folder, environment }: Where,
): Promise<{ readonly printed: string; readonly promised: string }> {
  const program = programOf(path, language);
  if (program === '') return { printed: '', promised: '' };
  await writeFile(join(folder.path, language.file), program);
  const env = { ...PROGRAM_ENVIRONMENT, ...environment };
  const { stdout } = await run(language.command, [language.file], { cwd: folder.path, env });
  const promises = [...program.matchAll(language.promise)].map(([, text = '']) => text);
  return { printed: stdout.trim(), promised: promises.join('\n') };
}

/** Whether something printed is what was promised. */
export function isAsPromised(printed: string, promised: string): boolean {
  const parts = promised
    .trim()
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]+?')}$`).test(printed.trim());
}

function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function blocksOf(path: string): readonly Block[] {
  if (path === NEWCOMER) return [];
  const fences = readFences(readPage(path));
  return fences.flatMap(({ info, text }, at) =>
    info === 'sh run' ? [{ text, prints: outputBehind(fences, at) }] : [],
  );
}

/** Empty for a page without tabs of this language. */
function programOf(path: string, { name }: Language): string {
  const fences = readFences(readPage(path));
  const tabs = fences.filter(({ info, label }) => label !== null && info.split(' ')[0] === name);
  return tabs.map(({ text }) => text).join('\n');
}

function toShell(blocks: readonly Block[]): string {
  return (
    blocks
      // Each answer on a line of its own; and payers of the tests need no time to approve.
      .map(({ text }) =>
        text.replaceAll('curl -s ', 'curl -s -w "\\n" ').replaceAll(/^sleep 4$/gm, 'sleep 2'),
      )
      .map((script) => `${script}\necho '${MARK}'\n`)
      .join('')
  );
}

function splitOutput(stdout: string): readonly string[] {
  return stdout
    .split(`${MARK}\n`)
    .slice(0, -1)
    .map((output) => output.replaceAll(/\n+/g, '\n').trim());
}
