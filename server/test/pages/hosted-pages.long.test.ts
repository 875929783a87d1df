// Hosted pages in a browser: what people do to them that no form test can, and whether everybody can use them.
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkoutRequest, readCheckout, waitForCheckout } from '../checkouts.ts';
import {
  call,
  eventually,
  openTestGateway,
  readDeposit,
  waitForStatus,
  type TestGateway,
} from '../gateway.ts';
import type { Body } from '../requests.ts';
import { openBrowser } from '../browser.ts';
import { findBarriers, visit, type Setting } from './browser.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: TestGateway;
let browser: Browser;
let shop: Shop;
beforeAll(async () => {
  gateway = await openTestGateway({
    simulator: { redirects: 'MANUAL' },
    timing: { enquiryDelaysMs: [200] },
  });
  browser = await openBrowser();
  shop = await openShop();
});
afterAll(async () => {
  await browser.close();
  await shop.stop();
  await gateway.stop();
});

const PHONE: Setting = { width: 360, scripts: true, language: 'en' };

/** Numbers of the sandbox: one pays, one declines. */
const PAYS = '783456789';
const DECLINES = '783456039';

let silentCount = 0;

/** A number that never answers. Another one each time: a number is asked for one PIN at a time. */
async function silentNumber(): Promise<string> {
  silentCount += 1;
  const number = String(783_470_000 + silentCount);
  const script = { phoneNumber: `250${number}`, scenario: 'AWAIT_PROMPT' };
  await call(gateway, 'POST', '/sandbox/scripts', script);
  return number;
}

async function openPage(changes: Body = {}) {
  const depositId = randomUUID();
  const { body } = await call(gateway, 'POST', '/v2/paymentpage', {
    depositId,
    returnUrl: `${shop.url}/back`,
    country: 'RWA',
    amountDetails: { amount: '100', currency: 'RWF' },
    ...changes,
  });
  return { depositId, url: String(body['redirectUrl']) };
}

async function openCheckout(changes: Body = {}) {
  const request = checkoutRequest({
    returnUrl: `${shop.url}/cart`,
    countries: ['RWA'],
    amounts: [{ country: 'RWA', currency: 'RWF', amount: '100' }],
    ...changes,
  });
  const { body } = await call(gateway, 'POST', '/v2/checkouts', request);
  const { redirectUrl: url, checkoutCode: code } = body;
  return { checkoutId: String(request['checkoutId']), url: String(url), code: String(code) };
}

/** As far as the last look. */
async function enter(page: Page, phone: string): Promise<void> {
  await page.fill('#phone', phone);
  await page.click('main form button');
  await page.waitForSelector('#offer');
}

/** After an attempt that failed, the page offers the same number again. */
async function enterAnother(page: Page, phone: string): Promise<void> {
  await page.click('main details summary');
  await page.fill('#phone', phone);
  await page.click('main details button');
  await page.waitForSelector('#offer');
}

async function changeLanguage(page: Page, name: string): Promise<void> {
  await page.click('.languages summary');
  await page.click(`.languages >> text=${name}`);
}

const press = (page: Page) => page.click('main form button');

describe('a page that people do strange things to', () => {
  test('a double click pays once', async () => {
    const { depositId, url } = await openPage();
    const silent = await silentNumber();
    await visit(browser, PHONE, async ({ page }) => {
      await page.goto(url);
      await enter(page, silent);
      await page.dblclick('main form button');
      await page.waitForSelector('.waiting');
    });
    expect(await readDeposit(gateway, depositId)).toMatchObject({ depositId });
    const sent = () =>
      gateway.simulator.books().charges.filter(({ phoneNumber }) => phoneNumber.endsWith(silent));
    // The page says that it waits before the worker has sent anything.
    await eventually(() => sent().length).toBe(1);
  });

  test('back, forward and reload after paying show the payment, and start no other', async () => {
    const { depositId, url } = await openPage();
    await visit(browser, PHONE, async ({ page }) => {
      await page.goto(url);
      await enter(page, await silentNumber());
      await press(page);
      await page.waitForSelector('.waiting');
      await page.reload();
      expect(await page.isVisible('.waiting')).toBe(true);
      await page.goBack().catch(() => null);
      await page.goForward().catch(() => null);
      await page.waitForSelector('.waiting');
      expect(page.url()).toBe(url);
    });
    expect((await readDeposit(gateway, depositId))['status']).toMatch(/ACCEPTED|PROCESSING/);
  });

  test('two windows of one checkout never run two attempts at once', async () => {
    const { checkoutId, url } = await openCheckout();
    await visit(browser, PHONE, async ({ page, context }) => {
      const other = await context.newPage();
      const windows = [page, other];
      const silent = await silentNumber();
      for (const one of windows) {
        await one.goto(url);
        await enter(one, silent);
      }
      await Promise.all(windows.map(press));
      for (const one of windows) await one.waitForSelector('.waiting');
    });
    expect((await readCheckout(gateway, checkoutId))['depositsHistory']).toHaveLength(1);
  });

  test('a lost connection is found again, and the page goes on by itself', async () => {
    const { depositId, url } = await openPage();
    gateway.simulator.changeSettings({ prompts: 'MANUAL' });
    try {
      await visit(browser, PHONE, async ({ page, context }) => {
        await page.goto(url);
        await enter(page, '783456702');
        await press(page);
        await page.waitForSelector('.waiting');
        await context.setOffline(true);
        await waitForStatus(gateway, depositId, 'PROCESSING');
        const { body } = await call(gateway, 'GET', '/sandbox/prompts');
        const prompt = (body as unknown as Body[]).find((one) => one['phoneNumber'] === '250783456702');
        await call(gateway, 'POST', `/sandbox/prompts/${prompt!['promptId']}`, { decision: 'APPROVE' });
        await waitForStatus(gateway, depositId, 'COMPLETED');
        await page.waitForTimeout(2_500);
        expect(await page.isVisible('.waiting')).toBe(true);
        await context.setOffline(false);
        await page.waitForURL(`${shop.url}/back?depositId=${depositId}`, { timeout: 60_000 });
      });
    } finally {
      gateway.simulator.changeSettings({ prompts: 'AUTO' });
    }
  });

  test('a payer who declines at the page of the operator comes back to the reason', async () => {
    const { depositId, url } = await openPage({
      country: 'SEN',
      amountDetails: { amount: '500', currency: 'XOF' },
    });
    await visit(browser, PHONE, async ({ page }) => {
      await page.goto(url);
      await enter(page, '773456789');
      await page.check('main input[value="WAVE_SEN XOF"]');
      await press(page);
      await page.waitForURL((at) => at.href.startsWith(gateway.simulator.url), { timeout: 60_000 });
      await page.click('button[value="DECLINE"]');
      await page.waitForSelector('.failure', { timeout: 60_000 });
      expect(page.url()).toBe(url);
      await page.click('main a.button');
      await page.waitForURL(`${shop.url}/back?depositId=${depositId}`);
    });
    expect(await readDeposit(gateway, depositId)).toMatchObject({ status: 'FAILED' });
  });
});

describe('a checkout', () => {
  test.each([true, false])(
    'a checkout whose first attempt fails and whose second succeeds is COMPLETED (scripts: %s)',
    async (scripts) => {
      const { checkoutId, url, code } = await openCheckout({ returnMethod: 'CUSTOMER_ACTION' });
      await visit(browser, { ...PHONE, scripts }, async ({ page }) => {
        await page.goto(url);
        await enter(page, DECLINES);
        await press(page);
        await page.waitForSelector('.failure', { timeout: 60_000 });
        expect(await page.textContent('.failure')).toContain('not approved');
        expect(await page.textContent('.failure')).toContain('No money was taken');
        await enterAnother(page, PAYS);
        await press(page);
        await page.waitForSelector('.success', { timeout: 60_000 });
        await page.click('main a.button');
        await page.waitForURL(`${shop.url}/cart?checkoutId=${checkoutId}&checkoutCode=${code}`);
      });
      const record = await waitForCheckout(gateway, checkoutId, 'COMPLETED');
      const ids = record['depositsHistory'].map(({ depositId }: Body) => depositId);
      expect(record['depositsHistory'].map(({ status }: Body) => status)).toEqual(['FAILED', 'COMPLETED']);
      const told = (id: string) =>
        gateway.receiver.received.filter(({ body }) => Object.values(body).includes(id)).length;
      for (const id of [checkoutId, ...ids]) await eventually(() => told(id)).toBe(1);
    },
  );

  test.each([
    ['INSTANT', true],
    ['INSTANT', false],
    ['COUNTDOWN', true],
    ['COUNTDOWN', false],
  ])(
    'with the return method %s takes the payer back by itself (scripts: %s)',
    async (returnMethod, scripts) => {
      const { checkoutId, url, code } = await openCheckout({ returnMethod });
      await visit(browser, { ...PHONE, scripts }, async ({ page }) => {
        await page.goto(url);
        await enter(page, PAYS);
        await press(page);
        const back = `${shop.url}/cart?checkoutId=${checkoutId}&checkoutCode=${code}`;
        await page.waitForURL(back, { timeout: 60_000 });
      });
    },
  );

  test('a checkout counts the time down, and says when it is over', async () => {
    const { url } = await openCheckout({ expiresAfter: 3, returnMethod: 'CUSTOMER_ACTION' });
    await visit(browser, PHONE, async ({ page }) => {
      await page.goto(url);
      const left = () => page.textContent('.countdown');
      expect(await left()).toMatch(/^[23]:\d\d$/);
      const first = await left();
      await expect.poll(left).not.toBe(first);
      await gateway.gateway.movableClock!.move(4 * 60_000);
      await page.reload();
      expect(await page.textContent('h1')).toBe('This payment has expired');
    });
  });

  test('a checkout is cancelled by its payer', async () => {
    const { checkoutId, url } = await openCheckout({ returnMethod: 'CUSTOMER_ACTION' });
    await visit(browser, PHONE, async ({ page }) => {
      await page.goto(url);
      await page.click('text=Cancel this payment');
      await page.waitForSelector('text=You cancelled this payment');
    });
    expect(await readCheckout(gateway, checkoutId)).toMatchObject({ status: 'CANCELLED' });
  });
});

test('the language can be changed at any time, and nothing typed is lost', async () => {
  const { url } = await openPage();
  await visit(browser, { ...PHONE, scripts: false }, async ({ page }) => {
    await page.goto(url);
    await changeLanguage(page, 'Français');
    expect(await page.textContent('h1')).toContain('Payer');
    await enter(page, PAYS);
    await changeLanguage(page, 'English');
    await page.waitForSelector('text=Check and pay');
    expect(await page.textContent('main')).toContain('+250\u00A0783\u00A0456\u00A0789');
  });
});

test.each(['light', 'dark'] as const)(
  'nothing that axe finds keeps people from using any screen (%s)',
  async (scheme) => {
    const open = { country: undefined, amountDetails: undefined };
    const { url } = await openPage({ ...open, reason: 'Two tickets to Kigali' });
    const checkout = await openCheckout({ returnMethod: 'CUSTOMER_ACTION' });
    await visit(browser, { ...PHONE, width: 320 }, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme });
      const barriers: Record<string, readonly string[]> = {};
      const look = async (screen: string) => (barriers[screen] = await findBarriers(page));
      await page.goto(url);
      await look('country');
      await page.selectOption('#country', 'BFA');
      await press(page);
      await look('question');
      await page.fill('#phone', '1');
      await page.fill('#amount', '0');
      await press(page);
      await look('question with problems');
      await page.fill('#phone', '74345678');
      await page.fill('#amount', '500');
      await press(page);
      await page.waitForSelector('#offer');
      await look('last look with a code');
      await page.goto(checkout.url);
      await enter(page, DECLINES);
      await press(page);
      await page.waitForSelector('.failure', { timeout: 60_000 });
      await look('after a failed attempt');
      await enterAnother(page, await silentNumber());
      await press(page);
      await page.waitForSelector('.waiting');
      await look('waiting');
      await gateway.gateway.movableClock!.move(12_000);
      await page.waitForSelector('.steps', { timeout: 60_000 });
      await look('waiting with steps');
      const paid = await openCheckout({ returnMethod: 'CUSTOMER_ACTION' });
      await page.goto(paid.url);
      await enter(page, PAYS);
      await press(page);
      await page.waitForSelector('.success', { timeout: 60_000 });
      await look('paid');
      const expired = await openCheckout({ returnMethod: 'CUSTOMER_ACTION' });
      await call(gateway, 'POST', `/v2/checkouts/${expired.checkoutId}/expire`);
      await page.goto(expired.url);
      await look('expired');
      await page.goto(`${gateway.url}/pay/none`);
      await look('unknown');
      expect(Object.fromEntries(Object.entries(barriers).filter(([, found]) => found.length > 0))).toEqual(
        {},
      );
      expect(Object.keys(barriers)).toHaveLength(10);
    });
  },
);
