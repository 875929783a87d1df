// Which callbacks payments on hosted pages send. Completions 1.2 and 4.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkoutRequest } from './checkouts.ts';
import { call, eventually, openTestGateway, type TestGateway } from './gateway.ts';
import { hiddenFields, load, send } from './pages/forms.ts';
import type { Body } from './requests.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ simulator: { redirects: 'MANUAL' } });
});
afterAll(() => gateway.stop());

const PHONE = '221773456789';
const RETURN_URL = 'https://shop.example/back';

const REQUESTS: readonly (readonly [string, string, () => Body])[] = [
  [
    'a page opened through v1',
    '/v1/widget/sessions',
    () => ({ depositId: randomUUID(), returnUrl: RETURN_URL, amount: '1000', country: 'SEN', msisdn: PHONE }),
  ],
  [
    'a page opened through v2',
    '/v2/paymentpage',
    () => ({
      depositId: randomUUID(),
      returnUrl: RETURN_URL,
      amountDetails: { amount: '1000', currency: 'XOF' },
      country: 'SEN',
      phoneNumber: PHONE,
    }),
  ],
  [
    'a checkout',
    '/v2/checkouts',
    () =>
      checkoutRequest({
        amounts: [{ country: 'SEN', currency: 'XOF', amount: '1000' }],
        payer: { type: 'MMO', accountDetails: { phoneNumber: PHONE, allowCustomerToOverride: false } },
      }),
  ],
];

/** Pays with an operator that has a page of its own, and answers where that is. */
async function payWithWave(url: string): Promise<string> {
  const { text } = await load(url);
  const { location } = await send(url, { ...hiddenFields(text), step: 'pay', offer: 'WAVE_SEN XOF' });
  const goUrl = new URL(location ?? '', url).href;
  await eventually(async () => (await load(goUrl)).text).toContain('/pay/SIM');
  const [, address = ''] = /href="(http[^"]*\/pay\/SIM[^"]*)"/.exec((await load(goUrl)).text) ?? [];
  return address;
}

describe('C1: hosted pages, checkouts and v1 send final callbacks only', () => {
  test.each(REQUESTS)('%s announces COMPLETED and nothing before it', async (_, path, make) => {
    const { body } = await call(gateway, 'POST', path, make());
    const before = gateway.receiver.received.length;
    const operatorUrl = await payWithWave(String(body['redirectUrl']));
    const decision = new URLSearchParams({ decision: 'APPROVE' });
    await fetch(operatorUrl, { method: 'POST', body: decision, redirect: 'manual' });
    const told = () => gateway.receiver.received.slice(before).map((callback) => callback.body['status']);
    await eventually(() => told().includes('COMPLETED')).toBe(true);
    expect([...new Set(told())]).toEqual(['COMPLETED']);
  });
});
