// The full matrix of the payment page: every row of the table of optional parameters, with every way to authorise, at
// both widths, with and without scripts, in four languages. `npm run test:pages-matrix`; CI runs it pairwise.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { openTestGateway, type TestGateway } from '../gateway.ts';
import { openBrowser } from '../browser.ts';
import { listCases, playCase } from '../pages/matrix.ts';
import { openShop, type Shop } from '../pages/shop.ts';

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

describe.concurrent('a payer pays and returns', () => {
  test.each(listCases())('$row, by $flow, $width px, scripts $scripts, $language', async (one) =>
    playCase({ gateway, browser, shopUrl: shop.url }, one),
  );
});
