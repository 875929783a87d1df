// The daily close in a browser, as each role of the platform, in both languages: columns, files, a day, two signatures.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatDay } from '../../../dashboard/src/parts/days.ts';
import { renderAmount } from '../../src/domain/money.ts';
import { addDays } from '../../src/domain/time-zone.ts';
import { PASSWORD } from '../console/people.ts';
import { ACCOUNT, openCloseWorld } from '../daily-close/close-world.ts';
import { openDashboard, type Dashboard, type DashboardUser } from './dashboard.ts';
import { expectSoundEverywhere } from './sound.ts';

let dashboard: Dashboard;
let ana: DashboardUser;
let ben: DashboardUser;
let day: string;
let rows: readonly string[];

beforeAll(async () => {
  dashboard = await openDashboard({ directoryRememberMs: 0 });
  const { gateway } = dashboard;
  const world = await openCloseWorld(gateway);
  day = world.today();
  await world.pay(4);
  await world.sleep();
  rows = world
    .takeLines()
    .map((line) =>
      [line.occurredAt.toISOString(), line.direction, renderAmount(line.amount), line.reference].join(','),
    );
  ana = await dashboard.visit({ role: 'OPERATOR_ADMIN' });
  ben = await dashboard.visit({ role: 'OPERATOR_ADMIN', language: 'fr' });
  for (const { page } of [ana, ben]) {
    const headers = { origin: gateway.url };
    const answer = await page.request.post(`${gateway.url}/console/api/me/confirm`, {
      data: { password: PASSWORD },
      headers,
    });
    expect(answer.status()).toBe(200);
  }
});
afterAll(async () => {
  await ana.leave();
  await ben.leave();
  await dashboard.close();
});

const address = (rest = '') => dashboard.address(`/host/daily-close${rest}`);
const ofAccount = (rest = '') => address(`/${ACCOUNT.provider}/${ACCOUNT.currency}${rest}`);
const reportOf = (lines: readonly string[]) => ({
  name: 'report.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['When,Side,Sum,Our reference', ...lines].join('\n')),
});

async function expectSoundAtRest(user: DashboardUser): Promise<void> {
  await user.page.mouse.move(0, 0);
  await expectSoundEverywhere(user);
}

async function upload({ page }: DashboardUser, lines: readonly string[]): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(reportOf(lines));
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
}

test('an administrator enters the columns of the operator, which are shown then', async () => {
  const { page } = ana;
  await page.goto(ofAccount('?tab=columns'));
  const report = page.getByRole('region', { name: 'Operator report' });
  await report.getByRole('button', { name: 'Enter columns' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(reportOf([]));
  await dialog.getByText('Columns found: When · Side · Sum · Our reference').waitFor();
  const columns = { Time: 'When', Amount: 'Sum', Direction: 'Side', Reference: 'Our reference' };
  for (const [label, name] of Object.entries(columns))
    await dialog.getByRole('combobox', { name: label, exact: true }).fill(name);
  await dialog.getByLabel('Dates in the file').selectOption('ISO');
  await dialog.getByRole('button', { name: 'Add a word' }).click();
  await dialog.getByLabel('Word in the file').fill('Gone');
  await dialog.getByLabel('Meaning').selectOption('SKIP');
  await expectSoundAtRest(ana);
  await dialog.getByRole('button', { name: 'Save columns' }).click();
  await report.getByText('Our reference').waitFor();
  await report.getByText('Skip the line').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await expectSoundAtRest(ana);
});

test('a file with a bad line is imported but for that line, which is named; the whole file follows', async () => {
  const { page } = ana;
  const [first = '', ...rest] = rows;
  await page.goto(ofAccount('?tab=files'));
  await page.getByText('No files yet').waitFor();
  await upload(ana, [first.replace('T', ' at '), ...rest]);
  await page.getByRole('heading', { name: '1 error in report.csv' }).waitFor();
  await page.getByText('Line 2', { exact: true }).waitFor();
  await page.getByText('The time cannot be read.').first().waitFor();
  await expectSoundAtRest(ana);
  await page.goto(ofAccount(`/${day}`));
  await page.getByText('Missing in the report').waitFor();
  await page.getByRole('link', { name: /^(Deposit|Payout) / }).waitFor();
  await expectSoundAtRest(ana);
  await page.goto(ofAccount('?tab=files'));
  await page.getByText('The time cannot be read.').first().waitFor();
  await upload(ana, rows);
  await page.getByRole('heading', { name: '1 error in report.csv' }).waitFor({ state: 'hidden' });
});

describe.each(['OPERATOR_SUPPORT', 'BREAK_GLASS'] as const)('%s', (role) => {
  test('a role that only looks sees days, files and columns, and changes nothing', async () => {
    const user = await dashboard.visit({ role });
    const { page } = user;
    const buttons = page.getByRole('main').getByRole('button');
    await page.goto(address());
    await page.getByRole('link', { name: 'MTN Rwanda' }).waitFor();
    for (const [rest, shown] of [
      ['?tab=files', 'Uploaded files'],
      ['?tab=columns', 'Bank file'],
      [`/${day}`, 'Signatures'],
    ] as const) {
      await page.goto(ofAccount(rest));
      await page.getByRole('heading', { name: shown }).waitFor();
      expect(
        await buttons.filter({ hasText: /Upload|Enter columns|own columns|Sign this|Approve/ }).count(),
      ).toBe(0);
    }
    await page.getByText('Not signed yet.').waitFor();
    await user.leave();
  });
});

test('one administrator signs the day, and only another one can approve', async () => {
  const { page } = ana;
  await page.goto(ofAccount(`/${day}`));
  await page.getByText('No differences').waitFor();
  await page.getByRole('button', { name: 'Sign this day' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign this day' }).click();
  await page.getByRole('button', { name: 'Cancel request' }).waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await ben.page.goto(ofAccount(`/${day}`));
  await ben.page.getByText('En attente d’approbation').waitFor();
  await expectSoundAtRest(ben);
  await ben.page.getByRole('button', { name: 'Approuver' }).click();
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Approuver' }).click();
  await ben.page.getByText(`Approuvée par ${ben.email}`).waitFor();
  await ben.page.goto(ofAccount());
  await ben.page.getByText('Signée', { exact: true }).first().waitFor();
  await expectSoundAtRest(ben);
  await ben.page.goto(address());
  await ben.page.getByRole('heading', { name: 'Clôture journalière' }).waitFor();
  await expectSoundAtRest(ben);
});

test('two administrators reopen the signed day, which says who did and why, and is signed again', async () => {
  const { page } = ana;
  await page.goto(ofAccount(`/${day}`));
  await page.getByRole('button', { name: 'Reopen this day' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('The last hour was missing');
  await expectSoundAtRest(ana);
  await page.getByRole('dialog').getByRole('button', { name: 'Reopen this day' }).click();
  await page.getByText('asks to reopen this day: The last hour was missing').waitFor();
  expect(await page.getByRole('button', { name: 'Reopen this day' }).count()).toBe(0);
  await ben.page.goto(ofAccount(`/${day}`));
  await ben.page.getByText('demande à rouvrir cette journée').waitFor();
  await expectSoundAtRest(ben);
  await ben.page.getByRole('button', { name: 'Approuver' }).click();
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Approuver' }).click();
  await ben.page.getByText('The last hour was missing').waitFor();
  await ben.page.getByRole('heading', { name: 'Rouverte' }).waitFor();
  await ben.page.getByRole('button', { name: 'Signer cette journée' }).waitFor();
  await expectSoundAtRest(ben);
  // The day after names the day that must be signed first, and the hours that no report covers.
  await page.goto(ofAccount(`/${addDays(day, 1)}`));
  await page.getByText('This day cannot be signed yet').waitFor();
  await expectSoundAtRest(ana);
  await page
    .getByRole('main')
    .getByRole('link', { name: formatDay(day, 'en') })
    .click();
  await page.getByText(`Reopened by ${ana.email} and ${ben.email}`).waitFor();
});

test('a person of a merchant does not reach it', async () => {
  const { page, leave } = await dashboard.visit({ role: 'OWNER' });
  await page.goto(address());
  await page.getByText('You don’t have access').waitFor();
  await leave();
});
