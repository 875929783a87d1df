// `npm run release -- 0.1.0`: checks, sets versions, writes the notes, tags, builds, sums and signs. Everything happens
// in a clean clone in a temporary folder, so a release that fails leaves nothing behind. Nothing is published: it ends
// by saying what to do.
//
//   npm run release -- 0.1.0                    signed with the key in the file that MALIPO_RELEASE_KEY names, on the
//                                               base image that BASE names by its digest
//   npm run release -- 0.1.0 --checked-by-ci    without .ci/run, which CI ran for this commit
//   npm run release -- 0.1.0 --rehearse         with a throwaway key and placeholders; no tag here; not for publishing
//   --no-image leaves out the image; --output FOLDER, empty or new, is where the files go; default: release/VERSION
//
// On the commit that is tagged v0.1.0 it builds the same files again, byte for byte, signature excepted.
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startProgram } from '../../drills/kit/program.ts';
import { ROOT } from '../packaging/published.ts';
import { buildFiles } from './build.ts';
import { cloneOf, hasProgram, type Clone } from './clone.ts';
import { listUntrue } from './pages.ts';
import { prepare } from './prepare.ts';
import { listPlaceholders, readProject } from './project.ts';
import { makeKey, sign, tryKey } from './sign.ts';

const program = startProgram(
  'npm run release -- 0.1.0',
  { rehearse: false, 'checked-by-ci': false, 'no-image': false, output: null },
  { takesWords: true },
);
const { say, options, words } = program;
const { rehearse } = options;
const [version = ''] = words;
if (words.length !== 1 || !/^\d+\.\d+\.\d+$/.test(version)) program.refuse();
const tag = `v${version}`;
const output = resolve(ROOT, options.output ?? `release/${rehearse ? 'rehearsal-' : ''}${version}`);

const here = cloneOf(ROOT);
const refusals = listRefusals();
if (refusals.length > 0) {
  process.stderr.write(`Not released:\n${refusals.map((text) => `- ${text}\n`).join('')}`);
  process.exit(1);
}

const scratch = mkdtempSync(join(tmpdir(), 'malipo-release-'));
try {
  release(here.cloneTo(join(scratch, 'malipo')));
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 10 });
}

function listRefusals(): readonly string[] {
  const tagged = here.commitOf(tag);
  const [unmerged = ''] = here.git('tag', '--list', 'v*', '--no-merged', 'HEAD').split('\n').toReversed();
  const rules: Readonly<Record<string, boolean>> = {
    'there are changes that are not committed: git status': here.isClean(),
    [`${tag} is another commit; to build it again: git checkout ${tag}`]:
      tagged === null || tagged === here.commitOf('HEAD'),
    [`a release is not in this commit: git merge ${unmerged}`]: tagged !== null || unmerged === '',
    [`${output} is not empty`]: !existsSync(output) || readdirSync(output).length === 0,
    'minisign is missing: apt-get install minisign': hasProgram('minisign'),
    'podman or buildah is missing, for the image; --no-image leaves it out':
      options['no-image'] || (hasProgram('podman') && hasProgram('buildah')),
    'BASE must name the base of the image by its digest: docker.io/library/node@sha256:…':
      rehearse || options['no-image'] || /@sha256:[0-9a-f]{64}$/.test(process.env['BASE'] ?? ''),
    'MALIPO_RELEASE_KEY must name the file of the secret key': rehearse || keyPath() !== '',
  };
  const unkept = Object.entries(rules).flatMap(([text, isKept]) => (isKept ? [] : [text]));
  if (rehearse) return unkept;
  const placeholders = listPlaceholders(readProject(ROOT)).map(
    (name) => `project.json has a placeholder: ${name}`,
  );
  return [...unkept, ...placeholders, ...listUntrue(here).map((text) => `no longer true in ${text}`)];
}

function keyPath(): string {
  return process.env['MALIPO_RELEASE_KEY'] ?? '';
}

function release(clone: Clone): void {
  const throwaway = rehearse ? makeKey(scratch) : null;
  const key = throwaway ?? { secretPath: resolve(keyPath()), publicKey: readProject(ROOT).releaseKey };
  const signing = { key, version, isRehearsal: rehearse };
  tryKey(scratch, signing);
  say(`a clean clone of ${clone.commitOf('HEAD')}`);
  if (options['checked-by-ci']) clone.run('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
  else clone.run('.ci/run');
  if (!clone.isClean()) throw new Error(`The checks changed files:\n${clone.git('status', '--short')}`);
  if (here.commitOf(tag) === null) prepare(clone, version);
  say(`${tag} is ${clone.commitOf('HEAD')}`);
  const files = join(scratch, 'files');
  buildFiles(clone, { version, output: files, withImage: !options['no-image'], say });
  sign(files, signing);
  cpSync(files, output, { recursive: true });
  say(`everything is in ${output}`);
  if (throwaway !== null) {
    cpSync(throwaway.publicPath, join(output, 'rehearsal.pub'));
    return say('A rehearsal, signed with a throwaway key: do not publish it.');
  }
  here.takeTag(clone, tag);
  say(
    `Next: git merge ${tag} && git push --atomic origin HEAD ${tag}; then publish as tools/release/README.md says.`,
  );
}
