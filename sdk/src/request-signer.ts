// Signs requests that start payments, for accounts that demand it.

export type SignatureAlgorithm =
  | 'ecdsa-p256-sha256'
  | 'ecdsa-p384-sha384'
  | 'rsa-v1_5-sha256'
  | 'rsa-pss-sha512';

/** A key in memory: a CryptoKey of WebCrypto, or a KeyObject of Node. */
export type KeyInMemory = object;

export type SigningOptions = {
  /** The name under which the public key is registered. */
  readonly keyId: string;
  /** PKCS#8, as `openssl genpkey` writes it, or a key in memory. */
  readonly privateKey: string | KeyInMemory;
  /** Found out from the key; RSA keys sign with rsa-pss-sha512 unless this says otherwise. */
  readonly algorithm?: SignatureAlgorithm;
};

export type UnsignedRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

/** Answers the headers that make a request a signed one. */
export type RequestSigner = (request: UnsignedRequest) => Promise<Readonly<Record<string, string>>>;

export function createRequestSigner(_options: SigningOptions): RequestSigner {
  return async () => {
    throw new Error('not built yet');
  };
}
