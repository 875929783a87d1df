// What a well-formed deposit request can be answered with: accepted, repeated, or rejected with a code.
// Rows of api.md "Deposit initiation response", "Errors" (HTTP 200) and "Limits"; of completions.md "Order of checks",
// 3.1 and section 9.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { changeAvailability } from '../../src/core/merchants/administer-merchants.ts';
import type { Availability } from '../../src/store/operators/availability.ts';
import {
  call,
  depositRequest,
  openTestGateway,
  payer,
  readDeposit,
  select,
  type Answer,
  type TestGateway,
} from '../gateway.ts';
import { openAccount, type Account } from './accounts.ts';
import { quotedByAnswer, told } from './answers.ts';

const PROVIDER = 'MTN_MOMO_RWA';

let gateway: TestGateway;
/** Only one provider is active here, and deposits can be switched off without disturbing anybody. */
let account: Account;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
  account = await openAccount(gateway, { providers: [PROVIDER] });
});
afterAll(() => gateway.stop());

function send(body: unknown, as: Pick<Account, 'url' | 'apiToken'> = account): Promise<Answer> {
  return call(as, 'POST', '/v2/deposits', body);
}

async function setAvailability(status: Availability): Promise<void> {
  const change = { by: 'test', provider: PROVIDER, operation: 'DEPOSIT', status } as const;
  await changeAvailability(gateway.engine, change);
}

async function setOperations({ merchantId }: Account, operations: readonly string[]): Promise<void> {
  await select(gateway, 'update merchants set operations = $2 where merchant_id = $1', [
    merchantId,
    operations,
  ]);
}

/** A deposit to a provider that takes two currencies. */
function congolese(amount: string, currency: string): Promise<Answer> {
  return send(depositRequest({ amount, currency, payer: payer('AIRTEL_COD', '243973456789') }), gateway);
}

describe('deposit initiation response', () => {
  test('ACCEPTED: depositId echoed, created, nextStep, and nothing else', async () => {
    const before = Date.now();
    const request = depositRequest();
    const { status, body } = await send(request);
    expect(status).toBe(200);
    expect(body).toEqual({
      depositId: request['depositId'],
      status: 'ACCEPTED',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      nextStep: 'FINAL_STATUS',
    });
    expect(Date.parse(body['created'])).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body['created'])).toBeLessThanOrEqual(Date.now());
  });

  test('DUPLICATE_IGNORED: depositId echoed, created of the first request, and nothing else', async () => {
    const request = depositRequest();
    const { created } = (await send(request)).body;
    const { depositId } = request;
    expect(await send(request)).toEqual({
      status: 200,
      body: { depositId, status: 'DUPLICATE_IGNORED', created },
    });
  });

  test('REJECTED: depositId echoed, failureReason, no created, and nothing else', async () => {
    const request = depositRequest({ amount: '0' });
    expect(await send(request)).toEqual({
      status: 200,
      body: {
        depositId: request['depositId'],
        status: 'REJECTED',
        failureReason: { failureCode: 'AMOUNT_OUT_OF_BOUNDS', failureMessage: expect.any(String) },
      },
    });
  });
});

describe('rejections, HTTP 200, and what clients read out of their messages', () => {
  test.each([
    [
      'INVALID_PROVIDER: known, but not on the account',
      { payer: payer('AIRTEL_RWA', '250733456789') },
      ['AIRTEL_RWA'],
    ],
    ['INVALID_PHONE_NUMBER: not of the country', { payer: payer(PROVIDER, '260763456789') }, ['RWA']],
    ['INVALID_CURRENCY: not supported by the provider', { currency: 'USD' }, ['USD', PROVIDER]],
    ['INVALID_AMOUNT: more decimals than the provider takes', { amount: '100.5' }, [PROVIDER, '0']],
    ['INVALID_AMOUNT: even when they are zeroes', { amount: '5.00' }, [PROVIDER, '0']],
    ['AMOUNT_OUT_OF_BOUNDS: zero', { amount: '0' }, ['5', '2000000', PROVIDER]],
    ['AMOUNT_OUT_OF_BOUNDS: below the minimum', { amount: '4' }, ['5', '2000000', PROVIDER]],
    ['AMOUNT_OUT_OF_BOUNDS: above the maximum', { amount: '2000001' }, ['5', '2000000', PROVIDER]],
  ])('%s', async (title, changes, quoted) => {
    const answer = await send(depositRequest(changes));
    expect(told(answer)).toBe(`200 REJECTED ${title.split(':')[0]}`);
    expect(quotedByAnswer(answer)).toEqual(quoted);
  });

  test('INVALID_AMOUNT: three decimals where two are taken', async () => {
    const request = { amount: '15.500', currency: 'ZMW', payer: payer('MTN_MOMO_ZMB', '260763456789') };
    const answer = await send(depositRequest(request), gateway);
    expect(told(answer)).toBe('200 REJECTED INVALID_AMOUNT');
    expect(quotedByAnswer(answer)).toEqual(['MTN_MOMO_ZMB', '2']);
  });

  test.each(['5', '2000000'])('the limits themselves are within bounds: %s', async (amount) => {
    expect(told(await send(depositRequest({ amount })))).toBe('200 ACCEPTED');
  });

  test('limits depend on provider and currency', async () => {
    expect(told(await congolese('2500.01', 'USD'))).toBe('200 REJECTED AMOUNT_OUT_OF_BOUNDS');
    expect(told(await congolese('2500.01', 'CDF'))).toBe('200 ACCEPTED');
    expect(told(await congolese('99.99', 'CDF'))).toBe('200 REJECTED AMOUNT_OUT_OF_BOUNDS');
  });
});

describe('PROVIDER_TEMPORARILY_UNAVAILABLE', () => {
  afterEach(() => setAvailability('OPERATIONAL'));

  test.each<Availability>(['DELAYED', 'CLOSED'])('a deposit to a %s provider is rejected', async (status) => {
    await setAvailability(status);
    const answer = await send(depositRequest());
    expect(told(answer)).toBe('200 REJECTED PROVIDER_TEMPORARILY_UNAVAILABLE');
    expect(quotedByAnswer(answer)).toEqual([PROVIDER]);
  });

  test('an OPERATIONAL provider takes deposits again, with the identifier that was rejected', async () => {
    await setAvailability('CLOSED');
    const request = depositRequest();
    expect(told(await send(request))).toBe('200 REJECTED PROVIDER_TEMPORARILY_UNAVAILABLE');
    await setAvailability('OPERATIONAL');
    expect(told(await send(request))).toBe('200 ACCEPTED');
  });

  test('another provider of the country is not touched', async () => {
    await setAvailability('CLOSED');
    const airtel = depositRequest({ payer: payer('AIRTEL_RWA', '250733456789') });
    expect(told(await send(airtel, gateway))).toBe('200 ACCEPTED');
  });
});

describe('DEPOSITS_NOT_ALLOWED, HTTP 403', () => {
  test('operation not enabled for the account; other accounts are not touched', async () => {
    const closed = await openAccount(gateway, { operations: [] });
    const request = depositRequest();
    expect(await send(request, closed)).toEqual({
      status: 403,
      body: {
        depositId: request['depositId'],
        status: 'REJECTED',
        failureReason: { failureCode: 'DEPOSITS_NOT_ALLOWED', failureMessage: expect.any(String) },
      },
    });
    expect(told(await send(request))).toBe('200 ACCEPTED');
  });
});

describe('order of the business checks: of two faults the first is told', () => {
  const noOne = '1';
  afterEach(() => setAvailability('OPERATIONAL'));

  test('operation enabled for the account before provider', async () => {
    const closed = await openAccount(gateway, { operations: [] });
    const request = depositRequest({ payer: payer('AIRTEL_RWA', noOne) });
    expect(told(await send(request, closed))).toBe('403 REJECTED DEPOSITS_NOT_ALLOWED');
  });

  test.each([
    ['provider before phone', { payer: payer('AIRTEL_RWA', noOne) }, 'INVALID_PROVIDER'],
    ['phone before currency', { payer: payer(PROVIDER, noOne), currency: 'XXX' }, 'INVALID_PHONE_NUMBER'],
    ['currency before amount decimals', { currency: 'XXX', amount: '100.1234' }, 'INVALID_CURRENCY'],
    ['amount decimals before bounds', { amount: '0.5' }, 'INVALID_AMOUNT'],
  ])('%s', async (_, changes, code) => {
    expect(told(await send(depositRequest(changes)))).toBe(`200 REJECTED ${code}`);
  });

  test('order of the business checks: of two faults the first is told bounds before availability', async () => {
    await setAvailability('CLOSED');
    expect(told(await send(depositRequest({ amount: '1' })))).toBe('200 REJECTED AMOUNT_OUT_OF_BOUNDS');
  });
});

describe('duplicate before operation enabled and before every business check', () => {
  afterEach(async () => {
    await setAvailability('OPERATIONAL');
    await setOperations(account, ['DEPOSIT']);
  });

  test('a repeat is DUPLICATE_IGNORED even while the provider is closed', async () => {
    const request = depositRequest();
    await send(request);
    await setAvailability('CLOSED');
    expect(told(await send(request))).toBe('200 DUPLICATE_IGNORED');
  });

  test('a repeat is DUPLICATE_IGNORED even while the operation is switched off', async () => {
    const request = depositRequest();
    await send(request);
    await setOperations(account, []);
    expect(told(await send(request))).toBe('200 DUPLICATE_IGNORED');
    expect(told(await send(depositRequest()))).toBe('403 REJECTED DEPOSITS_NOT_ALLOWED');
  });

  test.each([
    ['a provider that is not on the account', { payer: payer('AIRTEL_RWA', '250733456789') }],
    ['a phone number of another country', { payer: payer(PROVIDER, '260763456789') }],
    ['a currency no one has', { currency: 'XXX' }],
    ['too many decimals', { amount: '100.1234' }],
    ['an amount out of bounds', { amount: '0' }],
  ])('a repeat is DUPLICATE_IGNORED even with %s', async (_, changes) => {
    const request = depositRequest();
    await send(request);
    expect(told(await send({ ...request, ...changes }))).toBe('200 DUPLICATE_IGNORED');
  });
});

describe('idempotency: by id per account and kind, for good', () => {
  test('a duplicate with a different body is ignored: the first wins', async () => {
    const request = depositRequest({ amount: '100' });
    await send(request, gateway);
    const other = { ...request, amount: '200', payer: payer('AIRTEL_RWA', '250733456789') };
    expect(told(await send(other, gateway))).toBe('200 DUPLICATE_IGNORED');
    expect(await readDeposit(gateway, request['depositId'])).toMatchObject({
      amount: '100',
      payer: payer(PROVIDER, '250783456789'),
    });
  });

  test('an identifier in other letters is the same identifier', async () => {
    const request = depositRequest();
    await send(request);
    const depositId: string = request['depositId'].toUpperCase();
    expect((await send({ ...request, depositId })).body).toMatchObject({
      depositId,
      status: 'DUPLICATE_IGNORED',
    });
  });

  test('a REJECTED identifier was never accepted and may be reused with corrected data', async () => {
    const request = depositRequest({ amount: '0' });
    expect(told(await send(request))).toBe('200 REJECTED AMOUNT_OUT_OF_BOUNDS');
    expect(told(await send({ ...request, amount: '100' }))).toBe('200 ACCEPTED');
  });

  test('two accounts may use one identifier', async () => {
    const request = depositRequest();
    expect(told(await send(request))).toBe('200 ACCEPTED');
    expect(told(await send(request, gateway))).toBe('200 ACCEPTED');
  });
});
