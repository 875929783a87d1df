// The platform's first screen names what is wrong now: a provider, a payment and an endpoint are broken, each is fixed
// where its link leads, and then all is operational.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { changeAvailability } from '../../src/core/merchants/administer-merchants.ts';
import { depositRequest, payer } from '../gateway.ts';
import { start, startCompleted, waitForOperators, waitForPayment } from '../payments.ts';
import { confirmByPassword, openDashboard, type Dashboard, type DashboardUser } from './dashboard.ts';
import { expectSoundEverywhere } from './sound.ts';
import { TROUBLE_OPTIONS } from './trouble.ts';

let dashboard: Dashboard;
let ana: DashboardUser;
let ben: DashboardUser;

beforeAll(async () => {
  dashboard = await openDashboard({ ...TROUBLE_OPTIONS, timing: {} });
  ana = await dashboard.visit({ role: 'OPERATOR_ADMIN' });
  ben = await dashboard.visit({ role: 'OPERATOR_ADMIN', language: 'fr' });
});
afterAll(async () => {
  await ana.leave();
  await ben.leave();
  await dashboard.close();
});

const host = (path: string) => dashboard.address(`/host/${path}`);
const problemsOf = (page: Page) => page.getByRole('list', { name: /^(Open problems|Problèmes ouverts)$/ });

/** Reads the list again until it names these, in this order. */
async function openOverview(page: Page, titles: readonly unknown[]): Promise<void> {
  const readTitles = async () => {
    await page.goto(host('overview'));
    await problemsOf(page).or(page.getByRole('status')).first().waitFor();
    return problemsOf(page).getByRole('link').allTextContents();
  };
  await expect.poll(readTitles, { timeout: 60_000 }).toEqual(titles);
}

const PROVIDER = 'Airtel Rwanda is closed';
const PAYMENT = 'Deposit with unknown outcome: 100 RWF';
const ENDPOINT = expect.stringMatching(/^Callback endpoint failing: 127\.0\.0\.1:\d+$/);

/** The payer of this number never answers. */
const NO_ANSWER = '250783456129';

let unresolvedId: string;

async function breakThree(): Promise<void> {
  const { gateway } = dashboard;
  const closed = { by: 'test', provider: 'AIRTEL_RWA', operation: 'PAYOUT', status: 'CLOSED' } as const;
  await changeAvailability(gateway.engine, closed);
  unresolvedId = await start(gateway, 'deposit', depositRequest({ payer: payer('MTN_MOMO_RWA', NO_ANSWER) }));
  await waitForOperators(gateway, [unresolvedId]);
  await gateway.gateway.movableClock?.move(gateway.engine.connectors.get('simulator')!.timing.horizonMs);
  await waitForPayment(gateway, 'deposit', unresolvedId, 'IN_RECONCILIATION');
  gateway.receiver.answerWith({ status: 503 });
  for (let count = 0; count < 3; count += 1) await startCompleted(gateway, 'deposit', depositRequest());
}

test('the first screen of the platform says that all is operational while it is', async () => {
  await ana.page.goto(dashboard.address('/host'));
  await ana.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await openOverview(ana.page, []);
  await ana.page.getByText('All systems operational').waitFor();
  await expectSoundEverywhere(ana);
});

test('what is broken is named first, in both languages, and counted in the navigation', async () => {
  await breakThree();
  const { page } = ana;
  await openOverview(page, [PROVIDER, PAYMENT, ENDPOINT]);
  const ages = problemsOf(page)
    .getByRole('listitem')
    .getByText(/^for \d/);
  expect(await ages.count()).toBe(3);
  expect(await page.getByText('All systems operational').count()).toBe(0);
  await page.getByRole('link', { name: 'Unresolved payments 2 open' }).waitFor();
  await expectSoundEverywhere(ana);
  await ben.page.goto(host('overview'));
  await ben.page.getByRole('link', { name: 'Airtel Rwanda est fermé' }).waitFor();
  await ben.page.goto(host('health'));
  await ben.page.getByRole('link', { name: /à l’issue inconnue : 100 RWF$/ }).waitFor();
});

test('a merchant’s people see the failing endpoint in their navigation', async () => {
  const { page, leave } = await dashboard.visit({ role: 'DEVELOPER' });
  await page.goto(dashboard.merchantAddress('overview'));
  await page.getByRole('link', { name: /1 open$/ }).waitFor();
  await leave();
});

test('the link of the provider leads to where it is set', async () => {
  const { page } = ana;
  await page.goto(host('overview'));
  await page.getByRole('link', { name: PROVIDER }).click();
  await page.getByRole('button', { name: /^Payouts, Airtel Rwanda/ }).click();
  await page.getByRole('radio', { name: 'Operational' }).check();
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await confirmByPassword(page);
  await page.getByText('Provider status updated.').waitFor();
  await openOverview(page, [PAYMENT, ENDPOINT]);
});

test('the link of the payment leads to where it is resolved, and its approval is counted', async () => {
  const { page } = ana;
  await page.getByRole('link', { name: PAYMENT }).click();
  const row = page.getByRole('row').filter({ hasText: unresolvedId.slice(0, 8) });
  await row.getByRole('button', { name: 'Resolve' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Operator transaction ID').fill('TX-4711');
  await dialog.getByLabel('Reason').fill('letter of the operator');
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await page.getByText('Sent for approval.').waitFor();
  await page.getByRole('link', { name: 'Approvals 1 open' }).waitFor();

  await ben.page.goto(host('approvals'));
  await ben.page.getByRole('button', { name: 'Approuver' }).click();
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Approuver' }).click();
  await ben.page.getByLabel('Votre mot de passe').fill('a long password of theirs');
  await ben.page.getByRole('button', { name: 'Confirmer' }).click();
  await ben.page.getByText('Approuvé.', { exact: true }).waitFor();
  await openOverview(page, [ENDPOINT]);
});

test('the link of the endpoint leads to its merchant, and after all are fixed all is operational', async () => {
  const { page } = ana;
  await page.getByRole('link', { name: /^Callback endpoint failing/ }).click();
  await page.waitForURL(dashboard.merchantAddress('callback-addresses'));
  await page.getByText(dashboard.gateway.receiver.url).first().waitFor();
  dashboard.gateway.receiver.answerWith({ status: 200 });
  await dashboard.gateway.gateway.movableClock?.move(30_000);
  await openOverview(page, []);
  await page.getByText('All systems operational').waitFor();
  await page.goto(host('health'));
  await page.getByText('All systems operational').waitFor();
  await openOverview(ben.page, []);
  await ben.page.getByText('Tous les services fonctionnent').waitFor();
});
