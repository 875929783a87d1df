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
  await page.getByRole('row').filter({ hasText: 'Rwanda (RWF)' }).getByText('1,001,050').waitFor();
  await expectSoundEverywhere(user);
  await page.getByRole('link', { name: 'Rwanda (RWF)' }).click();
  await page.getByRole('heading', { name: 'Rwanda (RWF)' }).waitFor();
  const rows = page.getByRole('table', { name: 'Movements' }).locator('tbody tr');
  await rows.first().getByText('Payout').waitFor();
  expect(await rows.count()).toBe(3);
  expect(await rows.nth(0).textContent()).toContain('−200');
  // The balance after each movement, down to the first one.
  const balances = await rows.locator('td:last-child').allTextContents();
  expect(balances.map((text) => text.replace(/^.*?(?=[\d,]+ RWF)/, ''))).toEqual([
    '1,001,050 RWF',
    '1,001,250 RWF',
    '1,000,000 RWF',
  ]);
  const link = rows.nth(1).getByRole('link', { name: 'Deposit' });
  expect(await link.getAttribute('href')).toContain(`/payments/DEPOSIT/${depositId}`);
  await expectSoundEverywhere(user);
  await leave();
});

test('a wallet in which nothing moved says what would', async () => {
  const { page, leave } = await dashboard.visit({ role: 'OWNER', widthPx: WIDTHS.phone });
  await page.goto(dashboard.merchantAddress('wallets/ZMB-USD'));
  await page.getByText('No movements yet').waitFor();
  expect([await findBarriers(page), await fitsScreen(page)]).toEqual([[], true]);
  await leave();
});

test('a low balance alert is set on the page of a wallet, and removed again', async () => {
  const user = await dashboard.visit({ role: 'FINANCE' });
  const { page, leave } = user;
  await page.goto(dashboard.merchantAddress('wallets/RWA-RWF'));
  await page.getByRole('button', { name: 'Low balance alert' }).click();
  const dialog = page.getByRole('dialog', { name: 'Low balance alert' });
  await dialog.getByLabel('Alert below (RWF)').fill('50000');
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('50,000').waitFor();
  await page.getByRole('button', { name: 'Low balance alert' }).click();
  await dialog.getByRole('button', { name: 'Remove alert' }).click();
  await page.getByText('50,000').waitFor({ state: 'detached' });
  await leave();
});

test('somebody who may only read sees wallets, and no way to statements', async () => {
  const { page, leave } = await dashboard.visit({ role: 'READ_ONLY' });
  await page.goto(dashboard.merchantAddress('wallets/RWA-RWF'));
  await page.getByRole('table', { name: 'Movements' }).getByText('Top-up').waitFor();
  expect(await page.getByRole('link', { name: 'Statements' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Low balance alert' }).count()).toBe(0);
  await leave();
});

test.each(['DEVELOPER', 'SUPPORT'] as const)('%s sees no wallets, by their address either', async (role) => {
  const { page, leave } = await dashboard.visit({ role });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  for (const path of ['wallets', 'wallets/RWA-RWF']) {
    await page.goto(dashboard.merchantAddress(path));
    await page.getByText('You don’t have access').waitFor();
  }
  expect(await page.getByRole('link', { name: 'Wallets' }).count()).toBe(0);
  expect(asked.filter((path) => /console.*(wallets|movements)/.test(path))).toEqual([]);
  await leave();
});
