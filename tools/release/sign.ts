// The signature of a release: one of minisign, of the file of sums.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUMS } from './build.ts';

export type Key = { readonly secretPath: string; readonly publicKey: string };

export type SignOptions = { readonly key: Key; readonly version: string; readonly isRehearsal: boolean };

/** minisign asks for the password of the key. The public key that users have must accept the signature. */
export function sign(folder: string, { key, version, isRehearsal }: SignOptions): void {
  const comment = isRehearsal ? `rehearsal of malipo ${version}, not for publishing` : `malipo ${version}`;
  minisign(folder, '-S', '-s', key.secretPath, '-m', SUMS, '-t', comment);
  minisign(folder, '-V', '-q', '-P', key.publicKey, '-m', SUMS);
}

/** Its public key stays beside the files. */
export function makeThrowawayKey({
  scratch,
  output,
}: {
  readonly scratch: string;
  readonly output: string;
}): Key {
  const secretPath = join(scratch, 'throwaway.key');
  const publicPath = join(output, 'rehearsal.pub');
  minisign(scratch, '-G', '-f', '-W', '-p', publicPath, '-s', secretPath);
  return { secretPath, publicKey: readPublicKey(publicPath) };
}

/** The last line; the one before it is a comment. */
export function readPublicKey(path: string): string {
  return readFileSync(path, 'utf8').trim().split('\n').at(-1) ?? '';
}

function minisign(folder: string, ...args: readonly string[]): void {
  execFileSync('minisign', args, { cwd: folder, stdio: ['inherit', 2, 2] });
}
