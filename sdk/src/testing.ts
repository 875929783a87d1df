// For tests of callback receivers: genuine signed callbacks without a gateway.
import type { PublicKeys } from './api.ts';
import { bytesOf, encodeBase64, writePem } from './base64.ts';
import type { ReceivedCallback } from './callbacks.ts';
import { renderDigest } from './content-digest.ts';
import { rawToDer } from './ecdsa-encoding.ts';
import {
  componentsFor,
  createSignatureBase,
  SIGNATURE_LABEL,
  writeSignatureInput,
} from './signature-base.ts';
import { signWith } from './signing-key.ts';

export type CallbackToSign = {
  /** For which merchant it is signed; default: none is named. */
  readonly merchantId?: string;
  /** Where it is sent. */
  readonly url: string;
  /** The record in it. */
  readonly payment: object;
  /** When it is signed; default: now. */
  readonly now?: Date;
  readonly keyId?: string;
};

export type SignedCallback = {
  readonly request: ReceivedCallback & {
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  /** The answer of GET /v2/public-key/http. */
  readonly keys: PublicKeys;
};

/** The algorithm the gateway signs with. */
const GATEWAY_ALGORITHM = 'ecdsa-p256-sha256';
const LIFETIME_SECONDS = 300;

/**
 * Makes a callback as the gateway makes it, signed with a key that exists for this one, and the list of keys that
 * verifies it. Post it to your own server, or hand it to your handler.
 *
 * @example
 * ```ts
 * import { CallbackVerifier } from '@malipo/sdk/callbacks';
 * import { signedCallback } from '@malipo/sdk/testing';
 *
 * const [merchantId, depositId] = [crypto.randomUUID(), crypto.randomUUID()];
 * const { request, keys } = await signedCallback({
 *   merchantId,
 *   url: 'https://shop.example/callbacks',
 *   payment: { depositId, status: 'COMPLETED', amount: '100', currency: 'RWF', country: 'RWA' },
 * });
 * const verifier = new CallbackVerifier({ merchantId, readKeys: async () => keys });
 * console.log((await verifier.verify(request)).verified); // true
 * ```
 */
export async function signedCallback(callback: CallbackToSign): Promise<SignedCallback> {
  const { merchantId, url, payment, now: createdAt = new Date(), keyId = 'HTTP_EC_P256_KEY:1' } = callback;
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  const body = JSON.stringify(payment);
  const headers = {
    'content-type': 'application/json; charset=UTF-8',
    'content-digest': await renderDigest(bytesOf(body)),
    'signature-date': createdAt.toISOString(),
    'malipo-event-id': crypto.randomUUID(),
  };
  const components = componentsFor(url);
  const input = writeSignatureInput(components, {
    algorithm: GATEWAY_ALGORITHM,
    keyId,
    createdAt,
    lifetimeSeconds: LIFETIME_SECONDS,
    tag: merchantId,
  });
  const signable = { method: 'POST', url, headers: new Map(Object.entries(headers)) };
  const base = bytesOf(createSignatureBase(signable, components, input) ?? '');
  const raw = await signWith({ algorithm: GATEWAY_ALGORITHM, key: pair.privateKey }, base);
  const signature = {
    'signature-input': `${SIGNATURE_LABEL}=${input}`,
    signature: `${SIGNATURE_LABEL}=:${encodeBase64(rawToDer(raw))}:`,
  };
  const published = new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey));
  return {
    request: { method: 'POST', url, headers: { ...headers, ...signature }, body },
    keys: [{ id: keyId, key: writePem(published, 'PUBLIC KEY') }],
  };
}
