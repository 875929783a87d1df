// Runs what a page tells its reader to run: the blocks marked `sh run` and `js run`, from the first to the last, in one
// shell, as if they were pasted. A block without a mark right behind one of them is what it prints; … stands for
// whatever differs from run to run.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const RUNNABLE = /^```(sh|js) run\n([\s\S]*?)^```$(?:\s*^```(?:json|text)?\n([\s\S]*?)^```$)?/gm;

/** Between the outputs of two blocks. */
const MARK = '--- end of a block ---';

type Block = { readonly language: string; readonly text: string; readonly prints: string | null };

/** Its blocks need several terminals and packages that are made first: the newcomer's path runs it. */
const RUN_ELSEWHERE = 'docs/five-minutes.md';

/** The README, and every page under docs/ that has something to run. */
export function listRunnablePages(): readonly string[] {
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules/'))
    .map((path) => `docs/${path}`)
    .toSorted();
  return ['README.md', ...pages].filter(
    (path) => path !== RUN_ELSEWHERE && blocksOf(readPage(path)).length > 0,
  );
}

export type PageRun = {
  /** What each block printed. */
  readonly printed: readonly string[];
  /** What the page says it prints; null where it says nothing. */
  readonly promised: readonly (string | null)[];
};

export async function runPage(path: string, environment: Record<string, string>): Promise<PageRun> {
  const blocks = blocksOf(readPage(path));
  const folder = await mkdtemp(join(tmpdir(), 'malipo-page-'));
  try {
    // Scripts of a page find their packages as in a project of the reader's own.
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const PATH = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
    const scripts = Object.fromEntries(blocks.map(({ text }, index) => [`BLOCK_${index}`, text]));
    const { stdout } = await promisify(execFile)('/bin/sh', ['-e', '-c', toShell(blocks)], {
      cwd: folder,
      env: { PATH, ...scripts, ...environment },
    });
    return { printed: splitOutput(stdout), promised: blocks.map(({ prints }) => prints) };
  } finally {
    await rm(folder, { recursive: true });
  }
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

function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(RUNNABLE)].map(([, language = '', text = '', prints]) => ({
    language,
    text,
    prints: prints ?? null,
  }));
}

function toShell(blocks: readonly Block[]): string {
  return blocks
    .map(({ language, text }, index) =>
      // Each answer on a line of its own; and payers of the tests need no time to approve.
      language === 'sh'
        ? text.replaceAll('curl -s ', 'curl -s -w "\\n" ').replaceAll(/^sleep 4$/gm, 'sleep 2')
        : `node --input-type=module -e "$BLOCK_${index}"`,
    )
    .map((script) => `${script}\necho '${MARK}'\n`)
    .join('');
}

function splitOutput(stdout: string): readonly string[] {
  return stdout
    .split(`${MARK}\n`)
    .slice(0, -1)
    .map((output) => output.replaceAll(/\n+/g, '\n').trim());
}
