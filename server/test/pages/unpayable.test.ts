// Pages that cannot be paid: refused when they are ordered, or honest to the payer.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeAvailability, switchProviders } from '../../src/core/merchants/administer-merchants.ts';
import { checkoutRequest, waitForCheckout } from '../checkouts.ts';
import { openAccount, type Account } from '../edge/accounts.ts';
import { call, openTestGateway, type TestGateway } from '../gateway.ts';
import type { Body } from '../requests.ts';
import { hiddenFields, load, send } from './forms.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ directoryRememberMs: 0 });
});
afterAll(() => gateway.stop());

const MTN = '250783456789';
const AIRTEL = '250733456789';
/** Of a prefix that belongs to no provider. */
const NO_ONES = '250753456789';
const RETURN_URL = 'https://shop.example/back';

function askPage(changes: Body, path = '/v2/paymentpage', to: Pick<Account, 'url' | 'apiToken'> = gateway) {
  return call(to, 'POST', path, { depositId: randomUUID(), returnUrl: RETURN_URL, ...changes });
}

function askCheckout(changes: Body, to: Pick<Account, 'url' | 'apiToken'> = gateway) {
  return call(to, 'POST', '/v2/checkouts', checkoutRequest(changes));
}

const fixed = (phoneNumber: string) => ({
  type: 'MMO',
  accountDetails: { phoneNumber, allowCustomerToOverride: false },
});
const senegalese = { amounts: [{ country: 'SEN', currency: 'XOF', amount: '500' }] };
const rwf = (amount: string) => ({ amountDetails: { amount, currency: 'RWF' } });

/** What a person reads. */
function textOf(page: string): string {
  const [, main = ''] = /<main[^>]*>([^]*?)<\/main>/.exec(page) ?? [];
  return main
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function chosenOffer(page: string): string | null {
  return /value="([^"]+)"\s+required\s*checked/.exec(page)?.[1] ?? null;
}

describe('C2: what can never be paid is rejected, also when only the phone number names the country', () => {
  test.each<[string, Body]>([
    ['INVALID_CURRENCY', { phoneNumber: MTN, amountDetails: { amount: '10', currency: 'ZMW' } }],
    ['INVALID_CURRENCY', { phoneNumber: '254703456789', amountDetails: { amount: '500', currency: 'XOF' } }],
  ])('v2 page: %s for %j', async (code, changes) => {
    const { status, body } = await askPage(changes);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'REJECTED' } });
    expect(body['failureReason'].failureCode).toBe(code);
  });

  test.each<[string, string]>([
    ['AMOUNT_TOO_SMALL', '1'],
    ['INVALID_AMOUNT', '10.5'],
    ['AMOUNT_TOO_LARGE', '9999999'],
  ])('v1 page: %s for the amount %s', async (code, amount) => {
    const { status, body } = await askPage({ msisdn: MTN, amount }, '/v1/widget/sessions');
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'REJECTED' } });
    expect(body['rejectionReason'].rejectionCode).toBe(code);
  });

  test('a checkout whose fixed payer is in none of the countries of its amounts', async () => {
    const { body } = await askCheckout({ ...senegalese, payer: fixed(MTN) });
    expect(body).toMatchObject({ status: 'REJECTED', failureReason: { failureCode: 'INVALID_CURRENCY' } });
  });

  test('a checkout is opened where one of its amounts is of the fixed payer’s country', async () => {
    const amounts = [...senegalese.amounts, { country: 'RWA', currency: 'RWF', amount: '500' }];
    expect((await askCheckout({ amounts, payer: fixed(MTN) })).body).toMatchObject({ status: 'ACCEPTED' });
  });
});

async function switchMtnOff({ merchantId }: Account): Promise<void> {
  const providers = ['MTN_MOMO_RWA'];
  await switchProviders(gateway.engine, {
    by: 'test',
    merchantId,
    providers,
    operations: ['DEPOSIT'],
    to: 'OFF',
  });
}

describe('C2: a page that can no longer be paid says why, and leads out', () => {
  test('a payment page names the amount and the bounds, and keeps the link back', async () => {
    const account = await openAccount(gateway, { providers: ['MTN_MOMO_RWA', 'AIRTEL_RWA'] });
    const { body } = await askPage({ country: 'RWA', ...rwf('50') }, undefined, account);
    await switchMtnOff(account);
    const { text } = await load(String(body['redirectUrl']));
    expect(textOf(text)).toContain('Airtel accepts amounts from 100 RWF to 1,500,000 RWF');
    expect(textOf(text)).not.toContain('few minutes');
    expect(text).toContain(`href="${RETURN_URL}?depositId=`);
  });

  test('a checkout keeps the link back, and its cancel button works', async () => {
    const amounts = [{ country: 'RWA', currency: 'RWF', amount: '50' }];
    const request = checkoutRequest({ countries: ['RWA'], amounts });
    const account = await openAccount(gateway, { providers: ['MTN_MOMO_RWA', 'AIRTEL_RWA'] });
    const { body } = await call(account, 'POST', '/v2/checkouts', request);
    await switchMtnOff(account);
    const url = String(body['redirectUrl']);
    const { text } = await load(url);
    expect(textOf(text)).not.toContain('few minutes');
    expect(text).toContain(`href="https://shop.example/cart?checkoutId=`);
    await send(url, hiddenFields(text));
    const ended = await waitForCheckout(
      { ...gateway, ...account },
      String(request['checkoutId']),
      'CANCELLED',
    );
    expect(ended).toMatchObject({ status: 'CANCELLED' });
  });
});

describe('C3: a number is not routed silently to another provider than its own', () => {
  test('an amount that the number’s provider does not take: it says so and chooses nothing', async () => {
    const { body } = await askPage({ phoneNumber: AIRTEL, ...rwf('50') });
    const { text } = await load(String(body['redirectUrl']));
    expect(chosenOffer(text)).toBeNull();
    expect(textOf(text)).toContain('Airtel accepts amounts from 100 RWF to 1,500,000 RWF');
  });

  test('a provider that the shop does not take: it says so and chooses nothing', async () => {
    const account = await openAccount(gateway, { providers: ['MTN_MOMO_RWA'] });
    const { body } = await askPage({ phoneNumber: AIRTEL, ...rwf('500') }, undefined, account);
    const { text } = await load(String(body['redirectUrl']));
    expect(chosenOffer(text)).toBeNull();
    expect(textOf(text)).toContain('does not accept payments with Airtel');
  });

  test('a provider that is closed: it says so and chooses nothing', async () => {
    const closing = { by: 'test', provider: 'AIRTEL_RWA', operation: 'DEPOSIT' } as const;
    await changeAvailability(gateway.engine, { ...closing, status: 'CLOSED' });
    try {
      const { body } = await askPage({ phoneNumber: AIRTEL, ...rwf('500') });
      const { text } = await load(String(body['redirectUrl']));
      expect(chosenOffer(text)).toBeNull();
      expect(textOf(text)).toContain('Airtel is having problems right now');
    } finally {
      await changeAvailability(gateway.engine, { ...closing, status: 'OPERATIONAL' });
    }
  });
});

describe('C5: messages name the provider and the country that they are about', () => {
  test('C5: messages name the provider and the country that they are about bounds are those of the number’s provider', async () => {
    const { body } = await askPage({ phoneNumber: MTN, ...rwf('3') });
    expect(body['failureReason'].failureMessage).toBe(
      "The amount must be at least '5' and at most '2000000' for provider 'MTN_MOMO_RWA'.",
    );
  });

  test('a currency is refused by a provider with a name', async () => {
    const payer = {
      type: 'MMO',
      accountDetails: { provider: 'MTN_MOMO_RWA', allowCustomerToOverride: false },
    };
    const { body } = await askCheckout({ ...senegalese, payer });
    expect(body['failureReason'].failureMessage).toBe(
      "The currency 'XOF' is not supported by provider 'MTN_MOMO_RWA'.",
    );
  });

  test('an amount in a country without a provider of the account is INVALID_COUNTRY', async () => {
    const account = await openAccount(gateway, { providers: ['MTN_MOMO_RWA'] });
    const { body } = await askCheckout(senegalese, account);
    expect(body['failureReason'].failureMessage).toBe(
      "The country 'SEN' does not fit: no provider of this account is there.",
    );
  });

  test('a phone number is not one of countries that have names', async () => {
    const account = await openAccount(gateway, {
      providers: ['MTN_MOMO_RWA', 'MTN_MOMO_ZMB'],
    });
    const { body } = await askPage({ phoneNumber: '33612345678' }, undefined, account);
    expect(body['failureReason'].failureMessage).toBe(
      "The phone number is not a valid number of 'RWA', 'ZMB'. Use digits only, with the country code and without a " +
        'plus sign, e.g. 250783456789.',
    );
  });

  test('the page gives no bounds of a provider that no one chose', async () => {
    const { body } = await askPage({ phoneNumber: NO_ONES, country: 'RWA' });
    const url = String(body['redirectUrl']);
    const answer = await send(url, { ...hiddenFields((await load(url)).text), amount: '50' });
    expect(textOf(answer.text)).not.toContain('Airtel accepts amounts');
  });
});

describe('C6: the page claims to have chosen only where it did', () => {
  const CLAIM = 'We chose it by your number';

  test.each<[string, boolean, string]>([
    ['a prefix of a provider', true, MTN],
    ['a prefix of no provider', false, NO_ONES],
  ])('%s: %s', async (_, isClaimed, phoneNumber) => {
    const { body } = await askPage({ phoneNumber, ...rwf('500') });
    const { text } = await load(String(body['redirectUrl']));
    expect(textOf(text).includes(CLAIM)).toBe(isClaimed);
    expect(chosenOffer(text) !== null).toBe(isClaimed);
  });

  test('a provider that the merchant named was not chosen by the number', async () => {
    const accountDetails = { phoneNumber: MTN, provider: 'AIRTEL_RWA', allowCustomerToOverride: true };
    const amounts = [{ country: 'RWA', currency: 'RWF', amount: '500' }];
    const { body } = await askCheckout({ amounts, payer: { type: 'MMO', accountDetails } });
    const url = String(body['redirectUrl']);
    const answer = await send(url, { ...hiddenFields((await load(url)).text), phone: MTN });
    expect(chosenOffer(answer.text)).toBe('AIRTEL_RWA RWF');
    expect(textOf(answer.text)).not.toContain(CLAIM);
  });
});
