// Without a mouse: somebody signs in, finds a payment, refunds it, and approves a batch of payouts.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import type { SignedInUser } from '../browser.ts';
import { fileOf, prepared } from '../console/payout-files.ts';
import { createPerson, PASSWORD, signedIn } from '../console/people.ts';
import { depositRequest } from '../gateway.ts';
import { startCompleted } from '../payments.ts';
import { chosenBySearch, openDashboard, type Dashboard } from './dashboard.ts';

let dashboard: Dashboard;
let user: SignedInUser;
let depositId: string;
beforeAll(async () => {
  dashboard = await openDashboard();
  const { gateway } = dashboard;
  depositId = await startCompleted(gateway, 'deposit', depositRequest({ amount: '1500' }));
  await prepared(gateway, await signedIn(gateway, 'FINANCE'), fileOf(2));
  user = await dashboard.stranger();
});
afterAll(async () => {
  await user.leave();
  await dashboard.close();
});

/** More than any screen of these has before what is looked for. */
const TABS_MAX = 60;

/** Presses Tab until it has the focus, and shows it. A dialog takes the focus a moment after it has opened. */
async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const dialog = target.locator('xpath=ancestor::*[@role="dialog"][1]');
  if ((await dialog.count()) === 1) await dialog.and(user.page.locator(':focus-within')).waitFor();
  for (let count = 0; count < TABS_MAX; count += 1) {
    if ((await target.and(user.page.locator(':focus-visible')).count()) === 1) return;
    await user.page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(target)}`);
}

async function press(target: Locator): Promise<void> {
  await tabTo(target);
  await user.page.keyboard.press('Enter');
}

/** The dialog that asks for the password has its field ready. */
async function confirm(): Promise<void> {
  const { page } = user;
  await tabTo(page.getByLabel('Your password'));
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
}

test('somebody signs in with the keyboard', async () => {
  const { email } = await createPerson(dashboard.gateway, 'OWNER');
  const { page } = user;
  await page.goto(dashboard.address('/sign-in'));
  await tabTo(page.getByLabel('E-mail address'));
  await page.keyboard.type(email);
  await tabTo(page.getByLabel('Password'));
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(dashboard.merchantAddress('overview'));
});

test('they find a payment with Ctrl+K, and refund a part of it', async () => {
  const { page } = user;
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+K');
  await page.getByPlaceholder('Search or go to').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(depositId.slice(0, 8));
  await chosenBySearch(page, 'Deposit · 1,500 RWF · Completed').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/payments/DEPOSIT/${depositId}$`));

  await press(page.getByRole('button', { name: 'Refund' }));
  await tabTo(page.getByRole('dialog').getByLabel('Amount in RWF'));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('500');
  await page.keyboard.press('Enter');
  await confirm();
  await page.waitForURL(/payments\/REFUND\//);
  await page.getByRole('heading', { name: 'Refund · 500 RWF' }).waitFor();
});

test('they skip the navigation, open a batch from the list, and approve it', async () => {
  const { page } = user;
  await press(page.getByRole('link', { name: 'Payouts', exact: true }));
  await page.waitForURL(dashboard.merchantAddress('payouts'));
  await press(page.getByRole('link', { name: 'Wages' }));
  await page.waitForURL(/payouts\/[0-9a-f-]{36}$/);
  await press(page.getByRole('button', { name: 'Approve' }));
  await press(page.getByRole('dialog').getByRole('button', { name: 'Approve' }));
  await page.getByText('2 completed').waitFor();
});
