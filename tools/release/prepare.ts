// The commit of a release: its version in every file that names it, its notes, the
// address in its pages, and the hashes of its migrations.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clone } from './clone.ts';
import { datedChangelog, notesFromCommits } from './notes.ts';
import { completePages } from './pages.ts';
import { readProject } from './project.ts';
import { findChanged, recordMigrations } from './released-migrations.ts';
import { setVersion } from './versions.ts';

export function prepare(clone: Clone, version: string): void {
  const { folder, git } = clone;
  const changed = findChanged(folder);
  if (changed.length > 0) throw new Error(`Released migrations were changed: ${changed.join(', ')}`);
  // Of the commit that is released: the same one then gives the same release, whenever and by whom it is made.
  const date = clone.date();
  setVersion(folder, version);
  recordMigrations(folder);
  writeChangelog(clone, { version, day: new Date(date * 1_000).toISOString().slice(0, 10) });
  const { contact, repository } = readProject(folder);
  completePages(clone, { tag: `v${version}`, repository });
  const who = ['-c', 'user.name=Malipo', '-c', `user.email=${contact}`, '-c', 'commit.gpgSign=false'];
  git('add', '--all');
  clone.read(
    { GIT_AUTHOR_DATE: `${date} +0000`, GIT_COMMITTER_DATE: `${date} +0000` },
    'git',
    ...who,
    'commit',
    '--quiet',
    '--message',
    `chore: release ${version}`,
  );
  git('tag', `v${version}`);
}

function writeChangelog(
  { folder, git, commitOf }: Clone,
  { version, day }: { readonly version: string; readonly day: string },
): void {
  const path = join(folder, 'CHANGELOG.md');
  const newest = git('tag', '--merged', 'HEAD', '--sort=-version:refname', '--list', 'v*').split('\n')[0];
  const commits = () => {
    if (newest === undefined || newest === '' || commitOf(newest) === null)
      throw new Error('No earlier release is in this clone: git fetch --unshallow --tags');
    const since = `${newest}..HEAD`;
    return notesFromCommits({
      subjects: git('log', '--reverse', '--format=%s', since).split('\n'),
      migrations: git('diff', '--name-only', '--diff-filter=A', since, '--', 'server/migrations').split('\n'),
      isBreaking: (migration) => /^-- breaking:/m.test(readFileSync(join(folder, migration), 'utf8')),
    });
  };
  writeFileSync(path, datedChangelog(readFileSync(path, 'utf8'), { version, day, commits }));
}
