import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmByPassword, openDashboard, type Dashboard } from './dashboard.ts';
import { expectSoundEverywhere } from './sound.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

test('an owner sees the team, on a phone and a desktop, light and dark', async () => {
  const user = await dashboard.visit({ role: 'OWNER' });
  const { page, email, leave } = user;
  await page.goto(dashboard.merchantAddress('team'));
  await page.getByRole('heading', { name: 'Team' }).waitFor();
  await page.getByText(email).first().waitFor();
  await expectSoundEverywhere(user);
  await leave();
});

test('an owner invites somebody after confirming, and anyone who has the link joins in that role', async () => {
  const owner = await dashboard.visit({ role: 'OWNER' });
  await owner.page.goto(dashboard.merchantAddress('team'));
  await owner.page.getByRole('button', { name: 'Invite' }).click();
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill('new.person@example.com');
  await dialog.getByLabel('Role').selectOption('SUPPORT');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await confirmByPassword(owner.page);
  const link = (await dialog.getByText('/dashboard/join/').textContent()) ?? '';
  // The browser itself writes a line for each answer that is a refusal: here, that the act must be confirmed.
  expect(owner.complaints.filter((line) => !line.startsWith('Failed to load resource'))).toEqual([]);
  await owner.leave();

  const { page, complaints, leave } = await dashboard.stranger();
  await page.goto(link);
  await page.getByText('new.person@example.com').waitFor();
  await page.getByLabel('Your name').fill('New Person');
  await page.getByLabel('New password').fill('a password of twelve');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('button', { name: 'You', exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await leave();
});

test('a new approver joins by a link once another person approves', async () => {
  const owner = await dashboard.visit({ role: 'OWNER' });
  await owner.page.goto(dashboard.merchantAddress('team'));
  await owner.page.getByRole('button', { name: 'Invite' }).click();
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill('new.finance@example.com');
  await dialog.getByLabel('Role').selectOption('FINANCE');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await confirmByPassword(owner.page);
  await dialog.getByText('gets a link after approval').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expectSoundEverywhere(owner);
  await owner.leave();

  const { page, leave } = await dashboard.visit({ role: 'OPERATOR_ADMIN' });
  await page.goto(dashboard.address('/host/approvals'));
  const row = page.getByRole('row').filter({ hasText: 'new.finance@example.com' });
  await row.getByText('Demo Shop').waitFor();
  await row.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await confirmByPassword(page);
  await page.getByText('Send this link to new.finance@example.com').waitFor();
  await leave();
});

test('an owner gives somebody another role, and removes them', async () => {
  const other = await dashboard.visit({ role: 'FINANCE' });
  const { page, leave } = await dashboard.visit({ role: 'OWNER' });
  await page.goto(dashboard.merchantAddress('team'));
  const row = page.getByRole('row').filter({ hasText: other.email });
  await row.getByRole('combobox').selectOption('READ_ONLY');
  await confirmByPassword(page);
  await page.getByText('Role changed.').waitFor();
  await row.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
  await other.page.goto(dashboard.merchantAddress('team'));
  await other.page.waitForURL(/\/sign-in/);
  await Promise.all([leave(), other.leave()]);
});

test('anyone who may not change the team sees no way to', async () => {
  const { page, email, leave } = await dashboard.visit({ role: 'DEVELOPER' });
  await page.goto(dashboard.merchantAddress('team'));
  await page.getByText(email).waitFor();
  expect(await page.getByRole('button', { name: /Invite|Remove/ }).count()).toBe(0);
  expect(await page.getByRole('combobox').count()).toBe(0);
  await leave();
});

test('somebody who may only read does not see the team, in the navigation or by its address', async () => {
  const { page, leave } = await dashboard.visit({ role: 'READ_ONLY' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(dashboard.merchantAddress('team'));
  await page.getByText('You don’t have access').waitFor();
  expect(await page.getByRole('link', { name: 'Team' }).count()).toBe(0);
  expect(asked.filter((path) => path.endsWith('/team') && path.startsWith('/console'))).toEqual([]);
  await leave();
});

test("the host's administrator sees the host's team, and a merchant's without changing it", async () => {
  const { page, email, leave } = await dashboard.visit({ role: 'OPERATOR_ADMIN' });
  await page.goto(dashboard.address('/'));
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByText(email).waitFor();
  expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(1);
  await page.goto(dashboard.merchantAddress('team'));
  await page.getByRole('heading', { name: 'Team' }).waitFor();
  expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
  await leave();
});
