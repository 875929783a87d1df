// The table of optional parameters and every way to authorise, in a browser: each row once, combinations pairwise. The
// full matrix is `npm run test:pages-matrix`.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestGateway, type TestGateway } from '../gateway.ts';
import { openBrowser } from '../browser.ts';
import { FLOWS, listCases, listPairwise, playCase, ROWS } from './matrix.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: TestGateway;
let browser: Browser;
let shop: Shop;
beforeAll(async () => {
  gateway = await openTestGateway({ simulator: { redirects: 'MANUAL' }, timing: { enquiryDelaysMs: [200] } });
  browser = await openBrowser();
  shop = await openShop();
});
afterAll(async () => {
  await browser.close();
  await shop.stop();
  await gateway.stop();
});

test('the chosen cases have every row, and every two values together', () => {
  const chosen = listPairwise();
  expect(chosen.length).toBeLessThan(listCases().length / 4);
  for (const row of ROWS)
    for (const flow of Object.keys(FLOWS))
      expect(chosen.filter((one) => one.row === row && one.flow === flow)).not.toEqual([]);
});

describe.concurrent('a payer pays and returns', () => {
  test.each(listPairwise())(
    '$row, by $flow, $width px, scripts $scripts, $language',
    { timeout: 60_000 },
    async (one) => playCase({ gateway, browser, shopUrl: shop.url }, one),
  );
});
