// B6: an account can demand signatures for the requests that open pages where a payer starts a payment.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPublicKey, requireSignatures } from '../src/core/merchants/administer-keys.ts';
import { openAccount, type Account } from './edge/accounts.ts';
import { checkoutRequest } from './checkouts.ts';
import { call, depositRequest, openTestGateway, type TestGateway } from './gateway.ts';
import { createKey, draftRequest, send, signDraft } from './signing.ts';

const key = createKey('shop', 'ecdsa-p256-sha256');

let gateway: TestGateway;
let account: Account;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
  account = await openAccount(gateway);
  const { merchantId } = account;
  const { name, pem } = key;
  await addPublicKey(gateway.engine, { by: 'test', merchantId, name, algorithm: 'ecdsa-p256-sha256', pem });
});
afterAll(() => gateway.stop());

const page = () => ({
  depositId: randomUUID(),
  returnUrl: 'https://shop.example/back',
  amountDetails: { amount: '500', currency: 'RWF' },
  phoneNumber: '250783456789',
  country: 'RWA',
  reason: 'x',
});

const widget = () => ({
  depositId: randomUUID(),
  returnUrl: 'https://shop.example/back',
  country: 'RWA',
  reason: 'x',
});

const OPENINGS = [
  ['/v2/paymentpage', page],
  ['/v1/widget/sessions', widget],
  ['/v2/checkouts', checkoutRequest],
] as const;

const set = (covers: 'PAYMENTS' | 'PAGES', isRequired: boolean) =>
  requireSignatures(gateway.engine, { by: 'test', merchantId: account.merchantId, covers, isRequired });

const signed = (path: string, body: unknown) =>
  send(account, signDraft(draftRequest({ url: gateway.url, path, body: JSON.stringify(body), key })));

test.each(OPENINGS)(
  'B6: a token alone opens nothing at %s where signatures cover pages',
  async (path, request) => {
    await set('PAYMENTS', true);
    expect((await call(account, 'POST', path, request())).status).toBeLessThan(300);
    await set('PAGES', true);
    expect((await call(account, 'POST', path, request())).status).toBe(401);
    expect((await signed(path, request())).status).toBeLessThan(300);
    await set('PAGES', false);
    expect((await call(account, 'POST', path, request())).status).toBeLessThan(300);
  },
);

test('B6: each setting covers its own requests only, and a checkout is cancelled without a signature', async () => {
  await set('PAYMENTS', false);
  await set('PAGES', true);
  expect((await call(account, 'POST', '/v2/deposits', depositRequest())).status).toBe(200);
  const { checkoutId, ...rest } = checkoutRequest();
  expect((await signed('/v2/checkouts', { checkoutId, ...rest })).status).toBe(200);
  expect((await call(account, 'POST', `/v2/checkouts/${checkoutId}/expire`)).status).toBe(200);
  await set('PAGES', false);
});
