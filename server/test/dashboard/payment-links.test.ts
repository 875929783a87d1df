import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers, fitsScreen, WIDTHS } from '../browser.ts';
import { select } from '../gateway.ts';
import { openDashboard, type Dashboard } from './dashboard.ts';
import { expectSoundEverywhere } from './sound.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

test('support makes a link, a payer pays it on a phone without scripts, and support finds the payment', async () => {
  const user = await dashboard.visit({ role: 'SUPPORT' });
  const { page, leave } = user;
  await page.goto(dashboard.merchantAddress('payment-links'));
  await page.getByText('No payment links yet').waitFor();
  await page.getByRole('button', { name: 'New link' }).click();
  await page.getByLabel('Description').fill('Delivery to Kimironko');
  await page.getByLabel('Amount').fill('1500');
  await page.getByLabel('Currency').selectOption('RWF');
  await page.getByRole('button', { name: 'Create' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your payment link' });
  await dialog.getByRole('img', { name: 'QR code of the payment link' }).waitFor();
  await dialog.getByText('Test mode. No real money moves.').waitFor();
  const url = await dialog.getByText(/\/link\//).textContent();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('row').filter({ hasText: 'Delivery to Kimironko' }).getByText('Active').waitFor();
  await expectSoundEverywhere(user);

  const payer = await dashboard.stranger({ widthPx: WIDTHS.phone, heightPx: 640, scripts: false });
  await payer.page.goto(url ?? '');
  await payer.page.getByText('If you have already paid, do not pay again.').waitFor();
  const button = payer.page.getByRole('button', { name: 'Continue' });
  const box = await button.boundingBox();
  expect((box?.y ?? 640) + (box?.height ?? 0)).toBeLessThanOrEqual(640);
  await button.click();
  await payer.page.waitForURL(/\/checkout\//);
  const started = payer.page.url();
  // Going back is another visit, and the page says what that means.
  await payer.page.goBack();
  await payer.page.getByText('If you have already paid, do not pay again.').waitFor();
  await payer.page.getByRole('button', { name: 'Continue' }).click();
  await payer.page.waitForURL(/\/checkout\//);
  const [{ count = null } = {}] = await select(dashboard.gateway, 'select count(*) as count from checkouts');
  expect([Number(count), payer.page.url() === started]).toEqual([2, false]);
  await payer.page.getByLabel('Your mobile money number').fill('783456789');
  await payer.page.getByRole('button', { name: 'Continue' }).click();
  await payer.page.getByRole('button', { name: /^Pay/ }).click();
  await payer.page.getByText('Payment received').waitFor();
  await payer.page.getByRole('link', { name: /^Return to/ }).click();
  await payer.page.getByRole('link', { name: 'See your last payment' }).click();
  await payer.page.getByText('Payment received').waitFor();
  await payer.leave();

  await page.getByRole('link', { name: 'Delivery to Kimironko' }).click();
  await page.getByRole('row').filter({ hasText: '1,500' }).first().waitFor();
  await leave();
});

test('a link is deactivated, and read by those who may only look', async () => {
  const { page, leave } = await dashboard.visit({ role: 'FINANCE', widthPx: WIDTHS.phone });
  await page.goto(dashboard.merchantAddress('payment-links'));
  await page.getByRole('button', { name: 'Deactivate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deactivate' });
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('Deactivated').waitFor();
  expect([await findBarriers(page), await fitsScreen(page)]).toEqual([[], true]);
  await leave();
  const reader = await dashboard.visit({ role: 'READ_ONLY' });
  await reader.page.goto(dashboard.merchantAddress('payment-links'));
  await reader.page.getByText('Deactivated').waitFor();
  expect(await reader.page.getByRole('button', { name: 'New link' }).count()).toBe(0);
  await reader.leave();
});
