// OAEP with Java's defaults: SHA-256 for the label, SHA-1 for the mask (RFC 8017, section 7.1). Node uses one hash for
// both, so the padding is implemented here. Pure except for random bytes.
import { createHash, randomBytes } from 'node:crypto';

const LABEL_HASH = createHash('sha256').update('').digest();
const HASH_BYTES = LABEL_HASH.length;

/** The padded block, to be encrypted without further padding. Throws if the text is too long for the key. */
export function padJavaOaep(text: Buffer, keyBytes: number): Buffer {
  const dataBytes = keyBytes - HASH_BYTES - 1;
  const zeroBytes = dataBytes - HASH_BYTES - 1 - text.length;
  if (zeroBytes < 0) throw new RangeError('the text is too long for the key');
  const data = Buffer.concat([LABEL_HASH, Buffer.alloc(zeroBytes), Buffer.of(1), text]);
  const seed = randomBytes(HASH_BYTES);
  const maskedData = xor(data, maskOf(seed, dataBytes));
  const maskedSeed = xor(seed, maskOf(maskedData, HASH_BYTES));
  return Buffer.concat([Buffer.of(0), maskedSeed, maskedData]);
}

/** The content of a padded block; null if it is not one. Only the fake uses it, so it need not run in constant time. */
export function unpadJavaOaep(block: Buffer): Buffer | null {
  const maskedSeed = block.subarray(1, 1 + HASH_BYTES);
  const maskedData = block.subarray(1 + HASH_BYTES);
  const seed = xor(maskedSeed, maskOf(maskedData, HASH_BYTES));
  const data = xor(maskedData, maskOf(seed, maskedData.length));
  const end = data.indexOf(1, HASH_BYTES);
  const isValid = block[0] === 0 && data.subarray(0, HASH_BYTES).equals(LABEL_HASH) && end !== -1;
  return isValid ? data.subarray(end + 1) : null;
}

/** MGF1 with SHA-1. */
function maskOf(seed: Buffer, bytes: number): Buffer {
  const blocks: Buffer[] = [];
  for (let counter = 0; counter * 20 < bytes; counter += 1) {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(counter);
    blocks.push(createHash('sha1').update(seed).update(number).digest());
  }
  return Buffer.concat(blocks).subarray(0, bytes);
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, index) => byte ^ (b[index] ?? 0)));
}
