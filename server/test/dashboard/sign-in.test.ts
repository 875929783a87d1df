import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers, fitsScreen, WIDTHS } from '../browser.ts';
import { codeOf } from '../console/authenticator.ts';
import { CONSOLE, createPerson, PASSWORD } from '../console/people.ts';
import { openDashboard, type Dashboard } from './dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard({ console: { ...CONSOLE, twoFactor: 'REQUIRED' } });
});
afterAll(() => dashboard.close());

test('a person sets up two-factor authentication when they first sign in, and is asked for it from then on', async () => {
  const { email } = await createPerson(dashboard.gateway, 'OWNER');
  const { page, complaints, strays, leave } = await dashboard.stranger({ widthPx: WIDTHS.phone });
  const signIn = async () => {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await page.goto(dashboard.merchantAddress('team'));
  await page.waitForURL(/\/sign-in\?to=/);
  expect(await findBarriers(page)).toEqual([]);
  await signIn();

  await page.waitForURL(/\/two-factor/);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  expect([await findBarriers(page), await fitsScreen(page)]).toEqual([[], true]);
  const key = (await page.getByText(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/).textContent()) ?? '';
  const code = () => codeOf(`otpauth://totp/x?secret=${key.replaceAll(' ', '')}`);
  await page.getByRole('textbox', { name: 'Code' }).fill(code());
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Save your backup codes').waitFor();
  const backup = (await page.locator('code').first().textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();

  // Back where they wanted to be.
  await page.waitForURL(dashboard.merchantAddress('team'));
  await page.getByRole('heading', { name: 'Team' }).waitFor();

  await page.getByRole('button', { name: 'You', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in/);
  await signIn();
  await page.getByRole('textbox', { name: 'Code' }).fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Wrong code').waitFor();
  await page.getByRole('button', { name: 'Use a backup code' }).click();
  await page.getByLabel('Backup code').fill(backup);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'You', exact: true }).waitFor();
  expect(strays).toEqual([]);
  // The browser itself writes a line for each answer that is a refusal.
  expect(complaints.filter((line) => !line.startsWith('Failed to load resource'))).toEqual([]);
  await leave();
});

test('a wrong password is told apart from nothing else', async () => {
  const { page, leave } = await dashboard.stranger();
  await page.goto(dashboard.address('/sign-in'));
  await page.getByLabel('E-mail address').fill('unknown@example.com');
  await page.getByLabel('Password').fill('not the right one');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Wrong e-mail address or password').waitFor();
  await leave();
});

test('somebody chooses a new password by a link, in French', async () => {
  const { email, personId } = await createPerson(dashboard.gateway, 'OWNER');
  const signIn = dashboard.gateway.gateway.console?.signIn;
  const token = await signIn?.createResetToken({ by: 'test', personId, email });
  const { page, leave } = await dashboard.stranger({ language: 'fr', widthPx: WIDTHS.phone });
  await page.goto(dashboard.address(`/new-password/${token}`));
  await page.getByLabel('Nouveau mot de passe').fill('un mot de passe assez long');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Mot de passe modifié.').waitFor();
  expect([await findBarriers(page), await fitsScreen(page)]).toEqual([[], true]);
  await leave();
});
