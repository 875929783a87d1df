// Toolkit and finances of API v1. Rows of api.md about records of API v1 and "Versioning" 6 to 9,
// of completions section 2 and "Earlier records".
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeAvailability } from '../../src/core/merchants/administer-merchants.ts';
import { listProviders } from '../../src/domain/operators/catalogue.ts';
import { call, openTestGateway, type TestGateway } from '../gateway.ts';
import { topUp } from '../payments.ts';
import type { Body } from '../requests.ts';
import { openAccount, type Account } from './accounts.ts';

let gateway: TestGateway;
let account: Account;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
  account = await openAccount(gateway, {
    companyName: 'Café Kigali',
    operations: ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'],
    providers: ['MTN_MOMO_RWA', 'AIRTEL_COD', 'WAVE_SEN'],
  });
});
afterAll(() => gateway.stop());

const ask = (path: string, as: Pick<Account, 'url' | 'apiToken'> = account) => call(as, 'GET', path);

describe('Active configuration', () => {
  test('merchantId, merchantName, countries, each with correspondents', async () => {
    const { status, body } = await ask('/active-conf');
    expect(status).toBe(200);
    expect(body).toMatchObject({ merchantId: account.merchantId, merchantName: 'Café Kigali' });
    expect(body['countries'].find(({ country }: Body) => country === 'RWA')).toEqual({
      country: 'RWA',
      correspondents: [
        {
          correspondent: 'MTN_MOMO_RWA',
          currency: 'RWF',
          ownerName: 'Café Kigali',
          operationTypes: ['DEPOSIT', 'PAYOUT', 'REFUND'].map((operationType) => ({
            operationType,
            minTransactionLimit: expect.stringMatching(/^\d+$/),
            maxTransactionLimit: expect.stringMatching(/^\d+$/),
          })),
        },
      ],
    });
  });

  test('Active configuration has one entry per currency (DRC) and no REMITTANCE', async () => {
    const { body } = await ask('/active-conf');
    const { correspondents } = body['countries'].find(({ country }: Body) => country === 'COD');
    expect(correspondents.map(({ correspondent, currency }: Body) => [correspondent, currency])).toEqual([
      ['AIRTEL_COD', 'CDF'],
      ['AIRTEL_COD', 'USD'],
    ]);
    expect(JSON.stringify(body)).not.toContain('REMITTANCE');
  });

  test('Active configuration offers no deposits of a provider that redirects its payers, because none would be accepted', async () => {
    const { body } = await ask('/active-conf');
    const { correspondents } = body['countries'].find(({ country }: Body) => country === 'SEN');
    expect(correspondents[0].operationTypes.map(({ operationType }: Body) => operationType)).not.toContain(
      'DEPOSIT',
    );
  });
});

describe('Availability', () => {
  test('Availability needs no token, lists every correspondent of the platform, with operation types as a list', async () => {
    const answer = await fetch(`${gateway.url}/availability`);
    expect(answer.status).toBe(200);
    const body: any = await answer.json();
    const codes = body.flatMap(({ correspondents }: Body) =>
      correspondents.map(({ correspondent }: Body) => correspondent),
    );
    expect(codes.toSorted()).toEqual(
      listProviders()
        .map(({ code }) => code)
        .toSorted(),
    );
    expect(body.find(({ country }: Body) => country === 'RWA').correspondents[0]).toEqual({
      correspondent: expect.any(String),
      operationTypes: ['DEPOSIT', 'PAYOUT', 'REFUND'].map((operationType) => ({
        operationType,
        status: 'OPERATIONAL',
      })),
    });
  });

  test('Availability tells what was closed', async () => {
    const change = { by: 'test', provider: 'MTN_MOMO_RWA', operation: 'PAYOUT' } as const;
    await changeAvailability(gateway.engine, { ...change, status: 'CLOSED' });
    const { body } = await ask('/availability');
    await changeAvailability(gateway.engine, { ...change, status: 'OPERATIONAL' });
    const rwanda = body.find(({ country }: Body) => country === 'RWA');
    const { operationTypes } = rwanda.correspondents.find(
      ({ correspondent }: Body) => correspondent === 'MTN_MOMO_RWA',
    );
    expect(operationTypes).toContainEqual({ operationType: 'PAYOUT', status: 'CLOSED' });
  });
});

const predict = (body: unknown) => call(account, 'POST', '/v1/predict-correspondent', body);

describe('Prediction', () => {
  test('{ msisdn } gives country, operator, correspondent and the cleaned msisdn', async () => {
    expect(await predict({ msisdn: '+250 (0)783 456-789' })).toEqual({
      status: 200,
      body: { country: 'RWA', operator: 'MTN', correspondent: 'MTN_MOMO_RWA', msisdn: '250783456789' },
    });
  });

  test.each([
    ['a number of no one', { msisdn: '1' }],
    ['the word of API v2', { phoneNumber: '250783456789' }],
    ['nothing', {}],
  ])('%s is 400 with errorCode 1', async (_, body) => {
    const { status, body: told } = await predict(body);
    expect([status, told['errorCode']]).toEqual([400, 1]);
  });
});

describe('Wallet balances', () => {
  test('balances with country, balance, currency and mno: all of them, or those of the country in the path', async () => {
    await topUp(gateway, account.merchantId, '1500');
    const { body } = await ask('/v1/wallet-balances');
    const rwanda = { country: 'RWA', balance: '1500.00', currency: 'RWF', mno: '' };
    expect(body['balances']).toContainEqual(rwanda);
    expect(body['balances'].length).toBeGreaterThan(1);
    expect((await ask('/v1/wallet-balances/RWA')).body).toEqual({ balances: [rwanda] });
  });

  test('a country no one is in is 400 with errorCode 1', async () => {
    const { status, body } = await ask('/v1/wallet-balances/XXX');
    expect([status, body['errorCode']]).toEqual([400, 1]);
  });
});
