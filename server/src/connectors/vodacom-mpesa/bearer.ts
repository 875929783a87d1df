// The authorisation of calls: the API key or a session, encrypted with the platform's public key (RSA, PKCS#1 v1.5).
import { constants, createPublicKey, publicEncrypt } from 'node:crypto';

/** `publicKey` as in the portal: base64 without PEM lines. Null if it is not a key. */
export function encryptBearer(publicKey: string, text: string): string | null {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    const padding = constants.RSA_PKCS1_PADDING;
    return publicEncrypt({ key, padding }, Buffer.from(text)).toString('base64');
  } catch {
    return null;
  }
}
