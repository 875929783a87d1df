// Builds the dashboard for tests, once, and only when it is older than its sources.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const ROOT = new URL('../../../', import.meta.url).pathname;
const DASHBOARD = join(ROOT, 'dashboard');
const BUILT = join(DASHBOARD, 'dist/index.html');

/** Anyone who has this folder builds; others wait. A build takes some seconds, and no one waits for a dead one. */
const LOCK = join(DASHBOARD, 'building');
const LOCK_MS_MAX = 120_000;

export async function buildDashboard(): Promise<void> {
  while (isOld()) {
    if (!tryLock()) {
      await setTimeout(200);
      continue;
    }
    try {
      if (isOld()) build();
    } finally {
      rmdirSync(LOCK);
    }
  }
}

function build(): void {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: DASHBOARD,
    stdio: 'inherit',
  });
}

function isOld(): boolean {
  const sources = readdirSync(join(DASHBOARD, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const others = ['index.html', 'vite.config.ts', 'package.json'].map((name) => join(DASHBOARD, name));
  return timeOf(BUILT) < Math.max(...[...sources, ...others].map(timeOf));
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function tryLock(): boolean {
  try {
    mkdirSync(LOCK);
    return true;
  } catch {
    if (Date.now() - timeOf(LOCK) > LOCK_MS_MAX) rmdirSync(LOCK);
    return false;
  }
}
