// Encrypts what Airtel wants encrypted: the PIN of disbursements, and the request signature, which is the request
// itself under a one-time key that only Airtel can read. Pure except for random bytes.
import {
  constants,
  createCipheriv,
  createPublicKey,
  publicEncrypt,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import type { Encryption } from './markets.ts';
import { padJavaOaep } from './java-oaep.ts';

/** Airtel sends the key as base64 without PEM lines; its portal shows it with them. Null for anything else. */
export function parsePublicKey(text: string): KeyObject | null {
  const framed = text.includes('-----BEGIN');
  try {
    return framed
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

export const PADDINGS: Readonly<Record<Encryption, { padding: number; oaepHash?: string }>> = {
  PKCS1: { padding: constants.RSA_PKCS1_PADDING },
  OAEP: { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
  // Node cannot use one hash for OAEP and another for its mask, so the padding is done here.
  OAEP_MGF1_SHA1: { padding: constants.RSA_NO_PADDING },
};

/** Null if the key is too short for the text, for example a key of the older API version. */
export function encryptFor(key: KeyObject, encryption: Encryption, text: string): string | null {
  try {
    const plain = Buffer.from(text);
    const padded = encryption === 'OAEP_MGF1_SHA1' ? padJavaOaep(plain, bytesOf(key)) : plain;
    return publicEncrypt({ key, ...PADDINGS[encryption] }, padded).toString('base64');
  } catch {
    return null;
  }
}

function bytesOf(key: KeyObject): number {
  return (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8;
}

const AES_KEY_BYTES = 32;
const AES_IV_BYTES = 16;

/** The headers that sign exactly this body. */
export function sign(key: KeyObject, encryption: Encryption, body: string) {
  const aesKey = randomBytes(AES_KEY_BYTES);
  const aesIv = randomBytes(AES_IV_BYTES);
  const cipher = createCipheriv('aes-256-cbc', aesKey, aesIv);
  const signature = cipher.update(body, 'utf8', 'base64') + cipher.final('base64');
  const wrapped = encryptFor(key, encryption, `${aesKey.toString('base64')}:${aesIv.toString('base64')}`);
  return wrapped === null ? null : { 'x-signature': signature, 'x-key': wrapped };
}
