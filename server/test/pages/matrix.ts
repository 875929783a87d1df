// Every row of the specification's table of optional parameters, with every way to authorise, at two widths, with and
// without scripts, in four languages: what a payer goes through, and what has to come of it.
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { call, readDeposit, waitUntil, type TestGateway } from '../gateway.ts';
import type { Body } from '../requests.ts';
import { visit, type Setting } from './browser.ts';

export const ROWS = [
  'amountDetails given',
  'amountDetails omitted',
  'phoneNumber given',
  'phoneNumber omitted',
  'country given',
  'country omitted',
  'reason given',
  'reason omitted',
] as const;
type Row = (typeof ROWS)[number];

/** How payers agree. `typed` is the number as they would write it. */
export const FLOWS = {
  'PIN prompt': flow('MTN_MOMO_RWA', 'RWA', 'RWF', '250783456789', '0783 456 789'),
  'menu of the operator': flow('ORANGE_SEN', 'SEN', 'XOF', '221773456789', '77 345 67 89'),
  'one-time code': flow('ORANGE_BFA', 'BFA', 'XOF', '22674345678', '+226 74345678'),
  redirect: flow('WAVE_SEN', 'SEN', 'XOF', '221773456789', '773456789'),
} as const;
type FlowName = keyof typeof FLOWS;

function flow(provider: string, country: string, currency: string, phoneNumber: string, typed: string) {
  return { provider, country, currency, phoneNumber, typed };
}
type Flow = ReturnType<typeof flow>;

let walletCount = 0;

/** The flow with a number of its own: a number is asked for one PIN at a time, and cases are played side by side. */
function ownWallet(name: FlowName): Flow {
  walletCount += 1;
  const tail = String(9_000 + walletCount);
  const withTail = (text: string) => {
    let left = tail.length;
    return text
      .split('')
      .reduceRight((end, sign) => (/\d/.test(sign) && left > 0 ? tail[(left -= 1)] : sign) + end, '');
  };
  const { phoneNumber, typed, ...rest } = FLOWS[name];
  return { ...rest, phoneNumber: withTail(phoneNumber), typed: withTail(typed) };
}

const WIDTHS = [360, 1280] as const;
const SCRIPTS = [true, false] as const;
const LANGUAGES = ['en', 'fr', 'pt', 'sw'] as const;

/** How the heading of the first screen begins. */
const HEADINGS = {
  en: /^(Pay|Check)/,
  fr: /^(Payer|Vérifier)/,
  pt: /^(Pagar|Confirmar)/,
  sw: /^(Lipa|Hakiki)/,
} as const;

export type Case = Setting & { readonly row: Row; readonly flow: FlowName };

/** Every case there is. */
export function listCases(): readonly Case[] {
  return ROWS.flatMap((row) =>
    (Object.keys(FLOWS) as FlowName[]).flatMap((name) =>
      WIDTHS.flatMap((width) =>
        SCRIPTS.flatMap((scripts) =>
          LANGUAGES.map((language) => ({ row, flow: name, width, scripts, language })),
        ),
      ),
    ),
  );
}

/** As few cases as it takes to have every two values of different kinds together once. */
export function listPairwise(): readonly Case[] {
  const pairsOf = (one: Case) => {
    const values = Object.entries(one).map(([name, value]) => `${name}=${value}`);
    return values.flatMap((value, index) => values.slice(index + 1).map((other) => `${value}&${other}`));
  };
  const all = listCases();
  const open = new Set(all.flatMap(pairsOf));
  const chosen: Case[] = [];
  while (open.size > 0) {
    const gain = (one: Case) => pairsOf(one).filter((pair) => open.has(pair)).length;
    const best = all.reduce((before, one) => (gain(one) > gain(before) ? one : before));
    pairsOf(best).forEach((pair) => open.delete(pair));
    chosen.push(best);
  }
  return chosen;
}

export type Stage = { readonly gateway: TestGateway; readonly browser: Browser; readonly shopUrl: string };

const REASON = 'Two tickets <to> Kigali';

/** Opens the page, pays as a payer would, and checks deposit and return. */
export async function playCase({ gateway, browser, shopUrl }: Stage, one: Case): Promise<void> {
  const depositId = randomUUID();
  const wallet = ownWallet(one.flow);
  const request = { depositId, returnUrl: `${shopUrl}/back?cart=a%20b&x=1#top`, ...requestOf(one, wallet) };
  const opened = await call(gateway, 'POST', '/v2/paymentpage', request);
  expect(opened.status).toBe(201);
  const { provider, country, currency, phoneNumber } = wallet;
  await visit(browser, one, async ({ page, requested, complaints }) => {
    await page.goto(opened.body['redirectUrl']);
    await walk(page, one, { gateway, shopUrl, depositId, wallet });
    await page.waitForURL((url) => url.href.startsWith(shopUrl), { timeout: 60_000 });
    expect(page.url()).toBe(`${shopUrl}/back?cart=a%20b&x=1&depositId=${depositId}#top`);
    expect(complaints.filter((text) => text.startsWith(gateway.url))).toEqual([]);
    const ours = [gateway.url, shopUrl, gateway.simulator.url];
    expect(requested.filter((url) => !ours.some((origin) => url.startsWith(origin)))).toEqual([]);
    expect(requested.filter((url) => url.includes(phoneNumber.slice(3)))).toEqual([]);
  });
  await waitUntil(async () => (await readDeposit(gateway, depositId))['status'] === 'COMPLETED');
  expect(await readDeposit(gateway, depositId)).toMatchObject({
    amount: '500',
    currency,
    country,
    payer: { accountDetails: { phoneNumber, provider } },
  });
}

/** The row's parameter alone is given, or all but it: either way everything else still works. */
function requestOf({ row }: Case, { country, currency, phoneNumber }: Flow): Body {
  const all: Body = {
    amountDetails: { amount: '500', currency },
    phoneNumber,
    country,
    reason: REASON,
  };
  const [parameter = '', state] = row.split(' ');
  if (state === 'given') return { [parameter]: all[parameter] };
  const { [parameter]: _left, ...rest } = all;
  return rest;
}

/** A wallet is in one country, and some currencies are of one country only. */
function asksCountry({ country, phoneNumber, amountDetails }: Body): boolean {
  return country === undefined && phoneNumber === undefined && amountDetails?.currency !== 'RWF';
}

async function walk(
  page: Page,
  one: Case,
  {
    gateway,
    shopUrl,
    depositId,
    wallet,
  }: Omit<Stage, 'browser'> & { readonly depositId: string; readonly wallet: Flow },
): Promise<void> {
  const request = requestOf(one, wallet);
  const { country, typed, provider, currency } = wallet;
  expect(await page.textContent('h1')).toMatch(HEADINGS[one.language]);
  expect(await page.getAttribute('html', 'lang')).toBe(one.language);
  const text = (await page.textContent('main')) ?? '';
  expect(text.includes(REASON)).toBe(request['reason'] !== undefined);
  expect(await page.isVisible('#country')).toBe(asksCountry(request));
  if (asksCountry(request)) {
    await page.selectOption('#country', country);
    await page.click('main form button');
  }
  const asksPhone = request['phoneNumber'] === undefined;
  const asksAmount = request['amountDetails'] === undefined;
  expect(await page.isVisible('#phone')).toBe(asksPhone);
  expect(await page.isVisible('#amount')).toBe(asksAmount);
  if (asksPhone) await page.fill('#phone', typed);
  if (asksAmount) await page.fill('#amount', '500');
  if (asksPhone || asksAmount) await page.click('main form button');
  await page.waitForSelector('#offer');
  expect((await call(gateway, 'GET', `/v2/deposits/${depositId}`)).body).toEqual({ status: 'NOT_FOUND' });
  const chosen = `main input[value="${provider} ${currency}"]`;
  // Whose number it is is predicted; Wave has none of its own, so its payers choose it.
  if (one.flow === 'redirect') await page.check(chosen);
  else expect(await page.isChecked(chosen)).toBe(true);
  if (one.flow === 'one-time code') await page.fill('#code', '123456');
  await page.click('main form button');
  if (one.flow === 'redirect') {
    await page.waitForURL((url) => url.href.startsWith(gateway.simulator.url), { timeout: 60_000 });
    await page.click('button[value="APPROVE"]');
  }
  await leave(page, shopUrl);
}

/** Goes back to the shop by the button, as soon as there is one. The page may be faster, and leave by itself. */
async function leave(page: Page, shopUrl: string): Promise<void> {
  const isBack = () => page.url().startsWith(shopUrl);
  for (let tries = 0; tries < 200 && !isBack(); tries += 1) {
    const way = page.locator('.success ~ a.button, noscript a').first();
    await way.click({ timeout: 500 }).catch(() => undefined);
  }
}
