// The parts of packaging that can be shown without packing: launchers, manifests, and pages that are run.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { renderLauncher } from '../../tools/packaging/launcher.ts';
import { renderManifest, type Manifest } from '../../tools/packaging/manifest.ts';
import { isSaid, readBlocks } from '../../tools/packaging/page.ts';
import { PUBLISHED, ROOT } from '../../tools/packaging/published.ts';

const directory = mkdtempSync(join(tmpdir(), 'malipo-launcher-'));
afterAll(() => rmSync(directory, { recursive: true }));

function write(node: string): string {
  const path = join(directory, `launch-${node}.mjs`);
  writeFileSync(join(directory, 'main.mjs'), 'process.stdout.write("it runs")');
  writeFileSync(path, renderLauncher({ command: 'malipo', main: './main.mjs', node }));
  return path;
}

describe('a launcher', () => {
  test('rejects an older Node.js and says what to do', () => {
    const { status, stderr } = spawnSync(process.execPath, [write('99.1')], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('malipo needs Node.js 99.1 or newer, and this is ');
    expect(stderr).toContain('https://nodejs.org');
  });

  test('runs the program on one that is new enough', () => {
    expect(execFileSync(process.execPath, [write('22.12')], { encoding: 'utf8' })).toBe('it runs');
  });
});

describe('the manifest of a published package', () => {
  const manifests = PUBLISHED.map((published) => {
    const source = readFileSync(join(ROOT, published.workspace, 'package.json'), 'utf8');
    return [published.workspace, renderManifest(JSON.parse(source) as Manifest, published)] as const;
  });

  test.each(manifests)('of %s names no TypeScript, nothing private and no script', (_, manifest) => {
    expect(JSON.stringify(manifest).replaceAll('.d.ts', '')).not.toMatch(
      /\.ts\b|private|scripts|devDependencies/,
    );
  });

  test.each(manifests)('of %s says which Node.js it needs', (_, manifest) => {
    expect(manifest).toMatchObject({ type: 'module', engines: { node: expect.stringMatching(/^>=\d+/) } });
  });
});

describe('a page that is run', () => {
  const page = readFileSync(join(ROOT, 'docs/five-minutes.md'), 'utf8');

  test('has commands, terminals, a file, and the expected output', () => {
    const types = new Set(readBlocks(page).map(({ type }) => type));
    expect([...types].toSorted()).toEqual(['expect', 'file', 'run', 'terminal']);
  });

  test('matches the output, with anything in place of dots', () => {
    expect(isSaid('status … COMPLETED', 'a 1\nstatus    COMPLETED\n')).toBe(true);
    expect(
      isSaid('… verified  deposit … is COMPLETED', '12:00:01  verified  deposit 7 is COMPLETED, answered'),
    ).toBe(true);
    expect(isSaid('status … COMPLETED', 'status    FAILED\n')).toBe(false);
  });
});
