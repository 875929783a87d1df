// Every screen and tab of the dashboard: it is drawn without a failure, axe finds nothing in either theme, and it fits
// a phone and a desktop. In French, whose words are longer.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freeze } from '../../src/core/limits/freeze.ts';
import { startCloses } from '../../src/core/daily-close/accounts.ts';
import { changeRegionalSettings } from '../../src/core/merchants/regional-settings.ts';
import { invite } from '../../src/core/merchants/team.ts';
import { dayIn } from '../../src/domain/time-zone.ts';
import { nowOf } from '../clocks.ts';
import { fileOf, prepared } from '../console/payout-files.ts';
import { createPerson, signedIn } from '../console/people.ts';
import type { SignedInUser } from '../browser.ts';
import { depositRequest, select, waitUntil } from '../gateway.ts';
import { start, startCompleted } from '../payments.ts';
import { payoutRequest } from '../requests.ts';
import { openDashboard, type Dashboard } from './dashboard.ts';
import { listRoutes } from './routes.ts';
import { expectSoundEverywhere } from './sound.ts';
import { openCase, startUnresolved, TROUBLE_OPTIONS } from './trouble.ts';

let dashboard: Dashboard;
let users: {
  readonly merchant: SignedInUser;
  readonly platform: SignedInUser;
  readonly stranger: SignedInUser;
};
/** What stands in addresses that have parameters. A new one is to be added here. */
let samples: Readonly<Record<string, string>>;

beforeAll(async () => {
  dashboard = await openDashboard(TROUBLE_OPTIONS);
  samples = await createSamples();
  users = {
    merchant: await dashboard.visit({ role: 'OWNER', language: 'fr' }),
    platform: await dashboard.visit({ role: 'OPERATOR_ADMIN', language: 'fr' }),
    stranger: await dashboard.stranger({ language: 'fr' }),
  };
});
afterAll(async () => {
  await Promise.all(Object.values(users).map(({ leave }) => leave()));
  await dashboard.close();
});

/** Something in every list, and one of everything that has a screen of its own. */
async function createSamples(): Promise<Readonly<Record<string, string>>> {
  const { gateway } = dashboard;
  const { merchantId } = gateway;
  await changeRegionalSettings(gateway.engine, { by: 'test', merchantId, homeCurrency: 'RWF' });
  const depositId = await startCompleted(gateway, 'deposit', depositRequest({ amount: '1500' }));
  await startUnresolved(gateway);
  await openCase(gateway);
  await holdPayout();
  const batchId = await prepared(gateway, await signedIn(gateway, 'FINANCE'), fileOf(3));
  const [float] = await select(gateway, `select account_id from accounts where type = 'FLOAT'`);
  const firstDay = dayIn('Africa/Kigali', nowOf(gateway.engine));
  const followed = { provider: 'MTN_MOMO_RWA', currency: 'RWF', firstDay, timeZone: null, dueHours: 36 };
  await startCloses(gateway.engine, { by: 'test', ...followed });
  const { personId, email } = await createPerson(gateway, 'SUPPORT');
  const reset = await gateway.gateway.console?.signIn.createResetToken({ by: 'test', personId, email });
  const invited = { by: 'test', merchantId, email: 'new.person@example.com', role: 'SUPPORT' } as const;
  return {
    'payments/$kind/$paymentId': `payments/DEPOSIT/${depositId}`,
    'payouts/$batchId': `payouts/${batchId}`,
    'wallets/$wallet': 'wallets/RWA-RWF',
    'merchants/$merchantId': `merchants/${merchantId}`,
    'ledger/accounts/$accountId': `ledger/accounts/${float?.['account_id']}`,
    'ledger/transfers/$owner/$kind/$subjectId': `ledger/transfers/${merchantId}/DEPOSIT/${depositId}`,
    'daily-close/$provider/$currency': 'daily-close/MTN_MOMO_RWA/RWF',
    'daily-close/$provider/$currency/$day': `daily-close/MTN_MOMO_RWA/RWF/${firstDay}`,
    'join/$token': `join/${await invite(gateway.engine, invited)}`,
    'new-password/$token': `new-password/${reset}`,
  };
}

/** A payout to a number that is frozen. */
async function holdPayout(): Promise<void> {
  const { gateway } = dashboard;
  const target = { scope: 'NUMBER', phoneNumber: '250783456789' } as const;
  await freeze(gateway.engine, { by: 'test', target, reason: 'reported', expiresAt: null });
  await start(gateway, 'payout', payoutRequest());
  const held = 'select 1 from payments where held is not null';
  await waitUntil(async () => (await select(gateway, held)).length > 0);
}

function visitorOf(parent: string): SignedInUser {
  if (parent === 'rootRoute') return users.stranger;
  return parent === 'hostRoute' ? users.platform : users.merchant;
}

/** Its heading is there, and nothing is still on its way. */
async function waitUntilDrawn(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await expect.poll(() => page.locator('[aria-busy="true"], .mantine-Skeleton-root').count()).toBe(0);
}

test.each(listRoutes())(
  '$pattern is drawn, fits, and axe finds nothing',
  async ({ parent, path, tab, pattern }) => {
    const filled = path.includes('$') ? samples[path] : path;
    if (filled === undefined) throw new Error(`a sample for ${path} is missing`);
    const base = pattern.slice(0, -(path + tab).length).replace('$merchantId', dashboard.gateway.merchantId);
    const user = visitorOf(parent);
    await user.page.goto(dashboard.address(base + filled + tab));
    await waitUntilDrawn(user.page);
    expect(await user.page.getByText('Réessayer').count()).toBe(0);
    await expectSoundEverywhere(user);
  },
);

test('an address that leads nowhere, and a person without a team, are told what to do', async () => {
  const loner = await dashboard.visit({ role: 'SUPPORT', language: 'fr' });
  const { engine } = dashboard.gateway;
  await engine.store.database.query('delete from memberships where person_id = $1', [loner.personId]);
  const addresses: readonly (readonly [SignedInUser, string, string])[] = [
    [users.stranger, '/nowhere', 'Page introuvable'],
    [users.merchant, '/nowhere', 'Page introuvable'],
    [loner, '/', 'Vous n’êtes encore membre d’aucune équipe'],
  ];
  for (const [user, path, said] of addresses) {
    await user.page.goto(dashboard.address(path));
    await user.page.getByText(said).waitFor();
    await expectSoundEverywhere(user);
  }
  await loner.leave();
});

test.each(['issues', 'cases', 'risk?tab=holds'])('a row of %s opens its payment', async (path) => {
  const { page } = users.platform;
  await page.goto(dashboard.address(`/host/${path}`));
  await page.locator('main tbody td[data-label="Montant"]').first().click();
  await page.waitForURL(/\/payments\/(DEPOSIT|PAYOUT)\//);
  await page.getByText('Que dire au client').waitFor();
});

test('the audit log names actions and their details in the language of the reader', async () => {
  const { page } = users.merchant;
  await page.goto(dashboard.merchantAddress('audit'));
  await page.getByText('Versements préparés').first().waitFor();
  await page.getByText('Source : Fichier').first().waitFor();
});

test('a payout opens in the country of the home currency', async () => {
  const { page } = users.merchant;
  await page.goto(dashboard.merchantAddress('payouts/new'));
  expect(await page.getByLabel('Pays').inputValue()).toBe('RWA');
  expect(await page.getByLabel('Devise').inputValue()).toBe('RWF');
});
