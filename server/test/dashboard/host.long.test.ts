import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import { OPERATIONS } from '../../src/domain/payments/payment.ts';
import { initiate, payer } from '../gateway.ts';
import { confirmByPassword, openDashboard, type Dashboard } from './dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard({ directoryRememberMs: 0 });
});
afterAll(() => dashboard.close());

const ofMerchant = () => `merchants/${dashboard.gateway.merchantId}`;
const host = (path: string) => dashboard.address(`/host/${path}`);

describe('those who may not', () => {
  test('an owner of a merchant reaches none of these screens, and nothing is asked for', async () => {
    const { page, leave } = await dashboard.visit({ role: 'OWNER' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const path of ['merchants', ofMerchant(), 'providers', 'incidents']) {
      await page.goto(host(path));
      await page.getByText('You don’t have access').waitFor();
    }
    expect(asked.filter((one) => one.startsWith('/console/api/host'))).toEqual([]);
    await leave();
  });

  test("the host's support looks at everything and finds nothing to change", async () => {
    const { page, leave } = await dashboard.visit({ role: 'OPERATOR_SUPPORT' });
    await page.goto(host('merchants'));
    await page.getByRole('link', { name: 'Demo Shop' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add merchant' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Demo Shop' }).click();
    await page.getByRole('row').filter({ hasText: 'Rwanda' }).first().waitFor();
    expect(
      await page
        .locator('main')
        .getByRole('button', { name: /Suspend|Save|Enable|Disable/ })
        .count(),
    ).toBe(0);
    const box = page.getByRole('checkbox', { name: 'Deposits, MTN Rwanda' });
    expect(await box.isChecked()).toBe(true);
    await box.press('Space');
    expect(await box.isChecked()).toBe(true);
    await page.goto(host('providers'));
    await page.getByRole('button', { name: /^Deposits, MTN Rwanda/ }).click();
    await page.getByRole('dialog').getByText('simulator').waitFor();
    expect(await page.getByRole('radio').count()).toBe(0);
    await leave();
  });
});

describe('merchants', () => {
  test('an administrator onboards one, and its owner joins by the link', async () => {
    const admin = await dashboard.visit({ role: 'OPERATOR_ADMIN' });
    await admin.page.goto(host('merchants'));
    await admin.page.getByRole('button', { name: 'Add merchant' }).click();
    const dialog = admin.page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Duka la Vitabu');
    await dialog.getByLabel('Owner’s e-mail address').fill('neema@vitabu.example');
    await dialog.getByLabel('Remittances').uncheck();
    await dialog.getByRole('button', { name: 'Add merchant' }).click();
    await confirmByPassword(admin.page);
    const link = (await dialog.getByText('/dashboard/join/').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const row = admin.page.getByRole('row').filter({ hasText: 'Duka la Vitabu' });
    await row.getByText('Deposits, Payouts, Refunds, Split payments').waitFor();
    await admin.leave();

    const { page, leave } = await dashboard.stranger();
    await page.goto(link);
    await page.getByText('neema@vitabu.example').waitFor();
    await page.getByLabel('Your name').fill('Neema');
    await page.getByLabel('New password').fill('a password of twelve');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('button', { name: 'Working at Duka la Vitabu' }).waitFor();
    await leave();
  });

  test('merchants are found by a part of their name, and pages go on', async () => {
    for (let count = 10; count < 65; count += 1) {
      const order = { by: 'test', companyName: `Kiosk ${count}`, operations: OPERATIONS };
      await createMerchant(dashboard.gateway.engine, { ...order, walletPerProvider: false });
    }
    const { page, leave } = await dashboard.visit({ role: 'OPERATOR_SUPPORT' });
    await page.goto(host('merchants'));
    await page.getByRole('searchbox').fill('KIOSK');
    await page.getByRole('link', { name: 'Kiosk 10' }).waitFor();
    await page.getByRole('link', { name: 'Demo Shop' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('link', { name: 'Kiosk 64' }).waitFor();
    await page.getByRole('searchbox').fill('Kiosk 33');
    await page.getByRole('link', { name: 'Kiosk 33' }).click();
    await page.getByRole('heading', { name: 'Kiosk 33' }).waitFor();
    await leave();
  });

  test('an administrator suspends one, whose tokens are then refused, and another one approves that it is resumed', async () => {
    const { page, leave } = await dashboard.visit({ role: 'OPERATOR_ADMIN' });
    const balances = async () => {
      const headers = { authorization: `Bearer ${dashboard.gateway.apiToken}` };
      return (await fetch(`${dashboard.gateway.url}/v2/wallet-balances`, { headers })).status;
    };
    await page.goto(host(ofMerchant()));
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await confirmByPassword(page);
    await page.getByText('Suspended', { exact: true }).waitFor();
    expect(await balances()).toBe(401);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Sent for approval. The merchant stays suspended').waitFor();
    await page.getByText('Resumption of a suspended merchant').first().waitFor();
    expect(await balances()).toBe(401);
    const other = await dashboard.visit({ role: 'OPERATOR_ADMIN' });
    await other.page.goto(host(ofMerchant()));
    await other.page.getByRole('button', { name: 'Approve' }).click();
    await other.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await confirmByPassword(other.page);
    await other.page.getByText('Active', { exact: true }).waitFor();
    expect(await balances()).toBe(200);
    await other.leave();
    await leave();
  });

  test('an administrator says what one may start, and through whom', async () => {
    const { page, leave } = await dashboard.visit({ role: 'OPERATOR_ADMIN' });
    await page.goto(host(ofMerchant()));
    await page.getByRole('checkbox', { name: 'Split payments' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await confirmByPassword(page);
    await page.getByText('Products updated.').waitFor();

    await page.getByRole('searchbox').fill('rwanda');
    const box = page.getByRole('checkbox', { name: 'Deposits, MTN Rwanda' });
    await box.click();
    await page.reload();
    await page.getByRole('searchbox').fill('Rwanda');
    expect(await box.isChecked()).toBe(false);
    expect(await page.getByRole('checkbox', { name: 'Split payments' }).isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Enable all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Enable all' }).click();
    await page.getByText('Providers updated.').waitFor();
    await page.getByRole('checkbox', { name: 'Deposits, MTN Rwanda', checked: true }).waitFor();
    await page.getByRole('link', { name: 'View dashboard' }).click();
    await page.getByRole('button', { name: 'Working at Demo Shop' }).waitFor();
    await leave();
  });
});

test('an administrator closes a provider manually; it is an incident, and is given back', async () => {
  const { page, email, leave } = await dashboard.visit({ role: 'OPERATOR_ADMIN' });
  await page.goto(host('providers'));
  const payouts = page.getByRole('button', { name: /^Payouts, MTN Rwanda/ });
  const set = async (status: string) => {
    await payouts.click();
    const dialog = page.getByRole('dialog').first();
    await dialog.getByRole('radio', { name: status }).check();
    await dialog.getByRole('button', { name: 'Set', exact: true }).click();
  };
  await set('Closed');
  await confirmByPassword(page);
  await payouts.getByText('Closed').waitFor();
  await page.getByRole('switch', { name: 'Only with issues' }).check();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await set('Operational');
  await page.getByText('No provider has issues').waitFor();

  await page.getByRole('link', { name: 'Incidents' }).click();
  const row = page.getByRole('row').filter({ hasText: 'MTN_MOMO_RWA' });
  await row.filter({ hasText: 'Closed →' }).waitFor();
  await row
    .filter({ hasText: `Set by ${email}` })
    .first()
    .waitFor();
  await leave();
});

test('how an operator answers is shown while it happens', async () => {
  const { page, leave } = await dashboard.visit({ role: 'OPERATOR_SUPPORT' });
  await page.goto(host('providers'));
  const deposits = page.getByRole('button', { name: /^Deposits, Airtel Rwanda/ });
  await deposits.getByText('Operational').waitFor();
  expect(await deposits.getByText(/success/).count()).toBe(0);
  await initiate(dashboard.gateway, { payer: payer('AIRTEL_RWA', '250733456789') });
  await deposits.getByText(/^100% success \(\d+ calls?\)$/).waitFor();
  await leave();
});
