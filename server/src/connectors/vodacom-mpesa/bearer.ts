// What calls are authorised with: the API key or a session, encrypted with the platform's public key by RSA with the
// padding of PKCS#1 v1.5.
import { constants, createPublicKey, publicEncrypt } from 'node:crypto';

/** `publicKey` is as the portal shows it, base64 without lines around it. Null for one that is no key. */
export function encryptBearer(publicKey: string, text: string): string | null {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    const padding = constants.RSA_PKCS1_PADDING;
    return publicEncrypt({ key, padding }, Buffer.from(text)).toString('base64');
  } catch {
    return null;
  }
}
