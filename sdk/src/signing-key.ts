// Converts the usual key formats into keys that WebCrypto signs and verifies with.
import { readPem, type Bytes } from './base64.ts';
import { derToRaw } from './ecdsa-encoding.ts';
import { MalipoError } from './malipo-error.ts';

export type SignatureAlgorithm =
  | 'ecdsa-p256-sha256'
  | 'ecdsa-p384-sha384'
  | 'rsa-v1_5-sha256'
  | 'rsa-pss-sha512';

/** WebCrypto's CryptoKey, without browser types. */
export type CryptoKeyLike = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The used part of Node's KeyObject. */
export type KeyObjectLike = {
  readonly export: (options: { readonly type: 'pkcs8'; readonly format: 'der' }) => Uint8Array | string;
};

export type PrivateKey = string | CryptoKeyLike | KeyObjectLike;

export type SigningKey = { readonly algorithm: SignatureAlgorithm; readonly key: CryptoKeyLike };

type Means = {
  readonly toImport: ImportParameters;
  readonly toSign: SignParameters;
  /** The size of one of the two numbers of an ECDSA signature. */
  readonly numberBytes?: number;
};
type ImportParameters =
  | { readonly name: string; readonly namedCurve: string }
  | { readonly name: string; readonly hash: string };
type SignParameters = { readonly name: string; readonly hash?: string; readonly saltLength?: number };

const MEANS: Readonly<Record<SignatureAlgorithm, Means>> = {
  'ecdsa-p256-sha256': {
    toImport: { name: 'ECDSA', namedCurve: 'P-256' },
    toSign: { name: 'ECDSA', hash: 'SHA-256' },
    numberBytes: 32,
  },
  'ecdsa-p384-sha384': {
    toImport: { name: 'ECDSA', namedCurve: 'P-384' },
    toSign: { name: 'ECDSA', hash: 'SHA-384' },
    numberBytes: 48,
  },
  'rsa-v1_5-sha256': {
    toImport: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    toSign: { name: 'RSASSA-PKCS1-v1_5' },
  },
  // The salt length of RFC 9421: that of the hash.
  'rsa-pss-sha512': {
    toImport: { name: 'RSA-PSS', hash: 'SHA-512' },
    toSign: { name: 'RSA-PSS', saltLength: 64 },
  },
};

/** `wanted` matters only for RSA keys; a key on a curve has one algorithm. */
export async function importPrivateKey(given: PrivateKey, wanted?: SignatureAlgorithm): Promise<SigningKey> {
  if (isCryptoKey(given)) return { algorithm: wanted ?? algorithmOf(given), key: given };
  const der = typeof given === 'string' ? readPem(given, 'PRIVATE KEY') : exportKey(given);
  if (der === null) throw notAKey('It is not PKCS#8 in PEM format (-----BEGIN PRIVATE KEY-----).');
  const algorithm = wanted ?? guessAlgorithm(der);
  const { toImport } = MEANS[algorithm];
  const key = await crypto.subtle
    .importKey('pkcs8', der, toImport, false, ['sign'])
    .catch((cause: unknown) => {
      throw notAKey(`It is not a key for ${algorithm}.`, cause);
    });
  return { algorithm, key };
}

export async function signWith({ algorithm, key }: SigningKey, data: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign(MEANS[algorithm].toSign, key, data));
}

export function isSignatureAlgorithm(text: unknown): text is SignatureAlgorithm {
  return typeof text === 'string' && Object.hasOwn(MEANS, text);
}

/** Null if it is not a key for this algorithm. */
export async function importPublicKey(
  pem: string,
  algorithm: SignatureAlgorithm,
): Promise<SigningKey | null> {
  const der = readPem(pem, 'PUBLIC KEY');
  if (der === null) return null;
  const { toImport } = MEANS[algorithm];
  const key = await crypto.subtle.importKey('spki', der, toImport, false, ['verify']).catch(() => null);
  return key === null ? null : { algorithm, key };
}

/** ECDSA signatures are accepted as DER and raw. */
export async function isSignedBy(
  { algorithm, key }: SigningKey,
  signature: Bytes,
  data: Bytes,
): Promise<boolean> {
  const { toSign, numberBytes } = MEANS[algorithm];
  // A DER signature can have the length of a raw one, so length alone does not decide.
  const forms = numberBytes === undefined ? [signature] : [derToRaw(signature, numberBytes), signature];
  const verdicts = forms.flatMap((form) =>
    form === null ? [] : crypto.subtle.verify(toSign, key, form, data),
  );
  return (await Promise.all(verdicts)).includes(true);
}

function isCryptoKey(given: PrivateKey): given is CryptoKeyLike {
  return typeof given === 'object' && 'algorithm' in given;
}

function exportKey(given: KeyObjectLike): Bytes {
  const der = given.export({ type: 'pkcs8', format: 'der' });
  if (typeof der === 'string') throw notAKey('It is not a private key.');
  return new Uint8Array(der);
}

function algorithmOf(key: CryptoKeyLike): SignatureAlgorithm {
  const { name, namedCurve, hash } = key.algorithm as {
    readonly name: string;
    readonly namedCurve?: string;
    readonly hash?: { readonly name: string };
  };
  const kind = [name, namedCurve ?? hash?.name].join(' ');
  const fitting = Object.entries(MEANS).find(
    ([, { toImport }]) => Object.values(toImport).join(' ') === kind,
  );
  if (fitting === undefined) throw notAKey(`Nothing can be signed with ${kind}.`);
  return fitting[0] as SignatureAlgorithm;
}

/** The object identifiers of the two curves in PKCS#8. */
const P256 = '6,8,42,134,72,206,61,3,1,7';
const P384 = '6,5,43,129,4,0,34';

function guessAlgorithm(der: Uint8Array): SignatureAlgorithm {
  // Only the beginning is searched; later bytes could match by chance.
  const start = der.subarray(0, 40).join(',');
  if (start.includes(P256)) return 'ecdsa-p256-sha256';
  return start.includes(P384) ? 'ecdsa-p384-sha384' : 'rsa-pss-sha512';
}

function notAKey(why: string, cause?: unknown): MalipoError {
  return new MalipoError({
    code: 'MISUSE',
    message: `The private key for signing cannot be used. ${why}`,
    whatToDo: 'Convert it with `openssl pkcs8 -topk8 -nocrypt -in your.pem`.',
    cause,
  });
}
