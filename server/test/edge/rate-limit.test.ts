// Too many requests of one token, as its merchant sees it. completions.md, "Order of checks" and section 9.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, depositRequest, openTestGateway, type TestGateway } from '../gateway.ts';
import { openToken, type Account } from './accounts.ts';
import { told } from './answers.ts';

let gateway: TestGateway;
let account: Account;
beforeAll(async () => {
  // Slow enough that no token earns a request back while a test runs: one in a hundred seconds.
  gateway = await openTestGateway({ role: 'api', rateLimit: { perSecond: 0.01, burst: 3 } });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  account = await openToken(gateway, gateway.merchantId);
});

const look = (of: Account) => call(of, 'GET', '/v2/deposits/0b1e5a6c-6a0e-4a5e-9d0e-1f2a3b4c5d6e');

/** Uses up all that a token may do now. */
async function exhaust(of: Account): Promise<void> {
  for (let count = 0; count < 3; count += 1) expect((await look(of)).status).toBe(200);
}

function fetchDeposit(of: Account): Promise<Response> {
  return fetch(`${of.url}/v2/deposits/x`, { headers: { authorization: `Bearer ${of.apiToken}` } });
}

describe('a token that has made too many requests', () => {
  test('a token that has made too many requests is answered 429 with { failureReason } alone and Retry-After in whole seconds', async () => {
    await exhaust(account);
    const answer = await fetchDeposit(account);
    const seconds = answer.headers.get('retry-after');
    // Some of the hundred seconds may have gone by.
    expect(seconds).toMatch(/^([89]\d|100)$/);
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 429,
      body: {
        failureReason: {
          failureCode: 'RATE_LIMITED',
          failureMessage: `Too many requests of this API token. Retry after '${seconds}' seconds.`,
        },
      },
    });
  });

  test('a token that has made too many requests starts nothing: an initiation is 429 without its identifier, and its identifier stays free', async () => {
    await exhaust(account);
    const request = depositRequest();
    const answer = await call(account, 'POST', '/v2/deposits', request);
    expect(answer.status).toBe(429);
    expect(Object.keys(answer.body)).toEqual(['failureReason']);
    const other = await openToken(gateway, gateway.merchantId);
    expect(told(await call(other, 'POST', '/v2/deposits', request))).toBe('200 ACCEPTED');
  });

  test('a token that has made too many requests is heard again once it has waited as long as it was told', async () => {
    await exhaust(account);
    expect((await look(account)).status).toBe(429);
    await gateway.gateway.movableClock!.move(100_000);
    expect((await look(account)).status).toBe(200);
  });

  test('a token that has made too many requests does not slow down another token of the same merchant', async () => {
    const other = await openToken(gateway, gateway.merchantId);
    await exhaust(account);
    expect((await look(other)).status).toBe(200);
  });
});

describe('the order of checks', () => {
  test('token before rate limit: a token that is not valid is 401 however often it is tried', async () => {
    const guess = { ...account, apiToken: `${account.apiToken.slice(0, -1)}x` };
    for (let count = 0; count < 6; count += 1) {
      expect(told(await look(guess))).toBe('401 REJECTED AUTHENTICATION_ERROR');
    }
    expect((await fetchDeposit(guess)).headers.get('retry-after')).toBeNull();
    expect((await look(account)).status).toBe(200);
  });

  test('rate limit before scope: a token without the scope is 403, then 429', async () => {
    const limited = await openToken(gateway, gateway.merchantId, { scopes: ['payouts:read'] });
    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push(told(await look(limited)));
    const refused = '403 REJECTED AUTHORISATION_ERROR';
    expect(answers).toEqual([refused, refused, refused, '429 RATE_LIMITED']);
  });

  test('rate limit before the body: what cannot be read counts too', async () => {
    const answers = [];
    for (let count = 0; count < 4; count += 1) {
      answers.push(told(await call(account, 'POST', '/v2/deposits', '{')));
    }
    const refused = '400 REJECTED INVALID_INPUT';
    expect(answers).toEqual([refused, refused, refused, '429 RATE_LIMITED']);
  });
});

test('health, readiness and metrics have no token and no limit', async () => {
  for (let count = 0; count < 10; count += 1) {
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  }
});
