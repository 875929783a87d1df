// The text of an API token: typed prefix, environment, home, public id, 256 random bits, checksum. The checksum lets
// a secret scanner and a typo be told apart from a guess without asking the database.
import { hash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../engine.ts';

const SHAPE = /^mlp_(sandbox|production)_([0-9a-f]{4})_([0-9A-Za-z]{16})_([0-9A-Za-z_-]{43})([0-9a-f]{8})$/;
const ID_LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 16;

export type TokenParts = {
  readonly environment: Environment;
  readonly home: string;
  readonly tokenId: string;
  readonly secret: string;
};

/** A new token. Its text is shown once; only `hashSecret` of its secret is kept. */
export function createTokenText(
  environment: Environment,
  home: string,
): TokenParts & { readonly text: string } {
  const tokenId = Array.from({ length: ID_LENGTH }, () =>
    ID_LETTERS.charAt(randomInt(ID_LETTERS.length)),
  ).join('');
  const secret = randomBytes(32).toString('base64url');
  const unchecked = `mlp_${environment}_${home}_${tokenId}_${secret}`;
  return { environment, home, tokenId, secret, text: `${unchecked}${checksumOf(unchecked)}` };
}

export function parseTokenText(text: string): TokenParts | null {
  const parts = SHAPE.exec(text);
  if (parts === null) return null;
  const [, environment, home, tokenId, secret, checksum] = parts as unknown as readonly string[];
  if (home === undefined || tokenId === undefined || secret === undefined) return null;
  if (checksumOf(text.slice(0, -8)) !== checksum) return null;
  return { environment: environment as Environment, home, tokenId, secret };
}

/** A plain hash is enough for 256 random bits: there is nothing to guess from. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
