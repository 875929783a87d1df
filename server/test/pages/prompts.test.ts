// B7: how often a payer's phone can be asked for a PIN from pages that anybody can open.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHECKOUT_ATTEMPTS_MAX } from '../../src/domain/checkouts/checkout.ts';
import { inTransaction } from '../../src/store/database.ts';
import { lockNumbers } from '../../src/store/payments/payer-prompts.ts';
import { readCheckout, checkoutRequest } from '../checkouts.ts';
import { openAccount } from '../edge/accounts.ts';
import {
  call,
  depositRequest,
  openTestGateway,
  payer,
  waitForStatus,
  type Answer,
  type TestGateway,
} from '../gateway.ts';
import { countDeposits, hiddenFields, load, payFields, send } from './forms.ts';

/** The simulator refuses this one by its number. */
const DECLINES = '0783456039';
const APPROVES = '0783456789';

type Caller = Pick<TestGateway, 'url' | 'apiToken'>;

async function openPage(to: Caller): Promise<{ readonly depositId: string; readonly url: string }> {
  const depositId = randomUUID();
  const amountDetails = { amount: '100', currency: 'RWF' };
  const request = { depositId, returnUrl: 'https://shop.example/back', country: 'RWA', amountDetails };
  const { body } = await call(to, 'POST', '/v2/paymentpage', request);
  return { depositId, url: String(body['redirectUrl']) };
}

/** 303 where a deposit was started, 200 where the page says why not. */
async function pay(
  to: Caller,
  phone: string,
): Promise<{ readonly status: number; readonly depositId: string }> {
  const { depositId, url } = await openPage(to);
  const { status } = await send(url, await payFields(url, { phone }));
  return { status, depositId };
}

async function decline(to: Caller, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    const { status, depositId } = await pay(to, DECLINES);
    expect(status).toBe(303);
    const read = async () => (await call(to, 'GET', `/v2/deposits/${depositId}`)).body['data']['status'];
    await expect.poll(read, { timeout: 60_000, interval: 20 }).toBe('FAILED');
  }
}

const requestOne = () => depositRequest({ payer: payer('MTN_MOMO_RWA', '250783456039') });

async function orderThirty(to: Caller): Promise<readonly Answer[]> {
  return Promise.all(Array.from({ length: 30 }, () => call(to, 'POST', '/v2/deposits', requestOne())));
}

describe('B7: on hosted pages a number has one open prompt', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    // No worker: whatever is accepted stays open.
    gateway = await openTestGateway({ role: 'api' });
  });
  afterAll(() => gateway.stop());

  test('of forms sent at the same time from many pages one starts a payment', async () => {
    const pages = await Promise.all(Array.from({ length: 8 }, () => openPage(gateway)));
    const forms = await Promise.all(pages.map(({ url }) => payFields(url, { phone: APPROVES })));
    const sent = await Promise.all(pages.map(({ url }, index) => send(url, forms[index] ?? {})));
    expect(sent.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(await countDeposits(gateway)).toBe(1);
    expect(sent.find(({ status }) => status === 200)?.text).toContain('waiting for approval');
  });

  test('a process waits for another one that decides about the same number', async () => {
    const { url } = await openPage(gateway);
    const form = await payFields(url, { phone: APPROVES });
    const { database, keyring } = gateway.engine.store;
    const numberHash = keyring.searchHash('payer-prompts', '250783456789');
    const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
    const { promise: isLocked, resolve: lock } = Promise.withResolvers<void>();
    const other = inTransaction(database, async (tx) => {
      await lockNumbers(tx, [numberHash]);
      lock();
      await isHeld;
    });
    await isLocked;
    let isAnswered = false;
    const sending = send(url, form).then(() => (isAnswered = true));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(isAnswered).toBe(false);
    release();
    await Promise.all([other, sending]);
  });

  test('until the time to approve ends, and for this merchant only', async () => {
    expect((await pay(gateway, APPROVES)).status).toBe(200);
    const other = await openAccount(gateway);
    expect((await pay(other, APPROVES)).status).toBe(303);
    await gateway.gateway.movableClock?.move(121_000);
    expect((await pay(gateway, APPROVES)).status).toBe(303);
  });
});

describe('B7: prompts that were not approved are limited for an hour', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    const promptLimits = { perMerchant: 3, perNumber: 5, perPayer: null };
    gateway = await openTestGateway({ timing: { enquiryDelaysMs: [50] }, promptLimits });
  });
  afterAll(() => gateway.stop());

  test('a number is asked three times by a merchant, then not until the hour is over', async () => {
    await decline(gateway, 3);
    expect((await pay(gateway, DECLINES)).status).toBe(200);
    await gateway.gateway.movableClock?.move(3_600_000);
    await decline(gateway, 1);
  });

  test('a number is asked five times by all merchants together', async () => {
    await gateway.gateway.movableClock?.move(3_600_000);
    await decline(await openAccount(gateway), 3);
    await decline(await openAccount(gateway), 2);
    expect((await pay(gateway, DECLINES)).status).toBe(200);
  });

  test('prompts that were approved do not count, so that a payer can pay as often as they want', async () => {
    for (let count = 0; count < 5; count += 1) {
      const { status, depositId } = await pay(gateway, APPROVES);
      expect(status).toBe(303);
      await waitForStatus(gateway, depositId, 'COMPLETED');
    }
  });

  test('deposits by the API are not limited unless the host wants it', async () => {
    const answers = await orderThirty(gateway);
    expect(new Set(answers.map(({ body }) => body['status']))).toEqual(new Set(['ACCEPTED']));
  });
});

describe('B7: where the host limits deposits by the API for each payer', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    const promptLimits = { perMerchant: 3, perNumber: 5, perPayer: 4 };
    gateway = await openTestGateway({ promptLimits });
  });
  afterAll(() => gateway.stop());

  test('of thirty deposits at once to one phone four are accepted', async () => {
    const answers = await orderThirty(gateway);
    const refused = answers.filter(({ body }) => body['status'] === 'REJECTED');
    expect(refused).toHaveLength(26);
    expect(refused[0]?.body['failureReason']['failureCode']).toBe('TOO_MANY_PROMPTS');
  });
});

describe('B7: a checkout takes a bounded number of attempts', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    const promptLimits = { perMerchant: 1_000, perNumber: 1_000, perPayer: null };
    gateway = await openTestGateway({ timing: { enquiryDelaysMs: [50] }, promptLimits });
  });
  afterAll(() => gateway.stop());

  test('ten, and its page then says that the payment failed and leads back', async () => {
    const amounts = [{ country: 'RWA', currency: 'RWF', amount: '100' }];
    const request = checkoutRequest({ countries: ['RWA'], amounts, expiresAfter: 60 });
    const { body } = await call(gateway, 'POST', '/v2/checkouts', request);
    const url = String(body['redirectUrl']);
    const checkoutId = String(request['checkoutId']);
    const statusOf = async () => (await readCheckout(gateway, checkoutId))['status'];
    for (let count = 0; count < CHECKOUT_ATTEMPTS_MAX; count += 1) {
      expect((await send(url, await payFields(url, { phone: DECLINES }))).status).toBe(303);
      await expect.poll(statusOf, { timeout: 60_000, interval: 20 }).toBe('WAITING_PAYMENT');
    }
    const { text } = await load(url);
    expect(hiddenFields(text)).toEqual({});
    expect(text).toContain('https://shop.example');
    expect(await countDeposits(gateway)).toBe(CHECKOUT_ATTEMPTS_MAX);
  });
});

describe('B7: requests to hosted pages are limited for each address', () => {
  test('300 a minute; a sandbox does not limit loopback addresses', async () => {
    const gateway = await openTestGateway({ trustedProxies: ['127.0.0.1'] });
    try {
      const { url } = await openPage(gateway);
      const from = (address: string) => fetch(url, { headers: { 'x-forwarded-for': address } });
      const many = async (count: number, address: string) =>
        new Set(await Promise.all(Array.from({ length: count }, async () => (await from(address)).status)));
      for (let round = 0; round < 10; round += 1) {
        expect(await many(29, '203.0.113.7')).toEqual(new Set([200]));
      }
      let last = await from('203.0.113.7');
      for (let round = 0; round < 20 && last.status === 200; round += 1) {
        await many(10, '203.0.113.7');
        last = await from('203.0.113.7');
      }
      expect(last.status).toBe(429);
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await from('203.0.113.8')).status).toBe(200);
      for (let round = 0; round < 12; round += 1) {
        expect(await many(30, '127.0.0.2')).toEqual(new Set([200]));
      }
    } finally {
      await gateway.stop();
    }
  });
});
