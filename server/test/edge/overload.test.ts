// More orders than can be written, sent, or asked about: what is let in is answered, what is not is told so at once.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGateway } from '../../src/commands/serve/compose.ts';
import {
  call,
  depositRequest,
  eventually,
  initiate,
  openTestGateway,
  payer,
  type TestGateway,
} from '../gateway.ts';
import { told } from './answers.ts';
import { lockTable } from './table-lock.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api', ordersWaitingMax: 1 });
});
afterAll(() => gateway.stop());

const SHED = [503, '1', 'SERVICE_UNAVAILABLE'];

/** What is told besides the status: when to come again, and why. */
async function send(path: string, request?: object, to = gateway): Promise<readonly unknown[]> {
  const answer = await fetch(`${to.url}${path}`, {
    method: request === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${to.apiToken}`, 'content-type': 'application/json' },
    body: request === undefined ? null : JSON.stringify(request),
  });
  const body = (await answer.json()) as { failureReason?: { failureCode: string } };
  return [answer.status, answer.headers.get('retry-after'), body.failureReason?.failureCode];
}

const order = (request: object) => call(gateway, 'POST', '/v2/deposits', request);

test('while as many orders wait as may, one more is answered 503 with Retry-After, and status checks are answered', async () => {
  const known = await initiate(gateway);
  const refused = depositRequest();
  const lock = await lockTable(gateway.databaseUrl, 'payment_keys', 'EXCLUSIVE');
  const letIn = order(depositRequest());
  try {
    await eventually(() => lock.countWaiting()).toBe(1);
    expect(await send('/v2/deposits', refused)).toEqual(SHED);
    expect((await call(gateway, 'GET', `/v2/deposits/${known}`)).body['status']).toBe('FOUND');
  } finally {
    await lock.release();
  }
  expect(told(await letIn)).toBe('200 ACCEPTED');
  // Nothing was done with it, and there is room again.
  expect(told(await order(refused))).toBe('200 ACCEPTED');
});

test('a status check or an order that the database has no room for is to come again', async () => {
  const known = await initiate(gateway);
  const request = depositRequest();
  const lock = await lockTable(gateway.databaseUrl, 'payments');
  try {
    const answers = await Promise.all([send(`/v2/deposits/${known}`), send('/v2/deposits', request)]);
    expect(answers).toEqual([SHED, SHED]);
  } finally {
    await lock.release();
  }
  expect(told(await order(request))).toBe('200 ACCEPTED');
});

test('where payments of a provider wait too long to be sent, its orders are rejected, and no others', async () => {
  const first = await openTestGateway({ role: 'api', backlogMs: 100 });
  const later = await openGateway(first.config, { role: 'api', logTo: 2 });
  const other = { payer: payer('MTN_MOMO_ZMB', '260763456789'), amount: '15', currency: 'ZMW' };
  try {
    const known = await initiate(first);
    // So long that all are rejected, not a share.
    await first.engine.store.database.query(
      `update payments set next_action_at = now() - interval '10 minutes'`,
    );
    // Its first look goes back to the beginning.
    const slow = { ...first, url: (await later.start()).url };
    const turned = async () => (await send('/v2/deposits', depositRequest(), slow))[0];
    await expect.poll(turned, { timeout: 60_000, interval: 300 }).toBe(503);
    expect(await send('/v2/deposits', depositRequest(), slow)).toEqual(SHED);
    expect(await send(`/v2/deposits/${known}`, undefined, slow)).toEqual([200, null, undefined]);
    expect(await send('/v2/deposits', depositRequest(other), slow)).toEqual([200, null, undefined]);
    const { depositId: splitPaymentId, ...collection } = depositRequest();
    const share = { payoutId: randomUUID(), amount: '90', recipient: collection['payer'] };
    const split = { splitPaymentId, ...collection, splits: [share] };
    expect(await send('/v2/split-payments', split, slow)).toEqual(SHED);
  } finally {
    await later.stop();
    await first.stop();
  }
});
