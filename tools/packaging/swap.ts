// npm packs the package.json that it finds in a workspace. While it does, the one of the repository is kept beside it,
// and the published one is in its place. Each step is one rename, so a process that is killed leaves no half a file.
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from './manifest.ts';

/** `kept` and `next` are not in Git. */
const pathsOf = (workspace: string) => ({
  manifest: join(workspace, 'package.json'),
  kept: join(workspace, 'package.json.kept'),
  next: join(workspace, 'package.json.next'),
});

export function readManifest(workspace: string): Manifest {
  return JSON.parse(readFileSync(pathsOf(workspace).manifest, 'utf8')) as Manifest;
}

export function swapIn(workspace: string, published: object): void {
  const { manifest, kept, next } = pathsOf(workspace);
  cpSync(manifest, next);
  renameSync(next, kept);
  writeFileSync(next, `${JSON.stringify(published, null, 2)}\n`);
  renameSync(next, manifest);
}

/** May be called at any time and more than once. Returns whether the published one was in place. */
export function swapBack(workspace: string): boolean {
  const { manifest, kept } = pathsOf(workspace);
  if (!existsSync(kept)) return false;
  // Only the repository's has scripts. If it is back already, by Git or by an editor, the kept one is older.
  const wasSwapped = readManifest(workspace).scripts === undefined;
  if (wasSwapped) renameSync(kept, manifest);
  else rmSync(kept);
  return wasSwapped;
}
