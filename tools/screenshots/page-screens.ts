// The hosted payment page and checkouts, as far as a payer comes with them.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { order, type Screen, type Stage } from './screen.ts';

export const PAGE_SCREENS: readonly Screen[] = [
  { name: 'payment-page', sizes: ['phone', 'desk'], play: playReview },
  { name: 'payment-page-dark', sizes: ['phone', 'desk'], colours: 'dark', play: playReview },
  {
    name: 'payment-page-ask',
    sizes: ['phone', 'desk'],
    play: async (stage) => {
      await openPage(stage, { amountDetails: undefined });
      await stage.page.fill('#phone', PAYER);
      await stage.page.fill('#amount', '1500');
    },
  },
  {
    name: 'payment-page-waiting',
    sizes: ['phone'],
    play: async (stage) => {
      await openPage(stage);
      await pay(stage.page, SILENT);
      await stage.page.waitForSelector('.waiting');
    },
  },
  {
    name: 'payment-page-paid',
    sizes: ['phone', 'desk'],
    play: async (stage) => {
      await openPage(stage);
      await pay(stage.page, PAYS);
      await stage.page.waitForSelector('.success');
    },
  },
  {
    name: 'payment-page-failed',
    sizes: ['phone'],
    play: async (stage) => {
      await openPage(stage);
      await pay(stage.page, LIMITED);
      await stage.page.waitForSelector('.failure');
    },
  },
  {
    name: 'payment-page-code',
    sizes: ['phone'],
    play: async (stage) => {
      await openPage(stage, { country: 'BFA', amountDetails: { amount: '2500', currency: 'XOF' } });
      await review(stage.page, '74 34 56 78');
      await stage.page.fill('#code', '482913');
    },
  },
  {
    name: 'payment-page-french',
    sizes: ['phone'],
    play: async (stage) => {
      const amountDetails = { amount: '2500', currency: 'XOF' };
      await openPage(stage, { country: 'SEN', amountDetails, reason: 'Commande 1042', language: 'FR' });
      await review(stage.page, '77 345 67 89');
    },
  },
  {
    name: 'checkout',
    sizes: ['phone', 'desk'],
    play: async (stage) => {
      await openCheckout(stage);
      await pay(stage.page, DECLINES);
      await stage.page.waitForSelector('.failure');
      await stage.page.fill('#phone', PAYER);
    },
  },
];

/** That of the simulated phone, so that pictures of both tell one story. It answers only who picks it up. */
const PAYER = '0783 456 201';

const PAYS = '0783 456 789';
const DECLINES = '0783 456 039';
const LIMITED = '0783 456 019';
const SILENT = '0783 456 129';

const PRICE = { amount: '1500', currency: 'RWF' };

async function playReview(stage: Stage): Promise<void> {
  await openPage(stage);
  await review(stage.page, PAYER);
}

async function openPage(stage: Stage, changes: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const { redirectUrl } = await order(stage, '/v2/paymentpage', {
    depositId: randomUUID(),
    returnUrl: 'https://shop.example/orders/1042',
    country: 'RWA',
    amountDetails: PRICE,
    reason: 'Order 1042',
    ...changes,
  });
  await stage.page.goto(String(redirectUrl));
}

async function openCheckout(stage: Stage): Promise<void> {
  const { redirectUrl } = await order(stage, '/v2/checkouts', {
    checkoutId: randomUUID(),
    returnUrl: 'https://shop.example/cart',
    amounts: [{ country: 'RWA', ...PRICE }],
    reason: { en: 'Order 1042' },
  });
  await stage.page.goto(String(redirectUrl));
}

/** As far as the last look. */
async function review(page: Page, phone: string): Promise<void> {
  await page.fill('#phone', phone);
  await page.click('main form button');
  await page.waitForSelector('#offer');
}

async function pay(page: Page, phone: string): Promise<void> {
  await review(page, phone);
  await page.click('main form button');
}
