// Signatures of the form t=<unix seconds>,v1=<hex HMAC-SHA256 of time, separator and body>, as several operators use
// them. While a secret is being replaced there are several v1; one that is good will do. Pure.
import { createHmac, timingSafeEqual } from 'node:crypto';

export type TimedKey = {
  readonly secret: string;
  /** What the operator puts between the time and the body; nothing with some. */
  readonly separator: string;
};

export function timedSignatureOf(body: Buffer | string, key: TimedKey & { readonly at: Date }): string {
  const time = String(Math.floor(key.at.getTime() / 1_000));
  return `t=${time},v1=${digest(body, key, time).toString('hex')}`;
}

/**
 * Whether the holder of the secret signed this body. The time is signed but not judged: messages are read again from
 * storage later, and a replay can only repeat what was said before.
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
