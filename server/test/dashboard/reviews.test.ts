// The review queue, its rules and what is held in a browser, as each role of the platform, in both languages.
// Merchants' people reach none of the platform's controls: risk.test.ts shows that.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readReviewRules } from '../../src/core/limits/set-review-rules.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { PASSWORD } from '../console/people.ts';
import { accepted, claimedNow, read, setRule } from '../limits/reviewed-merchants.ts';
import { openDashboard, type Dashboard, type DashboardUser } from './dashboard.ts';
import { expectSoundEverywhere } from './sound.ts';

let dashboard: Dashboard;
let ana: DashboardUser;
let ben: DashboardUser;
let keys: readonly PaymentKey[];

beforeAll(async () => {
  dashboard = await openDashboard({ role: 'api', directoryRememberMs: 0 });
  ana = await dashboard.visit({ role: 'OPERATOR_ADMIN' });
  ben = await dashboard.visit({ role: 'OPERATOR_ADMIN', language: 'fr' });
  const { engine, merchantId, url } = dashboard.gateway;
  for (const { page } of [ana, ben]) {
    const answer = await page.request.post(`${url}/console/api/me/confirm`, {
      data: { password: PASSWORD },
      headers: { origin: url },
    });
    expect(answer.status()).toBe(200);
  }
  await setRule(engine, merchantId, { rule: 'FIRST_RECIPIENT', subject: 'RWF', amountAbove: 0n });
  keys = [await accepted(engine, merchantId), await accepted(engine, merchantId)];
  expect(await claimedNow(engine)).toEqual([]);
});
afterAll(async () => {
  await ana.leave();
  await ben.leave();
  await dashboard.close();
});

const queue = () => dashboard.address('/host/risk?tab=reviews');

async function expectSoundAtRest(user: DashboardUser): Promise<void> {
  await user.page.mouse.move(0, 0);
  await expectSoundEverywhere(user);
}

async function chooseMerchant({ page }: DashboardUser, name = 'Merchant'): Promise<void> {
  await page.getByRole('combobox', { name }).or(page.getByRole('textbox', { name })).first().click();
  await page.getByRole('option', { name: 'Demo Shop' }).click();
}

describe.each(['OPERATOR_SUPPORT', 'BREAK_GLASS'] as const)('%s', (role) => {
  test('a role that only looks sees what is held and why, with masked numbers, and decides nothing', async () => {
    const user = await dashboard.visit({ role });
    const { page } = user;
    await page.goto(queue());
    await page.getByText('New recipient').first().waitFor();
    await page.getByText('••••••789').first().waitFor();
    const buttons = page.getByRole('main').getByRole('button');
    expect(await buttons.filter({ hasText: /Release|Reject/ }).count()).toBe(0);
    await expectSoundAtRest(user);
    await page.getByRole('tab', { name: 'Held' }).click();
    const held = page.getByRole('table', { name: 'Held payments and money' });
    await held.getByText(keys[0]!.paymentId.slice(0, 8)).waitFor();
    await held.getByText('New recipient').first().waitFor();
    await expectSoundAtRest(user);
    await page.getByRole('tab', { name: 'Review rules' }).click();
    await chooseMerchant(user);
    await page.getByText('New recipients · RWF').waitFor();
    expect(await buttons.filter({ hasText: /Set rule|Change|Remove/ }).count()).toBe(0);
    await user.leave();
  });
});

test('support of the merchant is told that the platform checks the payment, in both languages', async () => {
  const { page, leave } = await dashboard.visit({ role: 'SUPPORT' });
  const { kind, paymentId } = keys[0]!;
  await page.goto(dashboard.merchantAddress(`payments/${kind}/${paymentId}`));
  await page.getByText('The platform checks this payment before it is sent.').waitFor();
  await page.getByText('La plateforme contrôle ce paiement avant l’envoi.').waitFor();
  await page.getByText('Checked by the platform first', { exact: true }).waitFor();
  expect(await page.getByText('operator is unavailable').count()).toBe(0);
  await leave();
});

test('a row of the review queue opens its payment', async () => {
  await ana.page.goto(queue());
  await ana.page
    .getByRole('row')
    .filter({ hasText: keys[0]!.paymentId.slice(0, 8) })
    .click();
  await ana.page.waitForURL(new RegExp(keys[0]!.paymentId));
});

test('an administrator requests to release one payment and to reject another; a second one approves both', async () => {
  const { engine } = dashboard.gateway;
  for (const [at, label] of (['Release', 'Reject'] as const).entries()) {
    const { page } = ana;
    await page.goto(queue());
    await page.getByText('New recipient').first().waitFor();
    if (at === 0) await expectSoundAtRest(ana);
    const row = page.getByRole('row').filter({ hasText: keys[at]!.paymentId.slice(0, 8) });
    await row.getByRole('button', { name: label }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Called the merchant');
    await dialog.getByRole('button', { name: label }).click();
    await row.getByText('Pending approval, requested').waitFor();
    await ben.page.goto(queue());
    await ben.page.getByRole('button', { name: 'Approuver' }).waitFor();
    if (at === 0) await expectSoundAtRest(ben);
    await ben.page.getByRole('button', { name: 'Approuver' }).click();
    await ben.page.getByRole('dialog').getByRole('button', { name: 'Approuver' }).click();
    await ben.page.getByText('Approuvé.', { exact: true }).waitFor();
  }
  await ben.page.reload();
  await ben.page.getByText('Aucun paiement à contrôler').waitFor();
  await expectSoundAtRest(ben);
  expect(await claimedNow(engine)).toEqual([keys[0]!.paymentId]);
  expect(await read(engine, keys[1]!)).toMatchObject({ state: 'FAILED', failureCode: 'OTHER_ERROR' });
  await ana.page.goto(dashboard.merchantAddress(`payments/${keys[1]!.kind}/${keys[1]!.paymentId}`));
  await ana.page.getByText('stopped before it was sent to the operator. No money was moved.').waitFor();
});

test('an administrator sets a review rule at once, and a second one approves a looser one', async () => {
  const { page } = ana;
  const { engine, merchantId } = dashboard.gateway;
  await page.goto(dashboard.address('/host/risk?tab=rules'));
  await page.getByText('The rules by which its payments').waitFor();
  await chooseMerchant(ana);
  await page.getByRole('button', { name: 'Set rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Rule', { exact: true }).selectOption('Cooling-off');
  await dialog.getByLabel('Currency').selectOption('RWF');
  await dialog.getByLabel('Above this amount').fill('500000');
  await dialog.getByLabel('For how many hours').fill('48');
  await expectSoundAtRest(ana);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Rule set. It counts within 10 seconds.').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'Cooling-off · RWF' });
  await row.getByText('above 500,000, 48 h').waitFor();
  await row.getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('For how many hours').fill('24');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Pending approval: above 500,000, 24 h').waitFor();
  await expectSoundAtRest(ana);
  await ben.page.goto(dashboard.address('/host/risk?tab=rules'));
  await chooseMerchant(ben, 'Marchand');
  await ben.page.getByText('En attente d’approbation : ').waitFor();
  await expectSoundAtRest(ben);
  await ben.page.getByRole('button', { name: 'Approuver' }).click();
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Approuver' }).click();
  await ben.page.getByText('Approuvé.', { exact: true }).waitFor();
  expect(await readReviewRules(engine, merchantId)).toContainEqual(
    expect.objectContaining({ rule: 'COOLING_OFF', hours: 24 }),
  );
});
