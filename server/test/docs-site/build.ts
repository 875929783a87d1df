// Builds the documentation for tests, once, and only when it is older than what it is made of.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../../../', import.meta.url).pathname;
const BUILT = join(ROOT, 'docs/.vitepress/dist/index.html');

export function buildDocs(): void {
  if (!isOld()) return;
  execFileSync(process.execPath, ['build.ts'], { cwd: join(ROOT, 'docs'), stdio: 'inherit' });
}

function isOld(): boolean {
  const pages = listFiles('docs').filter((path) => !/\/\.vitepress\/(dist|cache|\.temp)\//.test(path));
  const readmes = listFiles('server/src/connectors').filter((path) => path.endsWith('.md'));
  const documents = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  const sources = [
    ...pages,
    ...readmes,
    ...listFiles('openapi'),
    ...documents.map((name) => join(ROOT, name)),
  ];
  return timeOf(BUILT) < Math.max(...sources.map(timeOf));
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
