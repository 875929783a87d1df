// The signature cases that the SDKs of all languages share.
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { verifyCallback, type ReceivedCallback } from '@malipo/sdk/callbacks';
import { checkSignature } from '../../server/src/wire/http-signature/check-signature.ts';
import { decodeBase64, bytesOf } from '../src/base64.ts';
import { createRequestSigner } from '../src/request-signer.ts';
import { importPublicKey, isSignedBy, type SignatureAlgorithm } from '../src/signing-key.ts';

type Case = {
  readonly name: string;
  readonly algorithm: SignatureAlgorithm;
  readonly now: string;
  readonly merchantId?: string;
  readonly request: ReceivedCallback & {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
};

type Vectors = {
  readonly keys: readonly { readonly id: string; readonly key: string }[];
  readonly accepted: readonly (Case & { readonly expected: Readonly<Record<string, unknown>> })[];
  readonly refused: readonly (Case & { readonly rule: string })[];
  readonly requests: readonly (Case & {
    readonly keyId: string;
    readonly privateKey: string;
    readonly publicKey: string;
    readonly base: string;
    readonly expected: Readonly<Record<string, string>>;
    readonly signature: string;
    readonly isDeterministic: boolean;
  })[];
};

const FILE = new URL('../conformance/vectors.json', import.meta.url);
const { keys, accepted, refused, requests } = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors;

const optionsOf = ({ now, merchantId }: Case) => ({
  keys,
  now: new Date(now),
  ...(merchantId !== undefined && { merchantId }),
});

afterEach(() => {
  vi.useRealTimers();
});

describe('shared callbacks', () => {
  test('shared callbacks have every algorithm, and 43 that must be refused', () => {
    expect(new Set(accepted.map(({ algorithm }) => algorithm)).size).toBe(4);
    expect(refused).toHaveLength(43);
  });

  test.each(accepted)('$algorithm: $name is accepted', async (one) => {
    const { request, expected } = one;
    const callback = await verifyCallback(request, optionsOf(one));
    if (!callback.verified) return expect(callback).toBeNull();
    const { status = null, isFinal = null, paid = false } = callback.payment as Record<string, unknown>;
    expect({ kind: callback.kind, id: callback.id, status, isFinal, paid }).toEqual(expected);
    expect(callback.eventId).toBe(request.headers['malipo-event-id']);
  });

  test.each(refused)('$rule: $name is refused', async (one) => {
    const callback = await verifyCallback(one.request, optionsOf(one));
    expect(callback).toMatchObject({ verified: false, rule: one.rule });
  });
});

describe('shared requests', () => {
  test.each(requests)('$name gets the same headers', async (one) => {
    vi.useFakeTimers({ now: new Date(one.now), toFake: ['Date'] });
    const { keyId, privateKey, algorithm, request, expected } = one;
    const sign = createRequestSigner({ keyId, privateKey, algorithm });
    const headers = { 'content-type': 'application/json' };
    const signed = await sign({ url: request.url, headers, text: request.body });
    expect({ ...headers, ...signed }).toMatchObject(expected);
    if (one.isDeterministic) expect(signed['signature']).toBe(`sig-pp=:${one.signature}:`);
    const received = { ...request, headers: { ...headers, ...signed }, body: Buffer.from(request.body) };
    const publicKeys = new Map([[keyId, { algorithm, pem: one.publicKey }]]);
    const verdict = checkSignature(received, { now: new Date(), publicKeys });
    expect(verdict).toMatchObject({ fault: null, base: one.base });
  });

  test.each(requests)('$name has the signature of its base', async (one) => {
    const key = await importPublicKey(one.publicKey, one.algorithm);
    const signature = decodeBase64(one.signature);
    expect(await isSignedBy(key!, signature!, bytesOf(one.base))).toBe(true);
  });
});
