// Trying again on a checkout: the number is kept without being shown, and "no money was taken" is said only where that
// is known. The country is known before a payer says it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advance } from '../../src/core/payments/process/advance.ts';
import { checkoutRequest, readCheckout, waitForCheckout } from '../checkouts.ts';
import { call, openTestGateway, waitForStatus, type TestGateway } from '../gateway.ts';
import type { Body } from '../requests.ts';
import { hiddenFields, load, payFields, send } from './forms.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ timing: { enquiryDelaysMs: [200] } });
});
afterAll(() => gateway.stop());

const DECLINES = '783456039';
const AMOUNTS = [{ country: 'RWA', currency: 'RWF', amount: '100' }];

async function openCheckout(changes: Body = {}) {
  const request = checkoutRequest({ countries: ['RWA'], amounts: AMOUNTS, ...changes });
  const { body } = await call(gateway, 'POST', '/v2/checkouts', request);
  return { checkoutId: String(request['checkoutId']), url: String(body['redirectUrl']) };
}

/** A checkout whose first attempt was declined. */
async function openDeclined(changes: Body = {}) {
  const opened = await openCheckout(changes);
  await send(opened.url, await payFields(opened.url, { phone: DECLINES }));
  await waitForCheckout(gateway, opened.checkoutId, 'WAITING_PAYMENT');
  const { depositsHistory } = await readCheckout(gateway, opened.checkoutId);
  return { ...opened, depositId: String(depositsHistory[0].depositId) };
}

/** The operator says after all that the payer paid. */
async function contradict(depositId: string): Promise<void> {
  const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: depositId } as const;
  const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
  const event = { type: 'OPERATOR_ANSWERED', outcome } as const;
  await advance(gateway.engine, [{ key, event, fromConnector: 'simulator' }]);
}

describe('a retry', () => {
  test('a retry says why, that no money was taken, and keeps number and provider for one press', async () => {
    const { checkoutId, url } = await openDeclined();
    const { text } = await load(url);
    expect(text).toContain('The payment did not go through');
    expect(text).toContain('No money was taken.');
    expect(text).toContain('+250\u00A0••••\u00A0039');
    expect(text).toMatch(/value="MTN_MOMO_RWA RWF"\s+required\s*checked/);
    expect(text).toContain('Pay 100\u00A0RWF');
    const again = await send(url, { ...hiddenFields(text), offer: 'MTN_MOMO_RWA RWF' });
    expect(again.status).toBe(303);
    const { depositsHistory } = await readCheckout(gateway, checkoutId);
    expect(depositsHistory).toHaveLength(2);
    expect(depositsHistory[1].payer.accountDetails.phoneNumber).toBe(`250${DECLINES}`);
  });

  test('a retry shows the number in full to no one who has the address', async () => {
    const { url } = await openDeclined();
    const { text } = await load(url);
    const problem = await send(url, { ...hiddenFields(text), token: '', offer: '' });
    for (const shown of [text, problem.text, (await load(`${url}?country=RWA`)).text])
      expect(shown).not.toContain(DECLINES);
  });

  test('a retry keeps an amount that the payer entered', async () => {
    const { checkoutId, url } = await openCheckout({ amounts: undefined });
    const asked = hiddenFields((await load(url)).text);
    const review = await send(url, { ...asked, phone: DECLINES, amount: '750' });
    await send(url, { ...hiddenFields(review.text), offer: 'MTN_MOMO_RWA RWF' });
    await waitForCheckout(gateway, checkoutId, 'WAITING_PAYMENT');
    expect((await load(url)).text).toContain('Pay 750\u00A0RWF');
  });

  test('a retry can be made with another number', async () => {
    const { checkoutId, url } = await openDeclined();
    await send(url, await payFields(url, { phone: '783456789' }));
    await waitForCheckout(gateway, checkoutId, 'COMPLETED');
  });

  test('a number that the merchant fixed is not in the forms either', async () => {
    const payer = {
      type: 'MMO',
      accountDetails: { phoneNumber: '250783456039', allowCustomerToOverride: false },
    };
    const { url } = await openCheckout({ payer });
    expect((await load(url)).text).not.toContain(DECLINES);
  });
});

describe('in doubt', () => {
  test('a failure that the operator contradicts is not offered to be paid again', async () => {
    const { checkoutId, url, depositId } = await openDeclined();
    const fields = await payFields(url, { phone: '783456789' });
    await contradict(depositId);
    const { text } = await load(url);
    expect(text).toContain('Do not pay again.');
    expect(text).not.toContain('No money was taken');
    expect(hiddenFields(text)).toEqual({});
    expect((await send(url, fields)).status).toBe(303);
    expect((await readCheckout(gateway, checkoutId))['depositsHistory']).toHaveLength(1);
  });

  test('a payment page of such a payment does not say that no money was taken', async () => {
    const depositId = randomUUID();
    const { body } = await call(gateway, 'POST', '/v2/paymentpage', {
      depositId,
      returnUrl: 'https://shop.example/back',
      country: 'RWA',
      amountDetails: { amount: '100', currency: 'RWF' },
    });
    const url = String(body['redirectUrl']);
    await send(url, await payFields(url, { phone: DECLINES }));
    await waitForStatus(gateway, depositId, 'FAILED');
    expect((await load(url)).text).toContain('No money was taken.');
    await contradict(depositId);
    expect((await load(url)).text).not.toContain('No money was taken');
  });
});

async function prefixOf(url: string, language: string): Promise<string | undefined> {
  return />\+(\d+)<\/span>/.exec((await load(url, { 'accept-language': language })).text)?.[1];
}

describe('the country', () => {
  const open = { countries: ['RWA', 'SEN', 'TZA'], amounts: undefined };
  test.each([
    ['fr-SN', '221'],
    ['sw-TZ, en;q=0.5', '255'],
    ['en-GB, fr-SN;q=0.3', '221'],
    ['en-GB', undefined],
    ['fr', undefined],
  ])('a browser that asks for %s is taken to be in +%s', async (language, prefix) => {
    const { url } = await openCheckout(open);
    expect(await prefixOf(url, language)).toBe(prefix);
    expect((await load(`${url}?country=any`, { 'accept-language': language })).text).toContain(
      'id="country"',
    );
  });

  test('what the merchant knows of the payer counts for more than the browser', async () => {
    const payer = {
      type: 'MMO',
      accountDetails: { phoneNumber: '250783456789', allowCustomerToOverride: true },
    };
    const { url } = await openCheckout({ ...open, payer });
    expect(await prefixOf(url, 'fr-SN')).toBe('250');
  });
});
