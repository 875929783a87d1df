// Codes of authenticator apps (RFC 6238): which span of thirty seconds a code belongs to.
import { createHmac } from 'node:crypto';
import type { ProcessTime } from '../../../domain/clock.ts';

const STEP_MS = 30_000;

/** As many spans before and after now as the library takes codes of. */
const WINDOW = 1;

/** Null where it is the code of none. */
export function stepOf(secret: string, code: string, now: ProcessTime): number | null {
  const current = Math.floor(now.getTime() / STEP_MS);
  const steps = Array.from({ length: 2 * WINDOW + 1 }, (_, index) => current - WINDOW + index);
  return steps.find((step) => codeAt(secret, step) === code) ?? null;
}

function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
