import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import { OPERATIONS } from '../../src/domain/payments/payment.ts';
import { findBarriers, fitsScreen, WIDTHS } from '../browser.ts';
import { depositRequest, payer, waitUntil } from '../gateway.ts';
import { start, startCompleted, waitForPayment } from '../payments.ts';
import { payoutRequest } from '../requests.ts';
import { openDashboard, type Dashboard } from './dashboard.ts';
import { expectSoundEverywhere } from './sound.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
  const { gateway } = dashboard;
  await startCompleted(gateway, 'deposit', depositRequest({ amount: '1250' }));
  await startCompleted(gateway, 'payout', payoutRequest({ amount: '200' }));
  const failing = depositRequest({ payer: payer('MTN_MOMO_RWA', '250783456039') });
  await waitForPayment(gateway, 'deposit', await start(gateway, 'deposit', failing), 'FAILED');
  await waitUntil(async () => {
    const { rows } = await gateway.engine.store.database.query<{ counted: number }>(
      'select coalesce(sum(payment_count), 0)::int as counted from payment_hours',
    );
    return rows[0]?.counted === 3;
  });
});
afterAll(() => dashboard.close());

async function openOverview(page: Page): Promise<void> {
  await page.goto(dashboard.merchantAddress('overview'));
  await page.getByRole('heading', { name: 'Completed, in RWF' }).waitFor();
}

test.each(Object.entries(WIDTHS))('on a %s it shows how payments went', async (_name, widthPx) => {
  const user = await dashboard.visit({ role: 'OWNER', widthPx });
  const { page, leave } = user;
  await openOverview(page);
  const tile = page.locator('[data-kind=DEPOSIT]');
  expect(await tile.textContent()).toBe('Deposit1,250 RWF1 completed · 50% succeeded');
  await page.getByRole('img', { name: 'Bars of what was completed over time, in RWF' }).waitFor();
  const providers = page.getByRole('table', { name: 'Providers' });
  expect(await providers.getByRole('row').filter({ hasText: 'Deposit' }).textContent()).toContain('50%');
  await page.getByRole('region', { name: 'Why payments failed' }).getByRole('listitem').waitFor();
  await page.getByRole('link', { name: 'RWF · RWA' }).waitFor();
  await expectSoundEverywhere(user);
  await leave();
});

test('another span is shown without anything going away meanwhile', async () => {
  const { page, leave } = await dashboard.visit({ role: 'READ_ONLY' });
  await openOverview(page);
  const asked = page.waitForResponse((response) => response.url().includes('/overview'));
  await page.getByText('Today', { exact: true }).click();
  const { from, to } = Object.fromEntries(new URL((await asked).url()).searchParams);
  expect(from).toBe(to);
  expect(await page.locator('[data-kind=DEPOSIT]').count()).toBe(1);
  await leave();
});

test('it speaks French, figures too', async () => {
  const { page, leave } = await dashboard.visit({ role: 'OWNER', language: 'fr' });
  await page.goto(dashboard.merchantAddress('overview'));
  await page.getByRole('heading', { name: 'Terminés, en RWF' }).waitFor();
  expect(await page.locator('[data-kind=DEPOSIT]').textContent()).toContain('1\u202f250 RWF');
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
  await page.getByText('No payment has ended yet').waitFor();
  await page.getByText('The wallets are empty').waitFor();
  expect([await findBarriers(page), await fitsScreen(page)]).toEqual([[], true]);
  await leave();
});
