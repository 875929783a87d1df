// Sets the version in every file that names it. All packages have one version.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MANIFEST = [/^( {2}"version": ")[^"]+/m] as const;
const SIBLINGS = /^( {4}"@malipo\/[a-z]+": "\^)[^"]+/gm;

/** The text before the number is kept. A place that has moved must not keep its old version. */
const PLACES: Readonly<Record<string, readonly RegExp[]>> = {
  'server/package.json': MANIFEST,
  'sdk/package.json': MANIFEST,
  'dashboard/package.json': MANIFEST,
  'docs/package.json': MANIFEST,
  'cli/package.json': [...MANIFEST, SIBLINGS],
  'server/src/commands/version.ts': [/^(export const VERSION = ')[^']+/m],
  'sdk/python/pyproject.toml': [/^(version = ")[^"]+/m],
  'deploy/kubernetes/overlays/production/kustomization.yaml': [/^( *newTag: )\S+/m],
  'docs/operating/install.md': [/(malipo-server-)\d+\.\d+\.\d+/],
  'docs/operating/containers.md': [/(--build-arg VERSION=)\S+/],
};

type LockFile = {
  readonly packages: Record<string, { version?: string; dependencies?: Record<string, string> }>;
};

export function setVersion(folder: string, version: string): void {
  for (const [path, patterns] of Object.entries(PLACES)) {
    change(join(folder, path), (text) =>
      patterns.reduce((changed, pattern) => {
        if (changed.search(pattern) < 0) throw new Error(`${path} no longer has ${String(pattern)}`);
        return changed.replace(pattern, (_, before: string) => `${before}${version}`);
      }, text),
    );
  }
  change(join(folder, 'package-lock.json'), (text) => setLocked(text, version));
}

/** Workspaces are the entries without node_modules in their path. */
function setLocked(text: string, version: string): string {
  const lock = JSON.parse(text) as LockFile;
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path.includes('node_modules')) continue;
    if (entry.version !== undefined) entry.version = version;
    const { dependencies = {} } = entry;
    for (const name of Object.keys(dependencies))
      if (name.startsWith('@malipo/')) dependencies[name] = `^${version}`;
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}

function change(path: string, edit: (text: string) => string): void {
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
}
