// What is active, what works now, whose a number is. Rows of api.md "Active configuration", "Availability" and
// "Endpoints" (rules 7 and 8); of completions.md 1.1, 1.6, 1.7, section 8 and "Where two readers…".
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openGateway } from '../../src/commands/serve/compose.ts';
import { changeAvailability, type Scope } from '../../src/core/merchants/administer-merchants.ts';
import { listProviders } from '../../src/domain/operators/catalogue.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../../src/domain/payments/payment.ts';
import type { Availability } from '../../src/store/operators/availability.ts';
import {
  call,
  depositRequest,
  openTestGateway,
  payer,
  select,
  type Answer,
  type TestGateway,
} from '../gateway.ts';
import { openAccount, openToken, type Account } from './accounts.ts';
import { quotedByAnswer, told } from './answers.ts';

let gateway: TestGateway;
/** Two countries, three kinds of payment, callbacks. */
let account: Account;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
  account = await openAccount(gateway, {
    companyName: 'Café Kigali',
    operations: ['DEPOSIT', 'PAYOUT', 'REFUND'],
    providers: ['MTN_MOMO_RWA', 'AIRTEL_RWA', 'AIRTEL_COD'],
    callbackUrl: 'https://shop.example/callbacks',
  });
});
afterAll(() => gateway.stop());
afterEach(async () => void (await select(gateway, 'delete from provider_availability')));

const get = (path: string, of: Pick<Account, 'url' | 'apiToken'> = account) => call(of, 'GET', path);
const predict = (body: unknown, of: Pick<Account, 'url' | 'apiToken'> = account) =>
  call(of, 'POST', '/v2/predict-provider', body);

async function setAvailability(provider: string, operation: PaymentKind, status: Availability) {
  await changeAvailability(gateway.engine, { by: 'test', provider, operation, status });
}

async function deposit(changes: Record<string, unknown> = {}, of: Account = account): Promise<string> {
  return told(await call(of, 'POST', '/v2/deposits', depositRequest(changes)));
}

async function payout(): Promise<string> {
  const recipient = payer('MTN_MOMO_RWA', '250783456789');
  const request = { payoutId: randomUUID(), amount: '100', currency: 'RWF', recipient };
  return told(await call(gateway, 'POST', '/v2/payouts', request));
}

/** "RWA AIRTEL_RWA RWF DEPOSIT" of everything that an active configuration lists. */
function listed({ body }: Answer): readonly string[] {
  return body['countries'].flatMap((country: any) =>
    country.providers.flatMap((provider: any) =>
      provider.currencies.flatMap((currency: any) =>
        Object.keys(currency.operationTypes).map((type) =>
          [country.country, provider.provider, currency.currency, type].join(' '),
        ),
      ),
    ),
  );
}

/** "RWA AIRTEL_RWA DEPOSIT OPERATIONAL" of everything that an availability lists. */
function available({ body }: Answer): readonly string[] {
  return (body as any).flatMap(({ country, providers }: any) =>
    providers.flatMap(({ provider, operationTypes }: any) =>
      Object.entries(operationTypes).map(([type, status]) => [country, provider, type, status].join(' ')),
    ),
  );
}

const shown = async () =>
  available(await get('/v2/availability?country=RWA')).filter((line) => /MTN.*(DEPOSIT|PAYOUT)/.test(line));

describe('GET /v2/active-conf', () => {
  test('Top, Country, Provider, Currency, Operation: the whole shape of one provider', async () => {
    const { status, body } = await get('/v2/active-conf?country=RWA&operationType=DEPOSIT');
    expect(status).toBe(200);
    expect(body).toEqual({
      companyName: 'Café Kigali',
      signatureConfiguration: { signedRequestsOnly: false, signedCallbacks: true },
      countries: [
        {
          country: 'RWA',
          displayName: { en: 'Rwanda', fr: 'Rwanda' },
          prefix: '250',
          flag: `${gateway.url}/artwork/flags/RWA.svg`,
          providers: [expect.anything(), expect.anything()],
        },
      ],
    });
    const mtn = body['countries'][0].providers.find(({ provider }: any) => provider === 'MTN_MOMO_RWA');
    expect(mtn).toEqual({
      provider: 'MTN_MOMO_RWA',
      nameDisplayedToCustomer: 'Café Kigali',
      displayName: 'MTN',
      logo: `${gateway.url}/artwork/providers/MTN_MOMO_RWA.svg`,
      currencies: [
        {
          currency: 'RWF',
          displayName: 'R₣',
          operationTypes: {
            DEPOSIT: {
              minAmount: '5',
              maxAmount: '2000000',
              decimalsInAmount: 'NONE',
              status: 'OPERATIONAL',
              callbackUrl: 'https://shop.example/callbacks',
              authType: 'PROVIDER_AUTH',
              pinPrompt: 'AUTOMATIC',
              pinPromptRevivable: true,
              pinPromptInstructions: { channels: [expect.objectContaining({ quickLink: '*182*7*1#' })] },
            },
          },
        },
      ],
    });
  });

  test('only what is active on the account: providers, and kinds of payment', async () => {
    expect(listed(await get('/v2/active-conf'))).toEqual([
      'COD AIRTEL_COD CDF DEPOSIT',
      'COD AIRTEL_COD CDF PAYOUT',
      'COD AIRTEL_COD CDF REFUND',
      'COD AIRTEL_COD USD DEPOSIT',
      'COD AIRTEL_COD USD PAYOUT',
      'COD AIRTEL_COD USD REFUND',
      'RWA AIRTEL_RWA RWF DEPOSIT',
      'RWA AIRTEL_RWA RWF PAYOUT',
      'RWA AIRTEL_RWA RWF REFUND',
      'RWA MTN_MOMO_RWA RWF DEPOSIT',
      'RWA MTN_MOMO_RWA RWF PAYOUT',
      'RWA MTN_MOMO_RWA RWF REFUND',
    ]);
  });

  test('a kind of payment that is switched off for the account is gone, whatever its providers have', async () => {
    const other = await openAccount(gateway, {
      operations: ['DEPOSIT', 'PAYOUT'],
      providers: ['MTN_MOMO_RWA'],
    });
    await select(gateway, `update merchants set operations = '{DEPOSIT}' where merchant_id = $1`, [
      other.merchantId,
    ]);
    expect(listed(await get('/v2/active-conf', other))).toEqual(['RWA MTN_MOMO_RWA RWF DEPOSIT']);
  });

  test('an account with everything: every provider, currency and kind of payment of the catalogue', async () => {
    const answer = await get('/v2/active-conf', gateway);
    const all = listProviders().flatMap(({ country, code, currencies }) =>
      currencies.flatMap(({ currency }) =>
        PAYMENT_KINDS.map((kind) => [country, code, currency, kind].join(' ')),
      ),
    );
    expect([...listed(answer)].toSorted()).toEqual(all.toSorted());
    expect(JSON.stringify(answer.body)).not.toContain('null');
  });

  test('an account with nothing: no countries', async () => {
    const empty = await openAccount(gateway, { companyName: 'New', providers: [] });
    expect((await get('/v2/active-conf', empty)).body).toEqual({
      companyName: 'New',
      signatureConfiguration: { signedRequestsOnly: false, signedCallbacks: true },
      countries: [],
    });
  });

  test('what is listed is accepted, and what is not is INVALID_PROVIDER', async () => {
    expect(await deposit()).toBe('200 ACCEPTED');
    const other = await openAccount(gateway, { providers: ['AIRTEL_RWA'] });
    expect(listed(await get('/v2/active-conf', other))).toEqual(['RWA AIRTEL_RWA RWF DEPOSIT']);
    expect(await deposit({}, other)).toBe('200 REJECTED INVALID_PROVIDER');
  });

  test('callbackUrl: when set, by kind of payment; not when the endpoint was switched off', async () => {
    const other = await openAccount(gateway, {
      operations: ['DEPOSIT', 'PAYOUT'],
      providers: ['MTN_MOMO_RWA'],
      callbackUrl: 'https://shop.example/cb',
    });
    const urls = async () => {
      const { body } = await get('/v2/active-conf', other);
      const { DEPOSIT, PAYOUT } = body['countries'][0].providers[0].currencies[0].operationTypes;
      return [DEPOSIT.callbackUrl, PAYOUT.callbackUrl];
    };
    expect(await urls()).toEqual(['https://shop.example/cb', 'https://shop.example/cb']);
    await select(
      gateway,
      `update callback_endpoints set disabled_at = $2 where merchant_id = $1 and kind = 'PAYOUT'`,
      [other.merchantId, gateway.engine.clock.now()],
    );
    expect(await urls()).toEqual(['https://shop.example/cb', undefined]);
    const { merchantId } = other;
    await select(
      gateway,
      `delete from endpoint_queues l using callback_endpoints e
       where l.endpoint_id = e.endpoint_id and e.merchant_id = $1`,
      [merchantId],
    );
    await select(gateway, 'delete from callback_endpoints where merchant_id = $1', [merchantId]);
    expect(await urls()).toEqual([undefined, undefined]);
  });

  test('status: OPERATIONAL, DELAYED, CLOSED, by kind of payment', async () => {
    await setAvailability('MTN_MOMO_RWA', 'PAYOUT', 'DELAYED');
    await setAvailability('MTN_MOMO_RWA', 'REFUND', 'CLOSED');
    const { body } = await get('/v2/active-conf?country=RWA');
    const mtn = body['countries'][0].providers.find(({ provider }: any) => provider === 'MTN_MOMO_RWA');
    const types = Object.entries<any>(mtn.currencies[0].operationTypes);
    expect(types.map(([type, { status }]) => `${type} ${status}`)).toEqual([
      'DEPOSIT OPERATIONAL',
      'PAYOUT DELAYED',
      'REFUND CLOSED',
    ]);
  });

  test('decimalsInAmount and limits are those that initiations are held to', async () => {
    const { body } = await get('/v2/active-conf?country=COD&operationType=DEPOSIT');
    const usd = body['countries'][0].providers[0].currencies.find(({ currency }: any) => currency === 'USD');
    const { minAmount, maxAmount, decimalsInAmount } = usd.operationTypes.DEPOSIT;
    expect(decimalsInAmount).toBe('TWO_PLACES');
    const party = payer('AIRTEL_COD', '243973456789');
    const depositOf = (amount: string) => deposit({ amount, currency: 'USD', payer: party });
    expect(await depositOf(minAmount)).toBe('200 ACCEPTED');
    expect(await depositOf(maxAmount)).toBe('200 ACCEPTED');
    expect(await depositOf(`${maxAmount.split('.')[0]}1`)).toBe('200 REJECTED AMOUNT_OUT_OF_BOUNDS');
    expect(await depositOf('1.001')).toBe('200 REJECTED INVALID_AMOUNT');
  });
});

describe('filters of active configuration: country, operationType, both optional', () => {
  test('country', async () => {
    const answer = await get('/v2/active-conf?country=COD');
    expect(new Set(listed(answer).map((line) => line.split(' ')[0]))).toEqual(new Set(['COD']));
  });

  test('operationType: filtered operation types vanish from the map', async () => {
    const answer = await get('/v2/active-conf?operationType=PAYOUT');
    expect(listed(answer)).toEqual([
      'COD AIRTEL_COD CDF PAYOUT',
      'COD AIRTEL_COD USD PAYOUT',
      'RWA AIRTEL_RWA RWF PAYOUT',
      'RWA MTN_MOMO_RWA RWF PAYOUT',
    ]);
  });

  test('both', async () => {
    expect(listed(await get('/v2/active-conf?country=RWA&operationType=REFUND'))).toEqual([
      'RWA AIRTEL_RWA RWF REFUND',
      'RWA MTN_MOMO_RWA RWF REFUND',
    ]);
  });

  test.each([
    ['a country that is not on the account', 'country=ZMB'],
    ['an operation that is not on the account', 'operationType=REMITTANCE'],
    ['PUSH_DEPOSIT, which no one serves', 'operationType=PUSH_DEPOSIT'],
    ['NAME_LOOKUP, which no one serves', 'operationType=NAME_LOOKUP'],
  ])('%s: nothing is found', async (_, query) => {
    expect((await get(`/v2/active-conf?${query}`)).body).toMatchObject({ countries: [] });
    expect((await get(`/v2/availability?${query}`)).body).toEqual([]);
  });
});

describe.each(['/v2/active-conf', '/v2/availability'])('a query that is not right for %s', (path) => {
  test.each([
    ['a country without providers', 'country=FRA', '400 REJECTED INVALID_PARAMETER country'],
    ['a country in small letters', 'country=rwa', '400 REJECTED INVALID_PARAMETER country'],
    ['an empty country', 'country=', '400 REJECTED INVALID_PARAMETER country'],
    ['two countries', 'country=RWA&country=COD', '400 REJECTED INVALID_PARAMETER country'],
    ['an unknown operationType', 'operationType=CASH', '400 REJECTED INVALID_PARAMETER operationType'],
  ])('%s: %s', async (_, query, expected) => {
    expect(told(await get(`${path}?${query}`))).toBe(expected);
  });
});

describe('GET /v2/availability', () => {
  test('the providers active on the account, in the map form', async () => {
    const { status, body } = await get('/v2/availability');
    expect(status).toBe(200);
    const operationTypes = { DEPOSIT: 'OPERATIONAL', PAYOUT: 'OPERATIONAL', REFUND: 'OPERATIONAL' };
    expect(body).toEqual([
      { country: 'COD', providers: [{ provider: 'AIRTEL_COD', operationTypes }] },
      {
        country: 'RWA',
        providers: [
          { provider: 'AIRTEL_RWA', operationTypes },
          { provider: 'MTN_MOMO_RWA', operationTypes },
        ],
      },
    ]);
  });

  test('filters: country and operationType', async () => {
    await setAvailability('AIRTEL_RWA', 'PAYOUT', 'CLOSED');
    expect(available(await get('/v2/availability?country=COD'))).toHaveLength(3);
    expect(available(await get('/v2/availability?country=RWA&operationType=PAYOUT'))).toEqual([
      'RWA AIRTEL_RWA PAYOUT CLOSED',
      'RWA MTN_MOMO_RWA PAYOUT OPERATIONAL',
    ]);
  });

  test.each<[Availability, string, string, string]>([
    ['OPERATIONAL', 'normal', '200 ACCEPTED', '200 ACCEPTED'],
    [
      'DELAYED',
      'payouts accepted, deposits rejected',
      '200 REJECTED PROVIDER_TEMPORARILY_UNAVAILABLE',
      '200 ACCEPTED',
    ],
    [
      'CLOSED',
      'all initiations rejected',
      '200 REJECTED PROVIDER_TEMPORARILY_UNAVAILABLE',
      '200 REJECTED PROVIDER_TEMPORARILY_UNAVAILABLE',
    ],
  ])('%s: %s', async (status, _, depositAnswer, payoutAnswer) => {
    await setAvailability('MTN_MOMO_RWA', 'DEPOSIT', status);
    await setAvailability('MTN_MOMO_RWA', 'PAYOUT', status);
    expect(await shown()).toEqual([
      `RWA MTN_MOMO_RWA DEPOSIT ${status}`,
      `RWA MTN_MOMO_RWA PAYOUT ${status}`,
    ]);
    expect(await deposit()).toBe(depositAnswer);
    expect(await payout()).toBe(payoutAnswer);
  });

  test('a change is seen within ten seconds, also with the longest memory that can be set', async () => {
    const config = { ...gateway.config, directoryRememberMs: 10_000 };
    const slow = await openGateway(config, { role: 'api', logTo: 2 });
    try {
      const { url } = await slow.start();
      const read = async () =>
        available(await get('/v2/availability?country=RWA&operationType=DEPOSIT', { ...account, url }));
      expect(await read()).toContain('RWA AIRTEL_RWA DEPOSIT OPERATIONAL');
      await setAvailability('AIRTEL_RWA', 'DEPOSIT', 'CLOSED');
      await expect.poll(read, { timeout: 60_000, interval: 100 }).toContain('RWA AIRTEL_RWA DEPOSIT CLOSED');
      await setAvailability('AIRTEL_RWA', 'DEPOSIT', 'OPERATIONAL');
      await expect
        .poll(read, { timeout: 60_000, interval: 100 })
        .toContain('RWA AIRTEL_RWA DEPOSIT OPERATIONAL');
    } finally {
      await slow.stop();
    }
  });
});

describe('POST /v2/predict-provider', () => {
  test('{ phoneNumber } is answered { country, provider, phoneNumber }', async () => {
    expect(await predict({ phoneNumber: '250783456789' })).toEqual({
      status: 200,
      body: { country: 'RWA', provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' },
    });
  });

  test('a noisy Rwandan number becomes 250783456789', async () => {
    const { body } = await predict({ phoneNumber: '+250 (0)78-345 67 89 abc' });
    expect(body).toEqual({ country: 'RWA', provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' });
  });

  test('what it answers is what a deposit takes', async () => {
    const { body } = await predict({ phoneNumber: '+250 (0)78-345 67 89' });
    const { phoneNumber, provider } = body as { phoneNumber: string; provider: string };
    expect(await deposit({ payer: payer(provider, phoneNumber) })).toBe('200 ACCEPTED');
  });

  test('a provider that is not active on the account is predicted too: the number is whose it is', async () => {
    expect((await predict({ phoneNumber: '260763456789' })).body).toMatchObject({ provider: 'MTN_MOMO_ZMB' });
  });

  test('it is a hint: a payment with another provider than predicted is accepted', async () => {
    expect((await predict({ phoneNumber: '250733456789' })).body).toMatchObject({ provider: 'AIRTEL_RWA' });
    expect(await deposit({ payer: payer('MTN_MOMO_RWA', '250733456789') })).toBe('200 ACCEPTED');
  });

  test('a sandbox number of Benin keeps its form', async () => {
    expect((await predict({ phoneNumber: '22951345789' })).body).toMatchObject({
      phoneNumber: '22951345789',
    });
  });

  test.each([
    ['no country code', '0783456789', 'it does not begin with the dial code of a country we serve'],
    ['another length', '25078345678', 'it has not the length of a number of RWA'],
    ['no one’s prefix', '250203456789', 'its prefix belongs to none of our providers'],
    ['nothing', '', 'it does not begin with the dial code of a country we serve'],
  ])('not resolvable, %s: 400 INVALID_PARAMETER with failureReason', async (_, phoneNumber, cause) => {
    expect(await predict({ phoneNumber })).toEqual({
      status: 400,
      body: {
        status: 'REJECTED',
        failureReason: {
          failureCode: 'INVALID_PARAMETER',
          failureMessage: `The parameter 'phoneNumber' is not valid: ${cause}.`,
        },
      },
    });
  });

  test.each([
    ['missing', {}, '400 REJECTED MISSING_PARAMETER phoneNumber'],
    ['a number', { phoneNumber: 250_783_456_789 }, '400 REJECTED INVALID_PARAMETER phoneNumber'],
    ['null', { phoneNumber: null }, '400 REJECTED INVALID_PARAMETER phoneNumber'],
    [
      'with another field',
      { phoneNumber: '250', provider: 'x' },
      '400 REJECTED UNSUPPORTED_PARAMETER provider',
    ],
    ['no JSON', '{', '400 REJECTED INVALID_INPUT'],
    ['no body', undefined, '400 REJECTED INVALID_INPUT'],
  ])('%s', async (_, body, expected) => {
    expect(told(await predict(body))).toBe(expected);
  });

  test('a very long text is answered like any other number that is none', async () => {
    expect(told(await predict({ phoneNumber: `+250${'7'.repeat(900_000)}` }))).toBe(
      '400 REJECTED INVALID_PARAMETER phoneNumber',
    );
  });

  test('a prediction in production makes an old number of Benin new', async () => {
    const production = await openTestGateway({ role: 'api', environment: 'production' });
    try {
      const { body } = await predict({ phoneNumber: '22951345789' }, production);
      expect(body).toEqual({ country: 'BEN', provider: 'MTN_MOMO_BEN', phoneNumber: '2290151345789' });
      // It has no operators connected, so nothing is active whatever the account says.
      expect((await get('/v2/active-conf', production)).body).toMatchObject({ countries: [] });
    } finally {
      await production.stop();
    }
  });
});

describe.each<[string, string, unknown]>([
  ['GET', '/v2/active-conf', undefined],
  ['GET', '/v2/availability', undefined],
  ['POST', '/v2/predict-provider', { phoneNumber: '250783456789' }],
])('who may ask: %s %s', (method, path, body) => {
  const ask = async (scopes: readonly Scope[]) =>
    call(await openToken(gateway, account.merchantId, { scopes }), method, path, body);

  test('a token with the scope toolkit:read alone', async () => {
    expect((await ask(['toolkit:read'])).status).toBe(200);
  });

  test('403 without it: { status: REJECTED, failureReason }', async () => {
    const answer = await ask(['deposits:read', 'deposits:write', 'finances:read']);
    expect(answer).toEqual({
      status: 403,
      body: {
        status: 'REJECTED',
        failureReason: {
          failureCode: 'AUTHORISATION_ERROR',
          failureMessage: expect.any(String),
        },
      },
    });
    expect(quotedByAnswer(answer)).toEqual(['toolkit:read']);
  });

  test('401 without a good token, whatever else is wrong: { status: REJECTED, failureReason }', async () => {
    const bad = method === 'POST' ? '{' : undefined;
    const answer = await call({ url: gateway.url, apiToken: 'secret' }, method, `${path}?surplus=1`, bad);
    expect(answer).toEqual({
      status: 401,
      body: {
        status: 'REJECTED',
        failureReason: { failureCode: 'AUTHENTICATION_ERROR', failureMessage: expect.any(String) },
      },
    });
  });

  test('405 by another method, and 404 in the words of the service below it', async () => {
    expect(await call(account, 'DELETE', path)).toMatchObject({ status: 405 });
    expect(await call(account, 'GET', `${path}/x`)).toMatchObject({ status: 404 });
  });
});
