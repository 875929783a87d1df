// An ECDSA signature is two numbers. The gateway writes them as DER; WebCrypto and RFC 9421 concatenate them.
import type { Bytes } from './base64.ts';

const SEQUENCE = 0x30;
const INTEGER = 0x02;

/** `numberBytes` is the size of the curve: 32 for P-256. Null if it is not such a signature. */
export function derToRaw(der: Uint8Array, numberBytes: number): Bytes | null {
  // Signatures on our curves are shorter than 128 bytes, so every length is one byte.
  if (der[0] !== SEQUENCE || der[1] !== der.length - 2 || der.length > 127) return null;
  const first = readNumber(der, 2, numberBytes);
  const second = first === null ? null : readNumber(der, first.end, numberBytes);
  if (first === null || second?.end !== der.length) return null;
  const raw = new Uint8Array(2 * numberBytes);
  raw.set(first.bytes, numberBytes - first.bytes.length);
  raw.set(second.bytes, 2 * numberBytes - second.bytes.length);
  return raw;
}

function readNumber(der: Uint8Array, at: number, bytesMax: number) {
  const length = der[at + 1] ?? 0;
  const end = at + 2 + length;
  if (der[at] !== INTEGER || length === 0 || end > der.length) return null;
  const bytes = withoutLeadingZeroes(der.subarray(at + 2, end));
  return bytes.length > bytesMax ? null : { bytes, end };
}

export function rawToDer(raw: Uint8Array): Bytes {
  const half = raw.length / 2;
  const numbers = [raw.subarray(0, half), raw.subarray(half)].flatMap((number) => {
    const bytes = withoutLeadingZeroes(number);
    // A leading 1 bit would make the number negative.
    const signed = (bytes[0] ?? 0) > 127 || bytes.length === 0 ? [0, ...bytes] : [...bytes];
    return [INTEGER, signed.length, ...signed];
  });
  return Uint8Array.from([SEQUENCE, numbers.length, ...numbers]);
}

function withoutLeadingZeroes(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? new Uint8Array() : bytes.subarray(first);
}
