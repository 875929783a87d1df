// More orders than the database takes: what is let in is answered, what is not is told so at once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, depositRequest, eventually, initiate, openTestGateway, type TestGateway } from '../gateway.ts';
import { told } from './answers.ts';
import { lockTable } from './table-lock.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api', ordersWaitingMax: 1 });
});
afterAll(() => gateway.stop());

const order = (request: object) => call(gateway, 'POST', '/v2/deposits', request);

test('while as many orders wait as may, one more is answered 503 with Retry-After, and status checks are answered', async () => {
  const known = await initiate(gateway);
  const refused = depositRequest();
  const lock = await lockTable(gateway.databaseUrl, 'payment_keys');
  const letIn = order(depositRequest());
  try {
    await eventually(() => lock.countWaiting()).toBe(1);
    const answer = await fetch(`${gateway.url}/v2/deposits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(refused),
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ failureReason: { failureCode: 'SERVICE_UNAVAILABLE' } });
    expect((await call(gateway, 'GET', `/v2/deposits/${known}`)).body['status']).toBe('FOUND');
  } finally {
    await lock.release();
  }
  expect(told(await letIn)).toBe('200 ACCEPTED');
  // Nothing was done with it, and there is room again.
  expect(told(await order(refused))).toBe('200 ACCEPTED');
});
