// What package-lock.json says about the packages that we use, and which of them ship.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from './published.ts';

export type LockedPackage = {
  readonly name?: string;
  readonly version?: string;
  /** Absent if it came from the registry, which the lock file omits. */
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly deprecated?: string;
  readonly hasInstallScript?: boolean;
  /** A workspace of ours, seen from node_modules; `resolved` is its folder. */
  readonly link?: boolean;
  /** It is inside the package of another, whose integrity covers it. */
  readonly inBundle?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
};

/** By path: "node_modules/pg", "server". */
export type Lock = { readonly packages: Readonly<Record<string, LockedPackage>> };

const FOLDER = 'node_modules/';

export function readLock(): Lock {
  return JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
}

/** Third-party packages. */
export function foreignPackages({ packages }: Lock): readonly (readonly [path: string, LockedPackage])[] {
  return Object.entries(packages).filter(([path, { link }]) => path.includes(FOLDER) && link !== true);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
}

/**
 * The paths of everything that these workspaces need at run time, including themselves. npm's own marks do not help:
 * what is also needed for development counts as development with `npm sbom`, which then leaves out Fastify.
 */
export function shippedPaths(lock: Lock, workspaces: readonly string[]): ReadonlySet<string> {
  const shipped = new Set<string>();
  const waiting = [...workspaces];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (shipped.has(path)) continue;
    shipped.add(path);
    for (const name of needsOf(lock.packages[path])) {
      const found = findPackage(lock, { from: path, name });
      if (found !== null) waiting.push(found);
    }
  }
  return shipped;
}

/** Optional peers are for users who install them themselves. */
function needsOf(locked: LockedPackage | undefined): readonly string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = locked ?? {};
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => peerDependenciesMeta?.[name]?.optional !== true,
  );
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers];
}

/** Where Node.js finds a package: in the nearest node_modules above. Null if it is not locked. */
export function findPackage(
  { packages }: Lock,
  { from, name }: { from: string; name: string },
): string | null {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    const path = posix.join(folder, FOLDER, name);
    const found = packages[path];
    if (found !== undefined) return found.link === true ? (found.resolved ?? null) : path;
    if (folder === '.' || folder === '') return null;
  }
}
