// What hosted pages answer, whatever is sent to them: headers, weights, forms sent twice, forms that are not ours.
import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeAvailability } from '../../src/core/merchants/administer-merchants.ts';
import { suspendMerchant } from '../../src/core/merchants/suspension.ts';
import { parsePaymentPageRequest } from '../../src/wire/v2/checkouts/payment-page.ts';
import { checkoutRequest, readCheckout, waitForCheckout } from '../checkouts.ts';
import { openAccount } from '../edge/accounts.ts';
import { call, openTestGateway, waitForStatus, type TestGateway } from '../gateway.ts';
import type { Body } from '../requests.ts';
import { countDeposits, hiddenFields, load, payFields, send } from './forms.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ timing: { enquiryDelaysMs: [200] } });
});
afterAll(() => gateway.stop());

const RWANDAN = { country: 'RWA', amountDetails: { amount: '100', currency: 'RWF' } };

async function openPage(changes: Body = RWANDAN, to: Pick<TestGateway, 'url' | 'apiToken'> = gateway) {
  const depositId = randomUUID();
  const request = { depositId, returnUrl: 'https://shop.example/back?cart=1', ...changes };
  const { body } = await call(to, 'POST', '/v2/paymentpage', request);
  return { depositId, url: String(body['redirectUrl']) };
}

async function openCheckout(changes: Body = {}) {
  const request = checkoutRequest({
    countries: ['RWA'],
    amounts: [{ country: 'RWA', currency: 'RWF', amount: '100' }],
    ...changes,
  });
  const { body } = await call(gateway, 'POST', '/v2/checkouts', request);
  return { checkoutId: String(request['checkoutId']), url: String(body['redirectUrl']) };
}

const letPass = (minutes: number) => gateway.gateway.movableClock!.move(minutes * 60_000);

async function languageOf(url: string, headers?: Record<string, string>) {
  return /<html lang="(\w+)"/.exec((await load(url, headers)).text)?.[1];
}

/** The bytes of an answer as they travel. */
function weigh(url: string): Promise<{ bytes: number; text: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip' };
    httpRequest(url, { headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const head = answer.rawHeaders.join(': ').length;
        resolve({ bytes: Buffer.concat(chunks).length + head, text: Buffer.concat(chunks) });
      });
    })
      .on('error', reject)
      .end();
  });
}

describe('every page', () => {
  test('every page is framed by no one, kept nowhere, tells no one where it is, and runs only our script', async () => {
    const { url } = await openPage();
    const { headers } = await fetch(url);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('set-cookie')).toBeNull();
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "base-uri 'none'",
    ])
      expect(policy).toContain(rule);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
  });

  test('every page speaks the language of the payer, else of the merchant, else of the browser, else English', async () => {
    const french = await openPage({ ...RWANDAN, language: 'FR' });
    const open = await openPage();
    expect(await languageOf(`${french.url}?lang=en`)).toBe('en');
    expect(await languageOf(french.url, { 'accept-language': 'en' })).toBe('fr');
    expect(await languageOf(open.url, { 'accept-language': 'de, fr-CM;q=0.8, en;q=0.5' })).toBe('fr');
    expect(await languageOf(open.url, { 'accept-language': 'sw-KE, en;q=0.9' })).toBe('sw');
    expect(await languageOf(open.url, { 'accept-language': 'pt-MZ' })).toBe('pt');
    expect(await languageOf(`${french.url}?lang=sw`)).toBe('sw');
    expect(await languageOf(`${french.url}?lang=de`)).toBe('fr');
    expect(await languageOf(open.url, { 'accept-language': 'de' })).toBe('en');
  });

  test.each(['/pay/0001aaaaaaaaaaaaaa', '/pay/x', '/checkout/0001aaaaaaaaaaaaaa', '/pay/%00'])(
    '%s, which no one knows, is 404 for people',
    async (path) => {
      const { status, text } = await load(`${gateway.url}${path}`);
      expect(status).toBe(404);
      expect(text).toContain('This page does not exist');
    },
  );

  test('every page shows what a merchant wrote as text', async () => {
    const account = await openAccount(gateway, { companyName: '<img src=x onerror=alert(1)>' });
    const { url } = await openPage({ ...RWANDAN, reason: '"><script>alert(1)</script>' }, account);
    const { text } = await load(url);
    expect(text).not.toContain('<img src=x');
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('&#60;script&#62;alert');
  });
});

describe('weights', () => {
  test.each<[string, Body]>([
    ['with everything open', {}],
    ['with a fixed amount', RWANDAN],
    ['with nothing open', { ...RWANDAN, phoneNumber: '250783456789', reason: 'Two tickets' }],
  ])('the first view %s has at most 14 KB, whatever it loads included', async (_, changes) => {
    const { url } = await openPage(changes);
    const { text } = await load(url);
    const linked = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
    expect(linked.length).toBeGreaterThan(0);
    const weights = await Promise.all([url, ...linked.map((path) => `${gateway.url}${path}`)].map(weigh));
    const total = weights.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(total).toBeLessThanOrEqual(14 * 1024);
    expect([...text.matchAll(/(?:src|href|action)="(https?:[^"]+)"/g)].map(([, found]) => found)).toEqual(
      [...text.matchAll(/href="(https:\/\/shop[^"]+)"/g)].map(([, found]) => found),
    );
  });
});

describe('a form that is sent twice', () => {
  test('ten times at once: one deposit, and all are shown the same', async () => {
    const { depositId, url } = await openPage();
    const fields = await payFields(url, { phone: '783456129' });
    const before = await countDeposits(gateway);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(url, fields)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 303));
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
    expect((await countDeposits(gateway)) - before).toBe(1);
    expect((await call(gateway, 'GET', `/v2/deposits/${depositId}`)).body['status']).toBe('FOUND');
  });

  test('ten times at once in a checkout: one attempt', async () => {
    const { checkoutId, url } = await openCheckout();
    const fields = await payFields(url, { phone: '783457129' });
    await Promise.all(Array.from({ length: 10 }, () => send(url, fields)));
    expect((await readCheckout(gateway, checkoutId))['depositsHistory']).toHaveLength(1);
  });

  test('after the payment has ended: nothing is started, and the end is shown', async () => {
    const { depositId, url } = await openPage();
    const fields = await payFields(url, { phone: '783456789' });
    await send(url, fields);
    await waitForStatus(gateway, depositId, 'COMPLETED');
    const before = await countDeposits(gateway);
    expect((await send(url, fields)).status).toBe(303);
    expect(await countDeposits(gateway)).toBe(before);
    expect((await load(url)).text).toContain('Payment received');
  });

  test('an old form of a checkout, from before an attempt failed, starts nothing', async () => {
    const { checkoutId, url } = await openCheckout();
    const fields = await payFields(url, { phone: '783456039' });
    await send(url, fields);
    await waitForCheckout(gateway, checkoutId, 'WAITING_PAYMENT');
    expect((await send(url, fields)).status).toBe(303);
    expect((await readCheckout(gateway, checkoutId))['depositsHistory']).toHaveLength(1);
  });
});

describe('a form that is not ours', () => {
  test.each([
    ['without a token', { token: '' }],
    ['with the token of another page', { token: 'A'.repeat(22) }],
  ])('%s starts nothing', async (_, changes) => {
    const { depositId, url } = await openPage();
    const fields = await payFields(url, { phone: '783456789' });
    const { status, text } = await send(url, { ...fields, ...changes });
    expect(status).toBe(200);
    expect(text).toContain('press the button again');
    expect((await call(gateway, 'GET', `/v2/deposits/${depositId}`)).body['status']).toBe('NOT_FOUND');
  });

  test.each<[string, Record<string, string>, Body]>([
    ['another amount', { amount: '1' }, RWANDAN],
    ['another number', { phone: '250783000001' }, { ...RWANDAN, phoneNumber: '250783456789' }],
  ])('%s than the merchant fixed is passed over', async (_, changes, terms) => {
    const { depositId, url } = await openPage(terms);
    const fields =
      'phoneNumber' in terms
        ? { ...hiddenFields((await load(url)).text), offer: 'MTN_MOMO_RWA RWF' }
        : await payFields(url, { phone: '783456789' });
    await send(url, { ...fields, ...changes });
    const record = await waitForStatus(gateway, depositId, 'COMPLETED');
    expect(record).toMatchObject({
      amount: '100',
      payer: { accountDetails: { phoneNumber: '250783456789' } },
    });
  });

  test.each([
    ['a provider of another country', 'MTN_MOMO_ZMB ZMW'],
    ['a provider no one has', 'X Y'],
  ])('%s is not taken', async (_, offer) => {
    const { depositId, url } = await openPage();
    const fields = await payFields(url, { phone: '788888888', offer });
    await send(url, fields);
    const { body } = await call(gateway, 'GET', `/v2/deposits/${depositId}`);
    expect(JSON.stringify(body)).not.toContain(offer.split(' ')[0]);
  });
});

describe('what a payer types', () => {
  test.each([
    ['783456789', '250783456789'],
    ['0783 456 789', '250783456789'],
    ['+250 783-456-789', '250783456789'],
    ['00250783456789', '250783456789'],
  ])('%s is understood as %s', async (typed, phoneNumber) => {
    const { url } = await openPage();
    const { text } = await send(url, { ...hiddenFields((await load(url)).text), phone: typed });
    expect(hiddenFields(text)['phone']).toBe(phoneNumber);
  });

  test.each([
    ['12', 'Enter a mobile number of Rwanda.'],
    ['', 'Enter a mobile number of Rwanda.'],
  ])('%j is explained', async (typed, problem) => {
    const { url } = await openPage();
    const { text } = await send(url, { ...hiddenFields((await load(url)).text), phone: typed });
    expect(text).toContain(problem);
    expect(text).toContain('aria-invalid="true"');
  });

  test.each([
    ['1,000', '1000'],
    ['1 000', '1000'],
    ['05000', '5000'],
  ])('the amount %s is understood as %s', async (typed, amount) => {
    const { url } = await openPage({ country: 'RWA' });
    const fields = { ...hiddenFields((await load(url)).text), phone: '783456789', amount: typed };
    expect(hiddenFields((await send(url, fields)).text)['amount']).toBe(amount);
  });

  test.each([
    ['', 'Enter an amount'],
    ['0', 'Enter an amount'],
    ['10.50', 'MTN accepts whole amounts only.'],
    ['1', 'MTN accepts amounts from'],
    ['99999999', 'MTN accepts amounts from'],
  ])('the amount %j is explained with the limits of the provider', async (typed, problem) => {
    const { url } = await openPage({ country: 'RWA' });
    const fields = { ...hiddenFields((await load(url)).text), phone: '783456789', amount: typed };
    expect((await send(url, fields)).text).toContain(problem);
  });
});

describe('time', () => {
  test('after 15 minutes no one can pay any more; a payment that was started still shows how it ended', async () => {
    const late = await openPage();
    const paid = await openPage();
    const lateFields = await payFields(late.url, { phone: '783456789' });
    await send(paid.url, await payFields(paid.url, { phone: '783456789' }));
    await waitForStatus(gateway, paid.depositId, 'COMPLETED');
    await letPass(15);
    expect((await send(late.url, lateFields)).status).toBe(303);
    expect((await load(late.url)).text).toContain('This payment has expired');
    expect((await call(gateway, 'GET', `/v2/deposits/${late.depositId}`)).body['status']).toBe('NOT_FOUND');
    expect((await load(paid.url)).text).toContain('Payment received');
  });

  test('a newer page with the same identifier takes the place of the older one', async () => {
    const { depositId, url } = await openPage();
    const newer = await openPage({ ...RWANDAN, depositId });
    expect((await load(url)).status).toBe(404);
    expect((await load(newer.url)).status).toBe(200);
  });
});

test('trouble of a provider is said before anybody tries, and it cannot be chosen', async () => {
  const { url } = await openPage();
  const trouble = { by: 'test', provider: 'MTN_MOMO_RWA', operation: 'DEPOSIT' } as const;
  await changeAvailability(gateway.engine, { ...trouble, status: 'CLOSED' });
  try {
    const { text } = await load(url);
    expect(text).toContain('MTN is having problems right now');
    const fields = await payFields(url, { phone: '783456789' });
    expect((await send(url, fields)).text).toContain('MTN is having problems');
  } finally {
    await changeAvailability(gateway.engine, { ...trouble, status: 'OPERATIONAL' });
  }
});

test('the steps of a prompt that was missed appear after 12 seconds; those of a menu at once', async () => {
  const revivable = await openPage();
  await send(revivable.url, await payFields(revivable.url, { phone: '783456129' }));
  expect((await load(revivable.url)).text).not.toContain('No request on your phone?');
  await gateway.gateway.movableClock!.move(12_000);
  expect((await load(revivable.url)).text).toContain('No request on your phone?');
  const manual = await openPage({ country: 'SEN', amountDetails: { amount: '500', currency: 'XOF' } });
  const fields = await payFields(manual.url, { phone: '773456129', offer: 'ORANGE_SEN XOF' });
  await send(manual.url, fields);
  expect((await load(manual.url)).text).toContain('Approve the payment in the menu of');
});

test.each([
  ['PAYMENT_NOT_APPROVED', 'not approved'],
  ['INSUFFICIENT_BALANCE', 'not enough money'],
  ['PAYMENT_IN_PROGRESS', 'another request open'],
  ['PAYER_NOT_FOUND', 'no account with this provider'],
  ['PAYER_LIMIT_REACHED', 'reached a limit'],
  ['UNSPECIFIED_FAILURE', 'did not say why'],
  ['OTHER_ERROR', 'did not complete'],
])('%s is told so that a person understands: %s', async (failureCode, reason) => {
  const script = { phoneNumber: '250783456703', scenario: 'FAILURE', failureCode };
  await call(gateway, 'POST', '/sandbox/scripts', script);
  const { depositId, url } = await openPage();
  await send(url, await payFields(url, { phone: '783456703' }));
  await waitForStatus(gateway, depositId, 'FAILED');
  const { text } = await load(url);
  expect(text).toContain(reason);
  expect(text).toContain(`https://shop.example/back?cart=1&#38;depositId=${depositId}`);
});

test('a payer cancels a checkout, and the merchant is told', async () => {
  const { checkoutId, url } = await openCheckout();
  const { text } = await load(url);
  await send(url, { ...hiddenFields(text), step: 'cancel' });
  expect(await readCheckout(gateway, checkoutId)).toMatchObject({ status: 'CANCELLED' });
  expect((await load(url)).text).toContain('You cancelled this payment');
});

test('a suspended merchant has no pages', async () => {
  const account = await openAccount(gateway);
  const { url } = await openPage(RWANDAN, account);
  expect((await load(url)).status).toBe(200);
  await suspendMerchant(gateway.engine, {
    actor: { personId: null, by: 'test' },
    merchantId: account.merchantId,
  });
  expect((await load(url)).status).toBe(404);
});

test('in production a returnUrl must be https', () => {
  const surroundings = { httpUrlsAllowed: false, isCountry: () => true };
  const request = { depositId: randomUUID(), returnUrl: 'http://shop.example/' };
  expect(parsePaymentPageRequest(request, surroundings)).toMatchObject({
    type: 'FAULT',
    fault: { parameter: 'returnUrl' },
  });
});
