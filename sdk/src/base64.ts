// Base64 without Node's Buffer, so that it runs in browsers too.

/** Bytes in their own memory, as WebCrypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>;

export function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
}

/** Null if it is not base64. */
export function decodeBase64(text: string): Bytes | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  return Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0);
}

export function bytesOf(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** The bytes of a PEM text with this label; null if there are none. */
export function readPem(text: string, label: string): Bytes | null {
  const [, body] = new RegExp(`-----BEGIN ${label}-----([^-]+)-----END ${label}-----`).exec(text) ?? [];
  return body === undefined ? null : decodeBase64(body.replaceAll(/\s/g, ''));
}

export function writePem(bytes: Uint8Array, label: string): string {
  const lines = encodeBase64(bytes).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
