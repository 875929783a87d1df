// Every screen of the dashboard, found in its sources, so that a new one is among them: it is drawn without a failure,
// axe finds nothing in either theme, and it fits a phone and a desk. In French, whose words are longer.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCloses } from '../../src/core/daily-close/accounts.ts';
import { changeRegionalSettings } from '../../src/core/merchants/regional-settings.ts';
import { invite } from '../../src/core/merchants/team.ts';
import { dayIn } from '../../src/domain/time-zone.ts';
import { fileOf, prepared } from '../console/payout-files.ts';
import { createPerson, signedIn } from '../console/people.ts';
import type { SignedInUser } from '../browser.ts';
import { depositRequest, select } from '../gateway.ts';
import { startCompleted } from '../payments.ts';
import { openDashboard, type Dashboard } from './dashboard.ts';
import { expectSoundEverywhere } from './sound.ts';
import { openCase, startUnresolved, TROUBLE_OPTIONS } from './trouble.ts';

const SCREENS = fileURLToPath(new URL('../../../dashboard/src/screens/', import.meta.url));

/** Where routes hang in the dashboard's sources, as addresses. */
const BASES: Readonly<Record<string, string>> = {
  rootRoute: '/',
  signedInRoute: '/',
  merchantRoute: '/m/$merchantId/',
  hostRoute: '/host/',
};

type Route = { readonly parent: string; readonly path: string; readonly pattern: string };

/** Node cannot load the screens themselves, so their routes are read as text. */
function listRoutes(): readonly Route[] {
  const areas = globSync('*/area.ts', { cwd: SCREENS }).map((name) => readFileSync(SCREENS + name, 'utf8'));
  const routes = areas.flatMap((text) =>
    [...text.matchAll(/createRoute\(\{\s*getParentRoute(?:: \(\) => (\w+))?,\s*path: '([^']+)'/g)].map(
      ([, parent = 'rootRoute', path = '']) => ({ parent, path, pattern: `${BASES[parent]}${path}` }),
    ),
  );
  const count = areas.join().split('createRoute({').length - 1;
  if (routes.length !== count) throw new Error(`${count} routes, but only ${routes.length} could be read`);
  return routes;
}

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
  const batchId = await prepared(gateway, await signedIn(gateway, 'FINANCE'), fileOf(3));
  const [float] = await select(gateway, `select account_id from accounts where type = 'FLOAT'`);
  const firstDay = dayIn('Africa/Kigali', gateway.engine.clock.now());
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
  async ({ parent, path, pattern }) => {
    const filled = path.includes('$') ? samples[path] : path;
    if (filled === undefined) throw new Error(`a sample for ${path} is missing`);
    const base = pattern.slice(0, -path.length).replace('$merchantId', dashboard.gateway.merchantId);
    const user = visitorOf(parent);
    await user.page.goto(dashboard.address(base + filled));
    await waitUntilDrawn(user.page);
    expect(await user.page.getByText('Réessayer').count()).toBe(0);
    await expectSoundEverywhere(user);
  },
);

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
