// What a payer sees first on a small phone, without scripts: the button that pays, in every language, within one answer
// of 14 KB. And that no language breaks the layout or keeps anyone from using it.
import { randomUUID } from 'node:crypto';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../browser.ts';
import { checkoutRequest, waitForCheckout } from '../checkouts.ts';
import { call, openTestGateway, type TestGateway } from '../gateway.ts';
import type { Body } from '../requests.ts';
import { findBarriers, visit } from './browser.ts';
import { payFields, send } from './forms.ts';

let gateway: TestGateway;
let browser: Browser;
beforeAll(async () => {
  gateway = await openTestGateway();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

const LANGUAGES = ['en', 'fr', 'pt', 'sw'] as const;
const SMALL = { width: 360, height: 640, scripts: false } as const;

/** By country: one provider, two, three that each take two currencies, four, one with a code. */
const WALLETS = {
  KEN: ['254703456789', 'KES'],
  MOZ: ['258843456789', 'MZN'],
  COD: ['243893456789', 'CDF'],
  TZA: ['255743456789', 'TZS'],
  BFA: ['22674345678', 'XOF'],
} as const;
type Country = keyof typeof WALLETS;

async function openPage(country: Country, changes: Body = {}): Promise<string> {
  const [phoneNumber, currency] = WALLETS[country];
  const { body } = await call(gateway, 'POST', '/v2/paymentpage', {
    depositId: randomUUID(),
    returnUrl: 'https://shop.example/back',
    country,
    phoneNumber,
    amountDetails: { amount: '12500', currency },
    reason: 'Two tickets from Kigali to Dar es Salaam',
    ...changes,
  });
  return String(body['redirectUrl']);
}

/** A checkout whose first attempt was declined. */
async function openDeclined(): Promise<string> {
  const amounts = [{ country: 'RWA', currency: 'RWF', amount: '12500' }];
  const request = checkoutRequest({ countries: ['RWA'], amounts });
  const { body } = await call(gateway, 'POST', '/v2/checkouts', request);
  const url = String(body['redirectUrl']);
  await send(url, await payFields(url, { phone: '783456039' }));
  await waitForCheckout(gateway, String(request['checkoutId']), 'WAITING_PAYMENT');
  return url;
}

/** Where the button that pays, or goes on, lies in the window. */
async function lowerEdgeOfButton(page: Page): Promise<number> {
  const box = await page.locator('main form button').first().boundingBox();
  expect(box?.y).toBeGreaterThan(0);
  return (box?.y ?? 0) + (box?.height ?? 0);
}

describe.each(LANGUAGES)('in %s, 360 by 640 px, without scripts', (language) => {
  test('the button that pays is in sight before anyone scrolls, whatever there is to choose', async () => {
    await visit(browser, { ...SMALL, language }, async ({ page }) => {
      for (const country of Object.keys(WALLETS) as Country[]) {
        await page.goto(await openPage(country));
        expect(await page.getAttribute('html', 'lang')).toBe(language);
        expect(await lowerEdgeOfButton(page), country).toBeLessThanOrEqual(SMALL.height);
      }
    });
  });

  test('so is the button of every question before', async () => {
    const open = { phoneNumber: undefined, amountDetails: undefined };
    await visit(browser, { ...SMALL, language }, async ({ page }) => {
      for (const changes of [{ phoneNumber: undefined }, open, { ...open, country: undefined }]) {
        await page.goto(await openPage('TZA', changes));
        expect(await lowerEdgeOfButton(page)).toBeLessThanOrEqual(SMALL.height);
      }
    });
  });

  test('so is the button of a retry, below why the payment failed', async () => {
    await visit(browser, { ...SMALL, language }, async ({ page }) => {
      await page.goto(await openDeclined());
      await page.locator('.notice').first().waitFor();
      expect(await lowerEdgeOfButton(page)).toBeLessThanOrEqual(SMALL.height);
    });
  });

  test('the page arrives in one answer, and in 14 KB with everything it loads', async () => {
    await visit(browser, { ...SMALL, scripts: true, language }, async ({ page }) => {
      const loaded: Request[] = [];
      page.on('requestfinished', (request) => loaded.push(request));
      await page.goto(await openPage('TZA'));
      await page.waitForLoadState('networkidle');
      expect(loaded.length).toBeGreaterThan(1);
      const sizes = await Promise.all(loaded.map((request) => request.sizes()));
      const bytes = sizes.map((one) => one.responseBodySize + one.responseHeadersSize);
      expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(14 * 1024);
    });
  });

  test.each([360, 1280])(
    'axe finds nothing, and nothing is wider than the screen, at %d px',
    async (width) => {
      await visit(browser, { width, scripts: true, language }, async ({ page }) => {
        for (const changes of [
          {},
          { phoneNumber: undefined, amountDetails: undefined, country: undefined },
        ]) {
          await page.goto(await openPage('TZA', changes));
          await page.click('.languages summary');
          expect(await findBarriers(page)).toEqual([]);
        }
      });
    },
  );
});

test('on a wide screen the order stands beside the step', async () => {
  await visit(browser, { width: 1280, scripts: false, language: 'en' }, async ({ page }) => {
    await page.goto(await openPage('TZA'));
    const [order, step] = await Promise.all(
      ['.order', '.step'].map((part) => page.locator(part).boundingBox()),
    );
    expect(step!.x).toBeGreaterThan(order!.x + order!.width);
    expect(Math.abs(step!.y - order!.y)).toBeLessThan(40);
  });
});
