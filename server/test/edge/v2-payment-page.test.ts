// Opening payment pages: what is answered, what is refused. What happens on the page is in server/test/pages.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, initiate, openTestGateway, select, type TestGateway } from '../gateway.ts';
import { openAccount, openToken } from './accounts.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

type Body = Record<string, any>;

function pageRequest(changes: Body = {}): Body {
  return { depositId: randomUUID(), returnUrl: 'https://shop.example/orders/1', ...changes };
}

const open = (request: Body, to: Pick<TestGateway, 'url' | 'apiToken'> = gateway) =>
  call(to, 'POST', '/v2/paymentpage', request);

const rwf = (amount: string) => ({ amountDetails: { amount, currency: 'RWF' } });

test('a page is answered 201 with an address that carries the home and cannot be guessed', async () => {
  const first = await open(pageRequest());
  const second = await open(pageRequest());
  expect(first.status).toBe(201);
  expect(Object.keys(first.body)).toEqual(['redirectUrl']);
  expect(first.body['redirectUrl']).toMatch(new RegExp(`^${gateway.url}/pay/0001[0-9A-Za-z]{14}$`));
  expect(first.body['redirectUrl']).not.toBe(second.body['redirectUrl']);
});

test('nothing is a deposit before the payer presses Pay', async () => {
  const request = pageRequest(rwf('100'));
  await open(request);
  const { body } = await call(gateway, 'GET', `/v2/deposits/${request['depositId']}`);
  expect(body).toEqual({ status: 'NOT_FOUND' });
});

test('neither the address nor the payer can be read in the table', async () => {
  const request = pageRequest({ phoneNumber: '250783456789', reason: 'Secret present' });
  const { body } = await open(request);
  const rows = await select(gateway, `select payment_pages::text as row from payment_pages`);
  const text = JSON.stringify(rows);
  expect(text).toContain(request['depositId']);
  const encrypted = ['250783456789', 'Secret present', body['redirectUrl'].slice(-18)];
  for (const secret of encrypted) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString('hex'));
  }
});

test('an identifier whose deposit exists is rejected with INVALID_STATE', async () => {
  const depositId = await initiate(gateway);
  const { status, body } = await open(pageRequest({ depositId }));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    depositId,
    status: 'REJECTED',
    failureReason: { failureCode: 'INVALID_STATE' },
  });
});

test.each<[string, Body]>([
  ['INVALID_PHONE_NUMBER', { phoneNumber: '250' }],
  ['INVALID_PHONE_NUMBER', { phoneNumber: '250783456789', country: 'ZMB' }],
  ['INVALID_CURRENCY', { amountDetails: { amount: '10', currency: 'EUR' } }],
  ['INVALID_CURRENCY', { country: 'ZMB', ...rwf('100') }],
  ['INVALID_AMOUNT', rwf('100.50')],
  ['AMOUNT_OUT_OF_BOUNDS', rwf('0')],
  ['AMOUNT_OUT_OF_BOUNDS', rwf('999999999999')],
])('%s is told with 200, and the identifier stays free: %j', async (code, changes) => {
  const request = pageRequest(changes);
  const { status, body } = await open(request);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    depositId: request['depositId'],
    status: 'REJECTED',
    failureReason: { failureCode: code },
  });
  expect((await open(pageRequest({ depositId: request['depositId'] }))).status).toBe(201);
});

test('a country that the account has no provider in is INVALID_COUNTRY', async () => {
  const account = await openAccount(gateway, { providers: ['MTN_MOMO_RWA'] });
  const { body } = await open(pageRequest({ country: 'KEN' }), account);
  expect(body['failureReason']).toEqual({
    failureCode: 'INVALID_COUNTRY',
    failureMessage: "The country 'KEN' does not fit: no provider of this account is there.",
  });
});

describe('what does not fit the specification is answered 400', () => {
  test.each<[string, string, Body]>([
    ['MISSING_PARAMETER', 'returnUrl', { returnUrl: undefined }],
    ['MISSING_PARAMETER', 'depositId', { depositId: undefined }],
    ['INVALID_PARAMETER', 'depositId', { depositId: 'x' }],
    ['INVALID_PARAMETER', 'returnUrl', { returnUrl: 'shop.example' }],
    ['INVALID_PARAMETER', 'returnUrl', { returnUrl: 'javascript:alert(1)' }],
    ['INVALID_PARAMETER', 'customerMessage', { customerMessage: 'abc' }],
    ['INVALID_PARAMETER', 'amountDetails.amount', { amountDetails: { amount: 1, currency: 'RWF' } }],
    ['MISSING_PARAMETER', 'amountDetails.currency', { amountDetails: { amount: '1' } }],
    ['INVALID_PARAMETER', 'language', { language: 'en' }],
    ['INVALID_PARAMETER', 'country', { country: 'XXX' }],
    ['INVALID_PARAMETER', 'reason', { reason: '' }],
    ['INVALID_PARAMETER', 'reason', { reason: 'x'.repeat(51) }],
    [
      'INVALID_PARAMETER',
      'metadata',
      { metadata: Array.from({ length: 11 }, (_, index) => ({ [index]: 'x' })) },
    ],
    ['DUPLICATE_METADATA_FIELD', 'a', { metadata: [{ a: '1' }, { a: '2' }] }],
    ['UNSUPPORTED_PARAMETER', 'surplus', { surplus: 1 }],
  ])('%s: %s', async (code, parameter, changes) => {
    const { status, body } = await open(pageRequest(changes));
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 'REJECTED', failureReason: { failureCode: code } });
    expect(body['failureReason'].failureMessage).toContain(`'${parameter}'`);
  });
});

test('the sandbox takes an http returnUrl', async () => {
  expect((await open(pageRequest({ returnUrl: 'http://localhost:3000/back' }))).status).toBe(201);
});

test('a token without the scope and an account without deposits are refused', async () => {
  const { apiToken } = await openToken(gateway, gateway.merchantId, { scopes: ['deposits:write'] });
  expect(await open(pageRequest(), { url: gateway.url, apiToken })).toMatchObject({
    status: 403,
    body: { failureReason: { failureCode: 'AUTHORISATION_ERROR' } },
  });
  const account = await openAccount(gateway, { operations: ['PAYOUT'] });
  expect(await open(pageRequest(), account)).toMatchObject({
    status: 403,
    body: { failureReason: { failureCode: 'DEPOSITS_NOT_ALLOWED' } },
  });
});

describe('API v1', () => {
  const openEarlier = (request: Body) => call(gateway, 'POST', '/v1/widget/sessions', request);

  test('API v1 opens the same page in its own words', async () => {
    const { status, body } = await openEarlier(
      pageRequest({
        statementDescription: 'Order 123456',
        amount: '100',
        msisdn: '250783456789',
        language: 'FR',
        country: 'RWA',
        reason: 'Tickets',
        metadata: [{ fieldName: 'orderId', fieldValue: 'ORD-1' }],
      }),
    );
    expect(status).toBe(201);
    expect(body['redirectUrl']).toMatch(/\/pay\/0001[0-9A-Za-z]{14}$/);
  });

  test.each<[string, Body]>([
    ['INVALID_PAYER_FORMAT', { msisdn: '250' }],
    ['AMOUNT_TOO_SMALL', { amount: '0', country: 'RWA' }],
    ['AMOUNT_TOO_LARGE', { amount: '999999999999', country: 'RWA' }],
  ])('%s is told with 200 and a rejectionReason', async (code, changes) => {
    const { status, body } = await openEarlier(pageRequest(changes));
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'REJECTED', rejectionReason: { rejectionCode: code } });
  });

  test('what does not fit is answered 400 with errorCode 1', async () => {
    const { status, body } = await openEarlier(pageRequest({ phoneNumber: '250783456789' }));
    expect(status).toBe(400);
    expect(body).toMatchObject({
      errorCode: 1,
      errorMessage: "The parameter 'phoneNumber' is not supported.",
    });
  });
});
