// Asking for statements. Rows of completions.md 1.9; what is in them is in ../statements.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import { call, openTestGateway, type TestGateway } from '../gateway.ts';
import { withField, type Body } from '../requests.ts';
import { ask, readStatement, statementRequest } from '../statement-files.ts';
import { openAccount, openToken, type Account } from './accounts.ts';
import { quotedByAnswer, told } from './answers.ts';

let gateway: TestGateway;
let account: Account;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
  account = await openAccount(gateway, { providers: ['MTN_MOMO_RWA'] });
});
afterAll(() => gateway.stop());

const post = (request: Body, caller = account) => call(caller, 'POST', '/v2/statements', request);

const DAY_MS = 24 * 3_600_000;
/** One for all: between two of them 31 days would be longer by what passes meanwhile. */
const NOW_MS = Date.now();
const daysAgo = (days: number) => new Date(NOW_MS - days * DAY_MS).toISOString();

describe('the request', () => {
  test.each([
    ['with all fields', { wallet: { country: 'RWA', currency: 'RWF', provider: '' }, compressed: true }],
    ['without a provider, not compressed', {}],
    ['with dates alone', { startDate: daysAgo(3).slice(0, 10), endDate: daysAgo(2).slice(0, 10) }],
    ['without zones', { startDate: daysAgo(3).slice(0, 19), endDate: daysAgo(2).slice(0, 16) }],
    ['with zones', { startDate: `${daysAgo(3).slice(0, 19)}+02:00`, endDate: `${daysAgo(2).slice(0, 19)}Z` }],
    ['of exactly 31 days', { startDate: daysAgo(31), endDate: daysAgo(0) }],
    ['of a month by its first and last day', { startDate: '2026-01-01', endDate: '2026-01-31' }],
  ])('%s is ACCEPTED', async (_, changes) => {
    expect(told(await post(statementRequest(changes)))).toBe('200 ACCEPTED');
  });

  test.each([
    ['wallet', '400 REJECTED MISSING_PARAMETER wallet'],
    ['wallet.country', '400 REJECTED MISSING_PARAMETER wallet.country'],
    ['wallet.currency', '400 REJECTED MISSING_PARAMETER wallet.currency'],
    ['callbackUrl', '400 REJECTED MISSING_PARAMETER callbackUrl'],
    ['startDate', '400 REJECTED MISSING_PARAMETER startDate'],
    ['endDate', '400 REJECTED MISSING_PARAMETER endDate'],
  ])('without %s: %s', async (field, expected) => {
    expect(told(await post(withField(statementRequest(), field, undefined)))).toBe(expected);
  });

  test.each([
    ['wallet.country', 'rwa', '400 REJECTED INVALID_PARAMETER wallet.country'],
    ['startDate', 'yesterday', '400 REJECTED INVALID_PARAMETER startDate'],
    ['startDate', '2026-02-31', '400 REJECTED INVALID_PARAMETER startDate'],
    ['endDate', '2026-02-28T24:30', '400 REJECTED INVALID_PARAMETER endDate'],
    ['endDate', 1_772_366_400, '400 REJECTED INVALID_PARAMETER endDate'],
    ['compressed', 'yes', '400 REJECTED INVALID_PARAMETER compressed'],
    ['callbackUrl', 7, '400 REJECTED INVALID_PARAMETER callbackUrl'],
    ['statementId', 'x', '400 REJECTED UNSUPPORTED_PARAMETER statementId'],
    ['wallet.account', 'x', '400 REJECTED UNSUPPORTED_PARAMETER wallet.account'],
    ['callbackUrl', 'merchant.example', '200 REJECTED INVALID_CALLBACK_URL'],
    ['callbackUrl', 'ftp://merchant.example/', '200 REJECTED INVALID_CALLBACK_URL'],
    ['endDate', daysAgo(1), '200 REJECTED INVALID_DATE_RANGE'],
    ['endDate', daysAgo(2), '200 REJECTED INVALID_DATE_RANGE'],
    ['startDate', daysAgo(31.5), '200 REJECTED INVALID_DATE_RANGE'],
    ['startDate', daysAgo(-0.01), '200 REJECTED INVALID_DATE_RANGE'],
    ['wallet.country', 'KEN', '200 REJECTED WALLET_NOT_FOUND'],
    ['wallet.currency', 'USD', '200 REJECTED WALLET_NOT_FOUND'],
    ['wallet.provider', 'MTN_MOMO_RWA', '200 REJECTED WALLET_NOT_FOUND'],
  ])('with %s %s: %s', async (field, value, expected) => {
    const request = withField(statementRequest({ startDate: daysAgo(1) }), field, value);
    expect(told(await post(request))).toBe(expected);
  });

  test('only https callbacks in production', async () => {
    const production = await openTestGateway({ environment: 'production', role: 'api' });
    try {
      const http = await call(production, 'POST', '/v2/statements', statementRequest());
      expect(told(http)).toBe('200 REJECTED INVALID_CALLBACK_URL');
      const https = statementRequest({ callbackUrl: 'https://merchant.example/statements' });
      expect(told(await call(production, 'POST', '/v2/statements', https))).toBe('200 ACCEPTED');
    } finally {
      await production.stop();
    }
  });

  test('what is wrong is said in quotes', async () => {
    const long = await post(statementRequest({ startDate: daysAgo(40) }));
    expect(quotedByAnswer(long)).toEqual(['31']);
    const elsewhere = await post(statementRequest({ wallet: { country: 'KEN', currency: 'KES' } }));
    expect(quotedByAnswer(elsewhere)).toEqual(['KEN KES']);
  });

  test('B12: no more than 200 of a merchant can wait to be made; those that are made do not count', async () => {
    const owner = await openAccount(gateway, { operations: ['DEPOSIT'], providers: ['MTN_MOMO_RWA'] });
    const first = await ask(owner);
    const { database } = gateway.engine.store;
    await database.query(
      `insert into statements
       select (jsonb_populate_record(s, jsonb_build_object('statement_id', gen_random_uuid()))).*
       from statements s, generate_series(2, 200) where statement_id = $1`,
      [first],
    );
    const refused = await post(statementRequest(), owner);
    expect(told(refused)).toBe('200 REJECTED TOO_MANY_STATEMENTS');
    expect(quotedByAnswer(refused)).toEqual(['200']);
    expect(told(await post(statementRequest()))).toBe('200 ACCEPTED');
    await database.query(
      `update statements set status = 'FAILED', ended_at = created_at, due_at = null where statement_id = $1`,
      [first],
    );
    expect(told(await post(statementRequest(), owner))).toBe('200 ACCEPTED');
  });

  test('an account with a wallet for each provider names the provider', async () => {
    const merchantId = await createMerchant(gateway.engine, {
      by: 'test',
      companyName: 'Test Shop',
      operations: ['DEPOSIT'],
      walletPerProvider: true,
      providers: ['MTN_MOMO_RWA'],
    });
    const owner = await openToken(gateway, merchantId);
    const place = { country: 'RWA', currency: 'RWF' };
    expect(told(await post(statementRequest({ wallet: place }), owner))).toBe(
      '200 REJECTED WALLET_NOT_FOUND',
    );
    const named = statementRequest({ wallet: { ...place, provider: 'MTN_MOMO_RWA' } });
    expect(told(await post(named, owner))).toBe('200 ACCEPTED');
  });
});

describe('the status check', () => {
  test('{ status: FOUND, data } with what was asked for, PROCESSING', async () => {
    const request = statementRequest({ startDate: '2026-01-01', endDate: '2026-01-31' });
    const statementId = await ask(account, request);
    expect(await readStatement(account, statementId)).toEqual({
      statementId,
      status: 'PROCESSING',
      wallet: { country: 'RWA', currency: 'RWF', provider: '' },
      created: expect.any(String),
      startDate: '2026-01-01T00:00:00.000Z',
      endDate: '2026-02-01T00:00:00.000Z',
    });
    expect(await readStatement(account, statementId.toUpperCase())).toMatchObject({ statementId });
  });

  test.each([
    ['an identifier that is none', 'x', '400 REJECTED INVALID_PARAMETER statementId'],
    ['one no one knows', 'f4401bd2-1568-4140-bf2d-eb77d2b2b639', '200 NOT_FOUND'],
  ])('%s: %s', async (_, id, expected) => {
    expect(told(await call(account, 'GET', `/v2/statements/${id}`))).toBe(expected);
  });
});

test('finances:read is needed to ask and to look', async () => {
  const { merchantId } = account;
  const other = await openToken(gateway, merchantId, { scopes: ['payouts:write', 'toolkit:read'] });
  expect(told(await post(statementRequest(), other))).toBe('403 REJECTED AUTHORISATION_ERROR');
  const finances = await openToken(gateway, merchantId, { scopes: ['finances:read'] });
  const statementId = await ask(finances);
  expect((await call(other, 'GET', `/v2/statements/${statementId}`)).status).toBe(403);
});
