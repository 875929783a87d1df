// Older hosts, on which only API v1 answers (api.md Versioning 2), and the five addresses of
// completions section 12 that a public client calls instead of the true ones.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followAlias } from '../../src/edge/lenient-aliases.ts';
import { completeEarlier, earlierDeposit } from '../v1.ts';
import { openTestGateway, type TestGateway } from '../gateway.ts';
import { askHost, type HostRequest } from '../host-request.ts';

const OLD = 'api.old.example';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ v1Hosts: new Set([OLD]) });
});
afterAll(() => gateway.stop());

function ask(method: string, path: string, asked?: HostRequest) {
  return askHost(gateway, method, path, asked);
}

describe('API v2 is not available on an older host', () => {
  test.each([OLD, 'API.old.example', `${OLD}:8080`])('Host %s: the earlier one answers', async (host) => {
    const { status, body } = await ask('POST', '/deposits', { host, body: earlierDeposit() });
    expect([status, body['status']]).toEqual([200, 'ACCEPTED']);
  });

  test.each([
    ['GET', '/v2/active-conf'],
    ['POST', '/v2/deposits'],
    ['DELETE', '/v2/deposits'],
    ['GET', '/v2/nothing'],
    ['GET', '/sandbox/scripts'],
    ['GET', '/nothing'],
  ])('%s %s is 404 in the words of the earlier one', async (method, path) => {
    const { status, body } = await ask(method, path, { host: OLD });
    expect([status, body['errorCode']]).toEqual([404, 1]);
  });

  test('on any other host both answer', async () => {
    for (const path of ['/active-conf', '/v2/active-conf']) {
      expect((await ask('GET', path)).status).toBe(200);
    }
  });
});

describe('five lenient aliases', () => {
  test('v1 resendRefundCallback: POST /refund/resend-callback', async () => {
    const refundId = randomUUID();
    const { body } = await ask('POST', '/refund/resend-callback', { body: { refundId } });
    expect(body).toMatchObject({ refundId, status: 'REJECTED' });
  });

  test('v1 getProviderPrediction: GET /v1/predict-correspondent with JSON body', async () => {
    const { body } = await ask('GET', '/v1/predict-correspondent', { body: { msisdn: '250783456789' } });
    expect(body).toMatchObject({ correspondent: 'MTN_MOMO_RWA' });
  });

  test('v1 getPublicKeys: GET /public-key/https', () => {
    const request = { method: 'GET', url: '/public-key/https' };
    expect([followAlias(request), request.method]).toEqual(['/public-key/http', 'GET']);
  });

  test('the public keys need no token, by the true address and by the other one', async () => {
    for (const path of ['/public-key/http', '/public-key/https']) {
      const { status, body } = await ask('GET', path, { anonymous: true });
      expect([status, body]).toEqual([200, [{ id: expect.any(String), key: expect.any(String) }]]);
    }
  });

  test('v2 resendPayoutCallback: POST /v2/payouts/{id}/resend-callback', async () => {
    const payoutId = randomUUID();
    const { body } = await ask('POST', `/v2/payouts/${payoutId}/resend-callback`);
    expect(body).toMatchObject({ payoutId, failureReason: { failureCode: 'NOT_FOUND' } });
  });

  test('v2 cancelEnqueuedPayout: DELETE /v2/payouts/fail-enqueued/{id}', async () => {
    const payoutId = randomUUID();
    const { body } = await ask('DELETE', `/v2/payouts/fail-enqueued/${payoutId}`);
    expect(body).toMatchObject({ payoutId, failureReason: { failureCode: 'NOT_FOUND' } });
  });

  test.each([
    ['GET', '/v2/payouts/fail-enqueued/x'],
    ['POST', '/refund'],
    ['GET', '/v1/predict-correspondent/x'],
    ['GET', '/deposits/x?y=/refund/resend-callback'],
  ])('%s %s is none of them and stays as it is', (method, url) => {
    const request = { method, url };
    expect([followAlias(request), request.method]).toEqual([url, method]);
  });

  test('a query is kept', () => {
    expect(followAlias({ method: 'GET', url: '/public-key/https?a=b?c' })).toBe('/public-key/http?a=b?c');
  });
});

test('all GETs may carry a Content-Type, and resending and cancelling come without a body', async () => {
  const depositId = await completeEarlier(gateway, 'deposit', earlierDeposit());
  expect((await ask('GET', `/deposits/${depositId}`)).body).toHaveLength(1);
  expect((await ask('POST', `/payouts/fail-enqueued/${randomUUID()}`)).body).toMatchObject({
    status: 'REJECTED',
  });
});
