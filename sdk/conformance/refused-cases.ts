// The callbacks of vectors.json that must be refused: genuine ones that were changed, and old ones sent again.
import { bytesOf } from '../src/base64.ts';
import { renderDigest } from '../src/content-digest.ts';
import type { SignatureRule } from '../src/received-signature.ts';
import { FORMS, MERCHANT_ID, type Expected, type Form } from './callback-cases.ts';

export type Vector = {
  readonly name: string;
  readonly algorithm: string;
  readonly encoding: string;
  readonly now: string;
  /** The merchant ID that the verifier is given. */
  readonly merchantId?: string | undefined;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly expected: Expected;
};

type Refused = Omit<Vector, 'expected'> & { readonly rule: SignatureRule };

const OTHER_MERCHANT_ID = '16fd2706-8baf-433b-82eb-8c7fada847da';

/** `tagged` is genuine, and signed for a merchant. */
export async function listRefused(of: (form: Form) => Vector, tagged: Vector): Promise<readonly Refused[]> {
  const good = of('p256-der');
  const input = (change: Change) => withHeader(good, 'signature-input', change);
  const signature = (change: Change) => withHeader(good, 'signature', change);
  const foreign = { ...tagged, merchantId: OTHER_MERCHANT_ID };
  return [
    refuse('HEADERS', 'no Signature', withoutHeader(good, 'signature')),
    refuse('HEADERS', 'no Signature-Input', withoutHeader(good, 'signature-input')),
    refuse(
      'HEADERS',
      'a label twice',
      input((text) => `${text}, ${text}`),
    ),
    refuse(
      'HEADERS',
      'a signature that is not base64',
      signature((text) => text.replace('=:', '=:!')),
    ),
    refuse(
      'HEADERS',
      'a component with parameters',
      input((text) => text.replace('"@path"', '"@path";req')),
    ),
    refuse(
      'PARAMETERS',
      'no created',
      input((text) => text.replace(/;created=\d+/, '')),
    ),
    refuse(
      'PARAMETERS',
      'no expires',
      input((text) => text.replace(/;expires=\d+/, '')),
    ),
    refuse(
      'COMPONENTS',
      'a digest that is not covered',
      input((text) => text.replace(' "content-digest"', '')),
    ),
    refuse(
      'COMPONENTS',
      'a query that is not covered',
      input((text) => text.replace(' "@query"', '')),
    ),
    refuse(
      'COMPONENTS',
      'a header that is not there',
      input((text) => text.replace(')', ' "x-other")')),
    ),
    refuse(
      'ALGORITHM',
      'an algorithm that does not fit the key',
      input((text) => text.replace('p256-sha256', 'p384-sha384')),
    ),
    refuse(
      'ALGORITHM',
      'an unknown algorithm',
      input((text) => text.replace('ecdsa-p256-sha256', 'hmac-sha256')),
    ),
    refuse(
      'ALGORITHM',
      'an unknown algorithm, and for another merchant',
      withHeader(foreign, 'signature-input', (text) => text.replace('ecdsa-p256-sha256', 'hmac-sha256')),
    ),
    refuse('MERCHANT', 'another merchant', foreign),
    refuse('MERCHANT', 'no merchant named', { ...good, merchantId: MERCHANT_ID }),
    refuse('MERCHANT', 'another merchant, and sent again after ten minutes', received(foreign, 600)),
    refuse('TIME', 'an old callback, sent again after ten minutes', received(good, 600)),
    refuse('TIME', 'a callback of the future', received(good, -120)),
    refuse(
      'KEY',
      'a key that is not published',
      input((text) => text.replace('P256_KEY:1', 'P256_KEY:9')),
    ),
    refuse(
      'DIGEST',
      'another amount in the body',
      withBody(good, (text) => text.replace('"100"', '"900"')),
    ),
    refuse(
      'DIGEST',
      'a space behind the body',
      withBody(good, (text) => `${text} `),
    ),
    refuse(
      'DIGEST',
      'no known digest',
      withHeader(good, 'content-digest', (text) => text.replace('sha-512', 'md5')),
    ),
    ...(await Promise.all(Object.keys(FORMS).map((form) => listForged(form, of(form as Form))))).flat(),
    refuse(
      'SIGNATURE',
      'the merchant changed to that of the verifier',
      withHeader(foreign, 'signature-input', (text) => text.replace(MERCHANT_ID, OTHER_MERCHANT_ID)),
    ),
    refuse(
      'SIGNATURE',
      'another published key',
      input((text) => text.replace('P256_KEY:1', 'P256_KEY:2')),
    ),
    // Some verifiers once accepted zeroes for every message.
    refuse(
      'SIGNATURE',
      'a raw signature of zeroes',
      signature(() => `sig-pp=:${'A'.repeat(86)}==:`),
    ),
  ];
}

/** What a signature of every algorithm and encoding must hold. */
async function listForged(form: string, good: Vector): Promise<readonly Refused[]> {
  const elsewhere = { ...good, request: { ...good.request, url: 'https://shop2.example/callbacks?shop=1' } };
  const longer = withHeader(good, 'signature-input', (text) => `${text}0`);
  return [
    refuse('SIGNATURE', `another body with its own digest, ${form}`, await withBodyAndDigest(good)),
    refuse('SIGNATURE', `another host, ${form}`, elsewhere),
    refuse('SIGNATURE', `a later expiry, ${form}`, longer),
  ];
}

function refuse(rule: SignatureRule, name: string, vector: Vector): Refused {
  const { algorithm, encoding, now, merchantId, request } = vector;
  return { name, algorithm, encoding, now, merchantId, request, rule };
}

type Change = (text: string) => string;

function withHeader(vector: Vector, name: string, change: Change): Vector {
  const { request } = vector;
  return {
    ...vector,
    request: { ...request, headers: { ...request.headers, [name]: change(request.headers[name] ?? '') } },
  };
}

function withoutHeader(vector: Vector, name: string): Vector {
  const { request } = vector;
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([other]) => other !== name));
  return { ...vector, request: { ...request, headers } };
}

function withBody(vector: Vector, change: Change): Vector {
  return { ...vector, request: { ...vector.request, body: change(vector.request.body) } };
}

async function withBodyAndDigest(vector: Vector): Promise<Vector> {
  const changed = withBody(vector, (text) => text.replace('"100"', '"900"').replace('EXPIRED', 'COMPLETED'));
  const digest = await renderDigest(bytesOf(changed.request.body));
  return withHeader(changed, 'content-digest', () => digest);
}

/** Received so many seconds after it was. */
function received(vector: Vector, seconds: number): Vector {
  return { ...vector, now: new Date(Date.parse(vector.now) + seconds * 1_000).toISOString() };
}
