// The files of a release: packages, image, sources, notes, bill of materials, provenance, and their sums. Nothing in
// them depends on the time or the folder of the build.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Say } from '../../drills/kit/program.ts';
import type { Clone } from './clone.ts';
import { buildImage } from './image.ts';
import { notesOf } from './notes.ts';
import { readProject } from './project.ts';
import { renderProvenance } from './provenance.ts';

export const SUMS = 'SHA256SUMS';

export type BuildOptions = {
  readonly version: string;
  /** A folder that is not there yet. */
  readonly output: string;
  readonly withImage: boolean;
  readonly say: Say;
};

export function buildFiles(clone: Clone, { version, output, withImage, say }: BuildOptions): void {
  const { folder } = clone;
  const path = (end: string) => join(output, `malipo-${version}${end}`);
  mkdirSync(output);
  clone.run('npm', 'run', '--silent', 'packages');
  for (const name of readdirSync(join(folder, 'packages')))
    copyFileSync(join(folder, 'packages', name), join(output, name));
  say('packages');
  const source = path('-source.tar');
  clone.git('archive', '--format=tar', `--prefix=malipo-${version}/`, '--output', source, 'HEAD');
  compress(source);
  const base = withImage ? buildImage(clone, { version, archive: path('-image.tar') }) : null;
  if (withImage) compress(path('-image.tar'));
  if (withImage) say('image');
  writeFileSync(path('-sbom.cdx.json'), clone.read({}, 'npm', 'run', '--silent', 'generate:sbom'));
  writeFileSync(path('-notes.md'), notesOf(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'), version));
  const provenance = renderProvenance({
    version,
    repository: readProject(folder).repository,
    commit: clone.git('rev-parse', 'HEAD'),
    lockHash: hashOf(join(folder, 'package-lock.json')),
    base,
    npm: clone.read({}, 'npm', '--version').trim(),
    files: sumsOf(output),
  });
  writeFileSync(path('-provenance.json'), `${JSON.stringify(provenance, null, 2)}\n`);
  const lines = sumsOf(output).map(({ name, hash }) => `${hash}  ${name}\n`);
  writeFileSync(join(output, SUMS), lines.join(''));
}

export type Sum = { readonly name: string; readonly hash: string };

function sumsOf(folder: string): readonly Sum[] {
  const names = readdirSync(folder).toSorted();
  return names.map((name) => ({ name, hash: hashOf(join(folder, name)) }));
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** Without the name and the time of the file, which gzip keeps otherwise. */
function compress(path: string): void {
  execFileSync('gzip', ['--no-name', '--best', path], { stdio: ['ignore', 2, 2] });
}
