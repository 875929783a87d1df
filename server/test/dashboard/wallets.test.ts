import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers, fitsScreen, WIDTHS } from '../browser.ts';
import { depositRequest } from '../gateway.ts';
import { startCompleted } from '../payments.ts';
import { payoutRequest } from '../requests.ts';
import { openDashboard, type Dashboard } from './dashboard.ts';
import { expectSoundEverywhere } from './sound.ts';

let dashboard: Dashboard;
let depositId: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  depositId = await startCompleted(dashboard.gateway, 'deposit', depositRequest({ amount: '1250' }));
  await startCompleted(dashboard.gateway, 'payout', payoutRequest({ amount: '200' }));
});
afterAll(() => dashboard.close());

test('wallets lead to what moved them', async () => {
  const user = await dashboard.visit({ role: 'FINANCE' });
  const { page, leave } = user;
  await page.goto(dashboard.merchantAddress('wallets'));
  await page.getByRole('row').filter({ hasText: 'RWF · RWA' }).getByText('1,001,050').waitFor();
  await expectSoundEverywhere(user);
  await page.getByRole('link', { name: 'RWF · RWA' }).click();
  await page.getByRole('heading', { name: 'RWF · RWA' }).waitFor();
  const rows = page.getByRole('table', { name: 'Movements' }).locator('tbody tr');
  await rows.first().getByText('Payout').waitFor();
  expect(await rows.count()).toBe(3);
  expect(await rows.nth(0).textContent()).toContain('−200');
  const link = rows.nth(1).getByRole('link', { name: 'Deposit' });
  expect(await link.getAttribute('href')).toContain(`/payments/DEPOSIT/${depositId}`);
  await expectSoundEverywhere(user);
  await leave();
});

test('a wallet in which nothing moved says what would', async () => {
  const { page, leave } = await dashboard.visit({ role: 'OWNER', widthPx: WIDTHS.phone });
  await page.goto(dashboard.merchantAddress('wallets/ZMB-USD'));
  await page.getByText('Nothing has moved yet').waitFor();
  expect([await findBarriers(page), await fitsScreen(page)]).toEqual([[], true]);
  await leave();
});

test('somebody who may only read sees wallets, and no way to statements', async () => {
  const { page, leave } = await dashboard.visit({ role: 'READ_ONLY' });
  await page.goto(dashboard.merchantAddress('wallets/RWA-RWF'));
  await page.getByRole('table', { name: 'Movements' }).getByText('Top-up').waitFor();
  expect(await page.getByRole('link', { name: 'Statements' }).count()).toBe(0);
  await leave();
});

test.each(['DEVELOPER', 'SUPPORT'] as const)('%s sees no wallets, by their address either', async (role) => {
  const { page, leave } = await dashboard.visit({ role });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  for (const path of ['wallets', 'wallets/RWA-RWF']) {
    await page.goto(dashboard.merchantAddress(path));
    await page.getByText('Your role does not permit this').waitFor();
  }
  expect(await page.getByRole('link', { name: 'Wallets' }).count()).toBe(0);
  expect(asked.filter((path) => /console.*(wallets|movements)/.test(path))).toEqual([]);
  await leave();
});
