// The documentation in a real browser, built as `npm run build:docs` builds it and served by a real gateway.
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSite } from '../../src/commands/sandbox/build-sites.ts';
import { findBarriers, fitsScreen, openBrowser, openUser, WIDTHS } from '../browser.ts';
import { openTestGateway, type TestGateway } from '../gateway.ts';

let gateway: TestGateway;
let browser: Browser;
beforeAll(async () => {
  await buildSite('docs');
  gateway = await openTestGateway();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

/** A visitor who keeps everything that was asked for. */
async function visit(widthPx: number, colours: 'light' | 'dark' = 'light') {
  const user = await openUser(browser, { widthPx, colours });
  const asked: string[] = [];
  user.page.on('request', (request) => asked.push(request.url()));
  /** What did not stay with the gateway. Pictures inside a page are no requests. */
  const elsewhere = () =>
    asked.filter((url) => !url.startsWith(`${gateway.url}/`) && !url.startsWith('data:'));
  return { ...user, asked, elsewhere, at: (path: string) => `${gateway.url}/docs${path}` };
}

/** VitePress writes the key that opens the search into the button, and not into its name. */
const isOurs = (barrier: string) => !/^label-content-name-mismatch: .*DocSearch-Button/.test(barrier);

test.each([
  ['a phone', WIDTHS.phone, 'dark'],
  ['a desktop', WIDTHS.desktop, 'light'],
] as const)(
  'on %s pages fit, can be used by everybody, and ask no one but the gateway',
  async (_, width, colours) => {
    const { page, at, asked, elsewhere, complaints, strays, leave } = await visit(width, colours);
    for (const path of ['/', '/guides/deposits', '/reference/failure-codes', '/internals/money']) {
      await page.goto(at(path));
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      expect([path, await fitsScreen(page)]).toEqual([path, true]);
      expect([path, (await findBarriers(page)).filter(isOurs)]).toEqual([path, []]);
    }
    expect(asked.length).toBeGreaterThan(10);
    expect([elsewhere(), strays, complaints]).toEqual([[], [], []]);
    await leave();
  },
);

test('pictures are those of the theme that the reader chooses, whatever the system says', async () => {
  const { page, at, leave } = await visit(WIDTHS.desktop, 'light');
  await page.goto(at('/guides/dashboard'));
  const shown = () =>
    page
      .locator('.vp-doc img:visible')
      .evaluateAll((images) => images.map((image) => image.getAttribute('src')));
  expect((await shown()).length).toBeGreaterThan(5);
  expect((await shown()).filter((src) => src?.includes('-dark'))).toEqual([]);
  await page.evaluate(() => localStorage.setItem('vitepress-theme-appearance', 'dark'));
  await page.reload();
  await page.locator('html.dark').waitFor();
  expect((await shown()).filter((src) => !src?.includes('-dark'))).toEqual([]);
  await leave();
});

/** The button is drawn before the script has come that makes it one. */
async function openSearch(page: Page): Promise<void> {
  const box = page.getByRole('searchbox');
  const patience = { timeout: 2_000 };
  while ((await box.count()) === 0) {
    await page
      .getByRole('button', { name: /Search/ })
      .click(patience)
      .catch(() => undefined);
    await box.waitFor(patience).catch(() => undefined);
  }
}

test('who looks for a failure code finds its page, and from there goes on by links', async () => {
  const { page, at, elsewhere, complaints, leave } = await visit(WIDTHS.desktop);
  await page.goto(at('/'));
  await openSearch(page);
  await page.getByRole('searchbox').fill('PAYMENT_NOT_APPROVED');
  // Results move while their excerpts load: the event goes to the link itself, wherever it is by then.
  await page.locator('[role=option] a[href*="/reference/failure-codes"]').first().dispatchEvent('click');
  await page.waitForURL(/\/docs\/reference\/failure-codes/);
  await page.getByRole('link', { name: 'API v1' }).first().click();
  await page.waitForURL(at('/reference/api-v1'));
  expect([elsewhere(), complaints]).toEqual([[], []]);
  await leave();
});

test('who types the word of another gateway gets our page first', async () => {
  const { page, at, elsewhere, complaints, leave } = await visit(WIDTHS.desktop);
  await page.goto(at('/'));
  await openSearch(page);
  await page.getByRole('searchbox').fill('webhook');
  const first = page.getByRole('option').first();
  await first.locator('a[href*="/docs/guides/callbacks"]').waitFor();
  expect([elsewhere(), complaints]).toEqual([[], []]);
  await leave();
});

test('a page that is opened by its address is the page, and one that is not there says so', async () => {
  const { page, at, leave } = await visit(WIDTHS.desktop);
  expect((await page.goto(at('/project/architecture')))?.status()).toBe(200);
  expect((await page.goto(at('/connectors/simulator')))?.status()).toBe(200);
  expect((await page.goto(at('/nowhere')))?.status()).toBe(404);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect((await findBarriers(page)).filter(isOurs)).toEqual([]);
  await leave();
});

test('the viewer shows the operations of every document, and asks no one else', async () => {
  const { page, at, elsewhere, strays, complaints, leave } = await visit(WIDTHS.phone, 'dark');
  for (const name of ['v2', 'v1', 'sandbox', 'console']) {
    const text = readFileSync(new URL(`../../../openapi/${name}.json`, import.meta.url), 'utf8');
    const [first] = Object.values<any>(JSON.parse(text).paths).flatMap((path) => Object.values<any>(path));
    await page.goto(at(`/api/${name}`));
    await page.getByRole('heading', { name: first.summary }).first().waitFor();
    expect(await fitsScreen(page)).toBe(true);
  }
  expect([elsewhere(), strays, complaints]).toEqual([[], [], []]);
  await leave();
});

test('a request from the viewer is answered by the gateway that the viewer came from', async () => {
  const { page, at, elsewhere, leave } = await visit(WIDTHS.desktop);
  await page.goto(at('/api/v2#tag/toolkit/GET/v2/availability'));
  await page.getByPlaceholder('Token').first().fill(gateway.apiToken);
  await page.getByRole('button', { name: /Test Request.*\/v2\/availability/ }).click();
  const answered = page.waitForResponse((response) => response.url().includes('/v2/availability'));
  await page.getByRole('button', { name: /^Send/ }).first().click();
  expect((await answered).status()).toBe(200);
  expect(elsewhere()).toEqual([]);
  await leave();
});

test('language models are told every page', async () => {
  const answer = await fetch(`${gateway.url}/docs/llms.txt`);
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const paths = [...text.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(40);
  const statuses = await Promise.all(
    paths.map(async (path) => (await fetch(`${gateway.url}${path}`)).status),
  );
  expect(paths.filter((_, index) => statuses[index] !== 200)).toEqual([]);
  const whole = await (await fetch(`${gateway.url}/docs/llms-full.txt`)).text();
  expect(whole).toContain('# Failure codes');
});
