// The simulated phone, in a browser: a developer plays a payer, and the deposit ends as he decided.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { renderPayPage } from '../../../src/sandbox/phone/render-pay-page.ts';
import { findBarriers, fitsScreen, openBrowser, openUser, WIDTHS, type SignedInUser } from '../../browser.ts';
import { call, initiate, openTestGateway, payer, type TestGateway } from '../../gateway.ts';

/** Another one for each test, so that none finds what the last one left. */
let phone = '';
let phones = 0;

let browser: Browser;
let gateway: TestGateway;
let user: SignedInUser;

beforeAll(async () => {
  browser = await openBrowser();
  gateway = await openTestGateway({ simulator: { outcomeDelayMs: 300, promptTimeoutMs: 0, renderPayPage } });
});

afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

const deposit = (changes: Record<string, unknown> = {}) =>
  initiate(gateway, { amount: '1500', payer: payer('MTN_MOMO_RWA', phone), ...changes });

/** As people read it: a blank is a blank. */
const read = async (page: Page, selector: string) =>
  (await page.locator(selector).innerText()).replaceAll('\u00a0', ' ');

beforeEach(() => {
  phones += 1;
  phone = String(250_783_500_000 + phones);
});

async function stateOf(depositId: string): Promise<string> {
  const { body } = await call(gateway, 'GET', `/v2/deposits/${depositId}`);
  const { status, failureReason } = body['data'];
  return failureReason === undefined ? status : `${status} ${failureReason.failureCode}`;
}

const becomes = (depositId: string, state: string) =>
  vi.waitFor(async () => expect(await stateOf(depositId)).toBe(state), { timeout: 60_000, interval: 100 });

const phoneUrl = (number = phone) => `${gateway.url}/sandbox/phone/${number}`;

/** Waits for the prompt of a deposit: by itself where there are scripts, else by looking again. */
async function awaitPrompt(page: Page, { scripts }: { scripts: boolean }): Promise<void> {
  if (scripts) return page.locator('#pin').waitFor();
  await vi.waitFor(
    async () => {
      await page.getByRole('link', { name: 'Refresh' }).click();
      expect(await page.locator('#pin').count()).toBe(1);
    },
    { timeout: 60_000, interval: 200 },
  );
}

// Each value once; both others were seen to hold, and cost a minute.
describe.each([
  { scripts: true, widthPx: WIDTHS.phone },
  { scripts: false, widthPx: WIDTHS.desktop },
])('with scripts $scripts, $widthPx px wide', (options) => {
  beforeEach(async () => {
    user = await openUser(browser, options);
    await user.page.goto(phoneUrl());
  });

  afterEach(async () => {
    const { complaints, strays, page } = user;
    const fits = await fitsOrUnknown(page);
    await user.leave();
    expect({ complaints, strays, fits }).toEqual({ complaints: [], strays: [], fits: true });
  });

  /** Without scripts the page cannot be asked; its layout is the same. */
  const fitsOrUnknown = (page: Page) => (options.scripts ? fitsScreen(page) : Promise.resolve(true));

  test('the prompt shows amount and merchant, and the deposit waits; a PIN completes it', async () => {
    const { page } = user;
    const depositId = await deposit({ customerMessage: 'Order 17' });
    await awaitPrompt(page, options);
    await expect.poll(() => read(page, '.glass')).toContain('Pay 1,500 RWF to Demo Shop?');
    expect(await read(page, '.glass')).toContain('Order 17');
    expect(await read(page, '#facts')).toContain(depositId);
    expect(await stateOf(depositId)).toBe('PROCESSING');
    await page.fill('#pin', '4711');
    await page.getByRole('button', { name: 'Send' }).click();
    await becomes(depositId, 'COMPLETED');
    await expect
      .poll(() => read(page, '#messages'))
      .toMatch(/You have paid 1,500 RWF\. Message: Order 17\. Reference: SIM/);
  });

  test('a declined prompt fails the deposit', async () => {
    const { page } = user;
    const depositId = await deposit();
    await awaitPrompt(page, options);
    await page.getByRole('button', { name: 'Decline' }).click();
    await becomes(depositId, 'FAILED PAYMENT_NOT_APPROVED');
    await expect.poll(() => read(page, '#messages')).toContain('you declined it');
  });

  test('an ignored prompt leaves the screen, and the operator gives up in its time', async () => {
    const { page } = user;
    const depositId = await deposit();
    await awaitPrompt(page, options);
    await page.getByRole('button', { name: 'Ignore' }).click();
    await page.locator('#pin').waitFor({ state: 'detached' });
    await becomes(depositId, 'FAILED PAYMENT_NOT_APPROVED');
    await page.getByRole('link', { name: 'Refresh' }).click();
    expect(await read(page, '#messages')).toContain('no PIN was entered in time');
  });

  test('three wrong PINs end the payment, and the phone counts them', async () => {
    const { page } = user;
    const depositId = await deposit();
    await awaitPrompt(page, options);
    for (const left of ['2', '1']) {
      await page.fill('#pin', '0000');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText(`Wrong PIN. Tries left: ${left}`).waitFor();
    }
    await page.fill('#pin', '0000');
    await page.getByRole('button', { name: 'Send' }).click();
    await becomes(depositId, 'FAILED PAYMENT_NOT_APPROVED');
  });

  test('a one-time code comes as a message, and the deposit needs it', async () => {
    const { page } = user;
    const number = '22607345678';
    await page.goto(phoneUrl(number));
    await page.getByRole('link', { name: '*144*4*6#' }).click();
    await page.fill('#amount', '250');
    await page.fill('#pin', '1234');
    await page.getByRole('button', { name: 'Send' }).click();
    const message = page.getByText(/Your code to pay 250\sXOF is \d{6}/).first();
    const code = /is (\d{6})/.exec(await message.innerText())?.[1] ?? '';
    const orange = { payer: payer('ORANGE_BFA', number), currency: 'XOF', amount: '250' };
    const wrong = await deposit({ ...orange, preAuthorisationCode: '999' });
    await becomes(wrong, 'FAILED PAYMENT_NOT_APPROVED');
    const right = await deposit({ ...orange, preAuthorisationCode: code });
    await becomes(right, 'COMPLETED');
    const again = await deposit({ ...orange, preAuthorisationCode: code });
    await becomes(again, 'FAILED PAYMENT_NOT_APPROVED');
  });

  test.each([
    ['Approve', '/ok', 'COMPLETED'],
    ['Decline', '/failed', 'FAILED PAYMENT_NOT_APPROVED'],
  ])("on the operator's own page, %s leads back to the shop", async (button, path, state) => {
    const { page } = user;
    const number = '221773456789';
    const urls = { successfulUrl: `${gateway.url}/ok`, failedUrl: `${gateway.url}/failed` };
    await page.goto(phoneUrl(number));
    const depositId = await deposit({
      payer: payer('WAVE_SEN', number),
      currency: 'XOF',
      amount: '500',
      ...urls,
    });
    await vi.waitFor(async () => {
      await page.goto(phoneUrl(number));
      expect(await page.getByRole('link', { name: 'Open page' }).count()).toBe(1);
    }, 60_000);
    await page.getByRole('link', { name: 'Open page' }).click();
    await page.getByRole('heading', { name: 'Approve this payment?' }).waitFor();
    if (options.scripts) expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL(`${gateway.url}${path}`);
    await becomes(depositId, state);
    // The shop of this test is the gateway itself, which has no such page.
    user = { ...user, complaints: user.complaints.filter((text) => !text.includes('404')) };
  });
});

describe('the phone', () => {
  beforeEach(async () => {
    user = await openUser(browser);
  });

  afterEach(() => user.leave());

  test('the phone has nothing in it that axe finds serious: list, idle, prompt, menu, light and dark', async () => {
    const { page } = user;
    const dark = await openUser(browser, { colours: 'dark', widthPx: 320 });
    const numbers = [
      phoneUrl('22607345679?menu=code'),
      `${gateway.url}/sandbox/phone`,
      phoneUrl('1'),
      phoneUrl(),
    ];
    for (const url of numbers) {
      for (const one of [page, dark.page]) {
        await one.goto(url);
        expect(await findBarriers(one), url).toEqual([]);
        expect(await fitsScreen(one), url).toBe(true);
      }
    }
    await deposit();
    await page.locator('#pin').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Decline' }).click();
    await dark.leave();
  });

  test('its keys type the PIN and send it', async () => {
    const { page } = user;
    await page.goto(phoneUrl());
    const depositId = await deposit();
    await page.locator('#pin').waitFor();
    for (const key of ['9', 'C', '1', '2', '3', '4', '5']) await page.locator(`[data-key="${key}"]`).click();
    expect(await page.inputValue('#pin')).toBe('1234');
    await page.locator('[data-key="OK"]').click();
    await becomes(depositId, 'COMPLETED');
  });

  test('the phone keeps what is being typed when a message arrives', async () => {
    const { page } = user;
    const payout = { payoutId: crypto.randomUUID(), amount: '200', currency: 'RWF' };
    await page.goto(phoneUrl());
    const depositId = await deposit();
    await page.locator('#pin').waitFor();
    await page.fill('#pin', '47');
    await call(gateway, 'POST', '/v2/payouts', { ...payout, recipient: payer('MTN_MOMO_RWA', phone) });
    await page.getByText('You have received 200 RWF').waitFor();
    expect(await page.inputValue('#pin')).toBe('47');
    await page.fill('#pin', '4711');
    await page.keyboard.press('Enter');
    await becomes(depositId, 'COMPLETED');
  });

  test('the phone says what the sandbox number is going to do, and an approval does it', async () => {
    const { page } = user;
    const number = '250783456019';
    await page.goto(phoneUrl(number));
    const depositId = await deposit({ payer: payer('MTN_MOMO_RWA', number) });
    await page.locator('#pin').waitFor();
    expect(await read(page, '#facts')).toContain('SUBSCRIBER_CEILING');
    await page.fill('#pin', '1234');
    await page.keyboard.press('Enter');
    await becomes(depositId, 'FAILED PAYER_LIMIT_REACHED');
  });

  test('put down, its payer approves by himself again', async () => {
    const { page } = user;
    await page.goto(phoneUrl());
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: 'Simulated phones' }).waitFor();
    await becomes(await deposit(), 'COMPLETED');
  });

  test('the phone is found by a number as people write it', async () => {
    const { page } = user;
    await page.goto(`${gateway.url}/sandbox/phone`);
    await page.fill('#number', '+250 783-456-789');
    await page.getByRole('button', { name: 'Open phone' }).click();
    await page.waitForURL(phoneUrl('250783456789'));
  });

  test('the phone takes no form of another site', async () => {
    const answer = await fetch(`${phoneUrl()}/put-down`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
      redirect: 'manual',
    });
    expect(answer.status).toBe(400);
  });

  test('the phone weighs less than 14 KB with everything it loads', async () => {
    const { page } = user;
    let bytes = 0;
    page.on('requestfinished', async (request) => {
      const { responseBodySize, responseHeadersSize } = await request.sizes();
      bytes += responseBodySize + responseHeadersSize;
    });
    await page.goto(phoneUrl('250783456790'));
    await page.waitForLoadState('networkidle');
    expect(bytes).toBeGreaterThan(2_000);
    expect(bytes).toBeLessThan(14_000);
  });
});
