// What an app on a person's phone does.
import { createHmac } from 'node:crypto';

/** The six digits an authenticator app shows now, or so many spans of thirty seconds later. A code works once. */
export function codeOf(totpUri: string, stepsAhead = 0): string {
  const secret = new URL(totpUri).searchParams.get('secret') ?? '';
  const bits = secret
    .split('')
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => parseInt(byte, 2)) ?? []);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsAhead));
  const hash = createHmac('sha1', key).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
