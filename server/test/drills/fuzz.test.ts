// What `npm run fuzz` is made of: sound values fit, faults are known for what they are, and a hole is found.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { marketOf } from '../../../drills/kit/load/markets.ts';
import { expectedOf } from '../../../drills/fuzz/body-cases.ts';
import { randomCase } from '../../../drills/fuzz/cases.ts';
import { takeAnswer, type Exchange } from '../../../drills/fuzz/connection.ts';
import { readOperations, type Operation } from '../../../drills/fuzz/document.ts';
import { randomUuid, randomValue } from '../../../drills/fuzz/random-values.ts';
import { HOLES } from '../../../drills/fuzz/holes.ts';
import { renderJson } from '../../../drills/fuzz/hostile.ts';
import { checkAnswer } from '../../../drills/fuzz/check-answer.ts';
import { runFuzz } from '../../../drills/fuzz/run.ts';
import { fits, type Schema } from '../../../drills/fuzz/schema.ts';
import { FAMILIES, refused, type Case, type Expected, type World } from '../../../drills/fuzz/world.ts';
import { streamOf } from '../../../drills/kit/random.ts';
import { createKey } from '../signing.ts';

const LIMITS = { min: '100', max: '2000000', decimals: 0 };

const world: World = {
  port: 1,
  host: 'gateway.example',
  token: 'token-of-a-shop',
  poorToken: 'poor',
  withdrawnToken: 'withdrawn',
  signer: { token: 'token-of-a-signer', key: createKey('main', 'ecdsa-p256-sha256') },
  cookie: 'session=abc.def',
  password: 'a long password of theirs',
  markets: [marketOf('MTN_MOMO_RWA')],
  consoleMarkets: [marketOf('MTN_MOMO_UGA')],
  offers: ['MTN_MOMO_RWA', 'AIRTEL_RWA'].map((provider) => ({
    provider,
    country: 'RWA',
    prefix: '250',
    currency: 'RWF',
    authType: 'PROVIDER_AUTH',
    limits: { DEPOSIT: LIMITS, PAYOUT: LIMITS },
  })),
  pool: {},
  pages: [{ path: '/pay/x', token: 'form', statusPath: '/v2/deposits/x', untouched: ['NOT_FOUND'] }],
  waiting: [{ depositId: 'x', reference: 'y' }],
  connectors: ['simulator'],
};

const operations = readOperations();

test('the documents are read whole: three API versions, and every body of them', () => {
  const counted = Object.groupBy(operations, ({ apiVersion }) => apiVersion);
  expect(counted.v2?.length).toBeGreaterThanOrEqual(30);
  expect(counted.v1?.length).toBeGreaterThanOrEqual(19);
  expect(counted.console?.length).toBeGreaterThanOrEqual(80);
});

test.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  'what is generated for %s fits its schemas',
  (_, { body, inPath, inQuery }) => {
    for (let number = 1; number <= 20; number += 1) {
      const scene = { random: streamOf(number, 'sound'), world, market: marketOf('MTN_MOMO_RWA') };
      const parts = [...inPath, ...inQuery.filter(({ name }) => name !== 'cursor')];
      for (const { name, schema } of parts)
        expect(fits(schema, randomValue(schema, name, scene)), name).toBe(true);
      if (body === null) continue;
      const generated = randomValue(body, '', scene);
      expect(fits(body, generated), JSON.stringify(generated)).toBe(true);
    }
  },
);

test('a request is had again by seed and number, and every family comes up', () => {
  const generated = Array.from({ length: 700 }, (_, index) =>
    randomCase({ seed: 7, number: index + 1 }, world, operations),
  );
  expect(new Set(generated.map(({ family }) => family))).toEqual(new Set(FAMILIES));
  // Those that are signed carry the time.
  const sample = generated.findIndex(({ family }) => family === 'values of API v2');
  expect(randomCase({ seed: 7, number: sample + 1 }, world, operations)).toEqual(generated[sample]);
  expect(randomCase({ seed: 8, number: sample + 1 }, world, operations)).not.toEqual(generated[sample]);
});

function depositOf(changes: object): object {
  return {
    depositId: randomUuid(streamOf(1, 'identifier')),
    amount: '500',
    currency: 'RWF',
    payer: { type: 'MMO', accountDetails: { phoneNumber: '250783456789', provider: 'MTN_MOMO_RWA' } },
    ...changes,
  };
}

const payer = (details: object) => ({
  payer: {
    type: 'MMO',
    accountDetails: { phoneNumber: '250783456789', provider: 'MTN_MOMO_RWA', ...details },
  },
});

const deposits = operations.find(({ path }) => path === '/v2/deposits') as Operation;

test.each<[Expected['type'], string, object]>([
  ['ANYTHING', 'a sound deposit', {}],
  ['ANYTHING', 'a name that every object has', { metadata: [{ constructor: 'x' }] }],
  ['REFUSED', 'an unknown field', { more: 1 }],
  ['REFUSED', 'an identifier of version 1', { depositId: 'f4401bd2-1568-1140-bf2d-eb77d2b2b639' }],
  ['REFUSED', 'an amount as a number', { amount: 500 }],
  ['REFUSED', 'a leading zero', { amount: '0500' }],
  ['REFUSED', 'a line break behind the amount', { amount: '500\n' }],
  ['REFUSED', 'a provider no one has', payer({ provider: 'MOON' })],
  [
    'REFUSED',
    'eleven entries of metadata',
    { metadata: Array.from({ length: 11 }, (_, n) => ({ [`n${n}`]: 'x' })) },
  ],
  ['REFUSED', 'two names in one entry', { metadata: [{ a: 'x', b: 'y' }] }],
  ['REFUSED', 'an entry without a name', { metadata: [{ isPII: true }] }],
  ['REFUSED', 'one name twice', { metadata: [{ a: 'x' }, { a: 'y' }] }],
  ['REFUSED', 'a message of 23 letters', { customerMessage: 'x'.repeat(23) }],
  ['UNACCEPTED', 'a number of another country', payer({ phoneNumber: '260763456789' })],
  ['UNACCEPTED', 'a number with a plus', payer({ phoneNumber: '+250783456789' })],
  ['UNACCEPTED', 'a number that is too short', payer({ phoneNumber: '25078345678' })],
  ['UNACCEPTED', 'a currency that is not the provider’s', { currency: 'ZMW' }],
  ['UNACCEPTED', 'decimals that the provider has not', { amount: '500.00' }],
  ['UNACCEPTED', 'zero', { amount: '0' }],
  ['UNACCEPTED', 'more than the maximum', { amount: '2000001' }],
])('%s: %s', (type, _, changes) => {
  expect(expectedOf(deposits, Buffer.from(JSON.stringify(depositOf(changes))), world).type).toBe(type);
});

test('bytes that are not UTF-8, and JSON that is cut off, are not JSON', () => {
  const text = JSON.stringify(depositOf({}));
  const bad = Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff])]);
  for (const bytes of [bad, Buffer.from(text.slice(0, -1)), Buffer.from('')])
    expect(expectedOf(deposits, bytes, world)).toEqual(refused('it is not JSON'));
});

test.each<[boolean, Schema, unknown]>([
  [true, { type: 'string', maxLength: 2 }, '😀😀'],
  [false, { type: 'string', maxLength: 2 }, 'e\u0301e\u0301'],
  [true, { type: 'string', format: 'date' }, '2024-02-29'],
  [false, { type: 'string', format: 'date' }, '2023-02-29'],
  [false, { type: 'string', format: 'date-time' }, '2026-01-01T24:00:00Z'],
  [false, { type: 'string', format: 'date-time' }, '2026-01-01'],
  [false, { type: 'string', format: 'uuid' }, 'f4401bd2156841 40bf2deb77d2b2b639'],
  [false, { type: 'integer', minimum: 3, maximum: 60 }, 3.5],
  [false, { type: 'object', properties: {}, additionalProperties: false }, JSON.parse('{"__proto__":1}')],
  [false, { type: 'object', required: ['toString'], properties: {} }, {}],
])('%s: whether %j fits', (expected, schema, value) => {
  expect(fits(schema, value)).toBe(expected);
});

test('what no JSON library writes is written all the same', () => {
  const nested = renderJson({ a: '\u0002nest:[3]\u0003', b: '\u00021e999\u0003' });
  expect(nested).toBe('{"a":[[[1]]],"b":1e999}');
});

const asked = { family: 'framing', what: '', bytes: Buffer.alloc(0), methods: ['POST'] } as const;
const exchange = (status: number, body = '', end: Exchange['end'] = 'ANSWERED'): Exchange => ({
  answers: [{ status, headers: new Map(), body: Buffer.from(body) }],
  end,
  ms: 1,
});

test.each<[string | undefined, Expected, Exchange]>([
  ['SERVER_ERROR', { type: 'ANYTHING' }, exchange(503)],
  ['HANG', { type: 'ANYTHING' }, { answers: [], end: 'SILENT', ms: 1 }],
  [undefined, refused(''), exchange(400)],
  [undefined, refused(''), { answers: [], end: 'CLOSED', ms: 1 }],
  ['WRONG_ACCEPT', refused(''), exchange(200, '{"status":"REJECTED"}')],
  [undefined, { type: 'UNACCEPTED', why: '', at: null }, exchange(200, '{"status":"REJECTED"}')],
  ['WRONG_ACCEPT', { type: 'UNACCEPTED', why: '', at: null }, exchange(200, '{"status":"ACCEPTED"}')],
  ['WRONG_ACCEPT', { type: 'UNACCEPTED', why: '', at: null }, exchange(201, '{"redirectUrl":"x"}')],
  [
    undefined,
    { type: 'UNACCEPTED', why: '', at: 0 },
    exchange(200, '[{"status":"REJECTED"},{"status":"ACCEPTED"}]'),
  ],
  ['WRONG_ACCEPT', { type: 'UNACCEPTED', why: '', at: 1 }, exchange(200, '[{},{"status":"ACCEPTED"}]')],
])('%s is the judgement of %j', (kind, expected, answered) => {
  expect(checkAnswer({ ...asked, expected } satisfies Case, answered)?.kind).toBe(kind);
});

test('an answer is read whole or not at all, however it is framed', () => {
  const plain = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP');
  expect(takeAnswer(plain.subarray(0, -5), 'GET', false)).toBeNull();
  expect(takeAnswer(plain, 'GET', false)).toMatchObject({
    answer: { status: 200 },
    rest: Buffer.from('HTTP'),
  });
  const chunked = Buffer.from(
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n',
  );
  expect(takeAnswer(chunked, 'GET', false)?.answer.body.toString()).toBe('{}');
});

test.each(Object.entries(HOLES))('%s: its text stands in its file exactly once', (_, { file, find }) => {
  const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
  expect(text.split(find)).toHaveLength(2);
});

test('a validation that was taken out is found', async () => {
  const hole = HOLES['any-signature']!;
  const quiet = { only: null, waitsForSlow: false, keep: false, say: () => undefined };
  const { tally } = await runFuzz({ seed: 7, count: 300, hole, ...quiet });
  expect(tally.counts.SERVER_ERROR).toBe(0);
  expect(tally.counts.HANG).toBe(0);
  expect(tally.counts.WRONG_ACCEPT).toBeGreaterThan(0);
});
