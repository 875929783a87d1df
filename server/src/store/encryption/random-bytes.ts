// Random bytes for identifiers and encryption, taken from the system many at a time: asking for twelve costs as much as
// asking for four thousand.
import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 4_096;

let pool = Buffer.alloc(0);
let used = 0;

/** Each byte is given out once. For at most some dozens. */
export function takeRandomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    // Another buffer each time: what was given out stays as it is.
    pool = randomFillSync(Buffer.allocUnsafeSlow(POOL_BYTES));
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
}
