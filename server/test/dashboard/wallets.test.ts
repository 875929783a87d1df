import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers, fitsScreen, WIDTHS } from '../browser.ts';
import { depositRequest } from '../gateway.ts';
import { startCompleted } from '../payments.ts';
import { payoutRequest } from '../requests.ts';
import { PASSWORD } from '../console/people.ts';
import { openDashboard, type Dashboard, type DashboardUser } from './dashboard.ts';
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

async function confirmed(user: Promise<DashboardUser>): Promise<DashboardUser> {
  const { url } = dashboard.gateway;
  const visitor = await user;
  const answer = await visitor.page.request.post(`${url}/console/api/me/confirm`, {
    data: { password: PASSWORD },
    headers: { origin: url },
  });
  expect(answer.status()).toBe(200);
  return visitor;
}

async function approve({ page }: DashboardUser): Promise<void> {
  await page.getByRole('button', { name: 'Approuver' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approuver' }).click();
  await page.getByText('Approuvé.', { exact: true }).waitFor();
}

// The last one: it moves the clock.
test('money goes to the bank: two people register the account, one requests after the cooling-off, two of the platform record it', async () => {
  const finance = await confirmed(dashboard.visit({ role: 'FINANCE' }));
  const owner = await confirmed(dashboard.visit({ role: 'OWNER', language: 'fr' }));
  const admin = await confirmed(dashboard.visit({ role: 'OPERATOR_ADMIN' }));
  const second = await confirmed(dashboard.visit({ role: 'OPERATOR_ADMIN', language: 'fr' }));
  const support = await dashboard.visit({ role: 'OPERATOR_SUPPORT' });
  const { page } = finance;
  await page.goto(dashboard.merchantAddress('settlement'));
  await page.getByText('No bank account is registered.').waitFor();
  await page.getByRole('button', { name: 'Register bank account' }).click();
  const account = page.getByRole('dialog', { name: 'Register bank account' });
  await account.getByLabel('Currency').selectOption('RWF');
  for (const [name, value] of [
    ['Bank', 'Bank of Kigali'],
    ['Account holder', 'Grace Uwase'],
    ['Account number', '0004 0123 4567 89'],
  ] as const)
    await account.getByRole('textbox', { name, exact: true }).fill(value);
  expect(await findBarriers(page)).toEqual([]);
  await account.getByRole('button', { name: 'Send for approval' }).click();
  await page.getByText('You requested it, so another person must approve it.').waitFor();
  await owner.page.goto(dashboard.merchantAddress('settlement'));
  await owner.page.getByText('Bank of Kigali · Grace Uwase · ••••••6789').waitFor();
  await expectSoundEverywhere(owner);
  await approve(owner);
  const ask = async () => {
    await page.getByRole('button', { name: 'Request settlement' }).click();
    const dialog = page.getByRole('dialog', { name: 'Request settlement' });
    await dialog.getByLabel('Wallet').selectOption('RWA-RWF');
    await dialog.getByLabel('Amount').fill('1000');
    await dialog.getByRole('button', { name: 'Request' }).click();
  };
  await page.reload();
  await page.getByText('Settlement is possible from').waitFor();
  await ask();
  await page.getByText('The bank account is new.').waitFor();
  await dashboard.gateway.gateway.movableClock!.move(49 * 3_600_000);
  await page.reload();
  await ask();
  await page.getByText('Settlement requested. The amount is reserved.').waitFor();
  const row = page
    .getByRole('table', { name: 'Requests' })
    .getByRole('row')
    .filter({ hasText: '••••••6789' });
  await row.getByText('Requested', { exact: true }).waitFor();
  const settlements = dashboard.address('/host/settlements');
  await support.page.goto(settlements);
  await support.page.getByText('••••••6789').waitFor();
  expect(await support.page.getByRole('main').getByRole('button').count()).toBe(0);
  await admin.page.goto(settlements);
  await admin.page.getByRole('button', { name: 'Show', exact: true }).click();
  await admin.page.getByText('00040123456789 · Grace Uwase').waitFor();
  await admin.page.getByRole('button', { name: 'Record as paid' }).click();
  await admin.page.getByLabel('Bank reference').fill('FT26062-0102');
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Record as paid' }).click();
  await admin.page.getByText('Pending approval, requested by').waitFor();
  await second.page.goto(settlements);
  await second.page.getByRole('button', { name: 'Approuver' }).waitFor();
  await expectSoundEverywhere(second);
  await approve(second);
  await second.page.getByText('Aucun règlement').waitFor();
  await page.reload();
  await row.getByText('FT26062-0102').waitFor();
  await row.getByText('Paid', { exact: true }).waitFor();
  await expectSoundEverywhere(finance);
  for (const { leave } of [finance, owner, admin, second, support]) await leave();
});
