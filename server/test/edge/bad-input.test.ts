// Requests that once made the gateway answer 500, found by `npm run fuzz`. Sent as bytes: no client would write them.
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Connection } from '../../../drills/fuzz/connection.ts';
import { createMetrics } from '../../src/edge/metrics.ts';
import type { Look } from '../../src/edge/pages/look/look.ts';
import { createHealthServer } from '../../src/edge/server.ts';
import { callerWith, CONSOLE, createPerson, PASSWORD, signIn } from '../console/people.ts';
import { call, openTestGateway, type TestGateway } from '../gateway.ts';
import { told } from './answers.ts';

let gateway: TestGateway;
let cookie: string;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api', console: CONSOLE });
  const { email } = await createPerson(gateway, 'OPERATOR_ADMIN');
  cookie = await signIn(gateway, { email, password: PASSWORD });
});
afterAll(() => gateway.stop());

const ME = '/console/api/me';

async function statusOf(line: string, headers: readonly string[] = []): Promise<number | undefined> {
  const connection = new Connection(Number(new URL(gateway.url).port));
  const text = `${[line, `Cookie: ${cookie}`, ...headers].join('\r\n')}\r\n\r\n`;
  const [method = ''] = line.split(' ');
  const sending = { bytes: Buffer.from(text), methods: [method], isHalfClosed: false, timeoutMs: 5_000 };
  const { answers } = await connection.exchange(sending);
  connection.close();
  return answers[0]?.status;
}

test.each(['', 'a b', 'a:b:c', '[::1', 'a:99999', 'evil.example/path', 'user@evil.example', 'a?b', '%zz'])(
  'a Host that is none is refused: "%s"',
  async (host) => {
    expect(await statusOf(`GET ${ME} HTTP/1.1`, [`Host: ${host}`])).toBe(400);
    expect(await statusOf('GET /health HTTP/1.1', [`Host: ${host}`])).toBe(400);
  },
);

test('a Host is a name or an address, with a port or without', async () => {
  for (const host of ['localhost', 'pay_1.example', '127.0.0.1:8080', '[::1]', '[::1]:8080'])
    expect(await statusOf('GET /health HTTP/1.1', [`Host: ${host}`])).toBe(200);
});

test('HTTP/1.0 needs no Host, at the console neither', async () => {
  expect(await statusOf(`GET ${ME} HTTP/1.0`)).toBe(200);
});

test('a body has half a minute to arrive, as a head has', async () => {
  const parts = { metrics: createMetrics(), logger: pino({ level: 'silent' }), isStopping: () => false };
  const noOnes = { sandbox: null, console: null, look: { assets: [] } as unknown as Look };
  const app = await createHealthServer(gateway.engine, { ...parts, ...noOnes });
  const { headersTimeout, requestTimeout } = app.server;
  await app.close();
  // Where the limit for heads is the longer one, Node takes it for bodies.
  expect([headersTimeout, requestTimeout]).toEqual([30_000, 30_000]);
});

test('the console answers HEAD as GET', async () => {
  expect(await statusOf(`HEAD ${ME} HTTP/1.1`, ['Host: localhost'])).toBe(200);
});

test.each([
  ['an array of an object', [[{ toString: 'RWA' }]]],
  ['an object that cannot be text', [{ toString: 1, valueOf: 1 }]],
  ['something nested deep', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
])('countries of a checkout are texts, and nothing is made of %s', async (_, countries) => {
  const list = typeof countries === 'string' ? countries : JSON.stringify(countries);
  const body = `{"checkoutId":"${randomUUID()}","returnUrl":"https://shop.example/","countries":${list}}`;
  const answer = await call(gateway, 'POST', '/v2/checkouts', body);
  expect(told(answer)).toBe('400 REJECTED INVALID_PARAMETER countries[0]');
});

test('a merchant is the same in capitals, also where its identifier stands in the body', async () => {
  const person = callerWith(gateway, cookie);
  await person('POST', 'api/me/confirm', { password: PASSWORD });
  const merchantId = gateway.merchantId.toUpperCase();
  const erasure = { merchantId, phoneNumber: '250783456789', reason: 'asked for' };
  expect((await person('POST', 'api/host/erasures', erasure)).status).toBe(200);
  const place = { country: 'RWA', currency: 'RWF', amount: '5', reason: 'a deposit at the bank' };
  expect(
    (await person('POST', 'api/host/money-requests', { merchantId, type: 'TOP_UP', ...place })).status,
  ).toBe(200);
});

test.each([
  ['a zero', 'someone\u0000@example.com'],
  ['half a character', 'someone\ud800@example.com'],
])('a text of the console with %s in it is refused', async (_, email) => {
  const invitation = { email, role: 'OPERATOR_SUPPORT' };
  const answer = await callerWith(gateway, cookie)('POST', 'api/host/team/invitations', invitation);
  expect([answer.status, answer.body.failureReason.failureCode]).toEqual([400, 'INVALID_INPUT']);
});

const SOME_ID = '00000000-0000-4000-8000-000000000000';

test.each([
  ['host/merchants?after=', JSON.stringify(['Shop', 'no-uuid'])],
  ['host/merchants?after=', JSON.stringify(['Sh\u0000p', SOME_ID])],
  ['host/cases?status=OPEN&cursor=', `0000-00-00T99:99:99.999Z ${SOME_ID}`],
  [
    `host/accounts/${SOME_ID}/movements?cursor=`,
    `2026-01-01T00:00:00.000Z ${SOME_ID} X ${SOME_ID} 999999999999999`,
  ],
  ['merchants/MERCHANT/payments?cursor=', JSON.stringify(['+275760-09-13T00:00:00.000Z', SOME_ID])],
  [
    'merchants/MERCHANT/movements?country=RWA&currency=RWF&cursor=',
    `2026-01-01T00:00:00.000Z DEPOSIT ${SOME_ID} 2147483648`,
  ],
])('a place in a list that the database cannot look for is refused: %s%s', async (path, cursor) => {
  const address = path.replace('MERCHANT', gateway.merchantId) + Buffer.from(cursor).toString('base64url');
  const { status, body } = await callerWith(gateway, cookie)('GET', `api/${address}`);
  expect([status, body.failureReason.failureCode]).toEqual([400, 'INVALID_INPUT']);
});

test('a thousand words of a short list are too many', async () => {
  const operations = Array.from({ length: 1_000 }, () => 'DEPOSIT');
  const address = `api/host/merchants/${gateway.merchantId}`;
  const person = callerWith(gateway, cookie);
  await person('POST', 'api/me/confirm', { password: PASSWORD });
  const switched = { providers: ['AIRTEL_RWA'], operations, to: 'ON' };
  expect((await person('PUT', `${address}/operations`, { operations })).status).toBe(400);
  expect((await person('PUT', `${address}/providers`, switched)).status).toBe(400);
});

test('a leap second is a time', async () => {
  const address = `api/merchants/${gateway.merchantId}/payments?from=2016-12-31T23:59:60Z`;
  expect((await callerWith(gateway, cookie)('GET', address)).status).toBe(200);
});

test.each(['x', '%7B%7D', '%00', "' or 1=1", 'ffffffff-ffff-ffff-ffff-fffffffffff'])(
  'a merchant whose identifier is none is found by no one, not even by the host: %s',
  async (merchantId) => {
    const { status } = await callerWith(gateway, cookie)('GET', `api/merchants/${merchantId}/team`);
    expect(status).toBe(404);
  },
);
