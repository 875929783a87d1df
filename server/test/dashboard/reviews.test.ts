// The review queue in a browser, as each role of the platform, in both languages. Merchants' people reach none of the
// platform's controls: risk.test.ts shows that.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe.each(['OPERATOR_SUPPORT', 'BREAK_GLASS'] as const)('%s', (role) => {
  test('sees what is held and why, with masked numbers, and decides nothing', async () => {
    const user = await dashboard.visit({ role });
    const { page } = user;
    await page.goto(queue());
    await page.getByText('New recipient').first().waitFor();
    await page.getByText('••••••789').first().waitFor();
    const buttons = page.getByRole('main').getByRole('button');
    expect(await buttons.filter({ hasText: /Release|Reject/ }).count()).toBe(0);
    await expectSoundAtRest(user);
    await user.leave();
  });
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
});
