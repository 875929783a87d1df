// The platform's screens about money and issues, in a browser: each job as one who may do it, and as one who may not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { depositRequest, select } from '../gateway.ts';
import { readPayment, startCompleted } from '../payments.ts';
import { confirmByPassword, openDashboard, type Dashboard, type DashboardUser } from './dashboard.ts';
import { expectSound, expectSoundEverywhere } from './sound.ts';
import { openCase, startUnresolved, TROUBLE_OPTIONS } from './trouble.ts';

let dashboard: Dashboard;
let depositId: string;
let unclearId: string;

beforeAll(async () => {
  dashboard = await openDashboard(TROUBLE_OPTIONS);
  const { gateway } = dashboard;
  depositId = await startCompleted(gateway, 'deposit', depositRequest());
  unclearId = await startUnresolved(gateway);
  await openCase(gateway);
});
afterAll(() => dashboard.close());

const host = (path: string) => dashboard.address(`/host/${path}`);

const SCREENS = [
  ['issues', 'No clear result: the amount differs'],
  ['cases', 'Completed after failure'],
  ['ledger', 'The ledger balances'],
  ['money', 'No pending requests'],
  ['fees', 'Select a merchant'],
  ['audit', 'Signed in'],
  ['health', 'Payments, cases and callbacks'],
  ['personal-data', 'Kept indefinitely, encrypted'],
] as const;

test('an owner of a merchant reaches none of these screens, and nothing is asked for', async () => {
  const { page, leave } = await dashboard.visit({ role: 'OWNER' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  for (const [path] of SCREENS) {
    await page.goto(host(path));
    await page.getByText('You don’t have access').waitFor();
  }
  expect(asked.filter((one) => one.startsWith('/console/api/host'))).toEqual([]);
  await leave();
});

test("the host's support looks at everything and finds nothing to move, end, resolve, price or erase", async () => {
  const { page, leave } = await dashboard.visit({ role: 'OPERATOR_SUPPORT' });
  for (const [path, content] of SCREENS) {
    await page.goto(host(path));
    await page.locator('main').getByText(content).first().waitFor();
    const acts =
      /^(New transfer|New float transfer|Approve|Reject|Resolve|View history|Operator response|Set fee|Erase)$/;
    expect([path, await page.getByRole('button', { name: acts }).count()]).toEqual([path, 0]);
  }
  await leave();
});

/** Clicks, and proves again that it is them where that is asked for. */
async function act(page: Page, name: string, within = page.getByRole('dialog')): Promise<void> {
  await within.getByRole('button', { name, exact: true }).click();
}

async function chooseMerchant(page: Page, within: Pick<Page, 'getByRole'> = page): Promise<void> {
  await within.getByRole('combobox', { name: 'Merchant' }).click();
  await page.getByRole('option', { name: 'Demo Shop' }).click();
}

const moved = async () => {
  const text = `select 1 from transfers where subject_kind = 'TOP_UP' and amount = 123456`;
  return (await select(dashboard.gateway, text)).length;
};

const listCharges = () =>
  select(dashboard.gateway, `select 1 from transfers where template = 'OPERATOR_CHARGE'`);

describe('money manually', () => {
  let ana: DashboardUser;
  let ben: DashboardUser;
  beforeAll(async () => {
    ana = await dashboard.visit({ role: 'OPERATOR_ADMIN' });
    ben = await dashboard.visit({ role: 'OPERATOR_ADMIN' });
  });
  afterAll(async () => {
    await ana.leave();
    await ben.leave();
  });

  test('one person requests a top-up, another approves it, and only then it has moved', async () => {
    await ana.page.goto(host('money'));
    await act(ana.page, 'New transfer', ana.page.locator('main'));
    const dialog = ana.page.getByRole('dialog');
    await chooseMerchant(ana.page, dialog);
    await dialog.getByLabel('Wallet').selectOption('UGA-UGX');
    await dialog.getByLabel('Amount').fill('123456');
    await dialog.getByLabel('Bank reference').fill('ft 7781');
    await dialog.getByLabel('Reason').fill('bank reference 7781');
    await act(ana.page, 'Send for approval');
    await confirmByPassword(ana.page);
    const row = ana.page.getByRole('row').filter({ hasText: 'bank reference 7781' });
    await row.getByText('123,456').waitFor();
    await row.getByText('FT7781').waitFor();
    expect(await row.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    expect(await moved()).toBe(0);

    await ben.page.goto(host('money'));
    const waiting = ben.page.getByRole('row').filter({ hasText: 'bank reference 7781' });
    await act(ben.page, 'Approve', waiting);
    await ben.page.getByText('Credit 123,456 UGX to Demo Shop (Uganda) now?').waitFor();
    await act(ben.page, 'Approve');
    await confirmByPassword(ben.page);
    await ben.page.getByText('Approved.', { exact: true }).waitFor();
    expect(await moved()).toBe(1);
    await ben.page.getByRole('tab', { name: 'Decided' }).click();
    await ben.page
      .getByRole('row')
      .filter({ hasText: 'bank reference 7781' })
      .getByText('approved')
      .waitFor();
    await expectSound(ben);
  });

  test('A10: a charge of an operator is sent for approval, and posted when another person approves it', async () => {
    await ana.page.goto(host('money'));
    await act(ana.page, 'New float transfer', ana.page.locator('main'));
    const dialog = ana.page.getByRole('dialog');
    await dialog.getByLabel('Type').selectOption('OPERATOR_CHARGE');
    await dialog.getByLabel('Provider').selectOption('MTN_MOMO_RWA');
    await dialog.getByLabel('Currency').fill('RWF');
    await dialog.getByLabel('Amount').fill('25');
    await dialog.getByLabel('Operator transaction ID').fill('charge-1');
    await expectSound(ana);
    await act(ana.page, 'Send for approval');
    await ana.page.getByText('Sent for approval.').waitFor();
    expect(await listCharges()).toHaveLength(0);

    await ben.page.goto(host('approvals'));
    const row = ben.page.getByRole('row').filter({ hasText: 'CHARGE-1' });
    await act(ben.page, 'Approve', row);
    await act(ben.page, 'Approve');
    await row.waitFor({ state: 'detached' });
    expect(await listCharges()).toHaveLength(1);
  });

  test('a case is resolved by what one person requests and another approves', async () => {
    await ana.page.goto(host('cases'));
    const row = ana.page.getByRole('row').filter({ hasText: 'Completed after failure' });
    await act(ana.page, 'Resolve', row);
    await ana.page.getByRole('dialog').getByLabel('Resolution').selectOption('CREDIT_MERCHANT');
    await ana.page.getByRole('dialog').getByLabel('Reason').fill('line 7 of the statement');
    await act(ana.page, 'Resolve');
    await row.getByText('line 7 of the statement').waitFor();
    expect(await row.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    await ben.page.goto(host('cases'));
    const proposed = ben.page.getByRole('row').filter({ hasText: 'line 7 of the statement' });
    await act(ben.page, 'Operator response', proposed);
    await ben.page.getByRole('dialog').getByText('250783456039').waitFor();
    await ben.page.keyboard.press('Escape');
    await proposed.getByText('Suspense → Merchant’s wallet: 100').waitFor();
    await act(ben.page, 'Approve', proposed);
    const effect = ben.page.getByRole('dialog');
    await effect.getByText('Posted if approved now (RWF)').waitFor();
    await effect.getByText('Suspense → Merchant’s wallet: 100').waitFor();
    await effect.getByText('The merchant then owes: 0 RWF').waitFor();
    await expectSound(ben);
    await act(ben.page, 'Approve');
    await ben.page.getByText('Approved.', { exact: true }).waitFor();
    await proposed.waitFor({ state: 'detached' });
    await ben.page.goto(host('audit'));
    await ben.page.getByText('Suspense → Merchant’s wallet: 100').first().waitFor();
  });

  test('a payment in reconciliation is read with its evidence, and its end is sent for approval', async () => {
    const { page } = ana;
    await page.goto(host('issues'));
    const row = page.getByRole('row').filter({ hasText: unclearId.slice(0, 8) });
    await act(page, 'View history', row);
    await page.getByRole('dialog').getByText('Your access was recorded in the audit log.').waitFor();
    await expectSound(ana);
    await page.keyboard.press('Escape');
    await act(page, 'Resolve', row);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Operator transaction ID').fill('TX-4711');
    await dialog.getByLabel('Reason').fill('letter of the operator');
    await act(page, 'Resolve');
    await page.getByText('Sent for approval.').waitFor();
    expect((await readPayment(dashboard.gateway, 'deposit', unclearId))['status']).toBe('IN_RECONCILIATION');
  });

  test('a fee is set and shown', async () => {
    const { page } = ana;
    await page.goto(host('fees'));
    await chooseMerchant(page);
    await act(page, 'Set fee', page.locator('main'));
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Provider, payments, currency').selectOption('MTN_MOMO_RWA PAYOUT RWF');
    await dialog.getByLabel('Percentage').fill('1.5');
    await dialog.getByLabel('Fixed fee (RWF)').fill('10');
    await act(page, 'Save');
    await page.getByRole('row').filter({ hasText: 'MTN_MOMO_RWA' }).getByText('1.5%').waitFor();
    await expectSound(ana);
  });

  test('the audit log is narrowed to one person and one act', async () => {
    const { page } = ana;
    await page.goto(host('audit'));
    await page.getByLabel('Person').fill(ana.email);
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Fee set' }).click();
    await page.getByText('MTN Rwanda Payout RWF').waitFor();
    await expect.poll(() => page.locator('tbody tr').count(), { timeout: 60_000 }).toBe(1);
  });

  test('a person is forgotten, with a reason', async () => {
    const { page } = ana;
    await page.goto(host('personal-data'));
    await chooseMerchant(page);
    await page.getByLabel('Phone number').fill('+250 783 456 789');
    await act(page, 'Erase', page.locator('main'));
    await page.getByRole('dialog').getByLabel('Reason').fill('letter of 3 March');
    await act(page, 'Erase');
    await page.getByText(/payments? anonymised/).waitFor();
    await expectSound(ana);
    expect(JSON.stringify(await readPayment(dashboard.gateway, 'deposit', depositId))).not.toContain(
      '250783456789',
    );
  });
});

test('the ledger leads from the trial balance to an account, and from a movement to its payment', async () => {
  const user = await dashboard.visit({ role: 'OPERATOR_SUPPORT' });
  const { page, leave } = user;
  await page.goto(host('ledger'));
  await page.getByRole('button', { name: 'Recalculate' }).click();
  await page.getByText('The ledger balances').waitFor();
  await page.getByRole('tab', { name: 'Accounts' }).click();
  await page.getByRole('link', { name: 'Float at operators' }).first().waitFor();
  await expectSoundEverywhere(user);
  await page.getByRole('link', { name: 'Float at operators' }).first().click();
  await page
    .getByRole('link', { name: `Deposit ${depositId.slice(0, 8)}` })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Transfers: Deposit' }).waitFor();
  await page.getByText('Posted').first().waitFor();
  await expectSoundEverywhere(user);
  await page.goto(host('ledger'));
  await page.getByRole('tab', { name: 'Float' }).click();
  await page.getByText('MTN_MOMO_RWA').first().waitFor();
  await expectSoundEverywhere(user);
  await leave();
});
