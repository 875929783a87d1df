// The previous release, taken from the history, and the current one.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
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
};

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Until then the schema is one baseline, edited in place: there is no earlier schema to upgrade from. */
const RESTS = `The upgrade drill rests until 0.1.0: there is no release yet, and the schema is one baseline.`;

const run = promisify(execFile);

/** The drill cannot run here; the message says why. */
export class NoDrill extends Error {}

/** The commit to upgrade from. Throws NoDrill before the first release, and if the history lacks it. */
export async function findEarlier(wanted: string | undefined, repository = ROOT): Promise<string> {
  const name = wanted ?? (await findNewestTag(repository));
  if (name === null) throw new NoDrill(RESTS);
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
  const earlier = await takeOut(scratch, from);
  const newer = copyBuild(scratch, 'newer', null);
  const known = new Set(readdirSync(migrationsOf(earlier)));
  const migrations = readdirSync(migrationsOf(newer)).filter((name) => !known.has(name));
  refuseBreaking(newer, migrations, from);
  return { from, earlier, newer, migrations: migrations.toSorted() };
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
  return join(mainPath, '../../server/migrations');
}

async function git(repository: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', [...args], { cwd: repository });
  return stdout.trim();
}
