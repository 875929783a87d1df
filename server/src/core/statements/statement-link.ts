// Links to the files of statements. A link says what it leads to and until when, and proves that we made it: nothing is
// stored, and every process knows every link.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { StatementKey } from '../../store/statements/statements.ts';
import type { KeyList } from '../access/link-keys.ts';

export type StatementLink = StatementKey & { readonly expiresAt: Date };

const KEY_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 24;
const CLAIM_BYTES = 2 * KEY_BYTES + TIME_BYTES;

/** The text of a link: letters, digits, `-` and `_`. */
export function renderLink(
  { 0: key }: KeyList,
  { merchantId, statementId, expiresAt }: StatementLink,
): string {
  const claim = Buffer.alloc(CLAIM_BYTES);
  bytesOf(merchantId).copy(claim);
  bytesOf(statementId).copy(claim, KEY_BYTES);
  claim.writeUIntBE(expiresAt.getTime(), 2 * KEY_BYTES, TIME_BYTES);
  return Buffer.concat([claim, macOf(key, claim)]).toString('base64url');
}

/** Null for what we did not make. Whether it is still good is for the caller to say. */
export function readLink(keys: KeyList, text: string): StatementLink | null {
  const bytes = Buffer.from(text, 'base64url');
  // Other texts of the same bytes, with padding for example, are none of ours either.
  if (bytes.length !== CLAIM_BYTES + MAC_BYTES || bytes.toString('base64url') !== text) return null;
  const claim = bytes.subarray(0, CLAIM_BYTES);
  if (!keys.some((key) => timingSafeEqual(bytes.subarray(CLAIM_BYTES), macOf(key, claim)))) return null;
  return {
    merchantId: uuidOf(claim.subarray(0, KEY_BYTES)),
    statementId: uuidOf(claim.subarray(KEY_BYTES, 2 * KEY_BYTES)),
    expiresAt: new Date(claim.readUIntBE(2 * KEY_BYTES, TIME_BYTES)),
  };
}

function macOf(key: Buffer, claim: Buffer): Buffer {
  const mac = createHmac('sha256', key).update(claim);
  return mac.digest().subarray(0, MAC_BYTES);
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
