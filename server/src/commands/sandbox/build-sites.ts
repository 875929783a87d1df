// Builds the dashboard and the documentation of a clone, so that a newcomer needs one command. A published package
// holds them as they were built, and no sources.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from '../../edge/built-files.ts';
import { DASHBOARD_DIRECTORY } from '../../edge/console/app.ts';
import { DOCS_DIRECTORY } from '../../edge/docs.ts';

type Recipe = {
  readonly workspace: string;
  readonly built: string;
  /** Made by the process that builds: others wait until it is gone. What is built is in it until it is complete. */
  readonly scratch: string;
  /** What Node.js runs in the workspace; the folder to build to comes last. */
  readonly program: readonly string[];
  /** Files, and folders with everything in them. */
  readonly sources: readonly string[];
};

const ROOT = join(import.meta.dirname, '../../../..');
const inRoot = (path: string) => join(ROOT, path);

const RECIPES: Readonly<Record<Site, Recipe>> = {
  dashboard: {
    workspace: inRoot('dashboard'),
    built: DASHBOARD_DIRECTORY,
    scratch: inRoot('dashboard/building'),
    program: [
      inRoot('node_modules/vite/bin/vite.js'),
      'build',
      '--logLevel',
      'error',
      '--emptyOutDir',
      '--outDir',
    ],
    sources: ['src', 'index.html', 'vite.config.ts', 'package.json'].map((name) =>
      inRoot(`dashboard/${name}`),
    ),
  },
  docs: {
    workspace: inRoot('docs'),
    built: DOCS_DIRECTORY,
    scratch: join(DOCS_DIRECTORY, '../cache/building'),
    program: ['build.ts'],
    sources: [
      'docs',
      'openapi',
      'server/src/connectors',
      'server/src/sandbox/simulator',
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
    ].map(inRoot),
  },
};

/** Whether there are sources, and what was built of them is missing or older. */
export function isOutdated(site: Site): boolean {
  const { workspace, built, sources } = RECIPES[site];
  if (!existsSync(join(workspace, 'package.json'))) return false;
  const builtAt = timeOf(join(built, 'index.html'));
  return sources.flatMap(listFiles).some((path) => timeOf(path) > builtAt);
}

/** Does nothing where it is up to date. Throws with what the builder said. */
export async function buildSite(site: Site, stopping = new AbortController().signal): Promise<void> {
  const { scratch } = RECIPES[site];
  while (isOutdated(site) && !stopping.aborted) {
    if (!tryLock(scratch)) {
      await sleep(200);
      continue;
    }
    try {
      return await build(RECIPES[site], stopping);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
}

async function build({ workspace, built, scratch, program }: Recipe, stopping: AbortSignal): Promise<void> {
  const fresh = join(scratch, 'site');
  const builder = spawn(process.execPath, [...program, fresh], { cwd: workspace });
  const kill = () => void builder.kill();
  stopping.addEventListener('abort', kill);
  let said = '';
  for (const stream of [builder.stdout, builder.stderr])
    stream.on('data', (chunk) => (said += String(chunk)));
  // Requests that come meanwhile have priority.
  if (builder.pid !== undefined) setPriority(builder.pid, constants.priority.PRIORITY_LOW);
  const [code] = (await once(builder, 'close')) as [number | null];
  stopping.removeEventListener('abort', kill);
  if (code !== 0) throw new Error(said.trim());
  // A gateway that starts now sees the old one or the new one, never half of one.
  if (existsSync(built)) renameSync(built, join(scratch, 'old'));
  renameSync(fresh, built);
}

/** No build takes longer; the process that made an older lock was killed. */
const LOCK_MS_MAX = 300_000;

function tryLock(scratch: string): boolean {
  mkdirSync(dirname(scratch), { recursive: true });
  if (Date.now() - timeOf(scratch) > LOCK_MS_MAX) rmSync(scratch, { recursive: true, force: true });
  try {
    mkdirSync(scratch);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Without what was built. Of the server only its pages are sources of a site. */
function listFiles(path: string): readonly string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/\/\.vitepress\/(dist|cache|\.temp)\//.test(file))
    .filter((file) => !file.includes('/server/src/') || file.endsWith('.md'));
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
