// Risk controls in a browser, as each role: freezes, lists of phone numbers and limits, in both languages.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { MERCHANT_ROLES } from '../../src/domain/merchants/roles.ts';
import { PASSWORD } from '../console/people.ts';
import { confirmByPassword, openDashboard, type Dashboard, type DashboardUser } from './dashboard.ts';
import { expectSoundEverywhere } from './sound.ts';

let dashboard: Dashboard;
let ana: DashboardUser;
let ben: DashboardUser;

beforeAll(async () => {
  dashboard = await openDashboard({ role: 'api', directoryRememberMs: 0 });
  ana = await dashboard.visit({ role: 'OPERATOR_ADMIN' });
  ben = await dashboard.visit({ role: 'OPERATOR_ADMIN', language: 'fr' });
  // Dialogs that ask for the password are tried elsewhere.
  for (const { page } of [ana, ben]) await confirmed(page);
});
afterAll(async () => {
  await ana.leave();
  await ben.leave();
  await dashboard.close();
});

async function confirmed(page: Page): Promise<void> {
  const url = `${dashboard.gateway.url}/console/api/me/confirm`;
  const headers = { origin: dashboard.gateway.url };
  const answer = await page.request.post(url, { data: { password: PASSWORD }, headers });
  expect(answer.status()).toBe(200);
}

const file = (text: string) => ({ name: 'n.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

/** Not with the tooltip of what happens to be below the mouse. */
async function expectSoundAtRest(user: DashboardUser): Promise<void> {
  await user.page.mouse.move(0, 0);
  await expectSoundEverywhere(user);
}

const risk = (tab = '') => dashboard.address(`/host/risk${tab === '' ? '' : `?tab=${tab}`}`);

const rowOf = ({ page }: DashboardUser, text: string) => page.getByRole('row').filter({ hasText: text });

/** Ben approves the only request on this screen. */
async function approve(tab: string): Promise<void> {
  const { page } = ben;
  await page.goto(risk(tab));
  await page.getByRole('button', { name: 'Approuver' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approuver' }).click();
  await page.getByText('Approuvé.', { exact: true }).waitFor();
}

async function chooseMerchant(page: Page, name = 'Merchant'): Promise<void> {
  await page.getByRole('combobox', { name }).or(page.getByRole('textbox', { name })).first().click();
  await page.getByRole('option', { name: 'Demo Shop' }).click();
}

describe('an administrator of the platform', () => {
  test('freezes a merchant with a reason and an expiry, and another one lifts it', async () => {
    const { page } = ana;
    await page.goto(dashboard.address('/host'));
    await page.getByRole('link', { name: 'Risk controls' }).click();
    await page.getByText('Nothing is frozen').waitFor();
    await expectSoundAtRest(ana);
    await page.getByRole('button', { name: 'Freeze', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await chooseMerchant(page);
    await dialog.getByLabel('Expires').selectOption('In 7 days');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Token was published');
    await expectSoundAtRest(ana);
    await dialog.getByRole('button', { name: 'Freeze', exact: true }).click();
    await page.getByText('Frozen. Nothing of it is sent any more.').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Demo Shop' });
    await row.getByText('Token was published').waitFor();
    await row.getByText('in 7 days').waitFor();
    await row.getByRole('button', { name: 'Lift' }).click();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The merchant has a new token');
    await page.getByRole('dialog').getByRole('button', { name: 'Lift' }).click();
    await page.getByText('Sent for approval. The freeze holds').waitFor();
    await page.getByRole('heading', { name: 'Pending approval' }).waitFor();
    await expectSoundAtRest(ana);
    await approve('');
    await ben.page.getByText('Rien n’est gelé').waitFor();
  });

  test('freezes a recipient, whose number is masked', async () => {
    const { page } = ana;
    await page.goto(risk());
    await page.getByRole('button', { name: 'Freeze', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What to freeze').selectOption('Recipient');
    await dialog.getByLabel('Phone number').fill('250783000201');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Fraud 4711');
    await dialog.getByRole('button', { name: 'Freeze', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: '••••••201' });
    await row.getByRole('button', { name: 'Show' }).click();
    await page.getByText('250783000201').waitFor();
    await expectSoundAtRest(ana);
  });

  test('freezes a merchant on its own page', async () => {
    const { page } = ana;
    await page.goto(dashboard.address(`/host/merchants/${dashboard.gateway.merchantId}`));
    await page.getByRole('button', { name: 'Freeze payments' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('of Demo Shop stop at once').waitFor();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Break-in');
    await dialog.getByRole('button', { name: 'Freeze payments' }).click();
    await page.getByText('Frozen. Nothing of it is sent any more.').waitFor();
  });

  test('an administrator of the platform blocks a number at once; another one approves that it is unblocked', async () => {
    const { page } = ana;
    await page.goto(risk('numbers'));
    await page.getByText('No blocked numbers').waitFor();
    await expectSoundAtRest(ana);
    await page.getByRole('button', { name: 'Block number' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Phone number').fill('0783');
    await dialog.getByLabel('Phone number').fill('+250 783 000 202');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Fraud 4711');
    await dialog.getByRole('button', { name: 'Block number' }).click();
    await page.getByText(/^Blocked\. New payments are refused/).waitFor();
    const row = page.getByRole('row').filter({ hasText: '••••••202' });
    await row.getByText('Fraud 4711').waitFor();
    await row.getByRole('button', { name: 'Unblock' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click();
    await page.getByText('Unblock ••••••202').waitFor();
    await expectSoundAtRest(ana);
    await ben.page.goto(risk('numbers'));
    await ben.page.getByRole('button', { name: 'Voir les numéros' }).click();
    await ben.page.getByRole('button', { name: 'Afficher les numéros' }).click();
    await ben.page.getByRole('dialog').getByText('250783000202').waitFor();
    await expectSoundAtRest(ben);
    await approve('numbers');
    await ben.page.getByText('Aucun numéro bloqué').waitFor();
  });

  test('an administrator of the platform imports allowed numbers, which count when another one approves, and finds one', async () => {
    const { page } = ana;
    await page.goto(risk('numbers'));
    await page.getByText('Allowed numbers').first().click();
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const dialog = page.getByRole('dialog');
    const pick = dialog.locator('input[type=file]').or(page.locator('input[type=file]')).first();
    await pick.setInputFiles(file('number,reason,expires\n12,staff,\n'));
    await dialog.getByRole('button', { name: 'Import CSV' }).click();
    await page.getByText('Line 2: enter a phone number with its country code.').waitFor();
    await pick.setInputFiles(file('number,reason,expires\n250783000203,staff,\n250783000204,staff,\n'));
    await dialog.getByRole('button', { name: 'Import CSV' }).click();
    await page.getByText('2 numbers sent for approval.').waitFor();
    await approve('numbers');
    await page.getByLabel('Find a phone number').fill('250783000204');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const found = page.getByRole('table', { name: 'Lists with this number' });
    await found.getByText('Every merchant').waitFor();
    await expectSoundAtRest(ana);
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export CSV' }).click();
    expect((await download).suggestedFilename()).toBe('allowed-numbers.csv');
  });

  test('an administrator of the platform sets a limit of a merchant', async () => {
    const { page } = ana;
    await page.goto(risk('limits'));
    await page.getByText('Its limits are shown here').waitFor();
    await chooseMerchant(page);
    await page.getByRole('button', { name: 'Set limit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Counted for').selectOption('Each phone number');
    await dialog.getByLabel('Currency').selectOption('RWF');
    await dialog.getByLabel('Max payments').fill('5');
    await dialog.getByLabel('Max amount (RWF)').fill('500000');
    await expectSoundAtRest(ana);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Limit set. It counts within 10 seconds.').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Each phone number' });
    await row.getByText('500,000 RWF').waitFor();
    await expectSoundAtRest(ana);
  });

  test('an administrator of the platform sees what was stopped, held and released, with amounts, also of one kind alone', async () => {
    const { engine, merchantId } = dashboard.gateway;
    const about = { merchantId, kind: 'PAYOUT', currency: 'RWF', amount: 6_000_000n } as const;
    engine.riskLog.note({ ...about, event: 'PAYMENT_RELEASED', subject: 'REVIEW' });
    engine.riskLog.note({ ...about, event: 'FUNDS_RELEASED', subject: 'CASE' });
    await engine.riskLog.flush(engine.store.database);
    const { page } = ana;
    await page.goto(risk('events'));
    for (const event of ['Funds released', 'Held payment released'])
      await rowOf(ana, event).getByText('600 RWF').waitFor();
    await rowOf(ana, 'Freeze lifted').first().waitFor();
    await expectSoundAtRest(ana);
    await page.getByLabel('Event', { exact: true }).selectOption('Funds released');
    await rowOf(ana, 'Freeze lifted').first().waitFor({ state: 'detached' });
    await rowOf(ana, 'Open case').waitFor();
    await ben.page.goto(risk('events'));
    await rowOf(ben, 'Fonds libérés').getByText('Dossier ouvert').waitFor();
    await expectSoundAtRest(ben);
  });
});

describe('people of a merchant', () => {
  test('an owner sets a stricter limit, and the platform approves a looser one', async () => {
    const owner = await dashboard.visit({ role: 'OWNER' });
    const { page } = owner;
    await page.goto(dashboard.merchantAddress('overview'));
    await page.getByRole('link', { name: 'Limits', exact: true }).click();
    await page.getByRole('button', { name: 'Set limit' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Max payments').fill('2');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await confirmByPassword(page);
    const row = page.getByRole('row').filter({ hasText: 'Whole merchant' });
    await row.getByText('2 payments').waitFor();
    await row.getByRole('button', { name: 'Change' }).click();
    await dialog.getByLabel('Max payments').fill('9');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Pending approval: 9 payments').waitFor();
    // The platform's limits are shown, without a way to change them.
    const platform = page.getByRole('row').filter({ hasText: 'Each phone number' });
    expect(await platform.getByRole('button').count()).toBe(0);
    await expectSoundAtRest(owner);
    await approve('limits');
    await page.reload();
    await row.getByText('9 payments').waitFor();
    await owner.leave();
  });

  test.each(MERCHANT_ROLES)('%s reaches none of the platform’s controls', async (role) => {
    const { page, leave } = await dashboard.visit({ role });
    await page.goto(risk());
    await page.getByText('You don’t have access').waitFor();
    await page.goto(dashboard.merchantAddress('limits'));
    const mayRead = role === 'OWNER' || role === 'DEVELOPER';
    const heading = page.getByRole('heading', { name: 'Limits', level: 1 });
    await (mayRead ? heading : page.getByText('You don’t have access')).waitFor();
    await leave();
  });
});

describe.each(['OPERATOR_SUPPORT', 'BREAK_GLASS'] as const)('%s', (role) => {
  test('a role that only looks sees everything, with numbers and reasons hidden, and changes nothing', async () => {
    const user = await dashboard.visit({ role });
    const { page } = user;
    await page.goto(risk());
    const row = page.getByRole('row').filter({ hasText: '••••••201' });
    await row.getByText('Hidden').waitFor();
    const buttons = page.getByRole('main').getByRole('button');
    expect(await buttons.filter({ hasText: /Freeze|Lift|Show/ }).count()).toBe(0);
    await page.goto(risk('numbers'));
    await page.getByText('Platform administrators can add numbers.').waitFor();
    expect(await buttons.filter({ hasText: /Block|Import|Export|Search/ }).count()).toBe(0);
    await page.goto(risk('limits'));
    await chooseMerchant(page);
    await page.getByRole('row').filter({ hasText: 'Each phone number' }).waitFor();
    expect(await buttons.filter({ hasText: /Set limit|Change|Remove/ }).count()).toBe(0);
    await page.goto(risk('events'));
    await page.getByRole('row').filter({ hasText: 'Frozen' }).first().waitFor();
    await expectSoundAtRest(user);
    await user.leave();
  });
});
