// Properties of signatures: whatever is signed is accepted, whatever is changed afterwards is not, and nothing that
// anybody can send makes the judge stumble.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderContentDigest } from '../../src/wire/http-signature/content-digest.ts';
import { checkSignature, REQUIRED_COMPONENTS } from '../../src/wire/http-signature/check-signature.ts';
import { parseMembers } from '../../src/wire/http-signature/members.ts';
import { signMessage } from '../../src/wire/http-signature/sign-message.ts';
import { createKey } from '../signing.ts';

const key = createKey('HTTP_EC_P256_KEY:1', 'ecdsa-p256-sha256');
const publicKeys = new Map([[key.name, { algorithm: 'ecdsa-p256-sha256', pem: key.pem } as const]]);
const now = new Date('2026-02-03T04:05:06.789Z');

const arbitraryRequest = fc.record({
  path: fc.webPath().map((path) => (path.startsWith('/') ? path : `/${path}`)),
  query: fc.option(fc.webQueryParameters(), { nil: null }),
  body: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  encoding: fc.constantFrom('der', 'raw'),
  digest: fc.constantFrom('sha-512', 'sha-256'),
  order: fc.shuffledSubarray([...REQUIRED_COMPONENTS], { minLength: REQUIRED_COMPONENTS.length }),
});

type Ingredients = typeof arbitraryRequest extends fc.Arbitrary<infer Value> ? Value : never;

function signed({ path, query, body, encoding, digest, order }: Ingredients) {
  const url = `https://pay.example${path}${query === null ? '' : `?${query}`}`;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'content-digest': renderContentDigest(body, digest),
    'signature-date': now.toISOString(),
  };
  const components = [...order, ...(query === null ? [] : ['@query'])];
  const signingKey = { keyId: key.name, privateKey: key.privateKey, encoding };
  const message = { method: 'POST', url, headers };
  Object.assign(headers, signMessage({ message, components, key: signingKey, now }));
  return { ...message, headers, body };
}

const judge = (request: ReturnType<typeof signed>) => checkSignature(request, { now, publicKeys });

describe('a signature', () => {
  test('a signature is accepted for any path, query, body, order of components, digest and form', () => {
    fc.assert(fc.property(arbitraryRequest, (parts) => judge(signed(parts)).fault === null));
  });

  test('a signature is refused when any one character of any header that counts is changed', () => {
    const names = ['content-type', 'content-digest', 'signature-date', 'signature-input', 'signature'];
    const change = fc.record({
      name: fc.constantFrom(...names),
      at: fc.nat(),
      by: fc.integer({ min: 1, max: 90 }),
    });
    fc.assert(
      fc.property(arbitraryRequest, change, (parts, { name, at, by }) => {
        const request = signed(parts);
        const text = request.headers[name]!;
        const place = at % text.length;
        const other = String.fromCharCode(33 + ((text.charCodeAt(place) - 33 + by) % 94));
        const changed = text.slice(0, place) + other + text.slice(place + 1);
        // Base64 has letters whose last bits say nothing, and the label may be any other when it is in both.
        fc.pre(changed !== text && !isSameBytes(name, text, changed));
        return judge({ ...request, headers: { ...request.headers, [name]: changed } }).fault !== null;
      }),
      { numRuns: 1_000 },
    );
  });

  test('a signature is refused when any one bit of the body is changed, or a byte is added', () => {
    fc.assert(
      fc.property(arbitraryRequest, fc.nat(), (parts, at) => {
        const request = signed(parts);
        const longer = Buffer.concat([request.body, Buffer.from([at % 256])]);
        const bent = Buffer.from(request.body);
        if (bent.length > 0) bent[at % bent.length]! ^= 1 << (at % 8);
        const bodies = bent.length > 0 ? [longer, bent] : [longer];
        return bodies.every((body) => judge({ ...request, body }).fault?.rule === 'DIGEST');
      }),
    );
  });

  test('a signature is refused for any other method, path or host', () => {
    fc.assert(
      fc.property(arbitraryRequest, (parts) => {
        const request = signed(parts);
        const others = [
          { method: 'PUT' },
          { url: request.url.replace('pay.example', 'pay.example.org') },
          { url: request.url.replace('pay.example', 'pay.example/x') },
        ];
        return others.every((change) => judge({ ...request, ...change }).fault !== null);
      }),
    );
  });
});

function isSameBytes(name: string, text: string, changed: string): boolean {
  if (name !== 'signature' && name !== 'content-digest') return false;
  return (
    text.slice(0, text.indexOf(':')) === changed.slice(0, changed.indexOf(':')) &&
    bytesIn(text) === bytesIn(changed)
  );
}

function bytesIn(value: string): string {
  return Buffer.from(value.slice(value.indexOf(':') + 1, -1), 'base64').toString('hex');
}

describe('whatever anybody sends', () => {
  const piece = fc.constantFrom(
    'sig-pp',
    '=',
    '(',
    ')',
    '"',
    '"@method"',
    ';',
    ',',
    ':',
    'AAAA',
    '\\',
    ' ',
    '1',
    '?',
  );
  const arbitraryText = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 30 }).map((parts) => parts.join('')),
  );

  test('the judge refuses it and does not stumble', () => {
    const names = ['signature-input', 'signature', 'content-digest', 'signature-date', 'content-type'];
    const headers = fc.record(
      Object.fromEntries(names.map((name) => [name, fc.option(arbitraryText, { nil: undefined })])),
    );
    fc.assert(
      fc.property(headers, arbitraryText, (some, url) => {
        const request = { method: 'POST', url, headers: some, body: Buffer.from('{}') };
        return checkSignature(request, { now, publicKeys }).fault !== null;
      }),
      { numRuns: 2_000 },
    );
  });

  test('a dictionary is read with each member as it was written, or not at all', () => {
    fc.assert(
      fc.property(arbitraryText, (text) => {
        const members = parseMembers(text);
        const written = members?.map(({ name, text: own }) => (own === '' ? name : `${name}=${own}`));
        expect(members === null || written!.every((one) => text.includes(one))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
