import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers, fitsScreen, WIDTHS } from '../browser.ts';
import { fileOf, HEADING } from '../console/payout-files.ts';
import { confirmByPassword, openDashboard, type Dashboard, type DashboardUser } from './dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

async function choose({ page }: DashboardUser, text: string, name = 'Wages May.csv'): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: /^CSV file/ }).click(),
  ]);
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

/** A batch that waits. Answers its address. */
async function prepare(user: DashboardUser, text: string, name?: string): Promise<string> {
  const { page } = user;
  await page.goto(dashboard.merchantAddress('payouts/file'));
  await choose(user, text, name);
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.waitForURL(/payouts\/[0-9a-f-]{36}$/);
  return page.url();
}

/** The browser itself writes a line for each answer that is a refusal: here, that an act must be confirmed. */
const ownComplaints = ({ complaints }: DashboardUser) =>
  complaints.filter((line) => !line.startsWith('Failed to load resource'));

test('one person prepares a file, another approves it, and both see it being paid', async () => {
  const ana = await dashboard.visit({ role: 'FINANCE' });
  const rows = ['250783456789,120,RWF,,Wages May,W-1,Jane Uwase', '250783456089,80,RWF,,,W-2,'];
  const address = await prepare(ana, [`${HEADING},recipientName`, ...rows].join('\n'));
  await ana.page.getByRole('heading', { name: 'Wages May' }).waitFor();
  await ana.page.getByText('You prepared it, so another person must approve it.').waitFor();
  expect(await ana.page.getByRole('button', { name: /Approve|Send now/ }).count()).toBe(0);
  expect(await ana.page.getByText('250783456789').count()).toBe(0);

  const ben = await dashboard.visit({ role: 'OWNER' });
  await ben.page.goto(dashboard.merchantAddress('payouts'));
  await ben.page.getByText('Not sent', { exact: true }).click();
  await ben.page.getByRole('link', { name: 'Wages May' }).click();
  await ben.page.waitForURL(address);
  // Whom it pays, before it is approved: by name, and by number when asked for.
  await ben.page.getByText('Jane Uwase').waitFor();
  expect(await ben.page.getByText('250783456789').count()).toBe(0);
  await ben.page.getByRole('button', { name: 'Show phone numbers' }).click();
  await ben.page.getByText('250783456789').waitFor();
  await ben.page.getByText('This was recorded in the audit log.').waitFor();
  // Who would get it, as the operator says: in initials, and without stopping anything.
  await ben.page.getByRole('button', { name: 'Check account holders' }).click();
  await ben.page.getByText(/^Account holder: \p{L}••• \p{L}•••$/u).waitFor();
  await ben.page.getByText('No active account', { exact: true }).waitFor();
  await ben.page.getByText('Questions to operators are recorded in the audit log.').waitFor();
  expect(await ben.page.getByRole('button', { name: 'Check account holders' }).count()).toBe(0);
  expect([await findBarriers(ben.page), await fitsScreen(ben.page)]).toEqual([[], true]);
  await ben.page.getByRole('button', { name: 'Approve' }).click();
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await confirmByPassword(ben.page);
  await ben.page.getByText('1 completed · 1 failed').waitFor();
  await ana.page.reload();
  await ana.page.getByText('Recipient has no account').waitFor();
  const [download] = await Promise.all([
    ana.page.waitForEvent('download'),
    ana.page.getByRole('button', { name: 'Results (CSV)' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^payouts-.*\.csv$/);
  await ana.page.getByRole('row').filter({ hasText: 'Recipient has no account' }).click();
  await ana.page.getByRole('heading', { name: 'Payout · 80 RWF' }).waitFor();
  expect([ownComplaints(ana), ownComplaints(ben), ana.strays, ben.strays]).toEqual([[], [], [], []]);
  await Promise.all([ana.leave(), ben.leave()]);
});

test('a file with faults is told all of them, and a file twice is asked about', async () => {
  const user = await dashboard.visit({ role: 'FINANCE', widthPx: WIDTHS.phone });
  const { page, leave } = user;
  await page.goto(dashboard.merchantAddress('payouts/file'));
  await choose(user, `${HEADING}\n250783456789,ten,RWF,,,\n250783456789,100.55,RWF,MTN_MOMO_RWA,,`);
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.getByRole('heading', { name: '2 errors' }).waitFor();
  await page.getByText('MTN Rwanda takes whole amounts only').waitFor();
  expect([await findBarriers(page), await fitsScreen(page)]).toEqual([[], true]);
  const file = fileOf(2, 50);
  await prepare(user, file, 'First.csv');
  await page.goto(dashboard.merchantAddress('payouts/file'));
  await choose(user, file, 'Second.csv');
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.getByText('Possible duplicate').waitFor();
  await page.getByRole('button', { name: 'Not a duplicate – continue' }).click();
  await page.getByRole('heading', { name: 'Second' }).waitFor();
  expect(ownComplaints(user)).toEqual([]);
  await leave();
});

test('one payout is prepared by the form, in French, and discarded by anyone who prepared it', async () => {
  const user = await dashboard.visit({ role: 'FINANCE', language: 'fr', widthPx: WIDTHS.phone });
  const { page, leave } = user;
  await page.goto(dashboard.merchantAddress('payouts/new'));
  await page.getByLabel('Pays').selectOption('RWA');
  await page.getByLabel('Numéro de téléphone').fill('+250 783 456 089');
  await page.getByRole('button', { name: 'Vérifier le titulaire' }).click();
  await page.getByText('Pas de compte actif', { exact: true }).waitFor();
  await page.getByLabel('Numéro de téléphone').fill('+250 783 456 789');
  // What was said of another number is gone.
  await page.getByText('Pas de compte actif', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Vérifier le titulaire' }).click();
  await page.getByText(/^Titulaire\s: \S••• \S•••$/).waitFor();
  expect([await findBarriers(page), await fitsScreen(page)]).toEqual([[], true]);
  await page.getByLabel('Montant').fill('250');
  await page.getByLabel('Devise').selectOption('RWF');
  await page.getByLabel('Votre référence').fill('Facture 7');
  await page.getByRole('button', { name: 'Vérifier le versement' }).click();
  await page.getByRole('heading', { name: 'Facture 7' }).waitFor();
  await page.getByRole('button', { name: 'Annuler le lot' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Annuler le lot' }).click();
  await page.getByText('Annulé', { exact: true }).waitFor();
  expect(ownComplaints(user)).toEqual([]);
  await leave();
});

const ROLES = ['READ_ONLY', 'SUPPORT', 'DEVELOPER', 'OPERATOR_ADMIN'] as const;

test.each(ROLES)(
  'somebody who is %s sees batches with hidden numbers, and no way to prepare or approve',
  async (role) => {
    const ana = await dashboard.visit({ role: 'FINANCE' });
    const address = await prepare(ana, fileOf(1, ROLES.indexOf(role) + 100), `For ${role}.csv`);
    const { page, leave } = await dashboard.visit({ role });
    await page.goto(address);
    await page.getByText('Approval needed').waitFor();
    await page.getByText(/^••••••\d{3}$/).waitFor();
    expect(await page.getByRole('button', { name: /Approve|Send now|Cancel batch/ }).count()).toBe(0);
    await page.goto(dashboard.merchantAddress('payouts'));
    await page.getByRole('link', { name: `For ${role}` }).waitFor();
    expect(await page.getByRole('link', { name: 'Upload CSV' }).count()).toBe(0);
    await page.goto(dashboard.merchantAddress('payouts/new'));
    await page.getByText('You don’t have access').waitFor();
    await Promise.all([leave(), ana.leave()]);
  },
);

// The last one: from here on one person may send a little alone.
test('two people raise what one may send alone, and then one is enough', async () => {
  const ana = await dashboard.visit({ role: 'OWNER' });
  const ben = await dashboard.visit({ role: 'OWNER' });
  await ana.page.goto(dashboard.merchantAddress('payout-approval'));
  await ana.page.getByText('Every payout needs a second approver').waitFor();
  await ana.page.getByLabel('Currency').fill('RWF');
  await ana.page.getByLabel('Amount in 24 hours').fill('5000');
  await ana.page.getByRole('button', { name: 'Save' }).click();
  await confirmByPassword(ana.page);
  await ana.page.getByText('You requested it, so another person must approve it.').waitFor();
  await ben.page.goto(dashboard.merchantAddress('payout-approval'));
  await ben.page.getByRole('button', { name: 'Approve' }).click();
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await confirmByPassword(ben.page);
  await ben.page.getByText('Approved.', { exact: true }).waitFor();

  await prepare(ana, fileOf(3, 70));
  await ana.page.getByText('Ready to send').waitFor();
  await ana.page.getByRole('button', { name: 'Send now' }).click();
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click();
  await ana.page.getByText('3 completed').waitFor();
  await Promise.all([ana.leave(), ben.leave()]);
});
