// Who may ask for a deposit: tokens, scopes, and that they are looked at before anything else.
// Rows of api.md "Authentication" and "Errors" (401, 403); of completions.md "Order of checks" and 3.1.
import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireSignatures } from '../../src/core/merchants/administer-keys.ts';
import { withdrawToken } from '../../src/core/merchants/administer-merchants.ts';
import { createTokenText } from '../../src/core/access/api-token.ts';
import { call, depositRequest, openTestGateway, select, type Answer, type TestGateway } from '../gateway.ts';
import { openAccount, openToken, type Account } from './accounts.ts';
import { quotedByAnswer, told } from './answers.ts';

let gateway: TestGateway;
let account: Account;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
  account = await openAccount(gateway);
});
afterAll(() => gateway.stop());

const HOUR_MS = 3_600_000;

function send(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return call(account, 'POST', '/v2/deposits', body, headers);
}

function sendWith(apiToken: string, body: unknown = depositRequest()): Promise<Answer> {
  return call({ url: gateway.url, apiToken }, 'POST', '/v2/deposits', body);
}

/** A token that is good in every way but one. */
const badTokens: readonly [string, () => Promise<string>][] = [
  ['that is no token', async () => 'secret'],
  ['that no one was given', async () => createTokenText('sandbox', '0001').text],
  ['with a wrong checksum', async () => `${account.apiToken.slice(0, -8)}00000000`],
  ['with another secret', async () => withOtherSecret(account.tokenId)],
  ['of the other environment', async () => createTokenText('production', '0001').text],
  [
    'that has expired',
    async () => {
      const expiresAt = new Date(gateway.engine.clock.now().getTime() - 1);
      return (await openToken(gateway, account.merchantId, { expiresAt })).apiToken;
    },
  ],
  [
    'that was revoked',
    async () => {
      const { tokenId, apiToken } = await openToken(gateway, account.merchantId);
      await withdrawToken(gateway.engine, { by: 'test', tokenId });
      return apiToken;
    },
  ],
  [
    'of a suspended merchant',
    async () => {
      const { merchantId, apiToken } = await openAccount(gateway);
      const now = gateway.engine.clock.now();
      await select(gateway, 'update merchants set suspended_at = $2 where merchant_id = $1', [
        merchantId,
        now,
      ]);
      return apiToken;
    },
  ],
];

/** A well-formed token with the id of a real one: only its secret is wrong. */
function withOtherSecret(tokenId: string): string {
  const { secret } = createTokenText('sandbox', '0001');
  const unchecked = `mlp_sandbox_0001_${tokenId}_${secret}`;
  return `${unchecked}${crc32(unchecked).toString(16).padStart(8, '0')}`;
}

describe('401 AUTHENTICATION_ERROR: token missing or bad', () => {
  test.each(badTokens)('a token %s', async (_, openBadToken) => {
    const request = depositRequest();
    expect(await sendWith(await openBadToken(), request)).toEqual({
      status: 401,
      body: {
        depositId: request['depositId'],
        status: 'REJECTED',
        failureReason: { failureCode: 'AUTHENTICATION_ERROR', failureMessage: expect.any(String) },
      },
    });
  });

  test.each([
    ['no Authorization header', undefined, /header is missing/],
    ['another scheme', 'Basic bWFsaXBvOm1hbGlwbw==', /must read "Bearer"/],
    ['Bearer and nothing', 'Bearer', /must read "Bearer"/],
    [
      'a token of the other environment',
      `Bearer ${createTokenText('production', '0001').text}`,
      /production/,
    ],
    ['a token no one was given', `Bearer ${createTokenText('sandbox', '0001').text}`, /token is not valid/],
  ])('the message says which check failed: %s', async (_, authorization, message) => {
    const headers = authorization === undefined ? {} : { authorization };
    const response = await fetch(`${gateway.url}/v2/deposits`, { method: 'POST', headers });
    const { failureReason } = (await response.json()) as Answer['body'];
    expect(response.status).toBe(401);
    expect(failureReason.failureMessage).toMatch(message);
  });

  test('a token that expires later is good until then', async () => {
    const expiresAt = new Date(gateway.engine.clock.now().getTime() + HOUR_MS);
    const { apiToken } = await openToken(gateway, account.merchantId, { expiresAt });
    expect(told(await sendWith(apiToken))).toBe('200 ACCEPTED');
    await gateway.gateway.movableClock!.move(HOUR_MS);
    expect(told(await sendWith(apiToken))).toBe('401 REJECTED AUTHENTICATION_ERROR');
  });

  test('a token is changed by having two for a while', async () => {
    const first = await openToken(gateway, account.merchantId);
    expect(told(await sendWith(first.apiToken))).toBe('200 ACCEPTED');
    const second = await openToken(gateway, account.merchantId);
    for (const { apiToken } of [first, second]) expect(told(await sendWith(apiToken))).toBe('200 ACCEPTED');
    await withdrawToken(gateway.engine, { by: 'test', tokenId: first.tokenId });
    expect(told(await sendWith(first.apiToken))).toBe('401 REJECTED AUTHENTICATION_ERROR');
    expect(told(await sendWith(second.apiToken))).toBe('200 ACCEPTED');
  });

  test('the same token is used for all endpoints, in any spelling of Bearer', async () => {
    const authorization = `bearer ${account.apiToken}`;
    expect(told(await send(depositRequest(), { authorization }))).toBe('200 ACCEPTED');
    const status = await call(account, 'GET', `/v2/deposits/${randomUUID()}`, undefined, { authorization });
    expect(told(status)).toBe('200 NOT_FOUND');
  });
});

describe('403 AUTHORISATION_ERROR: token lacks right', () => {
  test.each([
    ['POST', '/v2/deposits', 'deposits:write', 'deposits:read'],
    ['GET', '/v2/deposits/f4401bd2-1568-4140-bf2d-eb77d2b2b639', 'deposits:read', 'deposits:write'],
  ] as const)('%s %s needs %s', async (method, path, needed, held) => {
    const reader = await openToken(gateway, account.merchantId, { scopes: [held] });
    const answer = await call(reader, method, path, method === 'POST' ? depositRequest() : undefined);
    expect(told(answer)).toBe('403 REJECTED AUTHORISATION_ERROR');
    expect(quotedByAnswer(answer)).toEqual([needed]);
  });
});

describe('order of checks: of two faults the first is told', () => {
  test('token before scope', async () => {
    const expiresAt = new Date(gateway.engine.clock.now().getTime() - 1);
    const { apiToken } = await openToken(gateway, account.merchantId, { expiresAt, scopes: [] });
    expect(told(await sendWith(apiToken))).toBe('401 REJECTED AUTHENTICATION_ERROR');
  });

  test.each([
    ['token before JSON', '{'],
    ['token before schema', { depositId: 'x' }],
  ])('%s', async (_, body) => {
    expect(told(await sendWith('secret', body))).toBe('401 REJECTED AUTHENTICATION_ERROR');
  });

  test('token before Content-Type', async () => {
    const noOne = { url: gateway.url, apiToken: 'secret' };
    const answer = await call(noOne, 'POST', '/v2/deposits', depositRequest(), {
      'content-type': 'garbage',
    });
    expect(told(answer)).toBe('401 REJECTED AUTHENTICATION_ERROR');
  });

  test.each([
    ['scope before JSON', '{'],
    ['scope before schema', { depositId: 'x' }],
  ])('%s', async (_, body) => {
    const { apiToken } = await openToken(gateway, account.merchantId, { scopes: ['deposits:read'] });
    expect(told(await sendWith(apiToken, body))).toBe('403 REJECTED AUTHORISATION_ERROR');
  });

  test('scope before duplicate', async () => {
    const request = depositRequest();
    await send(request);
    const { apiToken } = await openToken(gateway, account.merchantId, { scopes: ['deposits:read'] });
    expect(told(await sendWith(apiToken, request))).toBe('403 REJECTED AUTHORISATION_ERROR');
  });

  test('JSON before schema', async () => {
    const answer = await send({ depositId: 'x' }, { 'content-type': 'text/plain' });
    expect(told(answer)).toBe('400 REJECTED INVALID_INPUT');
  });

  test('schema before duplicate', async () => {
    const request = depositRequest();
    await send(request);
    expect(told(await send({ ...request, amount: '-1' }))).toBe('400 REJECTED INVALID_PARAMETER amount');
  });

  test('schema before operation enabled for the account', async () => {
    const closed = await openAccount(gateway, { operations: [] });
    const answer = await call(closed, 'POST', '/v2/deposits', depositRequest({ amount: '-1' }));
    expect(told(answer)).toBe('400 REJECTED INVALID_PARAMETER amount');
  });

  test('schema before business checks: a malformed field tells more than a phone number that is wrong', async () => {
    const request = depositRequest({ currency: 'rwf' });
    request['payer'].accountDetails.phoneNumber = '0';
    expect(told(await send(request))).toBe('400 REJECTED INVALID_PARAMETER currency');
  });

  test('scope before signature before JSON', async () => {
    const { merchantId } = await openAccount(gateway);
    await requireSignatures(gateway.engine, { by: 'test', merchantId, covers: 'PAYMENTS', isRequired: true });
    const reader = await openToken(gateway, merchantId, { scopes: ['deposits:read'] });
    expect(told(await sendWith(reader.apiToken, '{'))).toBe('403 REJECTED AUTHORISATION_ERROR');
    const writer = await openToken(gateway, merchantId);
    const answer = await sendWith(writer.apiToken, '{');
    expect(told(answer)).toBe('401 REJECTED AUTHENTICATION_ERROR');
    expect(answer.body['failureReason'].failureMessage).toContain('the Signature-Input header is missing');
  });
});
