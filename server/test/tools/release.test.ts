// The release command, on a small repository with the real files that it changes; drills/release makes a whole release.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { datedChangelog, notesFromCommits, notesOf } from '../../../tools/release/notes.ts';
import { listPlaceholders } from '../../../tools/release/project.ts';
import { findChanged, recordMigrations } from '../../../tools/release/released-migrations.ts';
import { makeKey, readPublicKey, type Key } from '../../../tools/release/sign.ts';
import { verifyByPage } from '../../../tools/release/verify.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COPIED = [
  ...['server', 'sdk', 'cli', 'dashboard', 'docs'].map((workspace) => `${workspace}/package.json`),
  'server/src/commands/version.ts',
  'server/migrations',
  'sdk/python/pyproject.toml',
  'deploy/kubernetes/overlays/production/kustomization.yaml',
  ...['containers', 'install', 'upgrade'].map((page) => `docs/operating/${page}.md`),
  'drills/kit/program.ts',
  'tools',
];

const CHANGELOG = '# Changelog\n\n## 0.1.0 (not released yet)\n\nAll of it.\n';

let repository = '';
beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'malipo-release-test-'));
  for (const path of COPIED) cpSync(join(ROOT, path), join(repository, path), { recursive: true });
  const write = (path: string, value: unknown) =>
    writeFileSync(join(repository, path), typeof value === 'string' ? value : JSON.stringify(value));
  // Its packages need no compiler, and its lock file has nothing to install.
  const scripts = {
    packages: 'mkdir packages && cp server/package.json packages/malipo-server.tgz',
    'generate:sbom': 'echo {}',
  };
  write('package.json', { name: 'malipo', type: 'module', scripts });
  write('package-lock.json', {
    name: 'malipo',
    lockfileVersion: 3,
    packages: { '': { name: 'malipo' }, server: { version: '0.0.9' } },
  });
  write('.gitignore', 'node_modules\npackages\n');
  write('CHANGELOG.md', CHANGELOG);
  write('project.json', { ...REAL, repository: 'https://example.org/malipo' });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'feat: begin');
  return () => rmSync(repository, { recursive: true, maxRetries: 10 });
});

const REAL = {
  repository: 'https://git.malipo.dev/malipo',
  owners: ['@malipo/maintainers'],
  contact: 'team@malipo.dev',
  securityContact: 'security@malipo.dev',
  releaseKey: 'RWQ',
};

function git(...args: readonly string[]): string {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@malipo.dev'];
  return execFileSync('git', [...who, ...args], { cwd: repository, encoding: 'utf8' }).trim();
}

type Release = { readonly version?: string; readonly key?: string };

function release({ version = '0.1.0', key }: Release, ...args: readonly string[]) {
  const { MALIPO_RELEASE_KEY: _, ...env } = process.env;
  return spawnSync(process.execPath, ['tools/release/main.ts', version, '--no-image', ...args], {
    cwd: repository,
    encoding: 'utf8',
    env: key === undefined ? env : { ...env, MALIPO_RELEASE_KEY: key },
  });
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-release-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function rehearse(): string {
  const output = makeFolder();
  const { status, stderr } = release({}, '--rehearse', '--checked-by-ci', '--output', output);
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('do not publish it') });
  return output;
}

test('a release without its key, with placeholders or with uncommitted changes is refused', () => {
  appendFileSync(join(repository, 'CHANGELOG.md'), 'More.\n');
  const { status, stderr } = release({});
  git('checkout', '--quiet', '.');
  expect(status).toBe(1);
  expect(stderr).toContain('there are changes that are not committed');
  expect(stderr).toContain('project.json has a placeholder: repository');
  expect(stderr).toContain('no longer true in docs/operating/upgrade.md: "Until 0.1.0"');
  expect(stderr).toContain('MALIPO_RELEASE_KEY must name the file of the secret key');
  expect(listPlaceholders(REAL)).toEqual([]);
});

test('two rehearsals are equal, leave no tag, and are verified by the page; a changed byte is noticed', () => {
  const [one, two] = [rehearse(), rehearse()];
  const sums = readFileSync(join(one, 'SHA256SUMS'), 'utf8');
  expect(readFileSync(join(two, 'SHA256SUMS'), 'utf8')).toBe(sums);
  expect(sums).toMatch(/-notes\.md\n.*-provenance\.json\n.*-sbom\.cdx\.json\n.*-source\.tar\.gz\n.*\.tgz\n$/);
  expect(git('tag')).toBe('');
  expect(readFileSync(join(one, 'malipo-0.1.0-notes.md'), 'utf8')).toBe('All of it.\n');
  const key = readPublicKey(join(one, 'rehearsal.pub'));
  expect(verifyByPage(one, key)).toEqual({
    isGenuine: true,
    output: expect.stringContaining('rehearsal of malipo 0.1.0, not for publishing'),
  });
  expect(verifyByPage(two, key).isGenuine).toBe(false);
  appendFileSync(join(one, 'malipo-server.tgz'), ' ');
  expect(verifyByPage(one, key).isGenuine).toBe(false);
});

/** A release of the repository with the files in a new folder. */
function releaseWith({ secretPath }: Pick<Key, 'secretPath'>, version: string) {
  const output = makeFolder();
  const made = release({ version, key: secretPath }, '--checked-by-ci', '--output', output);
  return { ...made, output };
}

function commit(subject: string, path: string, text: string): void {
  writeFileSync(join(repository, path), text);
  git('add', '--all');
  git('commit', '--quiet', '--message', subject);
}

test('a release becomes part of the branch, and the next one has what changed since then', () => {
  const begun = git('rev-parse', 'HEAD');
  onTestFinished(() => {
    git('reset', '--quiet', '--hard', begun);
    git('tag', '--delete', ...git('tag').split('\n'));
  });
  const [key, other] = [makeKey(makeFolder()), makeKey(makeFolder())];
  const upgrade = readFileSync(join(repository, 'docs/operating/upgrade.md'), 'utf8');
  writeFileSync(
    join(repository, 'docs/operating/upgrade.md'),
    upgrade.replace(/^\*\*Until 0\.1\.0\*\*.*\n/m, ''),
  );
  commit('docs: it is released', 'project.json', JSON.stringify({ ...REAL, releaseKey: key.publicKey }));

  const withOther = releaseWith(other, '0.1.0');
  expect(withOther).toMatchObject({ status: 1, stderr: expect.not.stringContaining('a clean clone') });
  expect(readdirSync(withOther.output)).toEqual([]);
  expect(git('tag')).toBe('');

  const first = releaseWith(key, '0.1.0');
  expect(first).toMatchObject({ status: 0, stderr: expect.stringContaining('Next: git merge v0.1.0') });
  expect(verifyByPage(first.output, key.publicKey).isGenuine).toBe(true);
  const again = release({ key: key.secretPath }, '--checked-by-ci', '--output', first.output);
  expect(again.stderr).toContain(`${first.output} is not empty`);
  commit('feat: pay by card', 'server/migrations/9998_cards.sql', '-- breaking: cards\n');
  expect(releaseWith(key, '0.1.1').stderr).toContain('a release is not in this commit: git merge v0.1.0');

  git('merge', '--quiet', '--no-edit', 'v0.1.0');
  expect(readFileSync(join(repository, 'CHANGELOG.md'), 'utf8')).toMatch(/^## 0\.1\.0 \(\d{4}-\d\d-\d\d\)$/m);
  const install = () => readFileSync(join(repository, 'docs/operating/install.md'), 'utf8');
  expect(install()).toContain(`git clone --branch v0.1.0 ${REAL.repository} .`);
  const next = releaseWith(key, '0.1.1');
  expect(next).toMatchObject({ status: 0 });
  expect(readFileSync(join(next.output, 'malipo-0.1.1-notes.md'), 'utf8')).toBe(
    [
      '**New**\n\n- pay by card',
      '**Migrations**\n\n- `server/migrations/9998_cards.sql`, breaking: stop all processes first\n',
    ].join('\n\n'),
  );
  git('merge', '--quiet', 'v0.1.1');
  expect(install()).toContain('/malipo-server-0.1.1.tgz');
  expect(install()).toContain(`git clone --branch v0.1.1 ${REAL.repository} .`);
  commit('fix: cards', 'server/migrations/9998_cards.sql', '-- breaking: cards and more\n');
  expect(findChanged(repository)).toEqual(['9998_cards.sql']);
  expect(releaseWith(key, '0.1.2').stderr).toContain('Released migrations were changed: 9998_cards.sql');
});

test('notes have the section that was written, or what users notice of the commits', () => {
  const released = datedChangelog(CHANGELOG, { version: '0.1.0', day: '2027-01-31', commits: () => '' });
  expect(released).toBe('# Changelog\n\n## 0.1.0 (2027-01-31)\n\nAll of it.\n');
  const fromCommits = notesFromCommits({
    subjects: [
      'fix(api): answer at once',
      'docs: say more',
      'feat: pay by card',
      'perf(store): ask once',
      'refactor(api)!: remove v1',
    ],
    migrations: ['server/migrations/0026_cards.sql'],
    isBreaking: () => true,
  });
  const next = datedChangelog(released, { version: '0.1.1', day: '2027-02-28', commits: () => fromCommits });
  expect(next.slice(next.indexOf('\n## 0.1.0'))).toBe(released.slice(released.indexOf('\n## 0.1.0')));
  expect(notesOf(next, '0.1.1')).toBe(
    [
      '**Breaking**\n\n- api: remove v1',
      '**New**\n\n- pay by card',
      '**Fixed**\n\n- api: answer at once',
      '**Faster**\n\n- store: ask once',
      '**Migrations**\n\n- `server/migrations/0026_cards.sql`, breaking: stop all processes first\n',
    ].join('\n\n'),
  );
});

test('no released migration was changed, and one that is changed is named', () => {
  expect(findChanged(ROOT)).toEqual([]);
  expect(findChanged(repository)).toEqual([]);
  recordMigrations(repository);
  expect(findChanged(repository)).toEqual([]);
  appendFileSync(join(repository, 'server/migrations/0006_payments.sql'), '-- one more line\n');
  expect(findChanged(repository)).toEqual(['0006_payments.sql']);
});
