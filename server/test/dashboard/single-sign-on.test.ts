// Single sign-on in a browser, at an identity provider that a test can spoil.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { findBarriers, fitsScreen, WIDTHS } from '../browser.ts';
import {
  openIdentityProvider,
  type ProviderAccount,
  type TestProvider,
} from '../console/identity-provider.ts';
import { CONSOLE } from '../console/people.ts';
import { select } from '../gateway.ts';
import { openDashboard, type Dashboard } from './dashboard.ts';

let provider: TestProvider;
let dashboard: Dashboard;
beforeAll(async () => {
  provider = await openIdentityProvider();
  const settings = provider.settings('admins=OPERATOR_ADMIN; support=OPERATOR_SUPPORT');
  dashboard = await openDashboard({ console: { ...CONSOLE, twoFactor: 'REQUIRED', provider: settings } });
  provider.serve(dashboard.gateway.url);
});
afterAll(async () => {
  await dashboard.close();
  await provider.close();
});
afterEach(async () => {
  for (const claim of Object.keys(provider.spoilt)) delete provider.spoilt[claim];
  provider.isForging = false;
  await select(dashboard.gateway, 'delete from sign_in_rates');
});

const HOUR = 3_600;
const seconds = () => Math.floor(Date.now() / 1_000);

let count = 0;

/** Somebody at the identity provider, by a name of their own. */
function account(given: Partial<ProviderAccount> = {}): string {
  count += 1;
  const login = `person-${count}`;
  const [isVerified, groups, methods] = [true, ['admins'], ['pwd', 'mfa']];
  provider.accounts.set(login, { email: `${login}@host.example`, isVerified, groups, methods, ...given });
  return login;
}

async function signIn(page: Page, login: string): Promise<void> {
  await signInAgain(page);
  await page.getByRole('link', { name: login, exact: true }).click();
}

/** In a browser that the provider knows: it asks nothing. */
async function signInAgain(page: Page): Promise<void> {
  await page.goto(dashboard.address('/sign-in'));
  await page.getByRole('button', { name: 'Continue with Example ID' }).click();
}

/** The provider's answer, which the browser was to be sent to and has not seen. */
async function answerFor(page: Page, login: string): Promise<string> {
  await signInAgain(page);
  const link = page.getByRole('link', { name: login, exact: true });
  let url = new URL((await link.getAttribute('href')) ?? '', page.url());
  // A route of the page would not do: it sees no redirection.
  while (!url.pathname.endsWith('/callback/oidc')) {
    const { location } = (await page.request.get(url.href, { maxRedirects: 0 })).headers();
    if (location === undefined) throw new Error(`no redirection at ${url.href}`);
    url = new URL(location, url);
  }
  return url.href;
}

const signedIn = (page: Page) => page.getByRole('button', { name: 'You', exact: true }).waitFor();

const sessionsOf = (login: string) =>
  select(
    dashboard.gateway,
    'select s.* from people_sessions s join people p on p.id = s.person_id where p.email = $1',
    [`${login}@host.example`],
  );

const rolesOf = (login: string) =>
  select(
    dashboard.gateway,
    'select role from memberships m join people p on p.id = m.person_id where p.email = $1',
    [`${login}@host.example`],
  );

test('A person signs in with single sign-on, arrives where they wanted to be, and has the role of their group.', async () => {
  const login = account();
  const { page, complaints, strays, leave } = await dashboard.stranger({ widthPx: WIDTHS.phone });
  await page.goto(dashboard.address('/host/health'));
  await page.waitForURL(/\/sign-in\?to=/);
  await page.getByRole('button', { name: 'Continue with Example ID' }).waitFor();
  expect([await findBarriers(page), await fitsScreen(page)]).toEqual([[], true]);
  await page.getByRole('button', { name: 'Continue with Example ID' }).click();
  const asked = new URL((await page.waitForURL(/\/interaction\//), page.url()));
  expect(asked.origin).not.toBe(new URL(dashboard.gateway.url).origin);
  await page.getByRole('link', { name: login, exact: true }).click();
  await page.waitForURL(dashboard.address('/host/health'));
  await signedIn(page);
  expect(await rolesOf(login)).toEqual([{ role: 'OPERATOR_ADMIN' }]);
  expect(strays).toEqual([]);
  expect(complaints.filter((line) => !line.startsWith('Failed to load resource'))).toEqual([]);
  await leave();
});

const SPOILT: readonly (readonly [string, object])[] = [
  ['of an hour ago', { exp: seconds() - 5, iat: seconds() - HOUR }],
  ['without an end', { exp: undefined }],
  ['for another client', { aud: 'another' }],
  ['for several clients, made for another', { aud: ['malipo', 'another'], azp: 'another' }],
  ['of another issuer', { iss: 'https://other.example' }],
  ['of another sign-in', { nonce: 'of another sign-in' }],
];

test('An ID token that has expired, is for another client or sign-in, or signed by another key, signs no one in.', async () => {
  const login = account();
  const { page, leave } = await dashboard.stranger();
  provider.isForging = true;
  await signIn(page, login);
  await page.getByText('Single sign-on failed').waitFor();
  provider.isForging = false;
  for (const [which, claims] of SPOILT) {
    for (const claim of Object.keys(provider.spoilt)) delete provider.spoilt[claim];
    Object.assign(provider.spoilt, claims);
    await signInAgain(page);
    await page.waitForURL(/error=PROVIDER_ANSWER_INVALID/);
    expect([which, await sessionsOf(login), await rolesOf(login)]).toEqual([which, [], []]);
  }
  for (const claim of Object.keys(provider.spoilt)) delete provider.spoilt[claim];
  await signInAgain(page);
  await signedIn(page);
  await leave();
});

test.each<[string, Partial<ProviderAccount>, string]>([
  ['an address that is not verified', { isVerified: false }, 'Your e-mail address is not verified'],
  ['one factor only', { methods: ['pwd'] }, 'Two-factor authentication is required'],
  ['no group that has a role', { groups: ['others'] }, 'You have no role here'],
])('A person with %s is refused, with the reason.', async (_, given, reason) => {
  const login = account(given);
  const { page, leave } = await dashboard.stranger();
  await signIn(page, login);
  await page.getByText(reason).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect([await sessionsOf(login), await rolesOf(login)]).toEqual([[], []]);
  await leave();
});

test('An answer of the identity provider works once, and only in the browser that asked.', async () => {
  const login = account();
  const first = await dashboard.stranger();
  const answers: string[] = [];
  first.page.on('request', (request) => {
    if (request.url().includes('/callback/oidc')) answers.push(request.url());
  });
  await signIn(first.page, login);
  await signedIn(first.page);
  await first.page.goto(answers[0] ?? '');
  await first.page.waitForURL(/error=PROVIDER_ANSWER_INVALID/);

  // A code that was not used yet, in the browser of somebody else.
  const victim = await dashboard.stranger();
  const stolen = await answerFor(victim.page, login);
  const thief = await dashboard.stranger();
  await thief.page.goto(stolen);
  await thief.page.getByText('Single sign-on failed').waitFor();
  // Nor with a state of the thief's own.
  await thief.page.getByRole('button', { name: 'Continue with Example ID' }).click();
  await thief.page.waitForURL(/\/interaction\//);
  const own = await select(
    dashboard.gateway,
    `select value from people_proofs order by created_at desc limit 1`,
  );
  const { oauthState } = JSON.parse(String(own[0]?.['value'])) as { readonly oauthState: string };
  const mixed = new URL(stolen);
  mixed.searchParams.set('state', oauthState);
  await thief.page.goto(mixed.href);
  await thief.page.getByText('Single sign-on failed').waitFor();
  expect(await sessionsOf(login)).toHaveLength(1);
  for (const { leave } of [first, victim, thief]) await leave();
});

test('A group that was taken away takes the role with it at the next sign-in; another group gives its own.', async () => {
  const login = account();
  const { page, leave } = await dashboard.stranger();
  await signIn(page, login);
  await signedIn(page);
  provider.accounts.get(login)!.groups = ['support'];
  await signInAgain(page);
  await signedIn(page);
  expect(await rolesOf(login)).toEqual([{ role: 'OPERATOR_SUPPORT' }]);
  provider.accounts.get(login)!.groups = [];
  await signInAgain(page);
  await page.getByText('You have no role here').waitFor();
  expect(await rolesOf(login)).toEqual([]);
  // Also where they are still signed in.
  await page.goto(dashboard.address('/host/health'));
  await page.getByText('You don’t have access').waitFor();
  await leave();
});

test('A person who signed in there confirms there, in a window of its own, and loses nothing of what they filled in.', async () => {
  const login = account();
  const { page, complaints, leave } = await dashboard.stranger({ language: 'fr' });
  await page.goto(dashboard.address('/sign-in?to=/host/team'));
  await page.getByRole('button', { name: 'Continuer avec Example ID' }).click();
  await page.getByRole('link', { name: login, exact: true }).click();
  await page.getByRole('button', { name: 'Inviter' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Adresse e-mail').fill('new.support@host.example');
  await dialog.getByLabel('Rôle').selectOption('OPERATOR_SUPPORT');
  await dialog.getByRole('button', { name: 'Inviter' }).click();
  await page.getByText('Authentifiez-vous à nouveau').waitFor();
  expect((await sessionsOf(login)).map((one) => one['confirmed_at'])).toEqual([null]);
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Confirmer' }).click();
  const popup = await opening;
  // The provider asks again although it knows them.
  await popup.getByRole('link', { name: login, exact: true }).click();
  await dialog.getByText('/dashboard/join/').waitFor();
  expect((await sessionsOf(login)).map((one) => one['confirmed_at'])).toEqual([expect.any(Date)]);
  expect(complaints.filter((line) => !line.startsWith('Failed to load resource'))).toEqual([]);
  await leave();
});
