// Signs what we send: callbacks, and answers if the client requests it.
import type { KeyObject } from 'node:crypto';
import { serializeInnerList, type BareItem, type Item } from 'structured-headers';
import type { ProcessTime } from '../../domain/clock.ts';
import { signBase, type EcdsaEncoding } from './algorithms.ts';
import { SIGNATURE_LABEL } from './read-signature.ts';
import { createSignatureBase, type SignableAnswer, type SignableRequest } from './signature-base.ts';

/** A signing key of the service. */
export type SigningKey = {
  /** `HTTP_EC_P256_KEY:1`: receivers find the public key with it. */
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly encoding: EcdsaEncoding;
};

/** The only algorithm the service signs with: every client of this API family supports it. */
export const SERVICE_ALGORITHM = 'ecdsa-p256-sha256';

/** The same as libraries use; allows clock differences of some minutes. */
const LIFETIME_SECONDS = 300;

export type SigningOrder = {
  /** What is signed, or how its base follows from the member of Signature-Input. */
  readonly message: SignableRequest | SignableAnswer | ((inputText: string) => string);
  readonly components: readonly string[];
  readonly key: SigningKey;
  readonly now: ProcessTime;
  /** The parameter that RFC 9421 has for whom or what a signature is meant. */
  readonly tag?: string;
};

/** The two headers of the signature. */
export function signMessage({
  message,
  components,
  key,
  now,
  tag,
}: SigningOrder): Readonly<Record<string, string>> {
  const created = Math.floor(now.getTime() / 1_000);
  const parameters = new Map<string, BareItem>([
    ['alg', SERVICE_ALGORITHM],
    ['keyid', key.keyId],
    ['created', created],
    ['expires', created + LIFETIME_SECONDS],
    ...(tag === undefined ? [] : ([['tag', tag]] as const)),
  ]);
  const items = components.map((name): Item => [name, new Map()]);
  const inputText = serializeInnerList([items, parameters]);
  const base = typeof message === 'function' ? message(inputText) : createSignatureBase(message, inputText);
  const bytes = signBase(base, key.privateKey, key.encoding);
  return {
    'signature-input': `${SIGNATURE_LABEL}=${inputText}`,
    signature: `${SIGNATURE_LABEL}=:${bytes.toString('base64')}:`,
  };
}

/** Whether an Accept-Signature header includes our algorithm, as a plain list or in the RFC's format. */
export function takesServiceAlgorithm(accepted: string): boolean {
  return /(^|[\s,"=])ecdsa-p256-sha256($|[\s,";])/i.test(accepted);
}
