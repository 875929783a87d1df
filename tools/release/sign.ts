// The signature of a release: one of minisign, of the file of sums.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
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

/** Throws if the key cannot sign, or users would not accept it: known before hours of work, not after. */
export function tryKey(scratch: string, options: SignOptions): void {
  const folder = mkdtempSync(join(scratch, 'key-'));
  writeFileSync(join(folder, SUMS), '');
  sign(folder, options);
}

export function makeKey(folder: string): Key & { readonly publicPath: string } {
  const secretPath = join(folder, 'malipo.key');
  const publicPath = join(folder, 'malipo.pub');
  minisign(folder, '-G', '-f', '-W', '-p', publicPath, '-s', secretPath);
  return { secretPath, publicPath, publicKey: readPublicKey(publicPath) };
}

/** The last line; the one before it is a comment. */
export function readPublicKey(path: string): string {
  return readFileSync(path, 'utf8').trim().split('\n').at(-1) ?? '';
}

function minisign(folder: string, ...args: readonly string[]): void {
  execFileSync('minisign', args, { cwd: folder, stdio: ['inherit', 2, 2] });
}
