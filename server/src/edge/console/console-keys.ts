// The keys of the console: the first one signs and encrypts, the others are believed until they are taken out of the
// list. The authentication library opens what older keys have encrypted, where a value names its key. Of cookies it
// believes only the first key's, so those of older ones are signed again on their way to it.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export const COOKIE_PREFIX = 'malipo';

export type ConsoleKeys = {
  /** The first one is the current one. */
  readonly secrets: readonly { readonly version: number; readonly value: string }[];
  readonly oldest: string;
};

export function createConsoleKeys(keys: readonly [Buffer, ...(readonly Buffer[])]): ConsoleKeys {
  const secrets = keys.map((key) => ({ version: versionOf(key), value: key.toString('base64') }));
  return { secrets, oldest: (keys.at(-1) ?? keys[0]).toString('base64') };
}

/** The number by which encrypted values name a key: made of the key itself, so that no one has to count. */
function versionOf(key: Buffer): number {
  return createHash('sha256').update('malipo/console-key/').update(key).digest().readUInt32BE() >>> 1;
}

/**
 * Whether a value of the library names the first key. Those that name none were encrypted before there were several.
 */
export function isUnderFirstKey({ secrets: [first] }: ConsoleKeys, encrypted: string): boolean {
  return encrypted.startsWith(`$ba$${first?.version}$`);
}

/** A header of cookies in which those of ours that an older key has signed are signed by the first one. */
export function signAgain({ secrets: [first, ...older] }: ConsoleKeys, header: string): string {
  if (first === undefined || older.length === 0) return header;
  return header
    .split('; ')
    .map((cookie) => {
      const [, name, text] = OUR_COOKIE.exec(cookie) ?? [];
      const signed = text === undefined ? null : partsOf(text);
      if (signed === null || !older.some((key) => isSigned(signed, key.value))) return cookie;
      return `${name}=${encodeURIComponent(`${signed.value}.${signatureOf(signed.value, first.value)}`)}`;
    })
    .join('; ');
}

const OUR_COOKIE = new RegExp(`^((?:__Secure-)?${COOKIE_PREFIX}\\.[^=]+)=(.*)$`);

type Signed = { readonly value: string; readonly signature: string };

/** As the library writes it: the value, a dot, an HMAC in base64. */
function partsOf(text: string): Signed | null {
  const signed = decoded(text);
  const at = signed.lastIndexOf('.');
  return at < 1 ? null : { value: signed.slice(0, at), signature: signed.slice(at + 1) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not one of ours, then: anyone who reads it next will say so.
    return '';
  }
}

function isSigned({ value, signature }: Signed, key: string): boolean {
  const [own, given] = [signatureOf(value, key), signature].map((text) => Buffer.from(text));
  return own !== undefined && given?.length === own.length && timingSafeEqual(own, given);
}

function signatureOf(value: string, key: string): string {
  return createHmac('sha256', key).update(value).digest('base64');
}
