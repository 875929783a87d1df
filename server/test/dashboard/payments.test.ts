// Payments on the screen: found, looked at and acted on, as each role that may and by those who may not.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freeze, requestLift } from '../../src/core/limits/freeze.ts';
import { HOST_ROLES, isHostRole, MERCHANT_ROLES } from '../../src/domain/merchants/roles.ts';
import { actorNamed } from '../approvals.ts';
import { depositRequest, select, waitUntil } from '../gateway.ts';
import { setAvailability, start, startCompleted, waitForPayment } from '../payments.ts';
import { payoutRequest } from '../requests.ts';
import { chosenBySearch, confirmByPassword, openDashboard, type Dashboard } from './dashboard.ts';
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

test('the list and one payment are sound, on a phone and a desktop, light and dark', async () => {
  const user = await dashboard.visit({ role: 'SUPPORT' });
  const { page, leave } = user;
  await page.goto(dashboard.merchantAddress('payments?states=COMPLETED'));
  await rowsOf(page).nth(1).waitFor();
  await expectSoundEverywhere(user);
  await page.getByRole('link', { name: 'Deposit' }).first().click();
  await page.getByText('What to tell the customer').waitFor();
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
  await page.getByText('No matching payments').waitFor();
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await rowsOf(page).nth(1).waitFor();
  await page.getByLabel('Min amount').fill('1000');
  await page.getByLabel('Min amount').press('Enter');
  await page.waitForURL(/amountMin=1000/);
  await expect.poll(() => rowsOf(page).count()).toBe(1);
  await page.keyboard.press('Control+K');
  await page.getByPlaceholder('Search or go to').fill(REFERENCE);
  await page.getByText(`Search payments for “${REFERENCE}”`).click();
  await page.waitForURL(new RegExp(`search=${REFERENCE}$`));
  await expect.poll(() => rowsOf(page).count()).toBe(1);
  await rowsOf(page).first().click();
  await page.waitForURL(new RegExp(depositId));
  expect(complaints).toEqual([]);
  await leave();
});

test.each([...MERCHANT_ROLES, ...HOST_ROLES])(
  '%s finds a payment from eight characters of its identifier in one step',
  async (role) => {
    const { page, complaints, leave } = await dashboard.visit({ role });
    const list = isHostRole(role)
      ? dashboard.address('/host/payments')
      : dashboard.merchantAddress('payments');
    await page.goto(list);
    await rowsOf(page).first().waitFor();
    await page.keyboard.press('Control+K');
    await page.getByPlaceholder('Search or go to').fill(depositId.slice(0, 8));
    await chosenBySearch(page, 'Deposit · 1,500 RWF · Completed').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/payments/DEPOSIT/${depositId}$`));
    await page.getByRole('heading', { name: 'Deposit · 1,500 RWF' }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  },
);

test('the platform sees payments of all merchants by name, with totals, and saves them as a file', async () => {
  const user = await dashboard.visit({ role: 'OPERATOR_SUPPORT' });
  const { page, leave } = user;
  await page.goto(dashboard.address('/host/payments?states=COMPLETED'));
  await page.getByText('MTN Rwanda').nth(1).waitFor();
  await page.getByText('MTN_MOMO_RWA').first().waitFor();
  await page.getByRole('button', { name: 'Show totals' }).click();
  await page.getByRole('table', { name: 'Totals' }).getByText('Deposits (RWF)').waitFor();
  await expectSoundEverywhere(user);
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Export CSV' }).click();
  const file = await readFile(await (await saved).path(), 'utf8');
  expect(file).toContain(depositId);
  expect(file).not.toContain(PHONE);
  await leave();
});

test('support sees the whole story, asks for personal data, and sends the callback again', async () => {
  const { page, complaints, leave } = await dashboard.visit({ role: 'SUPPORT' });
  await page.goto(atPayment(depositId));
  await page.getByText('the customer has paid and the money is in the wallet').waitFor();
  for (const moment of [
    'Sent to operator',
    'Operator responded',
    'Ledger: MTN Rwanda float → your wallet',
    'Callback delivered (200)',
  ])
    await page.getByText(moment).first().waitFor();
  expect(await page.content()).not.toContain(PHONE);
  await page.getByText('Request body').first().click();
  await page.getByRole('button', { name: 'Show personal data' }).click();
  await page.getByText(PHONE).first().waitFor();
  await page.getByText('jane@example.com').first().waitFor();
  await page.getByRole('button', { name: 'Resend callback' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resend callback' }).click();
  await page.getByText('Callback queued.').waitFor();
  expect(await page.getByRole('button', { name: 'Refund' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await leave();
});

test('the timeline names each callback that failed, its status and which attempt it was', async () => {
  const { gateway } = dashboard;
  gateway.receiver.answerWith({ status: 503 });
  const failingId = await startCompleted(gateway, 'deposit', depositRequest());
  const second = `select 1 from callback_attempts join callbacks using (callback_id)
    where payment_id = $1 and attempt_no = 2`;
  await waitUntil(async () => (await select(gateway, second, [failingId])).length > 0);
  const { page, leave } = await dashboard.visit({ role: 'SUPPORT' });
  await page.goto(atPayment(failingId));
  await page.getByText('Callback failed (503), attempt 1').waitFor();
  await page.getByText('Callback failed (503), attempt 2').waitFor();
  gateway.receiver.answerWith({ status: 200 });
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
  await finance.page.getByText('usually because the operator is unavailable').waitFor();
  await finance.page.getByText('it can still be cancelled').waitFor();
  expect(await finance.page.getByRole('button', { name: 'Cancel payment' }).count()).toBe(0);
  const { page, leave } = await dashboard.visit({ role: 'SUPPORT' });
  await page.goto(atPayment(payoutId, 'PAYOUT'));
  await page.getByRole('button', { name: 'Cancel payment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel payment' }).click();
  await page.getByText('Payment cancelled.').waitFor();
  await page.getByText('MANUALLY_CANCELLED').first().waitFor();
  await waitForPayment(dashboard.gateway, 'payout', payoutId, 'FAILED');
  await setAvailability(dashboard.gateway, 'payout', 'OPERATIONAL');
  await Promise.all([leave(), finance.leave()]);
});

test('support text of a frozen payout names the freeze and not the operator', async () => {
  const { engine, merchantId } = dashboard.gateway;
  const target = { scope: 'MERCHANT', subject: merchantId } as const;
  await freeze(engine, { by: 'Ana', target, reason: 'why', expiresAt: null });
  const payoutId = await start(dashboard.gateway, 'payout', payoutRequest());
  const { page, leave } = await dashboard.visit({ role: 'SUPPORT' });
  await page.goto(atPayment(payoutId, 'PAYOUT'));
  await page.getByText('The platform has frozen this payment').waitFor();
  await page.getByText('Until it is sent, it can still be cancelled.').waitFor();
  await page.getByText('La plateforme a gelé ce paiement').waitFor();
  await page.getByText('Frozen by the platform', { exact: true }).waitFor();
  expect(await page.getByText(/operator is unavailable|FROZEN/).count()).toBe(0);
  await leave();
  await requestLift(engine, {
    target,
    reason: 'over',
    actor: actorNamed('Ana'),
    secondApprover: 'OPTIONAL',
  });
  await waitForPayment(dashboard.gateway, 'payout', payoutId, 'COMPLETED');
});

test('a developer resends the callbacks of an hour', async () => {
  const { page, leave } = await dashboard.visit({ role: 'DEVELOPER' });
  await page.goto(dashboard.merchantAddress('callbacks'));
  await page.getByRole('button', { name: 'Resend callbacks' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Already delivered').check();
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await dialog.getByRole('textbox', { name: 'To', exact: true }).fill(later.slice(0, 10));
  await dialog.getByLabel('To, time').fill(later.slice(11, 16));
  await dialog.getByRole('button', { name: 'Resend callbacks' }).click();
  await page.getByText(/\d+ callbacks? queued\./).waitFor();
  await leave();
});

test.each(['READ_ONLY', 'OPERATOR_SUPPORT'] as const)('%s looks, and finds nothing to do', async (role) => {
  const { page, leave } = await dashboard.visit({ role });
  await page.goto(dashboard.merchantAddress('payments'));
  await rowsOf(page).first().waitFor();
  await page.goto(atPayment(depositId));
  await page.getByText('What to tell the customer').waitFor();
  expect(
    await page.getByRole('button', { name: /Refund|Cancel payment|Resend|Show personal data/ }).count(),
  ).toBe(0);
  expect(await page.content()).not.toContain(PHONE);
  await page.goto(dashboard.merchantAddress('callbacks'));
  await page.getByRole('table').or(page.getByText('No callbacks')).first().waitFor();
  expect(await page.getByRole('button', { name: /Resend/ }).count()).toBe(0);
  await leave();
});

test('the platform’s people inside a merchant are told so, and led back; its own people are not', async () => {
  const host = await dashboard.visit({ role: 'OPERATOR_SUPPORT' });
  await host.page.goto(atPayment(depositId));
  const note = host.page.getByRole('note');
  await note.getByText(/^You are viewing Demo Shop as the platform \(.+\)\.$/).waitFor();
  await note.getByRole('link', { name: 'Back to the platform' }).click();
  await host.page.waitForURL(dashboard.address(`/host/merchants/${dashboard.gateway.merchantId}`));
  expect(await note.count()).toBe(0);
  const { page, leave } = await dashboard.visit({ role: 'SUPPORT' });
  await page.goto(atPayment(depositId));
  await page.getByText('What to tell the customer').waitFor();
  expect(await page.getByRole('note').count()).toBe(0);
  await Promise.all([leave(), host.leave()]);
});

test('the page speaks French to anyone who asks for it', async () => {
  const { page, leave } = await dashboard.visit({ role: 'SUPPORT', language: 'fr' });
  await page.goto(atPayment(depositId));
  await page.getByText('Que dire au client').waitFor();
  await page.getByRole('heading', { name: /^Encaissement · 1.500 RWF/ }).waitFor();
  await page.getByText('Le paiement a réussi').waitFor();
  await leave();
});
