// Readers of the event feed that wait for the next event.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventWaits } from '../../src/core/events/event-waits.ts';
import { call, openTestGateway, waitUntil, type Answer, type TestGateway } from '../gateway.ts';
import { topUp } from '../payments.ts';
import { openAccount, type Account } from './accounts.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

const readPage = (caller: Account, query: Record<string, string>): Promise<Answer> =>
  call(caller, 'GET', `/v2/events?${new URLSearchParams(query).toString()}`);

/** Longer than anything here takes: who waited for that long was not told of an event. */
const LONGEST_WAIT_MS = 25_000;

test('an answer waits for the next event, and for no longer than asked', async () => {
  const shop = await openAccount(gateway);
  let since = performance.now();
  const empty = await readPage(shop, { after: 'latest', wait: '1' });
  expect(empty.body['data']).toEqual([]);
  expect(performance.now() - since).toBeGreaterThan(900);
  expect(performance.now() - since).toBeLessThan(LONGEST_WAIT_MS);
  since = performance.now();
  const waiting = readPage(shop, { after: empty.body['next'], wait: '25' });
  await topUp(gateway, shop.merchantId, '100');
  expect((await waiting).body['data']).toMatchObject([{ type: 'MOVEMENT', movement: { amount: '100' } }]);
  expect(performance.now() - since).toBeLessThan(LONGEST_WAIT_MS);
});

test('a reader that leaves makes room for another', async () => {
  const shop = await openAccount(gateway);
  const isAnsweredAtOnce = async () => {
    const since = performance.now();
    await readPage(shop, { after: 'latest', wait: '1' });
    return performance.now() - since < 900;
  };
  const [since, left] = [performance.now(), new AbortController()];
  const authorization = `Bearer ${shop.apiToken}`;
  const options = { headers: { authorization }, signal: left.signal, agent: false };
  // Who finds no place comes again, until all places are theirs.
  const readers = Array.from({ length: 10 }, async () => {
    for (;;) (await once(get(`${shop.url}/v2/events?after=latest&wait=25`, options), 'response'))[0].resume();
  });
  await waitUntil(isAnsweredAtOnce);
  left.abort();
  expect(await Promise.allSettled(readers)).toMatchObject(readers.map(() => ({ status: 'rejected' })));
  await waitUntil(async () => !(await isAnsweredAtOnce()));
  expect(performance.now() - since).toBeLessThan(LONGEST_WAIT_MS);
});

test('no one waits beyond the limits, and everyone is answered when the process stops', async () => {
  const waits = new EventWaits(gateway.engine, { waitsMax: 3, perMerchantMax: 2 });
  const { signal } = new AbortController();
  const wait = (merchantId: string) => waits.wait({ merchantId, afterNo: 0 }, { ms: 60_000, signal });
  const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
  const held = [wait(one), wait(one), wait(two)];
  await wait(one);
  await wait(three);
  expect(waits.count).toBe(3);
  waits.close();
  await Promise.all(held);
  expect(waits.count).toBe(0);
  await wait(two);
});
