// Signs requests that start payments, for accounts that require it.
import { bytesOf, encodeBase64 } from './base64.ts';
import { renderDigest } from './content-digest.ts';
import {
  componentsFor,
  createSignatureBase,
  SIGNATURE_LABEL,
  writeSignatureInput,
} from './signature-base.ts';
import { importPrivateKey, signWith, type PrivateKey, type SignatureAlgorithm } from './signing-key.ts';

export type SigningOptions = {
  /** The name under which the public key is registered. */
  readonly keyId: string;
  /** PKCS#8 in PEM format, as `openssl genpkey` writes it; or a CryptoKey, or a KeyObject of Node. */
  readonly privateKey: PrivateKey;
  /** Default: detected from the key; for RSA keys rsa-pss-sha512. */
  readonly algorithm?: SignatureAlgorithm;
};

export type UnsignedRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

/** Returns the signature headers of a request. */
export type RequestSigner = (request: UnsignedRequest) => Promise<Readonly<Record<string, string>>>;

/** The gateway accepts five minutes; a request arrives within seconds. */
const LIFETIME_SECONDS = 60;

export function createRequestSigner({ keyId, privateKey, algorithm }: SigningOptions): RequestSigner {
  let importing: ReturnType<typeof importPrivateKey> | undefined;
  return async ({ url, headers, text }) => {
    importing ??= importPrivateKey(privateKey, algorithm);
    const key = await importing;
    const createdAt = new Date();
    const added = {
      'content-digest': await renderDigest(bytesOf(text)),
      'signature-date': createdAt.toISOString(),
    };
    const components = componentsFor(url);
    const facts = { algorithm: key.algorithm, keyId, createdAt, lifetimeSeconds: LIFETIME_SECONDS };
    const input = writeSignatureInput(components, facts);
    const signed = { method: 'POST', url, headers: new Map(Object.entries({ ...headers, ...added })) };
    const base = createSignatureBase(signed, components, input) ?? '';
    const bytes = await signWith(key, bytesOf(base));
    return {
      ...added,
      'signature-input': `${SIGNATURE_LABEL}=${input}`,
      signature: `${SIGNATURE_LABEL}=:${encodeBase64(bytes)}:`,
    };
  };
}
