import { takeRandomBytes } from './encryption/random-bytes.ts';

/**
 * An identifier in the order of time (RFC 9562, version 7), for rows that only we name: their index grows at its end,
 * where random ones would each touch another page of an index that soon is larger than the memory.
 */
export function timedUuid(at: Date): string {
  const bytes = takeRandomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * The number of a payment that is to be: it is known before the transaction, so that its own row can be told from a
 * repeat's should the answer to COMMIT be lost. Its time is this process's, and nothing reads it: a clock that is wrong
 * costs some order in the index.
 */
export function drawPaymentNo(): string {
  return timedUuid(new Date());
}

/** Whatever was made before this time is smaller. */
export function firstTimedUuid(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
