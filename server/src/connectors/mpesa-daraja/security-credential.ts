// The initiator's password, encrypted with Daraja's public key of the environment. Pure except for random bytes.
import { constants, createPublicKey, publicEncrypt } from 'node:crypto';

/** Null if the account has no initiator or its certificate cannot be read. */
export function securityCredentialOf(values: Readonly<Record<string, string>>): string | null {
  const { initiatorName = '', initiatorPassword = '', certificate = '' } = values;
  if (initiatorName === '' || initiatorPassword === '') return null;
  try {
    const key = createPublicKey(certificate);
    if (key.asymmetricKeyType !== 'rsa') return null;
    const padding = constants.RSA_PKCS1_PADDING;
    return publicEncrypt({ key, padding }, Buffer.from(initiatorPassword)).toString('base64');
  } catch {
    return null;
  }
}
