// The parts of packaging that can be shown without packing: launchers, manifests, and pages that are run.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { renderLauncher } from '../../tools/packaging/launcher.ts';
import { renderManifest, type Manifest } from '../../tools/packaging/manifest.ts';
import { findWarnings } from '../../tools/newcomer/npm-settings.ts';
import { isSaid, readBlocks, type Source } from '../../tools/newcomer/page.ts';
import { PUBLISHED, ROOT } from '../../tools/packaging/published.ts';
import { swapBack, swapIn } from '../../tools/packaging/swap.ts';
import { readProject } from '../../tools/release/project.ts';

const directory = mkdtempSync(join(tmpdir(), 'malipo-launcher-'));
afterAll(() => rmSync(directory, { recursive: true }));

function write(node: string): string {
  const path = join(directory, `launch-${node}.mjs`);
  writeFileSync(join(directory, 'main.mjs'), 'process.stdout.write("it runs")');
  writeFileSync(path, renderLauncher({ command: 'malipo', main: './main.mjs', node }));
  return path;
}

describe('a launcher', () => {
  test('a launcher rejects an older Node.js and says what to do', () => {
    const { status, stderr } = spawnSync(process.execPath, [write('99.1')], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('malipo needs Node.js 99.1 or newer, and this is ');
    expect(stderr).toContain('https://nodejs.org');
  });

  test('a launcher runs the program on one that is new enough', () => {
    expect(execFileSync(process.execPath, [write('22.12')], { encoding: 'utf8' })).toBe('it runs');
  });
});

describe('the manifest of a published package', () => {
  const manifests = PUBLISHED.map((published) => {
    const source = readFileSync(join(ROOT, published.workspace, 'package.json'), 'utf8');
    const options = { published, project: readProject(ROOT) };
    return [published.workspace, renderManifest(JSON.parse(source) as Manifest, options)] as const;
  });

  test.each(manifests)('of %s names no TypeScript, nothing private and no script', (_, manifest) => {
    expect(JSON.stringify(manifest).replaceAll('.d.ts', '')).not.toMatch(
      /\.ts\b|private|scripts|devDependencies/,
    );
  });

  test.each(manifests)('of %s says which Node.js it needs', (_, manifest) => {
    expect(manifest).toMatchObject({ type: 'module', engines: { node: expect.stringMatching(/^>=\d+/) } });
  });

  test.each(manifests)('of %s says where it comes from and who may use it', (workspace, manifest) => {
    const { repository } = readProject(ROOT);
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      repository: { type: 'git', url: `git+${repository}.git`, directory: workspace },
      publishConfig: { access: 'public' },
      files: ['dist'],
    });
  });
});

test('a newcomer notices the warnings of every program', () => {
  const warnings = [
    'npm warn deprecated glob@7.2.3: use a newer one',
    '(node:4711) ExperimentalWarning: Importing JSON modules is an experimental feature',
    '/home/ana/pay.py:3: DeprecationWarning: datetime.utcnow() is deprecated',
    'WARNING: The script malipo is installed in a folder that is not on PATH.',
    'DEPRECATION: malipo is being installed using the legacy method.',
    'PHP Warning:  Undefined variable $deposit in pay.php on line 3',
    'Deprecated: strlen(): Passing null to parameter #1 is deprecated in pay.php on line 3',
  ];
  const others = ['added 3 packages in 2s', 'npm notice', 'status    COMPLETED', 'The deposit is paid. 7'];
  expect(findWarnings([...others, ...warnings].join('\n'))).toEqual(warnings);
});

describe('package.json while npm packs', () => {
  const SOURCE = '{ "name": "here", "scripts": {} }';

  function makeWorkspace(): { readonly workspace: string; readonly read: () => string } {
    const workspace = mkdtempSync(join(directory, 'workspace-'));
    writeFileSync(join(workspace, 'package.json'), SOURCE);
    return { workspace, read: () => readFileSync(join(workspace, 'package.json'), 'utf8') };
  }

  test('package.json is the published one while npm packs, and then the old one again, to the letter', () => {
    const { workspace, read } = makeWorkspace();
    swapIn(workspace, { name: 'published' });
    expect(JSON.parse(read())).toEqual({ name: 'published' });
    expect(swapBack(workspace)).toBe(true);
    expect(read()).toBe(SOURCE);
    expect(swapBack(workspace)).toBe(false);
  });

  test('package.json is left alone after packing if somebody has restored and changed it meanwhile', () => {
    const { workspace, read } = makeWorkspace();
    swapIn(workspace, { name: 'published' });
    const changed = SOURCE.replace('here', 'changed');
    writeFileSync(join(workspace, 'package.json'), changed);
    expect(swapBack(workspace)).toBe(false);
    expect(read()).toBe(changed);
    expect(existsSync(join(workspace, 'package.json.kept'))).toBe(false);
  });

  test('package.json comes back when npm is killed', async () => {
    const { workspace, read } = makeWorkspace();
    const npm = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    swapIn(workspace, { name: 'published' });
    const postpack = join(ROOT, 'tools/packaging/postpack.ts');
    const waiting = spawn(process.execPath, [postpack, '--after', String(npm.pid)], { cwd: workspace });
    const ended = once(waiting, 'exit');
    npm.kill('SIGKILL');
    expect(await ended).toEqual([0, null]);
    expect(read()).toBe(SOURCE);
  });
});

describe('a page that is run', () => {
  const page = readFileSync(join(ROOT, 'docs/five-minutes.md'), 'utf8');

  const commands = (source: Source) =>
    readBlocks(page, { source, language: 'Node.js' })
      .map(({ text }) => text)
      .join('');

  test('a page that is run has commands, terminals, a file, and the expected output', () => {
    const types = new Set(
      readBlocks(page, { source: 'registry', language: 'Node.js' }).map(({ type }) => type),
    );
    expect([...types].toSorted()).toEqual(['expect', 'file', 'run', 'terminal']);
  });

  test('a page that is run gets the packages either from a clone or from a registry, and ends with a verified callback', () => {
    expect(commands('clone')).toContain('npm run packages');
    expect(commands('clone')).not.toContain('npm install @malipo/sdk');
    expect(commands('registry')).toContain('npm install @malipo/sdk');
    expect(commands('registry')).not.toContain('npm run packages');
    expect(commands('registry')).toContain('verified  deposit');
  });

  test('a page that is run matches the output, with anything in place of dots', () => {
    expect(isSaid('status … COMPLETED', 'a 1\nstatus    COMPLETED\n')).toBe(true);
    expect(
      isSaid('… verified  deposit … is COMPLETED', '12:00:01  verified  deposit 7 is COMPLETED, answered'),
    ).toBe(true);
    expect(isSaid('status … COMPLETED', 'status    FAILED\n')).toBe(false);
  });
});
