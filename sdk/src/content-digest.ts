// Content-Digest (RFC 9530): the hash of a body, exactly as its bytes are sent.
import { encodeBase64, type Bytes } from './base64.ts';
import { readDictionary } from './dictionary.ts';

const HASHES = new Map([
  ['sha-512', 'SHA-512'],
  ['sha-256', 'SHA-256'],
]);

export async function renderDigest(body: Bytes, algorithm = 'sha-512'): Promise<string> {
  const hash = await crypto.subtle.digest(HASHES.get(algorithm) ?? 'SHA-512', body);
  return `${algorithm}=:${encodeBase64(new Uint8Array(hash))}:`;
}

/** Why a Content-Digest does not match a body; null if it does. */
export async function findDigestFault(header: string, body: Bytes): Promise<string | null> {
  const members = readDictionary(header);
  if (members === null) return 'the Content-Digest header cannot be read';
  const known = [...members].filter(([name]) => HASHES.has(name));
  if (known.length === 0) return 'the Content-Digest header has neither sha-512 nor sha-256';
  for (const [name, value] of known) {
    if (`${name}=${value}` !== (await renderDigest(body, name)))
      return 'the body is not the one that was signed';
  }
  return null;
}
