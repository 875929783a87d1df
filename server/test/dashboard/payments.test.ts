// Payments on the screen: found, looked at and acted on, as each role that may and by those who may not.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { depositRequest } from '../gateway.ts';
import { setAvailability, start, startCompleted, waitForPayment } from '../payments.ts';
import { payoutRequest } from '../requests.ts';
import { confirmByPassword, openDashboard, type Dashboard } from './dashboard.ts';
import { expectSoundEverywhere } from './sound.ts';

const PHONE = '250783456789';
/** A number to TanStack's own reading of addresses, which would lose its last digits. */
const REFERENCE = '12345678901234567890';

let dashboard: Dashboard;
let depositId: string;
beforeAll(async () => {
  dashboard = await openDashboard();
  const metadata = [{ orderId: 'ORD-77' }, { email: 'jane@example.com', isPII: true }];
  const request = depositRequest({ amount: '1500', clientReferenceId: REFERENCE, metadata });
  depositId = await startCompleted(dashboard.gateway, 'deposit', request);
  await startCompleted(dashboard.gateway, 'deposit', depositRequest({ amount: '200' }));
});
afterAll(() => dashboard.close());

const atPayment = (id: string, kind = 'DEPOSIT') => dashboard.merchantAddress(`payments/${kind}/${id}`);
const rowsOf = (page: Page) => page.getByRole('table', { name: 'Payments' }).locator('tbody tr');
const refusals = (line: string) => !line.startsWith('Failed to load resource');

test('the list and one payment are sound, on a phone and at a desk, light and dark', async () => {
  const user = await dashboard.visit({ role: 'SUPPORT' });
  const { page, leave } = user;
  await page.goto(dashboard.merchantAddress('payments?states=COMPLETED'));
  await rowsOf(page).nth(1).waitFor();
  await expectSoundEverywhere(user);
  await page.getByRole('link', { name: 'Deposit' }).first().click();
  await page.getByText('What you can say').waitFor();
  await expectSoundEverywhere(user);
  await leave();
});

test('support finds a payment by its number, its reference and Ctrl+K, and narrows the list', async () => {
  const { page, complaints, leave } = await dashboard.visit({ role: 'SUPPORT' });
  await page.goto(dashboard.merchantAddress('payments'));
  await rowsOf(page).nth(1).waitFor();
  const search = page.getByRole('searchbox', { name: 'Search payments' });
  await search.fill('+250 783 456 789');
  await search.press('Enter');
  await page.waitForURL(/search=/);
  await expect.poll(() => rowsOf(page).count()).toBe(2);
  await search.fill('no one has this');
  await search.press('Enter');
  await page.getByText('No payment like this').waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await rowsOf(page).nth(1).waitFor();
  await page.getByLabel('Amount from').fill('1000');
  await page.getByLabel('Amount from').press('Enter');
  await page.waitForURL(/amountMin=1000/);
  await expect.poll(() => rowsOf(page).count()).toBe(1);
  await page.keyboard.press('Control+K');
  await page.getByPlaceholder('Search or go to').fill(REFERENCE);
  await page.getByText(`Payments with “${REFERENCE}”`).click();
  await page.waitForURL(new RegExp(`search=${REFERENCE}$`));
  await expect.poll(() => rowsOf(page).count()).toBe(1);
  await rowsOf(page).first().click();
  await page.waitForURL(new RegExp(depositId));
  expect(complaints).toEqual([]);
  await leave();
});

test('support sees the whole story, asks for personal data, and sends the callback again', async () => {
  const { page, complaints, leave } = await dashboard.visit({ role: 'SUPPORT' });
  await page.goto(atPayment(depositId));
  await page.getByText('the customer has paid and the money is in the wallet').waitFor();
  for (const moment of [
    'Accepted by the gateway',
    'The operator answered',
    'FLOAT → WALLET',
    'Your server was told',
  ])
    await page.getByText(moment).first().waitFor();
  expect(await page.content()).not.toContain(PHONE);
  await page.getByText('What was sent').first().click();
  await page.getByRole('button', { name: 'Show personal data' }).click();
  await page.getByText(PHONE).first().waitFor();
  await page.getByText('jane@example.com').first().waitFor();
  await page.getByRole('button', { name: 'Resend callback' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resend callback' }).click();
  await page.getByText('The callback is on its way.').waitFor();
  expect(await page.getByRole('button', { name: 'Refund' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await leave();
});

test('finance gives a part of a deposit back after confirming, and sees the refund', async () => {
  const { page, complaints, leave } = await dashboard.visit({ role: 'FINANCE' });
  await page.goto(atPayment(depositId));
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount in RWF').fill('500');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await confirmByPassword(page);
  await page.waitForURL(/payments\/REFUND\//);
  await page.getByRole('heading', { name: 'Refund · 500 RWF' }).waitFor();
  await page.getByText('The money was sent').waitFor();
  await page.getByRole('link', { name: /^Deposit/ }).click();
  await page.waitForURL(new RegExp(depositId));
  expect(complaints.filter(refusals)).toEqual([]);
  await leave();
});

test('support cancels a payout that waits; finance may not', async () => {
  await setAvailability(dashboard.gateway, 'payout', 'DELAYED');
  const payoutId = await start(dashboard.gateway, 'payout', payoutRequest());
  const finance = await dashboard.visit({ role: 'FINANCE' });
  await finance.page.goto(atPayment(payoutId, 'PAYOUT'));
  await finance.page.getByText('it can still be cancelled').waitFor();
  expect(await finance.page.getByRole('button', { name: 'Cancel payment' }).count()).toBe(0);
  const { page, leave } = await dashboard.visit({ role: 'SUPPORT' });
  await page.goto(atPayment(payoutId, 'PAYOUT'));
  await page.getByRole('button', { name: 'Cancel payment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel payment' }).click();
  await page.getByText('The payment was cancelled.').waitFor();
  await page.getByText('MANUALLY_CANCELLED').first().waitFor();
  await waitForPayment(dashboard.gateway, 'payout', payoutId, 'FAILED');
  await setAvailability(dashboard.gateway, 'payout', 'OPERATIONAL');
  await Promise.all([leave(), finance.leave()]);
});

test('a developer replays the callbacks of an hour', async () => {
  const { page, leave } = await dashboard.visit({ role: 'DEVELOPER' });
  await page.goto(dashboard.merchantAddress('payments'));
  await page.getByRole('button', { name: 'Replay callbacks' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Acknowledged before').check();
  const later = new Date(Date.now() + 3_600_000 - new Date().getTimezoneOffset() * 60_000);
  await dialog.getByLabel('Until').fill(later.toISOString().slice(0, 16));
  await dialog.getByRole('button', { name: 'Replay callbacks' }).click();
  await page.getByText(/\d+ callbacks are sent again/).waitFor();
  await leave();
});

test.each(['READ_ONLY', 'OPERATOR_SUPPORT'] as const)('%s looks, and finds nothing to do', async (role) => {
  const { page, leave } = await dashboard.visit({ role });
  await page.goto(dashboard.merchantAddress('payments'));
  await rowsOf(page).first().waitFor();
  expect(await page.getByRole('button', { name: 'Replay callbacks' }).count()).toBe(0);
  await page.goto(atPayment(depositId));
  await page.getByText('What you can say').waitFor();
  expect(
    await page.getByRole('button', { name: /Refund|Cancel payment|Resend|Show personal data/ }).count(),
  ).toBe(0);
  expect(await page.content()).not.toContain(PHONE);
  await leave();
});

test('the page speaks French to anyone who asks for it', async () => {
  const { page, leave } = await dashboard.visit({ role: 'SUPPORT', language: 'fr' });
  await page.goto(atPayment(depositId));
  await page.getByText('Ce que vous pouvez dire').waitFor();
  await page.getByRole('heading', { name: /^Dépôt · 1.500 RWF/ }).waitFor();
  await page.getByText('Le paiement a réussi').waitFor();
  await leave();
});
