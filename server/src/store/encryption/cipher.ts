// AES-256-GCM: one value under one key, bound to its identity.
import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { takeRandomBytes } from './random-bytes.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Said on both sides: left to itself, Node opens with any tag that is a shortened true one. */
const GCM = { authTagLength: TAG_BYTES } as const;

/** Layout: head, IV, tag, ciphertext. */
export function encryptWith(
  key: KeyObject,
  head: readonly number[],
  plain: Buffer,
  identity: string,
): Buffer {
  const iv = takeRandomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, GCM).setAAD(Buffer.from(identity));
  const ciphertext = [cipher.update(plain), cipher.final()];
  return Buffer.concat([Buffer.from(head), iv, cipher.getAuthTag(), ...ciphertext]);
}

export function openWith(
  key: KeyObject,
  head: readonly number[],
  encrypted: Buffer,
  identity: string,
): Buffer {
  if (head.some((byte, index) => encrypted[index] !== byte)) {
    throw new Error('encrypted value of an unknown format');
  }
  const ivAt = head.length;
  const tagAt = ivAt + IV_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(ivAt, tagAt), GCM);
  decipher.setAAD(Buffer.from(identity)).setAuthTag(encrypted.subarray(tagAt, tagAt + TAG_BYTES));
  return Buffer.concat([decipher.update(encrypted.subarray(tagAt + TAG_BYTES)), decipher.final()]);
}
