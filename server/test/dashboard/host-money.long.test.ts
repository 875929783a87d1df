// The host's screens about money and trouble, in a browser: each job as anyone who may do it, and as one who may not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { depositRequest, payer, select, waitUntil } from '../gateway.ts';
import { readPayment, start, startCompleted, waitForPayment } from '../payments.ts';
import { confirmByPassword, openDashboard, type Dashboard, type DashboardUser } from './dashboard.ts';
import { expectSound, expectSoundEverywhere } from './sound.ts';

let dashboard: Dashboard;
let depositId: string;
let unclearId: string;

beforeAll(async () => {
  dashboard = await openDashboard({
    directoryRememberMs: 0,
    simulator: { outcomeDelayMs: 50 },
    timing: { enquiryDelaysMs: [3_600_000] },
    monitor: { intervalMs: 500, floatIntervalMs: 500, booksIntervalMs: 500 },
  });
  const { gateway } = dashboard;
  depositId = await startCompleted(gateway, 'deposit', depositRequest());
  gateway.simulator.addFault({ type: 'WRONG_AMOUNT', amount: '90' });
  unclearId = await start(gateway, 'deposit', depositRequest());
  await waitForPayment(gateway, 'deposit', unclearId, 'IN_RECONCILIATION');
  await openCase();
});
afterAll(() => dashboard.close());

/** A deposit that was paid after it had failed. */
async function openCase(): Promise<void> {
  const { gateway } = dashboard;
  gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
  const refused = depositRequest({ payer: payer('MTN_MOMO_RWA', '250783456039') });
  await start(gateway, 'deposit', refused);
  const late = () => select(gateway, `select 1 from cases where evidence = 'LATE_SUCCESS'`);
  await waitUntil(async () => (await late()).length > 0);
}

const host = (path: string) => dashboard.address(`/host/${path}`);

const SCREENS = [
  ['what is stuck', 'trouble', 'unknown amount differs'],
  ['cases', 'cases', 'Paid after it had failed'],
  ['the ledger', 'ledger', 'The books balance'],
  ['money manually', 'money', 'Nothing is pending approval'],
  ['fees', 'fees', 'Whose fees?'],
  ['the audit log', 'audit', 'Signed in'],
  ['health', 'health', 'Payments, cases and callbacks'],
  ['personal data', 'personal-data', 'permanently, encrypted'],
] as const;

describe('on a phone and at a desk, light and dark', () => {
  let admin: DashboardUser;
  beforeAll(async () => {
    admin = await dashboard.visit({ role: 'OPERATOR_ADMIN' });
  });
  afterAll(() => admin.leave());

  test.each(SCREENS)('the screen of %s is sound', async (_screen, path, content) => {
    await admin.page.goto(host(path));
    await admin.page.locator('main').getByText(content).first().waitFor();
    await expectSoundEverywhere(admin);
  });
});

test('an owner of a merchant reaches none of these screens, and nothing is asked for', async () => {
  const { page, leave } = await dashboard.visit({ role: 'OWNER' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  for (const [, path] of SCREENS) {
    await page.goto(host(path));
    await page.getByText('Your role does not permit this').waitFor();
  }
  expect(asked.filter((one) => one.startsWith('/console/api/host'))).toEqual([]);
  await leave();
});

test("the host's support looks at everything and finds nothing to move, end, resolve, price or erase", async () => {
  const { page, leave } = await dashboard.visit({ role: 'OPERATOR_SUPPORT' });
  for (const [, path, content] of SCREENS) {
    await page.goto(host(path));
    await page.locator('main').getByText(content).first().waitFor();
    const acts =
      /^(Ask for a movement|Float movement|Approve|Reject|End|Evidence|Statement|Propose|Set a fee|Erase)$/;
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
    await dialog.getByLabel('Wallet').selectOption('UGA UGX');
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
    await ben.page.getByText('This is posted now: Top-up 123,456 UGX.').waitFor();
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
    await act(ana.page, 'Float movement', ana.page.locator('main'));
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
    const row = ana.page.getByRole('row').filter({ hasText: 'Paid after it had failed' });
    await act(ana.page, 'Resolve', row);
    await ana.page.getByRole('dialog').getByLabel('Resolution').selectOption('CREDIT_MERCHANT');
    await ana.page.getByRole('dialog').getByLabel('Reason').fill('line 7 of the statement');
    await act(ana.page, 'Resolve');
    await row.getByText('line 7 of the statement').waitFor();
    expect(await row.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    await ben.page.goto(host('cases'));
    const proposed = ben.page.getByRole('row').filter({ hasText: 'line 7 of the statement' });
    await act(ben.page, 'Statement', proposed);
    await ben.page.getByRole('dialog').getByText('250783456039').waitFor();
    await ben.page.keyboard.press('Escape');
    await act(ben.page, 'Approve', proposed);
    await act(ben.page, 'Approve');
    await ben.page.getByText('Approved.', { exact: true }).waitFor();
    await proposed.waitFor({ state: 'detached' });
  });

  test('a payment in reconciliation is read with its evidence, and its end is sent for approval', async () => {
    const { page } = ana;
    await page.goto(host('trouble'));
    const row = page.getByRole('row').filter({ hasText: unclearId.slice(0, 8) });
    await act(page, 'Evidence', row);
    await page.getByRole('dialog').getByText('That you read it is in the audit log.').waitFor();
    await expectSound(ana);
    await page.keyboard.press('Escape');
    await act(page, 'End', row);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('The operator’s number of the transaction').fill('TX-4711');
    await dialog.getByLabel('Reason').fill('letter of the operator');
    await act(page, 'End');
    await page.getByText('Sent for approval. Another person must approve it.').waitFor();
    expect((await readPayment(dashboard.gateway, 'deposit', unclearId))['status']).toBe('IN_RECONCILIATION');
  });

  test('a fee is set and shown', async () => {
    const { page } = ana;
    await page.goto(host('fees'));
    await chooseMerchant(page);
    await act(page, 'Set a fee', page.locator('main'));
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Provider, operation, currency').selectOption('MTN_MOMO_RWA PAYOUT RWF');
    await dialog.getByLabel('Share, in basis points').fill('150');
    await dialog.getByLabel('Fixed part, in RWF').fill('10');
    await act(page, 'Save');
    await page.getByRole('row').filter({ hasText: 'MTN_MOMO_RWA' }).getByText('1.5 %').waitFor();
    await expectSound(ana);
  });

  test('the audit log is narrowed to one person and one act', async () => {
    const { page } = ana;
    await page.goto(host('audit'));
    await page.getByLabel('By').fill(ana.email);
    await page.getByRole('combobox', { name: 'What was done' }).click();
    await page.getByRole('option', { name: 'Fee set' }).click();
    await page.getByText('MTN_MOMO_RWA PAYOUT RWF').waitFor();
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
    await page.getByText(/payments were emptied/).waitFor();
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
  await page.getByRole('button', { name: 'Add up again' }).click();
  await page.getByText('The books balance').waitFor();
  await page.getByRole('tab', { name: 'Accounts' }).click();
  await page.getByRole('link', { name: 'Float at operators' }).first().waitFor();
  await expectSoundEverywhere(user);
  await page.getByRole('link', { name: 'Float at operators' }).first().click();
  await page
    .getByRole('link', { name: `deposit ${depositId.slice(0, 8)}` })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Transfers of a deposit' }).waitFor();
  await page.getByText('posted').first().waitFor();
  await expectSoundEverywhere(user);
  await page.goto(host('ledger'));
  await page.getByRole('tab', { name: 'Float' }).click();
  await page.getByText('MTN_MOMO_RWA').first().waitFor();
  await expectSoundEverywhere(user);
  await leave();
});
