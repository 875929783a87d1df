// Signatures in the format t=<unix seconds>,v1=<hex HMAC-SHA256 of time, separator and body>, which several operators
// use. During a secret rotation there are several v1; one valid one is enough. Pure.
import { createHmac, timingSafeEqual } from 'node:crypto';

export type TimedKey = {
  readonly secret: string;
  /** What the operator puts between time and body; empty for some. */
  readonly separator: string;
};

export function timedSignatureOf(body: Buffer | string, key: TimedKey & { readonly at: Date }): string {
  const time = String(Math.floor(key.at.getTime() / 1_000));
  return `t=${time},v1=${digest(body, key, time).toString('hex')}`;
}

/**
 * Whether the body was signed with this secret. The time is not checked: stored messages are read again later, and a
 * replay only repeats what was said before.
 */
export function isTimedSignature(
  body: Buffer | string,
  { header, ...key }: TimedKey & { readonly header: string | undefined },
): boolean {
  const parts = (header ?? '').split(',').map((part) => part.trim());
  const time = parts.flatMap((part) => /^t=(\d{1,15})$/.exec(part)?.[1] ?? [])[0];
  if (time === undefined || key.secret === '') return false;
  const expected = digest(body, key, time);
  return parts
    .flatMap((part) => /^v1=([0-9a-f]{64})$/.exec(part)?.[1] ?? [])
    .some((claimed) => timingSafeEqual(Buffer.from(claimed, 'hex'), expected));
}

function digest(body: Buffer | string, { secret, separator }: TimedKey, time: string): Buffer {
  return createHmac('sha256', secret).update(`${time}${separator}`).update(body).digest();
}
