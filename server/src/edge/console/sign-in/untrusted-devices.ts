// The authentication library can trust a device for thirty days. We do not let it.
import { isJsonObject } from '../../../wire/json.ts';

/**
 * No device is trusted: two-factor authentication is asked for at every sign-in, whatever cookie an older build gave.
 */
export function withoutTrust(header: string): string {
  return header
    .split('; ')
    .filter((cookie) => !cookie.includes('trust_device='))
    .join('; ');
}

export function withoutTrustDevice(body: Buffer): Buffer {
  if (!body.includes('trustDevice')) return body;
  try {
    const asked: unknown = JSON.parse(body.toString());
    if (!isJsonObject(asked)) return body;
    const { trustDevice: _trustDevice, ...rest } = asked;
    return Buffer.from(JSON.stringify(rest));
  } catch {
    return body;
  }
}
