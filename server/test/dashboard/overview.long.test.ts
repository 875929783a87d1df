import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import { changeRegionalSettings } from '../../src/core/merchants/regional-settings.ts';
import { OPERATIONS } from '../../src/domain/payments/payment.ts';
import { findBarriers, fitsScreen, WIDTHS } from '../browser.ts';
import { depositRequest, payer, select, waitUntil } from '../gateway.ts';
import { start, startCompleted, waitForPayment } from '../payments.ts';
import { payoutRequest } from '../requests.ts';
import { openDashboard, type Dashboard } from './dashboard.ts';
import { expectSoundEverywhere } from './sound.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await openDashboard({ directoryRememberMs: 0 });
  const { gateway } = dashboard;
  await startCompleted(gateway, 'deposit', depositRequest({ amount: '1250' }));
  await startCompleted(gateway, 'payout', payoutRequest({ amount: '200' }));
  const failing = depositRequest({ payer: payer('MTN_MOMO_RWA', '250783456039') });
  await waitForPayment(gateway, 'deposit', await start(gateway, 'deposit', failing), 'FAILED');
  await counted(3);
});
afterAll(() => dashboard.close());

async function counted(count: number): Promise<void> {
  const sum = 'select coalesce(sum(payment_count), 0)::int as counted from payment_hours';
  await waitUntil(async () => (await select(dashboard.gateway, sum))[0]?.['counted'] === count);
}

async function openOverview(page: Page): Promise<void> {
  await page.goto(dashboard.merchantAddress('overview'));
  await page.getByRole('heading', { name: 'Completed volume (RWF)' }).waitFor();
}

test.each(Object.entries(WIDTHS))('on a %s it shows how payments went', async (_name, widthPx) => {
  const user = await dashboard.visit({ role: 'OWNER', widthPx });
  const { page, leave } = user;
  await openOverview(page);
  const tile = page.locator('[data-figure=DEPOSIT]');
  expect(await tile.textContent()).toBe('Deposits1,250 RWF Before: 0 RWF1 completed · 50% success rate');
  // Deposits of 1,250 less a payout of 200; nothing costs a fee here.
  expect(await page.locator('[data-figure=NET]').textContent()).toContain('1,050 RWF');
  await page.getByRole('img', { name: 'Completed volume over time, in RWF' }).waitFor();
  const providers = page.getByRole('table', { name: 'Providers' });
  const row = providers.getByRole('row').filter({ hasText: 'Deposit' });
  expect(await row.textContent()).toContain('MTN Rwanda');
  expect(await row.textContent()).toContain('50%');
  // Two payments say nothing about how long payments take.
  await page.getByText('Times are shown from 20 payments on.').waitFor();
  await page.getByRole('region', { name: 'Failure reasons' }).getByRole('listitem').waitFor();
  await page.getByRole('link', { name: 'Rwanda (RWF)' }).waitFor();
  await expectSoundEverywhere(user);
  await leave();
});

test('another period is shown without anything going away meanwhile', async () => {
  const { page, leave } = await dashboard.visit({ role: 'READ_ONLY' });
  await openOverview(page);
  const asked = page.waitForResponse((response) => response.url().includes('/overview'));
  await page.getByText('Today', { exact: true }).click();
  const { from, to } = Object.fromEntries(new URL((await asked).url()).searchParams);
  expect(from).toBe(to);
  expect(await page.locator('[data-figure=DEPOSIT]').count()).toBe(1);
  await leave();
});

test('it speaks French, figures too', async () => {
  const { page, leave } = await dashboard.visit({ role: 'OWNER', language: 'fr' });
  await page.goto(dashboard.merchantAddress('overview'));
  await page.getByRole('heading', { name: 'Volume réussi (RWF)' }).waitFor();
  expect(await page.locator('[data-figure=DEPOSIT]').textContent()).toContain('1\u202f250 RWF');
  await leave();
});

test.each(['DEVELOPER', 'SUPPORT'] as const)('%s sees how payments went, and no balances', async (role) => {
  const { page, leave } = await dashboard.visit({ role });
  await openOverview(page);
  expect(await page.getByRole('heading', { name: 'Balances' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Wallets' }).count()).toBe(0);
  await leave();
});

test('the host’s people look at it too', async () => {
  const { page, leave } = await dashboard.visit({ role: 'OPERATOR_SUPPORT' });
  await openOverview(page);
  await page.getByRole('heading', { name: 'Balances' }).waitFor();
  await leave();
});

test('a new merchant is told what will appear, and is brought here first', async () => {
  const { engine } = dashboard.gateway;
  const order = { by: 'test', companyName: 'New', operations: OPERATIONS, walletPerProvider: false };
  const merchantId = await createMerchant(engine, order);
  const { page, leave } = await dashboard.visit({ role: 'OPERATOR_ADMIN', widthPx: WIDTHS.phone });
  await page.goto(dashboard.address(`/m/${merchantId}`));
  await page.waitForURL(/\/overview$/);
  await page.getByText('No payments yet').waitFor();
  await page.getByText('No balance yet').waitFor();
  expect([await findBarriers(page), await fitsScreen(page)]).toEqual([[], true]);
  await leave();
});

test('an owner sets the time zone and the home currency, and every screen follows', async () => {
  const user = await dashboard.visit({ role: 'OWNER' });
  const { page, leave } = user;
  await page.goto(dashboard.merchantAddress('regional-settings'));
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Kigali');
  await page.getByRole('option', { name: 'Africa/Kigali' }).click();
  await page.getByRole('combobox', { name: 'Home currency' }).selectOption('RWF');
  await expectSoundEverywhere(user);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved.').waitFor();
  await openOverview(page);
  await page.getByText(/payments by day \(Kigali\).*Updated .* \(Kigali\)/).waitFor();
  await page.goto(dashboard.merchantAddress('wallets/RWA-RWF'));
  await page.getByRole('columnheader', { name: 'Time (Kigali)' }).waitFor();
  await page.goto(dashboard.merchantAddress('statements'));
  await page.getByRole('button', { name: 'New statement' }).click();
  await page.getByRole('textbox', { name: 'From (Kigali)' }).waitFor();
  await leave();
});

test.each(['FINANCE', 'READ_ONLY'] as const)('%s does not see the setting', async (role) => {
  const { page, leave } = await dashboard.visit({ role });
  await page.goto(dashboard.merchantAddress('regional-settings'));
  await page.getByText('You don’t have access').waitFor();
  await leave();
});

test('it opens on the currency with most payments, and has the balance in the home currency first', async () => {
  const { gateway } = dashboard;
  const uganda = { currency: 'UGX', amount: '5000', payer: payer('MTN_MOMO_UGA', '256783456789') };
  await startCompleted(gateway, 'deposit', depositRequest(uganda));
  await counted(4);
  const { engine, merchantId } = gateway;
  await changeRegionalSettings(engine, { by: 'test', merchantId, homeCurrency: 'UGX' });
  const { page, leave } = await dashboard.visit({ role: 'OWNER' });
  await openOverview(page);
  const balances = page.getByRole('region', { name: 'Balances' }).getByRole('link');
  await expect.poll(() => balances.first().textContent()).toBe('Uganda (UGX)');
  expect(await page.getByRole('combobox', { name: 'Currency' }).inputValue()).toBe('RWF');
  await leave();
});
