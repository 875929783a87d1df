// The four signature algorithms with Node's crypto, and the keys that each accepts.
import { constants, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

export const SIGNATURE_ALGORITHMS = [
  'ecdsa-p256-sha256',
  'ecdsa-p384-sha384',
  'rsa-v1_5-sha256',
  'rsa-pss-sha512',
] as const;
export type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number];

/** The format of an ECDSA signature: DER, or two numbers in sequence as in RFC 9421. */
export type EcdsaEncoding = 'der' | 'raw';

/** 112 bits of security, the minimum for new keys. */
const RSA_BITS_MIN = 2_048;

/** Bytes of a raw ECDSA signature: two numbers of the curve's size. */
const RAW_BYTES = { 'ecdsa-p256-sha256': 64, 'ecdsa-p384-sha384': 96 } as const;

const CURVES = { 'ecdsa-p256-sha256': 'prime256v1', 'ecdsa-p384-sha384': 'secp384r1' } as const;

/** The salt length of RFC 9421: that of the hash. */
const PSS_SALT_BYTES = 64;

export function isSignatureAlgorithm(text: unknown): text is SignatureAlgorithm {
  return SIGNATURE_ALGORITHMS.some((algorithm) => algorithm === text);
}

/** Why a public key cannot be used with an algorithm; null if it can. */
export function findKeyFault(pem: string, algorithm: SignatureAlgorithm): string | null {
  const key = readPublicKey(pem);
  if (key === null) return 'it is not a public key in PEM form (-----BEGIN PUBLIC KEY-----)';
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  switch (algorithm) {
    case 'ecdsa-p256-sha256':
    case 'ecdsa-p384-sha384':
      return namedCurve === CURVES[algorithm]
        ? null
        : `${algorithm} needs a key on curve ${CURVES[algorithm]}`;
    case 'rsa-v1_5-sha256':
      if (key.asymmetricKeyType !== 'rsa') return `${algorithm} needs an RSA key`;
      break;
    case 'rsa-pss-sha512':
      if (!/^rsa(-pss)?$/.test(key.asymmetricKeyType ?? '')) return `${algorithm} needs an RSA key`;
  }
  return modulusLength >= RSA_BITS_MIN ? null : `an RSA key must have at least ${RSA_BITS_MIN} bits`;
}

/** The key in its stored format: SPKI, whatever PEM format it came in. Null if it is not a public key. */
export function normalisePublicKey(pem: string): string | null {
  return readPublicKey(pem)?.export({ type: 'spki', format: 'pem' }).toString() ?? null;
}

export function signBase(base: string, key: KeyObject, encoding: EcdsaEncoding): Buffer {
  const dsaEncoding = encoding === 'raw' ? 'ieee-p1363' : 'der';
  return sign('sha256', Buffer.from(base), { key, dsaEncoding });
}

/** ECDSA signatures are accepted in both formats: public samples of this API family send DER, libraries send raw. */
export function verifyBase(
  base: string,
  signature: Buffer,
  { pem, algorithm }: { readonly pem: string; readonly algorithm: SignatureAlgorithm },
): boolean {
  const data = Buffer.from(base);
  const key = createPublicKey(pem);
  switch (algorithm) {
    case 'ecdsa-p256-sha256':
    case 'ecdsa-p384-sha384': {
      const hash = algorithm === 'ecdsa-p256-sha256' ? 'sha256' : 'sha384';
      // In rare cases a DER signature has the length of a raw one, so length alone does not decide.
      const isRaw =
        signature.length === RAW_BYTES[algorithm] &&
        verify(hash, data, { key, dsaEncoding: 'ieee-p1363' }, signature);
      return isRaw || verify(hash, data, { key, dsaEncoding: 'der' }, signature);
    }
    case 'rsa-v1_5-sha256':
      return verify('sha256', data, { key, padding: constants.RSA_PKCS1_PADDING }, signature);
    case 'rsa-pss-sha512':
      return verifyPss(data, key, signature);
  }
}

/** Node's default, and that of Node libraries, is the longest salt that fits. It is just as secure. */
function verifyPss(data: Buffer, key: KeyObject, signature: Buffer): boolean {
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return [PSS_SALT_BYTES, constants.RSA_PSS_SALTLEN_AUTO].some((saltLength) =>
    verify('sha512', data, { key, padding, saltLength }, signature),
  );
}

function readPublicKey(pem: string): KeyObject | null {
  // Node would derive a public key from a private one, which must never be sent to us.
  if (!/-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) return null;
  try {
    return createPublicKey(pem);
  } catch {
    return null;
  }
}
