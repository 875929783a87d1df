import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers, fitsScreen, WIDTHS } from '../browser.ts';
import { depositRequest } from '../gateway.ts';
import { startCompleted } from '../payments.ts';
import { expectToAddUp, parseCsv } from '../statement-files.ts';
import { openDashboard, type Dashboard } from './dashboard.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
  await startCompleted(dashboard.gateway, 'deposit', depositRequest({ amount: '1250' }));
});
afterAll(() => dashboard.close());

test('finance creates a statement on a phone, waits for it, and downloads it', async () => {
  const { page, complaints, leave } = await dashboard.visit({ role: 'FINANCE', widthPx: WIDTHS.phone });
  await page.goto(dashboard.merchantAddress('statements'));
  await page.getByText('No statements yet').waitFor();
  expect([await findBarriers(page), await fitsScreen(page)]).toEqual([[], true]);
  await page.getByRole('button', { name: 'New statement' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Wallet').selectOption('RWA-RWF');
  expect([await findBarriers(page), await fitsScreen(page)]).toEqual([[], true]);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Creating the statement.').waitFor();
  await page.getByText('In progress', { exact: true }).waitFor();

  const button = page.getByRole('button', { name: 'Download' });
  // What can still be in progress is waited for.
  await button.waitFor({ timeout: 60_000 });
  expect([await findBarriers(page), await fitsScreen(page)]).toEqual([[], true]);
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(download.suggestedFilename()).toMatch(/^statement-RWA-RWF-.*\.csv$/);
  const rows = parseCsv(readFileSync(await download.path(), 'utf8'));
  expect(expectToAddUp(rows).closing).toBe(10_012_500_000n);
  expect(complaints).toEqual([]);
  await leave();
});

test('a period that is too long is refused with a sentence, and the form stays', async () => {
  const { page, leave } = await dashboard.visit({ role: 'OWNER' });
  await page.goto(dashboard.merchantAddress('statements'));
  await page.getByRole('button', { name: 'New statement' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'From (UTC)' }).fill('2025-01-01');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('at most 31 days').waitFor();
  expect(await dialog.getByRole('textbox', { name: 'From (UTC)' }).inputValue()).toBe('1 Jan 2025');
  await leave();
});

test.each(['DEVELOPER', 'SUPPORT', 'READ_ONLY', 'OPERATOR_ADMIN'] as const)(
  '%s sees no statements, by their address either',
  async (role) => {
    const { page, leave } = await dashboard.visit({ role });
    await page.goto(dashboard.merchantAddress('statements'));
    await page.getByText('You don’t have access').waitFor();
    expect(await page.getByRole('link', { name: 'Statements' }).count()).toBe(0);
    await leave();
  },
);
