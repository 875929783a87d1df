// A merchant's client that signs, written for tests: the base is put together here line by line, so that nothing of
// what it proves comes from the program itself. Each part can be bent, before it is signed or after.
import { constants, createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { Answer } from './gateway.ts';

export type TestKey = { readonly name: string; readonly algorithm: string } & ReturnType<typeof keyPairOf>;

const KINDS = {
  'ecdsa-p256-sha256': () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  'ecdsa-p384-sha384': () => generateKeyPairSync('ec', { namedCurve: 'secp384r1' }),
  'rsa-v1_5-sha256': () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  'rsa-pss-sha512': () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
} as const;
export type TestAlgorithm = keyof typeof KINDS;

export function createKey(name: string, algorithm: TestAlgorithm): TestKey {
  return { name, algorithm, ...keyPairOf(algorithm) };
}

function keyPairOf(algorithm: TestAlgorithm) {
  const { publicKey, privateKey } = KINDS[algorithm]();
  return { privateKey, pem: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}

/** Everything a signed request is made of, before it is signed. */
export type Draft = {
  method: string;
  authority: string;
  /** With its query. */
  path: string;
  body: string;
  label: string;
  headers: Record<string, string>;
  components: string[];
  /** As they stand in Signature-Input, in their order. */
  parameters: [name: string, value: string][];
  sign: (base: Buffer) => Buffer;
};

/** What goes over the wire. A header may stand there twice. */
export type Sendable = { path: string; body: string; headers: Record<string, string | string[]> };

export const COMPONENTS = [
  '@method',
  '@authority',
  '@path',
  'signature-date',
  'content-digest',
  'content-type',
];

export function draftRequest(of: {
  readonly url: string;
  readonly path: string;
  readonly body: string;
  readonly key: TestKey;
  readonly now?: Date;
}): Draft {
  const { key, now = new Date() } = of;
  const created = Math.floor(now.getTime() / 1_000);
  return {
    method: 'POST',
    authority: new URL(of.url).host,
    path: of.path,
    body: of.body,
    label: 'sig-pp',
    headers: {
      'content-type': 'application/json',
      'content-digest': digestOf(of.body),
      'signature-date': now.toISOString(),
    },
    components: [...COMPONENTS],
    parameters: [
      ['alg', `"${key.algorithm}"`],
      ['keyid', `"${key.name}"`],
      ['created', String(created)],
      ['expires', String(created + 60)],
    ],
    sign: (base) => signWith(key.algorithm, key.privateKey, base),
  };
}

export function digestOf(body: string, algorithm: 'sha-512' | 'sha-256' = 'sha-512'): string {
  const hash = createHash(algorithm.replace('-', '')).update(body).digest('base64');
  return `${algorithm}=:${hash}:`;
}

/** Raw ECDSA signatures, as RFC 9421 has them. */
export function signWith(algorithm: string, key: KeyObject, base: Buffer): Buffer {
  switch (algorithm) {
    case 'ecdsa-p256-sha256':
      return sign('sha256', base, { key, dsaEncoding: 'ieee-p1363' });
    case 'ecdsa-p384-sha384':
      return sign('sha384', base, { key, dsaEncoding: 'ieee-p1363' });
    case 'rsa-v1_5-sha256':
      return sign('sha256', base, { key, padding: constants.RSA_PKCS1_PADDING });
    default:
      return sign('sha512', base, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 });
  }
}

export function signDraft(draft: Draft): Sendable {
  const input = inputOf(draft);
  const bytes = draft.sign(Buffer.from(baseOf(draft, input)));
  return {
    path: draft.path,
    body: draft.body,
    headers: {
      ...draft.headers,
      'signature-input': `${draft.label}=${input}`,
      signature: `${draft.label}=:${bytes.toString('base64')}:`,
    },
  };
}

export function inputOf({ components, parameters }: Draft): string {
  const list = components.map((name) => (name.startsWith('"') ? name : `"${name}"`)).join(' ');
  return `(${list})${parameters.map(([name, value]) => `;${name}=${value}`).join('')}`;
}

export function baseOf(draft: Draft, input = inputOf(draft)): string {
  const [pathname = '', query] = draft.path.split('?');
  const derived: Record<string, string> = {
    '@method': draft.method,
    '@authority': draft.authority,
    '@path': pathname,
    '@query': query === undefined ? '?' : `?${query}`,
  };
  const lines = draft.components.map((name) => {
    const plain = name.replace(/^"([^"]*)".*$/, '$1');
    return `${name.startsWith('"') ? name : `"${name}"`}: ${derived[plain] ?? draft.headers[plain] ?? ''}`;
  });
  return [...lines, `"@signature-params": ${input}`].join('\n');
}

export type SignedAnswer = Answer & { readonly headers: Record<string, any>; readonly text: string };

/** Sends it exactly as it is. */
export async function send(
  at: { readonly url: string; readonly apiToken: string },
  { path, body, headers }: Sendable,
): Promise<SignedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<SignedAnswer>();
  const options = {
    method: 'POST',
    headers: {
      ...headers,
      authorization: `Bearer ${at.apiToken}`,
      'content-length': Buffer.byteLength(body),
    },
  };
  const sent = httpRequest(`${at.url}${path}`, options, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { statusCode: status = 0 } = answer;
      resolve({ status, body: JSON.parse(text), text, headers: answer.headers });
    });
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}
