import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, select } from '../gateway.ts';
import { createKey } from '../signing.ts';
import { confirmByPassword, openDashboard, type Dashboard } from './dashboard.ts';
import { expectSoundEverywhere } from './sound.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard({ directoryRememberMs: 0 });
});
afterAll(() => dashboard.close());

const SCREENS = [
  ['callback-addresses', 'Callback addresses', 'Deposits'],
  ['tokens', 'API tokens', 'Active'],
  ['keys', 'Public keys', 'Require signed requests'],
  ['payment-pages', 'Payment pages', 'No colour and no logo set'],
  ['approvals', 'Approvals', 'Pending approval'],
  ['audit', 'Audit log', 'Joined the team'],
] as const;

/** The navigation's own counts are of no screen. */
const isOfScreen = (path: string) => path.startsWith('/console/api/merchants') && !path.endsWith('/badges');

describe('those who may not change settings', () => {
  test('a person of support sees none of them, and nothing is asked for', async () => {
    const { page, leave } = await dashboard.visit({ role: 'SUPPORT' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const [path, title] of SCREENS) {
      await page.goto(dashboard.merchantAddress(path));
      await page.getByText('You don’t have access').waitFor();
      expect(await page.getByRole('link', { name: title }).count()).toBe(0);
    }
    expect(asked.filter(isOfScreen)).toEqual([]);
    await leave();
  });

  test("the host's administrator looks at a merchant's settings by its name, and finds no button", async () => {
    const { page, leave } = await dashboard.visit({ role: 'OPERATOR_ADMIN' });
    for (const [path, title, content] of SCREENS) {
      await page.goto(dashboard.merchantAddress(path));
      await page.getByRole('heading', { name: title }).waitFor();
      await page.locator('main').getByText(content, { exact: true }).first().waitFor();
      const acts = /\b(Set|Change|Test|Create|Add|Require|Revoke|Remove)\b/;
      expect(await page.locator('main').getByRole('button', { name: acts }).count()).toBe(0);
    }
    await page.getByRole('button', { name: 'Working at Demo Shop' }).waitFor();
    await leave();
  });
});

describe('callback addresses', () => {
  test('a developer sets an address for some kinds, tests it, and sees what came back', async () => {
    const { page, leave } = await dashboard.visit({ role: 'DEVELOPER' });
    await page.goto(dashboard.merchantAddress('callback-addresses'));
    const row = page.getByRole('row').filter({ hasText: 'Payouts' });
    await row.getByRole('button', { name: 'Test' }).click();
    await page.getByText(/Your server answered 200 in \d+ ms/).waitFor();
    expect(dashboard.gateway.receiver.received.at(-1)?.body).toMatchObject({ test: true, kind: 'PAYOUT' });
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    await row.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('http://127.0.0.1:1/none');
    await dialog.getByLabel('Refunds').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await confirmByPassword(page);
    await page.getByText('Endpoint saved. Test it now.').waitFor();
    await page.getByRole('cell', { name: 'http://127.0.0.1:1/none' }).nth(1).waitFor();
    await row.getByRole('button', { name: 'Test' }).click();
    await page.getByText(/Nothing listens at this address/).waitFor();
    await leave();
  });

  test('an address that was switched off says why, and is switched on again', async () => {
    const { merchantId } = dashboard.gateway;
    await select(
      dashboard.gateway,
      `update callback_endpoints set disabled_at = created_at, disabled_because = 'GONE'
       where kind = 'REMITTANCE' and merchant_id = '${merchantId}'`,
    );
    const { page, leave } = await dashboard.visit({ role: 'OWNER' });
    await page.goto(dashboard.merchantAddress('callback-addresses'));
    const row = page.getByRole('row').filter({ hasText: 'Remittances' });
    await row.getByText('Disabled', { exact: true }).waitFor();
    await row.getByText('410').waitFor();
    await row.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
    await confirmByPassword(page);
    await row.getByText('Working').waitFor();
    await leave();
  });
});

test('a developer gives payment pages a colour and a logo, and payers see both', async () => {
  const { page, leave } = await dashboard.visit({ role: 'DEVELOPER' });
  await page.goto(dashboard.merchantAddress('payment-pages'));
  await page.getByRole('textbox', { name: 'Colour' }).fill('#8a1538');
  const file = page.locator('input[type=file]');
  await file.setInputFiles({ name: 'logo.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
  await page.getByText('Choose a PNG or SVG image.').waitFor();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z"/></svg>';
  await file.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) });
  await page.getByRole('img', { name: 'Logo' }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await confirmByPassword(page);
  await page.getByText('Payment pages updated.').waitFor();
  const { body } = await call(dashboard.gateway, 'POST', '/v2/paymentpage', {
    depositId: randomUUID(),
    returnUrl: 'https://shop.example/back',
  });
  await page.goto(String(body['redirectUrl']));
  const drawnPx = page.locator('.logo').evaluate((image) => (image as unknown as Drawn).naturalWidth);
  expect(await drawnPx).toBeGreaterThan(0);
  expect(await page.textContent('style')).toContain('--band:#8a1538');
  await leave();
});

type Drawn = { readonly naturalWidth: number };

test('a developer makes a token that is shown once, with its scopes and its end, and revokes it', async () => {
  const { page, leave } = await dashboard.visit({ role: 'DEVELOPER' });
  await page.goto(dashboard.merchantAddress('tokens'));
  await page.getByRole('button', { name: 'Create API token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('till 7');
  await dialog.getByLabel('finances:read').check();
  await dialog.getByLabel('Expires after').selectOption('30');
  await dialog.getByRole('button', { name: 'Create API token' }).click();
  await confirmByPassword(page);
  await dialog.getByText('You won’t see it again.').waitFor();
  const text = (await dialog.getByRole('alert').locator('span[title]').textContent()) ?? '';
  const balances = async () => {
    const headers = { authorization: `Bearer ${text}` };
    return (await fetch(`${dashboard.gateway.url}/v2/wallet-balances`, { headers })).status;
  };
  expect(await balances()).toBe(200);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });

  const row = page.getByRole('row').filter({ hasText: 'till 7' });
  await row.getByText('in 30 days').waitFor();
  await row.getByText('finances:read').waitFor();
  expect(await page.content()).not.toContain(text);
  await row.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await row.getByText('Revoked').waitFor();
  expect(await balances()).toBe(401);
  expect(await row.getByRole('button').count()).toBe(0);
  await leave();
});

test('a token that lets money out waits, on every screen about it, until another person approves it', async () => {
  const developer = await dashboard.visit({ role: 'DEVELOPER' });
  const { page } = developer;
  await page.goto(dashboard.merchantAddress('tokens'));
  await page.getByRole('button', { name: 'Create API token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('wages');
  await dialog.getByLabel('payouts:write').check();
  await dialog.getByRole('button', { name: 'Create API token' }).click();
  await confirmByPassword(page);
  await dialog.getByText('it works once another person has approved it').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const waiting = page.getByRole('region', { name: 'Pending approval' });
  await waiting.getByRole('row').getByText('Pending approval', { exact: true }).waitFor();
  expect(await waiting.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  expect(await waiting.getByRole('button', { name: 'Cancel request' }).count()).toBe(1);
  await expectSoundEverywhere(developer);

  await approve('FINANCE', 'wages');
  await page.reload();
  await page.getByRole('row').filter({ hasText: 'wages' }).getByText('Active', { exact: true }).waitFor();
  await expect.poll(() => waiting.count()).toBe(0);
  await developer.leave();
});

/** Somebody else, at the list of what waits. */
async function approve(role: 'FINANCE' | 'OPERATOR_ADMIN', subject: string): Promise<void> {
  const second = await dashboard.visit({ role });
  const { page } = second;
  await page.goto(dashboard.merchantAddress('approvals'));
  const row = page.getByRole('row').filter({ hasText: subject });
  await row.getByText('Pending approval', { exact: true }).waitFor();
  await expectSoundEverywhere(second);
  await row.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await confirmByPassword(page);
  await row.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Decided' }).click();
  await row.getByText('Approved').waitFor();
  await second.leave();
}

test('an owner adds a public key, requires signatures, and is warned before the last key goes', async () => {
  const { page, leave } = await dashboard.visit({ role: 'OWNER' });
  await page.goto(dashboard.merchantAddress('keys'));
  await page.getByText('No public keys yet').waitFor();
  expect(await page.getByRole('button', { name: 'Require signatures', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Add a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Key ID').fill('shop-1');
  await dialog.getByLabel('Public key (PEM)').fill('no key at all, but long enough to be looked at twice');
  await dialog.getByRole('button', { name: 'Add a key' }).click();
  await confirmByPassword(page);
  await page.getByText('Check the highlighted fields').waitFor();
  const { pem } = createKey('shop-1', 'ecdsa-p256-sha256');
  await dialog.getByLabel('Public key (PEM)').fill(pem);
  await dialog.getByRole('button', { name: 'Add a key' }).click();
  await page.getByText('The key works once another person has approved it.').waitFor();
  await approve('OPERATOR_ADMIN', 'shop-1');
  await page.reload();
  await page.getByRole('button', { name: 'Remove' }).waitFor();

  await page.getByRole('button', { name: 'Require signatures', exact: true }).click();
  await dialog.getByRole('button', { name: 'Require signatures', exact: true }).click();
  await page.getByText('Required', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText('you can no longer start payments').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Make optional', exact: true }).click();
  await dialog.getByRole('button', { name: 'Make optional', exact: true }).click();
  await page.getByText('Signatures stay required until another person has approved it.').waitFor();
  await page
    .getByRole('region', { name: 'Pending approval' })
    .getByText('Payments without signatures')
    .waitFor();
  await leave();
});

test('what somebody did is in the audit log, and older pages follow', async () => {
  const { page, email, leave } = await dashboard.visit({ role: 'DEVELOPER' });
  await page.goto(dashboard.merchantAddress('callback-addresses'));
  const row = page.getByRole('row').filter({ hasText: 'Checkouts' });
  await row.getByRole('button', { name: 'Test' }).click();
  await page.getByText(/Your server answered/).waitFor();
  const now = new Date().toISOString();
  await select(
    dashboard.gateway,
    `insert into audit_log (id, at, actor, act, merchant_id, subject, detail)
     select gen_random_uuid(), '${now}', 'somebody', 'FEE_SET', '${dashboard.gateway.merchantId}', 'fee ' || n, '{}'
     from generate_series(1, 60) n`,
  );
  await page.goto(dashboard.merchantAddress('audit'));
  await page.getByRole('row').filter({ hasText: 'fee 60' }).waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  const tested = page.getByRole('row').filter({ hasText: 'Callback URL tested' }).filter({ hasText: email });
  await tested.first().waitFor();
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.getByRole('row').filter({ hasText: 'fee 60' }).waitFor();
  await leave();
});
