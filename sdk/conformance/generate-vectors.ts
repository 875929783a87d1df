// Writes vectors.json: signatures that the SDK of every language must make, accept or refuse. Keys and ECDSA
// signatures are random, so every run writes another file; run it only to add cases.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { bytesOf, encodeBase64 } from '../src/base64.ts';
import { renderDigest } from '../src/content-digest.ts';
import { rawToDer } from '../src/ecdsa-encoding.ts';
import {
  componentsFor,
  createSignatureBase,
  SIGNATURE_LABEL,
  writeSignatureInput,
} from '../src/signature-base.ts';
import { importPrivateKey, signWith, type SignatureAlgorithm } from '../src/signing-key.ts';
import { ACCEPTED, FORMS, type Accepted, type Form } from './callback-cases.ts';
import { listRefused, type Vector } from './refused-cases.ts';

/** When everything is signed. */
const SIGNED_AT = new Date('2026-01-31T08:00:00.000Z');
/** When it is received. */
const RECEIVED_AT = new Date('2026-01-31T08:00:02.000Z');
const LIFETIME_SECONDS = 300;

const KEYS = {
  'HTTP_EC_P256_KEY:1': generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  'HTTP_EC_P256_KEY:2': generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  'HTTP_EC_P384_KEY:1': generateKeyPairSync('ec', { namedCurve: 'secp384r1' }),
  'HTTP_RSA_KEY:1': generateKeyPairSync('rsa', { modulusLength: 2_048 }),
};

async function signedCallback(wanted: Accepted): Promise<Vector> {
  const { name, url, payment, form, digest = 'sha-512', tag, merchantId, expected } = wanted;
  const { keyId, algorithm, encoding } = FORMS[form];
  const body = JSON.stringify(payment);
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=UTF-8',
    'content-digest': await renderDigest(bytesOf(body), digest),
    'signature-date': SIGNED_AT.toISOString(),
    'malipo-event-id': '0d8ee1a6-6a1e-4f0e-9a53-6f1a53f1c0de',
  };
  const components = componentsFor(url);
  const facts = { algorithm, keyId, createdAt: SIGNED_AT, lifetimeSeconds: LIFETIME_SECONDS, tag };
  const input = writeSignatureInput(components, facts);
  const signable = { method: 'POST', url, headers: new Map(Object.entries(headers)) };
  const base = createSignatureBase(signable, components, input) ?? '';
  const raw = await rawSignature(KEYS[keyId].privateKey, wanted, base);
  headers['signature-input'] = `${SIGNATURE_LABEL}=${input}`;
  headers['signature'] = `${SIGNATURE_LABEL}=:${encodeBase64(encoding === 'der' ? rawToDer(raw) : raw)}:`;
  const now = RECEIVED_AT.toISOString();
  const request = { method: 'POST', url, headers, body };
  return { name, algorithm, encoding, now, merchantId, request, expected };
}

/** Signs again until the first number begins with a zero byte, where the case is about that: one in 256 does. */
async function rawSignature(key: KeyObject, { form, isShort = false }: Accepted, base: string) {
  const signingKey = await importPrivateKey(key, FORMS[form].algorithm);
  for (;;) {
    const raw = await signWith(signingKey, bytesOf(base));
    if (!isShort || raw[0] === 0) return raw;
  }
}

/** A request that starts a payment, as a client signs it. The bytes of ECDSA and PSS signatures differ each time. */
async function signedRequest(keyId: keyof typeof KEYS, algorithm: SignatureAlgorithm) {
  const url = 'https://gateway.example/v2/deposits';
  const body =
    '{"depositId":"5d1e6c44-0000-4000-8000-000000000001","amount":"100","customerMessage":"Café № 7"}';
  const signed: Record<string, string> = {
    'content-type': 'application/json',
    'content-digest': await renderDigest(bytesOf(body)),
    'signature-date': SIGNED_AT.toISOString(),
  };
  const components = componentsFor(url);
  const facts = { algorithm, keyId, createdAt: SIGNED_AT, lifetimeSeconds: 60 };
  const input = writeSignatureInput(components, facts);
  const signable = { method: 'POST', url, headers: new Map(Object.entries(signed)) };
  const base = createSignatureBase(signable, components, input) ?? '';
  const raw = await signWith(await importPrivateKey(KEYS[keyId].privateKey, algorithm), bytesOf(base));
  return {
    name: `a request signed with ${algorithm}`,
    algorithm,
    keyId,
    privateKey: KEYS[keyId].privateKey.export({ type: 'pkcs8', format: 'pem' }),
    publicKey: KEYS[keyId].publicKey.export({ type: 'spki', format: 'pem' }),
    now: SIGNED_AT.toISOString(),
    request: { method: 'POST', url, headers: { 'content-type': 'application/json' }, body },
    base,
    expected: { ...signed, 'signature-input': `${SIGNATURE_LABEL}=${input}` },
    signature: encodeBase64(raw),
    isDeterministic: algorithm === 'rsa-v1_5-sha256',
  };
}

async function renderVectors(): Promise<string> {
  const accepted = await Promise.all(ACCEPTED.map(signedCallback));
  const of = (form: Form) => accepted[ACCEPTED.findIndex((one) => one.form === form)] as Vector;
  const tagged = accepted[ACCEPTED.findIndex(({ tag }) => tag !== undefined)] as Vector;
  const content = {
    about:
      'Signature cases for the SDK of every language. accepted: callbacks that are genuine, with what they say. ' +
      'refused: callbacks that must be refused, with the rule they break. requests: what a client signs. ' +
      'The keys are for tests only. See sdk/conformance/README.md.',
    keys: Object.entries(KEYS).map(([id, { publicKey }]) => ({
      id,
      key: publicKey.export({ type: 'spki', format: 'pem' }),
    })),
    accepted,
    refused: await listRefused(of, tagged),
    requests: await Promise.all([
      signedRequest('HTTP_EC_P256_KEY:1', 'ecdsa-p256-sha256'),
      signedRequest('HTTP_EC_P384_KEY:1', 'ecdsa-p384-sha384'),
      signedRequest('HTTP_RSA_KEY:1', 'rsa-v1_5-sha256'),
      signedRequest('HTTP_RSA_KEY:1', 'rsa-pss-sha512'),
    ]),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

writeFileSync(new URL('vectors.json', import.meta.url), await renderVectors());
