// `npm run drill:release`: makes a release of the last commit twice, as rehearsals in clean clones. The files must be
// equal byte for byte, signature excepted. Then it verifies them by the page for users, and changes one byte of each
// file: the page must notice every time. As root on Debian.
//
//   npm run drill:release -- --no-image    without the image, which takes most of the time
//   --keep leaves the folder with both releases
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../tools/packaging/published.ts';
import { cloneOf, type Clone } from '../../tools/release/clone.ts';
import { readPublicKey } from '../../tools/release/sign.ts';
import { verifyByPage } from '../../tools/release/verify.ts';
import { finish, listUnkept, startProgram, type Conclusion } from '../kit/program.ts';

const program = startProgram('npm run drill:release --', { 'no-image': false, keep: false, json: false });
const { say, options } = program;

/** Each run has a key of its own. */
const KEY = 'rehearsal.pub';
const SIGNATURE = 'SHA256SUMS.minisig';

const scratch = mkdtempSync(join(tmpdir(), 'malipo-releases-'));
finish(program, drill());

function drill(): Conclusion {
  try {
    return compareAndVerify();
  } finally {
    if (options.keep) say(`everything is in ${scratch}`);
    else rmSync(scratch, { recursive: true, force: true, maxRetries: 10 });
  }
}

function compareAndVerify(): Conclusion {
  // Both of the same commit, whatever is committed meanwhile.
  const clones = ['one', 'two'].map((name) => cloneOf(ROOT).cloneTo(join(scratch, name)));
  const [one = '', two = ''] = clones.map(release);
  const names = readdirSync(one).filter((name) => name !== KEY);
  const unequal = names.filter(
    (name) => name !== SIGNATURE && !readFileSync(join(one, name)).equals(readFileSync(join(two, name))),
  );
  for (const name of unequal) say(`differs: ${name}`);
  const key = readPublicKey(join(one, KEY));
  const genuine = verifyByPage(one, key);
  say(genuine.output);
  const unnoticed = names.filter((name) => isUnnoticed(one, { name, key }));
  const faults = listUnkept({
    'two builds are equal': unequal.length === 0 && names.length === readdirSync(two).length - 1,
    'the page accepts the release': genuine.isGenuine,
    [`the page notices a changed byte of ${unnoticed.join(', ')}`]: unnoticed.length === 0,
    'the key of another run is refused': !verifyByPage(one, readPublicKey(join(two, KEY))).isGenuine,
  });
  const bytes = Object.fromEntries(names.map((name) => [name, statSync(join(one, name)).size]));
  const summary = { files: names.length, unequal, unnoticed, bytes, seconds: Math.round(program.seconds()) };
  return { summary, faults };
}

/** The command as a maintainer runs it, in a clean clone. Returns the folder of its files. */
function release(clone: Clone): string {
  const output = `${clone.folder}-files`;
  const args = [
    '--rehearse',
    '--checked-by-ci',
    '--output',
    output,
    ...(options['no-image'] ? ['--no-image'] : []),
  ];
  clone.run(process.execPath, 'tools/release/main.ts', nextVersion(clone.folder), ...args);
  say(`a release is in ${output}`);
  return output;
}

/** The version of the packages; after its release, the one that follows. */
function nextVersion(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'server/package.json'), 'utf8')) as {
    readonly version: string;
  };
  if (cloneOf(folder).commitOf(`v${version}`) === null) return version;
  const [major, minor, patch] = version.split('.').map(Number);
  return `${major}.${minor}.${(patch ?? 0) + 1}`;
}

/** Whether a copy with one changed byte passes. Links keep it small: only the changed file is a copy. */
function isUnnoticed(from: string, { name, key }: { readonly name: string; readonly key: string }): boolean {
  const folder = join(scratch, 'changed');
  rmSync(folder, { recursive: true, force: true });
  execFileSync('cp', ['-rl', from, folder]);
  const path = join(folder, name);
  rmSync(path);
  cpSync(join(from, name), path);
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(path, bytes);
  return verifyByPage(folder, key).isGenuine;
}
