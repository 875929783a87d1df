// Signatures against the server's own: what this package signs the gateway takes, and what the gateway signs this
// package takes, and nothing else.
import { createPublicKey, generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto';
import { assert, asyncProperty, property, string, uint8Array, webPath } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallbackVerifier, verifyCallback, type ReceivedCallback } from '@malipo/sdk/callbacks';
import { signedCallback } from '@malipo/sdk/testing';
import { signCallback } from '../../server/src/callbacks/sign.ts';
import { checkSignature } from '../../server/src/wire/http-signature/check-signature.ts';
import { createKey, type TestAlgorithm } from '../../server/test/signing.ts';
import { derToRaw, rawToDer } from '../src/ecdsa-encoding.ts';
import { createRequestSigner } from '../src/request-signer.ts';

const ALGORITHMS: readonly TestAlgorithm[] = [
  'ecdsa-p256-sha256',
  'ecdsa-p384-sha384',
  'rsa-v1_5-sha256',
  'rsa-pss-sha512',
];

describe('what this package signs', () => {
  test.each(ALGORITHMS)(
    'with %s the gateway finds no fault with, and with another body it does',
    async (name) => {
      const { privateKey, pem } = createKey('k', name);
      const signer = createRequestSigner({ keyId: 'k', privateKey, algorithm: name });
      await assert(
        asyncProperty(string({ unit: 'binary' }), webPath(), async (text, path) => {
          const request = await sign9421(signer, `https://gateway.example${path}`, text);
          const options = { now: new Date(), publicKeys: new Map([['k', { algorithm: name, pem }]]) };
          expect(checkSignature(request, options).fault).toBeNull();
          const other = { ...request, body: Buffer.from(`${text}x`) };
          expect(checkSignature(other, options).fault).toMatchObject({ rule: 'DIGEST' });
        }),
        { numRuns: 20 },
      );
    },
  );

  test('what this package sends is signed with the algorithm that fits the key, in every form a key can have', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp384r1' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const cryptoKey = privateKey.toCryptoKey({ name: 'ECDSA', namedCurve: 'P-384' }, false, ['sign']);
    for (const form of [privateKey, pem, cryptoKey]) {
      const signer = createRequestSigner({ keyId: 'k', privateKey: form });
      const { headers } = await sign9421(signer, 'https://gateway.example/v2/deposits', '{}');
      expect(headers['signature-input']).toContain('alg="ecdsa-p384-sha384"');
    }
  });

  test('a key in a form that cannot be read is refused with what to do', async () => {
    const signer = createRequestSigner({ keyId: 'k', privateKey: '-----BEGIN EC PRIVATE KEY-----' });
    const signing = sign9421(signer, 'https://gateway.example/', '{}');
    await expect(signing).rejects.toMatchObject({
      code: 'MISUSE',
      whatToDo: expect.stringContaining('pkcs8'),
    });
  });
});

async function sign9421(signer: ReturnType<typeof createRequestSigner>, url: string, text: string) {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const added = await signer({ url, headers, text });
  return { method: 'POST', url, headers: { ...headers, ...added }, body: Buffer.from(text) };
}

const MERCHANT_ID = randomUUID();
const URL_OF_SHOP = 'https://shop.example/callbacks?shop=1';
const RECORD = { depositId: '2f4b6c1e-0000-4000-8000-000000000001', status: 'COMPLETED', amount: '100' };

describe('what the gateway signs', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const keys = [{ id: 'K:1', key: publicKey.export({ type: 'spki', format: 'pem' }).toString() }];

  const received = (encoding: 'der' | 'raw', body: string, url = URL_OF_SHOP): ReceivedCallback => {
    const key = { keyId: 'K:1', privateKey, encoding };
    return { url, headers: signCallback({ merchantId: MERCHANT_ID, url, body, key, now: new Date() }), body };
  };

  test.each(['der', 'raw'] as const)('in %s is verified, whatever the body', async (encoding) => {
    await assert(
      asyncProperty(string({ unit: 'binary' }), async (text) => {
        const callback = received(encoding, JSON.stringify({ ...RECORD, customerMessage: text }));
        expect(await verifyCallback(callback, { keys })).toMatchObject({
          verified: true,
          kind: 'deposit',
          id: RECORD.depositId,
          payment: { status: 'COMPLETED', paid: true },
        });
      }),
      { numRuns: 60 },
    );
  });

  test('any single bit that differs is refused', async () => {
    const good = received('der', JSON.stringify(RECORD));
    const body = Buffer.from(good.body);
    const verdicts = Array.from({ length: body.length * 8 }, async (_, bit) => {
      const bent = Buffer.from(body);
      bent[bit >> 3]! ^= 1 << (bit & 7);
      return (await verifyCallback({ ...good, body: bent }, { keys })).verified;
    });
    expect(new Set(await Promise.all(verdicts))).toEqual(new Set([false]));
  });

  const good = received('der', JSON.stringify(RECORD));
  const headers = good.headers as Record<string, string>;
  /** When it was signed: the tests may run much later. */
  const signedMs = Number(/;created=(\d+)/.exec(headers['signature-input']!)![1]) * 1_000;
  const changed = (name: string, change: (value: string) => string): ReceivedCallback => ({
    ...good,
    headers: { ...headers, [name]: change(headers[name]!) },
  });
  const input = (change: (value: string) => string) => changed('signature-input', change);
  const BENT: readonly (readonly [rule: string, what: string, of: ReceivedCallback])[] = [
    ['HEADERS', 'no signature', { ...good, headers: {} }],
    ['HEADERS', 'a label twice', input((text) => `${text}, ${text}`)],
    ['HEADERS', 'a signature that is no base64', changed('signature', (text) => text.replace('=:', '=:!'))],
    ['HEADERS', 'a component with parameters', input((text) => text.replace('"@path"', '"@path";req'))],
    ['PARAMETERS', 'no time', input((text) => text.replace(/;created=\d+/, ''))],
    ['COMPONENTS', 'a digest that is not covered', input((text) => text.replace(' "content-digest"', ''))],
    ['COMPONENTS', 'a query that is not covered', input((text) => text.replace(' "@query"', ''))],
    ['COMPONENTS', 'a header that is not there', input((text) => text.replace(')', ' "x")'))],
    ['ALGORITHM', 'another algorithm', input((text) => text.replace('p256', 'p384'))],
    ['KEY', 'a key that is not published', input((text) => text.replace('K:1', 'K:2'))],
    ['DIGEST', 'another body', { ...good, body: '{}' }],
    ['DIGEST', 'no known digest', changed('content-digest', (text) => text.replace('sha-512', 'md5'))],
    ['SIGNATURE', 'another path', { ...good, url: 'https://shop.example/other?shop=1' }],
    ['SIGNATURE', 'another host', { ...good, url: 'https://shop2.example/callbacks?shop=1' }],
    ['SIGNATURE', 'another method', { ...good, method: 'PUT' }],
    ['SIGNATURE', 'another expiry', input((text) => text.replace(/expires=\d+/, '$&0'))],
    ['SIGNATURE', 'another merchant', input((text) => text.replace(MERCHANT_ID, randomUUID()))],
    ['SIGNATURE', 'bytes that are no signature', changed('signature', () => 'sig-pp=:AAAA:')],
  ];

  test.each(BENT)('%s: %s is refused', async (rule, _what, callback) => {
    const now = new Date(signedMs);
    expect(await verifyCallback(callback, { keys, now })).toMatchObject({ verified: false, rule });
  });

  test('what the gateway signs is accepted by its merchant only', async () => {
    const now = new Date(signedMs);
    expect((await verifyCallback(good, { keys, now, merchantId: MERCHANT_ID })).verified).toBe(true);
    for (const merchantId of [randomUUID(), '']) {
      expect(await verifyCallback(good, { keys, now, merchantId })).toMatchObject({ rule: 'MERCHANT' });
    }
  });

  test('an old signature is refused, and so is one of the future', async () => {
    for (const awayMs of [-120_000, 500_000]) {
      const now = new Date(signedMs + awayMs);
      expect(await verifyCallback(good, { keys, now })).toMatchObject({ verified: false, rule: 'TIME' });
    }
    const now = new Date(signedMs + 120_000);
    expect(await verifyCallback(good, { keys, now, ageMaxSeconds: 30 })).toMatchObject({ rule: 'TIME' });
    expect(await verifyCallback(good, { keys, now })).toMatchObject({ verified: true });
  });

  test('headers may come as Headers, in any case, and the body as bytes', async () => {
    const asHeaders = { ...good, headers: new Headers(headers), body: Buffer.from(String(good.body)) };
    expect((await verifyCallback(asHeaders, { keys })).verified).toBe(true);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect((await verifyCallback({ ...good, headers: upper }, { keys })).verified).toBe(true);
  });
});

describe('the callback verifier', () => {
  test('the callback verifier reads the keys once for many callbacks, and again for an unknown key', async () => {
    const [old, fresh] = [await signed('K:1'), await signed('K:2')];
    let published = old.keys;
    let readings = 0;
    const verifier = new CallbackVerifier({
      readKeys: async () => (readings++, published),
      rereadAfterMs: 0,
    });
    const many = await Promise.all(Array.from({ length: 20 }, () => verifier.verify(old.request)));
    expect(many.every(({ verified }) => verified)).toBe(true);
    expect(readings).toBe(1);
    published = [...old.keys, ...fresh.keys];
    expect((await verifier.verify(fresh.request)).verified).toBe(true);
    expect((await verifier.verify(old.request)).verified).toBe(true);
    expect(readings).toBe(2);
  });

  test('the callback verifier does not read the keys again and again for forged requests', async () => {
    const [own, stranger] = [await signed('K:1'), await signed('K:9')];
    let readings = 0;
    const verifier = new CallbackVerifier({ readKeys: async () => (readings++, own.keys) });
    for (let count = 0; count < 50; count += 1) {
      expect(await verifier.verify(stranger.request)).toMatchObject({ verified: false, rule: 'KEY' });
    }
    expect(readings).toBe(1);
  });

  test('the callback verifier refuses what is for another merchant, or names none', async () => {
    for (const [merchantId, cause] of [
      [randomUUID(), 'the callback is for another merchant'],
      [undefined, 'the signature names no merchant'],
    ] as const) {
      const { request, keys } = await signed('K:1', merchantId);
      const verifier = new CallbackVerifier({ merchantId: MERCHANT_ID, readKeys: async () => keys });
      expect(await verifier.verify(request)).toEqual({ verified: false, rule: 'MERCHANT', cause });
    }
    const { request, keys } = await signed('K:1', MERCHANT_ID);
    const verifier = new CallbackVerifier({ merchantId: MERCHANT_ID, readKeys: async () => keys });
    expect((await verifier.verify(request)).verified).toBe(true);
  });

  test('the callback verifier throws while the keys cannot be read, and does not call a callback forged', async () => {
    const own = await signed('K:1');
    const verifier = new CallbackVerifier({ readKeys: async () => Promise.reject(new Error('no network')) });
    await expect(verifier.verify(own.request)).rejects.toThrow('no network');
  });
});

const signed = (keyId: string, merchantId?: string) =>
  signedCallback({
    url: URL_OF_SHOP,
    payment: RECORD,
    keyId,
    ...(merchantId !== undefined && { merchantId }),
  });

test('the kit for tests signs as the gateway does: the server accepts it', async () => {
  const { request, keys } = await signed('K:1');
  const pem = keys[0]!.key;
  const publicKeys = new Map([['K:1', { algorithm: 'ecdsa-p256-sha256', pem } as const]]);
  const verdict = checkSignature(
    { ...request, body: Buffer.from(request.body) },
    { now: new Date(), publicKeys },
  );
  expect(verdict.fault).toBeNull();
  const other = await signed('K:1');
  expect(await verifyCallback(request, { keys: other.keys })).toMatchObject({ rule: 'SIGNATURE' });
});

test('signatures are written in both formats of their two numbers, and read back', () => {
  const numbers = uint8Array({ minLength: 64, maxLength: 64 });
  assert(
    property(numbers, (raw) => {
      expect([...derToRaw(rawToDer(raw), 32)!]).toEqual([...raw]);
    }),
  );
  // Whatever comes is read or refused; nothing makes the reader fall over.
  assert(
    property(uint8Array({ maxLength: 80 }), (noise) => {
      expect([undefined, 64]).toContain(derToRaw(noise, 32)?.length);
    }),
  );
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  for (let count = 0; count < 200; count += 1) {
    const der = sign('sha256', Buffer.from(`${count}`), { key: privateKey, dsaEncoding: 'der' });
    const key = {
      key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      dsaEncoding: 'ieee-p1363',
    };
    expect(verify('sha256', Buffer.from(`${count}`), key as never, derToRaw(der, 32)!)).toBe(true);
  }
});
