// The previous release, taken from the history, and the current one. Where this tree has no migration after it, the
// current one gets a made-up one: a new column and its backfill.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { copyBuild, linkPackages, type Build } from '../kit/builds.ts';
import type { Scratch } from '../kit/scratch.ts';

export type Releases = {
  readonly from: string;
  readonly earlier: Build;
  readonly newer: Build;
  /** The files that only the newer one has. */
  readonly migrations: readonly string[];
  /** Whether these are the made-up ones. */
  readonly isMadeUp: boolean;
};

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const NEXT_VERSION = fileURLToPath(new URL('next-version/', import.meta.url));

/** Before the first release, the drill begins with this tree as it is. */
export const THIS_TREE = 'this tree';

const run = promisify(execFile);

/** The drill cannot run here; the message says why. */
export class NoDrill extends Error {}

/** The commit to upgrade from, or this tree before the first release. Throws NoDrill if the history lacks it. */
export async function findEarlier(wanted: string | undefined, repository = ROOT): Promise<string> {
  const name = wanted ?? (await findNewestTag(repository));
  if (name === null) return THIS_TREE;
  try {
    return await git(repository, 'rev-parse', '--short', '--verify', '--quiet', `${name}^{commit}`);
  } catch {
    const cure = 'A shallow clone has no history: run git fetch --unshallow, or name a commit with --from.';
    throw new NoDrill(`There is no ${name} in this clone. ${cure}`);
  }
}

async function findNewestTag(repository: string): Promise<string | null> {
  return git(repository, 'describe', '--tags', '--abbrev=0').catch(() => null);
}

export async function takeReleases(scratch: Scratch, from: string): Promise<Releases> {
  const earlier = from === THIS_TREE ? copyBuild(scratch, 'earlier', null) : await takeOut(scratch, from);
  const newer = copyBuild(scratch, 'newer', null);
  const known = new Set(readdirSync(migrationsOf(earlier)));
  const listNew = () => readdirSync(migrationsOf(newer)).filter((name) => !known.has(name));
  const isMadeUp = listNew().length === 0;
  if (isMadeUp) makeUp(newer);
  const migrations = listNew().toSorted();
  refuseBreaking(newer, migrations, from);
  return { from, earlier, newer, migrations, isMadeUp };
}

function makeUp(newer: Build): void {
  for (const name of readdirSync(NEXT_VERSION))
    copyFileSync(join(NEXT_VERSION, name), join(migrationsOf(newer), name.replace('-', '_')));
}

/** As committed, with the packages that are installed here. */
async function takeOut(scratch: Scratch, commit: string): Promise<Build> {
  const folder = join(scratch.folder('builds'), 'earlier');
  mkdirSync(folder);
  const archive = join(scratch.path, 'earlier.tar');
  const parts = ['server/src', 'server/migrations', 'server/package.json', 'package.json'];
  await git(ROOT, 'archive', '--output', archive, commit, ...parts);
  await run('tar', ['-xf', archive, '-C', folder]);
  linkPackages(folder);
  return { name: 'earlier', mainPath: join(folder, 'server/src/main.ts') };
}

/** After a breaking change the page has another procedure, with downtime and no way back. */
function refuseBreaking(newer: Build, migrations: readonly string[], from: string): void {
  const breaking = migrations.filter((name) =>
    /^-- breaking:/m.test(readFileSync(join(migrationsOf(newer), name), 'utf8')),
  );
  if (breaking.length === 0) return;
  throw new NoDrill(
    `Between ${from} and here is a breaking migration, ${breaking.join(', ')}: there is a gap.`,
  );
}

function migrationsOf({ mainPath }: Build): string {
  return join(mainPath, '../../migrations');
}

async function git(repository: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', [...args], { cwd: repository });
  return stdout.trim();
}
