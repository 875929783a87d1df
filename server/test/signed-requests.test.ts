// Signed requests against a real gateway: what is accepted, and what tampering is refused.
import { createHmac, createSign, randomUUID, verify } from 'node:crypto';
import { createSigner, httpbis } from 'http-message-signatures';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPublicKey, removePublicKey, requireSignatures } from '../src/core/merchants/administer-keys.ts';
import { OPERATIONS } from '../src/domain/payments/payment.ts';
import { isSignatureAlgorithm } from '../src/wire/http-signature/algorithms.ts';
import { openAccount, type Account } from './edge/accounts.ts';
import { told } from './edge/answers.ts';
import { earlierDeposit, earlierPayout, earlierRefund } from './v1.ts';
import { call, depositRequest, openTestGateway, select, type TestGateway } from './gateway.ts';
import { payoutRequest, remittanceRequest } from './requests.ts';
import {
  baseOf,
  COMPONENTS,
  createKey,
  digestOf,
  draftRequest,
  send,
  signDraft,
  signWith,
  type Draft,
  type Sendable,
  type TestAlgorithm,
  type TestKey,
} from './signing.ts';

const ALGORITHMS: readonly TestAlgorithm[] = [
  'ecdsa-p256-sha256',
  'ecdsa-p384-sha384',
  'rsa-v1_5-sha256',
  'rsa-pss-sha512',
];

let gateway: TestGateway;
/** Demands signatures. */
let account: Account;
/** Demands them too, with a key of its own. */
let neighbour: Account;
const keys = new Map<string, TestKey>();
const shopKey = createKey('shop', 'ecdsa-p256-sha256');
const neighbourKey = createKey('neighbour', 'ecdsa-p256-sha256');

beforeAll(async () => {
  gateway = await openTestGateway();
  account = await openSigning([shopKey, createKey('spare', 'ecdsa-p256-sha256')]);
  neighbour = await openSigning([neighbourKey]);
  for (const algorithm of ALGORITHMS) {
    const key = createKey(algorithm, algorithm);
    keys.set(algorithm, key);
    await register(account.merchantId, key);
  }
});
afterAll(() => gateway.stop());

async function openSigning(registered: readonly TestKey[]): Promise<Account> {
  const opened = await openAccount(gateway, { operations: OPERATIONS as never });
  for (const key of registered) await register(opened.merchantId, key);
  const order = { by: 'test', merchantId: opened.merchantId, covers: 'PAYMENTS', isRequired: true } as const;
  await requireSignatures(gateway.engine, order);
  return opened;
}

async function register(merchantId: string, { name, algorithm, pem }: TestKey): Promise<void> {
  if (!isSignatureAlgorithm(algorithm)) throw new Error(algorithm);
  await addPublicKey(gateway.engine, { by: 'test', merchantId, name, algorithm, pem });
}

function draftOf(key: TestKey = shopKey, changes: { path?: string; body?: unknown; now?: Date } = {}): Draft {
  const { path = '/v2/deposits', body = depositRequest(), now = new Date() } = changes;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return draftRequest({ url: gateway.url, path, body: text, key, now });
}

const cause = (answer: { body: Record<string, any> }): string => answer.body['failureReason'].failureMessage;

describe('a request that is signed as it must be is accepted', () => {
  test.each(ALGORITHMS)('%s', async (algorithm) => {
    expect(told(await send(account, signDraft(draftOf(keys.get(algorithm)))))).toBe('200 ACCEPTED');
  });

  test.each(['ecdsa-p256-sha256', 'ecdsa-p384-sha384'] as const)('%s in DER', async (algorithm) => {
    const key = keys.get(algorithm)!;
    const hash = algorithm === 'ecdsa-p256-sha256' ? 'sha256' : 'sha384';
    const sign = (base: Buffer) => createSign(hash).update(base).sign(key.privateKey);
    expect(told(await send(account, signDraft({ ...draftOf(key), sign })))).toBe('200 ACCEPTED');
  });

  test.each(ALGORITHMS)('signed by the http-message-signatures client with %s', async (algorithm) => {
    const key = keys.get(algorithm)!;
    const body = JSON.stringify(depositRequest());
    const message = {
      method: 'POST',
      url: `${gateway.url}/v2/deposits`,
      headers: {
        'Content-Type': 'application/json',
        'Content-Digest': digestOf(body),
        'Signature-Date': new Date().toISOString(),
      },
    };
    const { headers } = await httpbis.signMessage(
      { key: createSigner(key.privateKey, algorithm, key.name), name: 'sig-pp', fields: COMPONENTS },
      message,
    );
    const answer = await send(account, { path: '/v2/deposits', body, headers });
    expect(told(answer)).toBe('200 ACCEPTED');
  });

  test.each<[string, (draft: Draft) => void]>([
    ['with sha-256 alone', (draft) => (draft.headers['content-digest'] = digestOf(draft.body, 'sha-256'))],
    [
      'with both digests',
      (draft) =>
        (draft.headers['content-digest'] = `${digestOf(draft.body, 'sha-256')}, ${digestOf(draft.body)}`),
    ],
    ['with components in another order', (draft) => (draft.components = draft.components.toReversed())],
    ['with parameters in another order', (draft) => (draft.parameters = draft.parameters.toReversed())],
    ['with spaces between parameters', (draft) => (draft.parameters[1]![0] = ' keyid')],
    ['with another label, alone', (draft) => (draft.label = 'sig1')],
    ['with a nonce and a tag', (draft) => draft.parameters.push(['nonce', '"n,1"'], ['tag', '"t;"'])],
    [
      'with an end weeks away, as clients write that reckon in milliseconds',
      (draft) => (draft.parameters[3]![1] = String(Number(draft.parameters[2]![1]) + 60_000)),
    ],
    [
      'with the length of the body',
      (draft) => {
        draft.components.push('content-length');
        draft.headers['content-length'] = String(Buffer.byteLength(draft.body));
      },
    ],
    [
      'with a query that is covered',
      (draft) => {
        draft.path += '?from=till';
        draft.components.push('@query');
      },
    ],
    [
      'with a body that is not plain ASCII',
      (draft) => setBody(draft, depositRequest({ clientReferenceId: 'é€' })),
    ],
  ])('%s', async (_, change) => {
    const draft = draftOf();
    change(draft);
    expect(told(await send(account, signDraft(draft)))).toBe('200 ACCEPTED');
  });

  test('beside the signature of somebody else, whose key no one knows', async () => {
    const signed = signDraft(draftOf());
    signed.headers['signature-input'] =
      `proxy=("@method");created=1;keyid="p", ${String(signed.headers['signature-input'])}`;
    signed.headers['signature'] = `proxy=:AAAA:, ${String(signed.headers['signature'])}`;
    expect(told(await send(account, signed))).toBe('200 ACCEPTED');
  });

  test('a repeat is told as DUPLICATE_IGNORED, signed again or not', async () => {
    const signed = signDraft(draftOf());
    await send(account, signed);
    expect(told(await send(account, signed))).toBe('200 DUPLICATE_IGNORED');
  });
});

function setBody(draft: Draft, body: unknown): void {
  draft.body = JSON.stringify(body);
  draft.headers['content-digest'] = digestOf(draft.body);
}

const drop = (name: string) => (draft: Draft) => {
  draft.components = draft.components.filter((one) => one !== name);
};
const parameter = (name: string, value: string | null) => (draft: Draft) => {
  const others = draft.parameters.filter(([one]) => one !== name);
  draft.parameters = value === null ? others : [...others, [name, value]];
};
const secondsFromNow = (seconds: number) => String(Math.floor(Date.now() / 1_000) + seconds);
const header =
  (name: string, change: (text: string) => string | string[] | undefined) => (sent: Sendable) => {
    const value = change(String(sent.headers[name]));
    if (value === undefined) delete sent.headers[name];
    else sent.headers[name] = value;
  };

/** Bent by anyone who signs: the signature itself is good. */
const SIGNED_WRONGLY: readonly [string, (draft: Draft) => void, string][] = [
  ['authority: signed for another host', (draft) => (draft.authority = 'pay.example'), 'does not fit'],
  ['method: signed as another', (draft) => (draft.method = 'PUT'), 'does not fit'],
  ['component list: only @method', (draft) => (draft.components = ['@method']), 'does not cover @authority'],
  ['component list: empty', (draft) => (draft.components = []), 'does not cover @method'],
  ['component list: without @method', drop('@method'), 'does not cover @method'],
  ['component list: without @authority', drop('@authority'), 'does not cover @authority'],
  ['component list: without @path', drop('@path'), 'does not cover @path'],
  ['component list: without signature-date', drop('signature-date'), 'does not cover signature-date'],
  ['component list: without content-digest', drop('content-digest'), 'does not cover content-digest'],
  ['component list: without content-type', drop('content-type'), 'does not cover content-type'],
  ['component list: without @query of a query', (draft) => (draft.path += '?a=b'), 'does not cover @query'],
  ['component list: a component twice', (draft) => draft.components.push('@method'), 'covers @method twice'],
  [
    'component list: a component of the answer',
    (draft) => draft.components.push('"@method";req'),
    '@method must have no parameters',
  ],
  [
    'component list: a header in a stricter form',
    (draft) => (draft.components[5] = '"content-type";sf'),
    'content-type must have no parameters',
  ],
  ['component list: @status', (draft) => draft.components.push('@status'), 'covers @status, which'],
  ['component list: itself', (draft) => draft.components.push('@signature-params'), '@signature-params'],
  ['component list: a header that is not sent', (draft) => draft.components.push('x-note'), 'covers x-note'],
  [
    'component list: a name of JavaScript',
    (draft) => draft.components.push('constructor'),
    'covers constructor',
  ],
  ['parameters: no alg', parameter('alg', null), 'lacks the parameter alg'],
  ['parameters: no keyid', parameter('keyid', null), 'lacks the parameter keyid'],
  ['parameters: no created', parameter('created', null), 'lacks the parameter created'],
  ['parameters: no expires', parameter('expires', null), 'lacks the parameter expires'],
  ['parameters: one twice', (draft) => draft.parameters.push(['keyid', '"shop"']), 'repeats a parameter'],
  ['parameters: created as text', parameter('created', '"now"'), 'created of the signature must be'],
  ['parameters: created with a fraction', parameter('created', '1.5'), 'created of the signature must be'],
  ['parameters: alg as a word', parameter('alg', 'ecdsa-p256-sha256'), 'alg of the signature must be'],
  ['algorithm: one we do not take', parameter('alg', '"ed25519"'), 'must be one of'],
  [
    'algorithm swap: a secret made of the public key',
    (draft) => {
      parameter('alg', '"hmac-sha256"')(draft);
      draft.sign = (base) => createHmac('sha256', shopKey.pem).update(base).digest();
    },
    'must be one of',
  ],
  [
    'algorithm swap: an RSA key with its other padding',
    (draft) => {
      const key = keys.get('rsa-v1_5-sha256')!;
      parameter('keyid', `"${key.name}"`)(draft);
      parameter('alg', '"rsa-pss-sha512"')(draft);
      draft.sign = (base) => signWith('rsa-pss-sha512', key.privateKey, base);
    },
    'is registered for rsa-v1_5-sha256',
  ],
  ['key id: no one has it', parameter('keyid', '"unknown"'), 'no public key of the name'],
  ['key id: another key of the account', parameter('keyid', '"spare"'), 'does not fit the request'],
  [
    'key id: the key of another account',
    (draft) => {
      parameter('keyid', '"neighbour"')(draft);
      draft.sign = (base) => signWith('ecdsa-p256-sha256', neighbourKey.privateKey, base);
    },
    'no public key of the name',
  ],
  [
    'expired',
    (draft) => {
      parameter('created', secondsFromNow(-200))(draft);
      parameter('expires', secondsFromNow(-100))(draft);
    },
    'has expired',
  ],
  [
    'too old, whatever end it claims',
    (draft) => {
      parameter('created', secondsFromNow(-330))(draft);
      parameter('expires', secondsFromNow(3_600))(draft);
    },
    'is older than 300 seconds',
  ],
  [
    'future',
    (draft) => {
      parameter('created', secondsFromNow(120))(draft);
      parameter('expires', secondsFromNow(180))(draft);
    },
    'created in the future',
  ],
  ['an end before its beginning', parameter('expires', secondsFromNow(-1)), 'expires before it was created'],
  [
    'date: another than that of the signature',
    (draft) => (draft.headers['signature-date'] = '2026-01-01T00:00:00Z'),
    'is not when it was created',
  ],
  [
    'date: of another zone',
    (draft) => (draft.headers['signature-date'] = '2026-01-01T00:00:00+02:00'),
    'must be a time such as',
  ],
  [
    'digest: of another body',
    (draft) => (draft.headers['content-digest'] = digestOf('{}')),
    'does not fit the body',
  ],
  [
    'digest: right and wrong at once',
    (draft) => (draft.headers['content-digest'] += `, ${digestOf('{}', 'sha-256')}`),
    'does not fit the body (sha-256)',
  ],
  [
    'digest: the same algorithm twice',
    (draft) => (draft.headers['content-digest'] = `${digestOf('{}')}, ${digestOf(draft.body)}`),
    'names sha-512 twice',
  ],
  [
    'digest: only one we cannot compute',
    (draft) => (draft.headers['content-digest'] = 'md5=:AAAA:'),
    'neither sha-512',
  ],
  ['digest: no dictionary', (draft) => (draft.headers['content-digest'] = 'SHA-512=abc'), 'cannot be read'],
  [
    'digest: cut short',
    (draft) => (draft.headers['content-digest'] = digestOf(draft.body).replace(/:.{8}/, ':')),
    'does not fit the body',
  ],
];

/** Bent on its way. */
const TAMPERED: readonly [string, (sent: Sendable) => void, string][] = [
  [
    'component list: a name without quotes, which no line of the base would hold',
    header('signature-input', (text) => text.replace('"content-digest"', 'content-digest')),
    'must have the components in quotes',
  ],
  [
    'body: one digit of the amount',
    (sent) => (sent.body = sent.body.replace('"100"', '"900"')),
    'does not fit the body',
  ],
  ['body: a blank that JSON does not mind', (sent) => (sent.body += ' '), 'does not fit the body'],
  ['body: gone', (sent) => (sent.body = ''), 'does not fit the body'],
  [
    'body and digest together',
    (sent) => {
      sent.body = sent.body.replace('"100"', '"900"');
      sent.headers['content-digest'] = digestOf(sent.body);
    },
    'the signature does not fit the request',
  ],
  ['digest: gone', header('content-digest', () => undefined), 'covers content-digest'],
  ['path: another kind of payment', (sent) => (sent.path = '/v2/payouts'), 'does not fit the request'],
  [
    'path: the same in another spelling',
    (sent) => (sent.path = '/v2/%64eposits'),
    'does not fit the request',
  ],
  ['query: added', (sent) => (sent.path += '?a=b'), 'does not cover @query'],
  [
    'date: moved',
    header('signature-date', () => new Date(Date.now() + 1_000).toISOString()),
    'does not fit the request',
  ],
  ['date: gone', header('signature-date', () => undefined), 'covers signature-date'],
  [
    'type: another',
    header('content-type', () => 'application/json; charset=utf-8'),
    'does not fit the request',
  ],
  [
    'key id: renamed',
    header('signature-input', (text) => text.replace('"shop"', '"spare"')),
    'does not fit the request',
  ],
  [
    'algorithm swap: renamed',
    header('signature-input', (text) => text.replace('ecdsa-p256-sha256', 'rsa-pss-sha512')),
    'is registered for ecdsa-p256-sha256',
  ],
  [
    'expires: moved',
    header('signature-input', (text) => text.replace(/expires=\d+/, `expires=${secondsFromNow(90)}`)),
    'does not fit the request',
  ],
  [
    'component list: in another order',
    header('signature-input', (text) => text.replace('"@method" "@authority"', '"@authority" "@method"')),
    'does not fit the request',
  ],
  [
    'duplicate label: in Signature-Input',
    header('signature-input', (text) => `${text}, ${text}`),
    'Signature-Input header has the label sig-pp twice',
  ],
  [
    'duplicate label: as two headers',
    header('signature-input', (text) => [text.replace('"shop"', '"spare"'), text]),
    'Signature-Input header has the label sig-pp twice',
  ],
  [
    'duplicate label: in Signature',
    header('signature', (text) => `sig-pp=:AAAA:, ${text}`),
    'Signature header has the label sig-pp twice',
  ],
  [
    'several signatures, none labelled sig-pp',
    (sent) => {
      for (const name of ['signature-input', 'signature'])
        sent.headers[name] = [sent.headers[name], sent.headers[name]]
          .join(', ')
          .replace('sig-pp', 'a')
          .replace('sig-pp', 'b');
    },
    'there are several signatures',
  ],
  [
    'label: of another signature',
    header('signature', (text) => text.replace('sig-pp', 'sig1')),
    'no signature labelled',
  ],
  ['signature: one bit', header('signature', bendBase64), 'does not fit the request'],
  ['signature: cut short', header('signature', () => 'sig-pp=:AAAA:'), 'does not fit the request'],
  ['signature: empty', header('signature', () => 'sig-pp=::'), 'does not fit the request'],
  [
    'signature: all zeroes',
    header('signature', () => `sig-pp=:${Buffer.alloc(64).toString('base64')}:`),
    'does not fit',
  ],
  ['signature: a text', header('signature', () => 'sig-pp="AAAA"'), 'no signature labelled'],
  ['signature: not base64', header('signature', () => 'sig-pp=:#:'), 'the Signature header cannot be read'],
  ['signature: gone', header('signature', () => undefined), 'the Signature header is missing'],
  [
    'Signature-Input: gone',
    header('signature-input', () => undefined),
    'the Signature-Input header is missing',
  ],
  ['Signature-Input: empty', header('signature-input', () => ''), 'the Signature-Input header is missing'],
  [
    'Signature-Input: garbage',
    header('signature-input', () => '((("'),
    'Signature-Input header cannot be read',
  ],
  ['Signature-Input: no list', header('signature-input', () => 'sig-pp=1'), 'must list components'],
  [
    'Signature-Input: deep in parentheses',
    header('signature-input', () => `sig-pp=${'('.repeat(5_000)}`),
    'cannot be read',
  ],
];

function bendBase64(text: string): string {
  const bytes = Buffer.from(text.replace(/^sig-pp=:(.*):$/, '$1'), 'base64');
  bytes[10]! ^= 1;
  return `sig-pp=:${bytes.toString('base64')}:`;
}

describe('a request that is signed wrongly, or tampered with, is refused and starts nothing', () => {
  test.each(SIGNED_WRONGLY)('%s', async (_, bend, words) => {
    const draft = draftOf();
    bend(draft);
    await expectRefusal(signDraft(draft), words);
  });

  test.each(TAMPERED)('%s', async (_, bend, words) => {
    const signed = signDraft(draftOf());
    bend(signed);
    await expectRefusal(signed, words);
  });

  test('the same request with the token of another account', async () => {
    const answer = await send(neighbour, signDraft(draftOf()));
    expect(told(answer)).toBe('401 REJECTED AUTHENTICATION_ERROR');
  });

  test('a key that was removed', async () => {
    const key = createKey('short-lived', 'ecdsa-p256-sha256');
    await register(account.merchantId, key);
    expect(told(await send(account, signDraft(draftOf(key))))).toBe('200 ACCEPTED');
    await removePublicKey(gateway.engine, { by: 'test', merchantId: account.merchantId, name: key.name });
    await expectRefusal(signDraft(draftOf(key)), 'no public key of the name');
  });

  test('no two tamperings have one name', () => {
    const names = [...SIGNED_WRONGLY, ...TAMPERED].map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(30);
  });
});

async function expectRefusal(sent: Sendable, words: string): Promise<void> {
  const answer = await send(account, sent);
  expect(told(answer)).toBe('401 REJECTED AUTHENTICATION_ERROR');
  expect(cause(answer)).toContain(words);
  const depositId = (/"depositId":"([^"]+)"/.exec(sent.body) ?? [])[1] ?? randomUUID();
  expect(await select(gateway, 'select 1 from payment_keys where payment_id = $1', [depositId])).toEqual([]);
}

describe('where signatures are demanded', () => {
  test.each([
    ['/v2/deposits', () => depositRequest()],
    ['/v2/payouts', () => payoutRequest()],
    ['/v2/payouts/bulk', () => [payoutRequest()]],
    ['/v2/refunds', () => ({ refundId: randomUUID(), depositId: randomUUID() })],
    ['/v2/remittances', () => remittanceRequest()],
    ['/v2/remittances/bulk', () => [remittanceRequest()]],
    ['/v2/split-payments', () => ({ splitPaymentId: randomUUID() })],
  ])('%s is refused unsigned, and gets past the check when it is signed', async (path, body) => {
    const unsigned = await call(account, 'POST', path, body());
    expect(told(unsigned)).toBe('401 REJECTED AUTHENTICATION_ERROR');
    expect(cause(unsigned)).toContain('the Signature-Input header is missing');
    const signed = await send(account, signDraft(draftOf(shopKey, { path, body: body() })));
    expect([200, 400]).toContain(signed.status);
  });

  test.each([
    ['/deposits', () => earlierDeposit()],
    ['/payouts', () => earlierPayout()],
    ['/payouts/bulk', () => [earlierPayout()]],
    ['/refunds', () => earlierRefund(randomUUID())],
  ])('%s of API v1 is refused unsigned, and gets past the check signed', async (path, body) => {
    const unsigned = await call(account, 'POST', path, body());
    expect([unsigned.status, unsigned.body['errorCode']]).toEqual([401, 2]);
    const signed = await send(account, signDraft(draftOf(shopKey, { path, body: body() })));
    expect(signed.status).toBe(200);
  });

  test.each([
    ['GET', `/v2/deposits/${randomUUID()}`],
    ['POST', `/v2/deposits/resend-callback/${randomUUID()}`],
    ['POST', `/v2/payouts/fail-enqueued/${randomUUID()}`],
    ['GET', '/v2/active-conf'],
    ['GET', '/v2/public-key/http'],
  ])('%s %s starts nothing and needs none', async (method, path) => {
    expect((await call(account, method, path)).status).toBe(200);
  });

  test('the active configuration says so', async () => {
    const { body } = await call(account, 'GET', '/v2/active-conf');
    expect(body['signatureConfiguration']).toEqual({ signedRequestsOnly: true, signedCallbacks: true });
  });

  test('the refusal repeats the identifier', async () => {
    const request = depositRequest();
    const { body } = await call(account, 'POST', '/v2/deposits', request);
    expect(body['depositId']).toBe(request['depositId']);
  });
});

test('where they are not demanded, the headers are not evaluated and nothing is signed', async () => {
  const free = await openAccount(gateway);
  const signed = signDraft(draftOf());
  const headers = { ...signed.headers, signature: 'garbage', 'accept-signature': 'ecdsa-p256-sha256' };
  const answer = await send(free, { ...signed, headers });
  expect(told(answer)).toBe('200 ACCEPTED');
  expect(answer.headers['signature']).toBeUndefined();
});

const draftFor = (url: string, path: string) =>
  draftRequest({ url, path, body: JSON.stringify(depositRequest()), key: shopKey });

describe('behind a public address', () => {
  let proxied: TestGateway;
  let shop: Account;
  beforeAll(async () => {
    const v1Hosts = new Set(['api.old.example']);
    proxied = await openTestGateway({ publicUrl: 'https://pay.example/gateway', v1Hosts });
    shop = await openAccount(proxied);
    const { merchantId } = shop;
    const { name, pem } = shopKey;
    await addPublicKey(proxied.engine, { by: 'test', merchantId, name, algorithm: 'ecdsa-p256-sha256', pem });
    await requireSignatures(proxied.engine, { by: 'test', merchantId, covers: 'PAYMENTS', isRequired: true });
  });
  afterAll(() => proxied.stop());

  test('a signature is for the address that the client saw, whatever the Host header says', async () => {
    const signed = signDraft(draftFor('https://pay.example', '/gateway/v2/deposits'));
    expect(told(await send(shop, { ...signed, path: '/v2/deposits' }))).toBe('200 ACCEPTED');
  });

  test('behind a public address a client of an older host signs for that one', async () => {
    const body = JSON.stringify(earlierDeposit());
    const draft = draftRequest({ url: 'https://api.old.example', path: '/deposits', body, key: shopKey });
    const signed = signDraft(draft);
    const headers = { ...signed.headers, host: 'api.old.example' };
    expect((await send(shop, { ...signed, headers })).status).toBe(200);
    expect((await send(shop, signed)).status).toBe(401);
  });

  test('and not for the one behind the proxy', async () => {
    const answer = await send(shop, signDraft(draftFor(proxied.url, '/v2/deposits')));
    expect(told(answer)).toBe('401 REJECTED AUTHENTICATION_ERROR');
  });
});

const ask = async (headers: Record<string, string>, body: unknown = depositRequest()) => {
  const signed = signDraft(draftOf(shopKey, { body }));
  return send(account, { ...signed, headers: { ...signed.headers, ...headers } });
};

describe('the answer to a signed request', () => {
  test.each([
    ['sha-512', 'sha-512'],
    ['sha-256', 'sha-256'],
    ['sha-256,sha-512', 'sha-256'],
    ['md5, sha-512;q=0.5', 'sha-512'],
  ] as const)(
    'the answer to a signed request has the digest that Accept-Digest asks for: %s',
    async (accepted, algorithm) => {
      const answer = await ask({ 'accept-digest': accepted });
      expect(answer.headers['content-digest']).toBe(digestOf(answer.text, algorithm));
      expect(answer.headers['signature']).toBeUndefined();
    },
  );

  test('the answer to a signed request has neither digest nor signature where none is asked for, or none that we can make', async () => {
    for (const headers of [{}, { 'accept-digest': 'md5', 'accept-signature': 'rsa-pss-sha512' }]) {
      const answer = await ask(headers);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-digest']).toBeUndefined();
      expect(answer.headers['signature']).toBeUndefined();
    }
  });

  test.each<[string, unknown, number]>([
    ['an acceptance', depositRequest(), 200],
    ['a refusal', { depositId: 'x' }, 400],
  ])(
    'the answer to a signed request is signed where Accept-Signature asks for it: %s',
    async (_, body, status) => {
      const answer = await ask({ 'accept-signature': 'rsa-pss-sha512, ecdsa-p256-sha256' }, body);
      expect(answer.status).toBe(status);
      expect(answer.headers['content-digest']).toBe(digestOf(answer.text));
      const published = await call(account, 'GET', '/v2/public-key/http');
      const [{ id, key }] = published.body as unknown as [{ id: string; key: string }];
      const isGood = await httpbis.verifyMessage(
        {
          keyLookup: async ({ keyid }) =>
            keyid === id
              ? {
                  id,
                  algs: ['ecdsa-p256-sha256'],
                  verify: async (data, bytes) => verify('sha256', data, key, bytes),
                }
              : null,
          requiredFields: ['@status', 'signature-date', 'content-digest', 'content-type', 'content-length'],
          tolerance: 5,
        },
        { status: answer.status, headers: answer.headers },
      );
      expect(isGood).toBe(true);
    },
  );
});

describe('order of checks: of two faults the first is told', () => {
  test('signature before schema', async () => {
    const answer = await call(account, 'POST', '/v2/deposits', { depositId: 'x' });
    expect(told(answer)).toBe('401 REJECTED AUTHENTICATION_ERROR');
  });

  test('signature before duplicate', async () => {
    const request = depositRequest();
    await send(account, signDraft(draftOf(shopKey, { body: request })));
    expect(told(await call(account, 'POST', '/v2/deposits', request))).toBe(
      '401 REJECTED AUTHENTICATION_ERROR',
    );
  });

  test('a signed request that is no JSON is told so', async () => {
    expect(told(await send(account, signDraft(draftOf(shopKey, { body: '{' }))))).toBe(
      '400 REJECTED INVALID_INPUT',
    );
  });
});

test('moving the clock of the sandbox changes nothing about what is young', async () => {
  await gateway.gateway.movableClock!.move(3_600_000);
  const draft = draftOf();
  expect(baseOf(draft)).toContain('"@method": POST');
  expect(told(await send(account, signDraft(draft)))).toBe('200 ACCEPTED');
});
