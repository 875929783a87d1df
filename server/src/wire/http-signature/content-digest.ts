// Content-Digest (RFC 9530): the hash of a body, exactly as its bytes were sent.
import { createHash, timingSafeEqual } from 'node:crypto';
import { findRepeated, parseMembers } from './members.ts';

const HASHES = { 'sha-512': 'sha512', 'sha-256': 'sha256' } as const;
export type DigestAlgorithm = keyof typeof HASHES;
export const DIGEST_ALGORITHMS = Object.keys(HASHES) as readonly DigestAlgorithm[];

export function renderContentDigest(body: Buffer, algorithm: DigestAlgorithm): string {
  return `${algorithm}=:${digest(body, algorithm).toString('base64')}:`;
}

/** Why a Content-Digest does not match a body; null if it does. */
export function findDigestFault(header: string | undefined, body: Buffer): string | null {
  if (header === undefined) return 'the Content-Digest header is missing';
  const members = parseMembers(header);
  if (members === null) return 'the Content-Digest header cannot be read: it must read "sha-512=:<base64>:"';
  const repeated = findRepeated(members);
  if (repeated !== undefined) return `the Content-Digest header names ${repeated} twice`;
  // Unknown algorithms are ignored beside a known one.
  const known = members.filter(({ name }) => isDigestAlgorithm(name));
  if (known.length === 0) return 'the Content-Digest header has neither sha-512 nor sha-256';
  const wrong = known.find(({ name, value: [value] }) => !isDigestOf(body, name, value));
  return wrong === undefined ? null : `the Content-Digest header does not fit the body (${wrong.name})`;
}

/** The first known algorithm of an Accept-Digest list; null if there is none. */
export function chooseDigest(accepted: string): DigestAlgorithm | null {
  const wanted = accepted.split(',').map((entry) => /^[\w-]+/.exec(entry.trim().toLowerCase())?.[0] ?? '');
  return wanted.find(isDigestAlgorithm) ?? null;
}

function isDigestAlgorithm(name: string): name is DigestAlgorithm {
  return Object.hasOwn(HASHES, name);
}

function isDigestOf(body: Buffer, name: string, value: unknown): boolean {
  if (!isDigestAlgorithm(name) || !(value instanceof ArrayBuffer)) return false;
  const [expected, received] = [digest(body, name), Buffer.from(value)];
  return received.length === expected.length && timingSafeEqual(received, expected);
}

function digest(body: Buffer, algorithm: DigestAlgorithm): Buffer {
  return createHash(HASHES[algorithm]).update(body).digest();
}
