// The signature of the simulator's notifications: x-simulator-signature: t=<unix ms>,v1=<hex HMAC-SHA256>.
import { createHmac, timingSafeEqual } from 'node:crypto';

export const SIGNATURE_HEADER = 'x-simulator-signature';

export function signatureOf(body: Buffer, key: { secret: string; at: Date }): string {
  const time = String(key.at.getTime());
  return `t=${time},v1=${digest(body, { secret: key.secret, time }).toString('hex')}`;
}

/**
 * Whether the simulator signed this body. The time is not checked: stored notifications are read again later, and a
 * replay only repeats what the simulator said before.
 */
export function isSignatureGenuine(
  body: Buffer,
  check: { secret: string; header: string | undefined },
): boolean {
  const parts = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(check.header ?? '');
  const [, time, claimed] = parts ?? [];
  if (time === undefined || claimed === undefined) return false;
  return timingSafeEqual(Buffer.from(claimed, 'hex'), digest(body, { secret: check.secret, time }));
}

function digest(body: Buffer, key: { secret: string; time: string }): Buffer {
  return createHmac('sha256', key.secret).update(`${key.time}.`).update(body).digest();
}
