// The hosted payment page and checkouts, as far as a payer gets.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { order, type Screen, type Shown } from './screen.ts';

export const PAGE_SCREENS: readonly Screen[] = [
  { name: 'payment-page', play: playReview },
  {
    name: 'payment-page-ask',
    play: async (shown) => {
      await openPage(shown, { amountDetails: undefined });
      await shown.page.fill('#phone', PAYER);
      await shown.page.fill('#amount', '1500');
    },
  },
  {
    name: 'payment-page-waiting',
    play: async (shown) => {
      // A number is asked once at a time: the request of the picture before is still open.
      await shown.sandbox.gateway.engine.store.database.query('delete from payer_prompts');
      await openPage(shown);
      await pay(shown.page, SILENT);
      await shown.page.waitForSelector('.waiting');
    },
  },
  {
    name: 'payment-page-paid',
    play: async (shown) => {
      await openPage(shown);
      await pay(shown.page, PAYS);
      await shown.page.waitForSelector('.success');
    },
  },
  {
    name: 'payment-page-failed',
    play: async (shown) => {
      await openPage(shown);
      await pay(shown.page, LIMITED);
      await shown.page.waitForSelector('.failure');
    },
  },
  {
    name: 'payment-page-code',
    play: async (shown) => {
      await openPage(shown, { country: 'BFA', amountDetails: { amount: '2500', currency: 'XOF' } });
      await review(shown.page, '74 34 56 78');
      await shown.page.fill('#code', '482913');
    },
  },
  {
    name: 'payment-page-french',
    isOneLanguage: true,
    play: async (shown) => {
      const amountDetails = { amount: '2500', currency: 'XOF' };
      await openPage(shown, { country: 'SEN', amountDetails, reason: 'Commande 1042', language: 'FR' });
      await review(shown.page, '77 345 67 89');
    },
  },
  {
    name: 'payment-page-swahili',
    isOneLanguage: true,
    play: async (shown) => {
      const amountDetails = { amount: '2500', currency: 'TZS' };
      await openPage(shown, { country: 'TZA', amountDetails, reason: 'Agizo 1042' }, { lang: 'sw' });
      await review(shown.page, '0743 456 789');
    },
  },
  {
    name: 'payment-page-portuguese',
    isOneLanguage: true,
    play: async (shown) => {
      const amountDetails = { amount: '250', currency: 'MZN' };
      await openPage(shown, { country: 'MOZ', amountDetails, reason: 'Encomenda 1042' }, { lang: 'pt' });
      await review(shown.page, '84 345 6789');
    },
  },
  {
    name: 'checkout',
    play: async (shown) => {
      await openCheckout(shown);
      await pay(shown.page, DECLINES);
      await shown.page.waitForSelector('.failure');
    },
  },
];

/** The number of the simulated phone, so that both pictures match. It answers only if a person holds it. */
const PAYER = '0783 456 201';

const PAYS = '0783 456 789';
const DECLINES = '0783 456 039';
const LIMITED = '0783 456 019';
const SILENT = '0783 456 129';

const PRICE = { amount: '1500', currency: 'RWF' };

async function playReview(shown: Shown): Promise<void> {
  await openPage(shown);
  await review(shown.page, PAYER);
}

async function openPage(
  shown: Shown,
  changes: Readonly<Record<string, unknown>> = {},
  query: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { redirectUrl } = await order(shown, '/v2/paymentpage', {
    depositId: randomUUID(),
    returnUrl: 'https://shop.example/orders/1042',
    country: 'RWA',
    amountDetails: PRICE,
    reason: 'Order 1042',
    ...changes,
  });
  await shown.page.goto(`${String(redirectUrl)}?${new URLSearchParams(query).toString()}`);
}

async function openCheckout(shown: Shown): Promise<void> {
  const { redirectUrl } = await order(shown, '/v2/checkouts', {
    checkoutId: randomUUID(),
    returnUrl: 'https://shop.example/cart',
    amounts: [{ country: 'RWA', ...PRICE }],
    reason: { en: 'Order 1042' },
  });
  await shown.page.goto(String(redirectUrl));
}

/** Up to the review step. */
async function review(page: Page, phone: string): Promise<void> {
  await page.fill('#phone', phone);
  await page.click('main form button');
  await page.waitForSelector('#offer');
}

async function pay(page: Page, phone: string): Promise<void> {
  await review(page, phone);
  await page.click('main form button');
}
