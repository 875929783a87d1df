// `sandbox --demo`: some days of traffic, and books that agree with those of the operator.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSite } from '../src/commands/sandbox/build-sites.ts';
import { startSandbox, type Sandbox } from '../src/commands/sandbox/sandbox.ts';
import { readSandboxSettings } from '../src/config.ts';
import { readCases } from '../src/core/reconciliation/resolve-cases.ts';
import { parseSigned } from '../src/domain/money.ts';
import { DASHBOARD_DIRECTORY } from '../src/edge/console/app.ts';
import { listTrialBalance, listUnbalancedWallets } from '../src/store/ledger/ledger.ts';
import { openBrowser, openUser, WIDTHS } from './browser.ts';
import { expectSoundEverywhere } from './dashboard/sound.ts';
import { eventually } from './gateway.ts';

const DAYS = 4;
const DAY_MS = 86_400_000;

let sandbox: Sandbox;
const progress: string[] = [];
beforeAll(async () => {
  await buildSite('dashboard');
  sandbox = await startSandbox({
    ...readSandboxSettings({}),
    host: '127.0.0.1',
    port: 0,
    callbackUrl: null,
    embedded: false,
    operators: 'simulator',
    demoDays: DAYS,
    onProgress: (text) => progress.push(text),
  });
});
afterAll(() => sandbox.stop());

async function select<Row>(statement: string): Promise<readonly Row[]> {
  const { rows } = await sandbox.gateway.engine.store.database.query(statement);
  return rows as Row[];
}

test('the sandbox ends at real time, with payments of every kind, merchant and day', async () => {
  expect(Math.abs(sandbox.gateway.engine.clock.now().getTime() - Date.now())).toBeLessThan(1_000);
  const [facts] = await select<Record<string, number>>(
    `select count(*)::int as payments, count(distinct merchant_id)::int as merchants,
            count(distinct provider)::int as providers, count(distinct kind)::int as kinds,
            count(distinct created_at::date)::int as days,
            count(*) filter (where state = 'COMPLETED')::int as completed,
            count(*) filter (where state = 'FAILED')::int as failed,
            count(*) filter (where fee > 0)::int as priced
     from payments`,
  );
  expect(facts).toMatchObject({ merchants: 6, kinds: 4 });
  // The last come some minutes before the end, which can be in the day before it.
  expect([DAYS, DAYS - 1]).toContain(facts!['days']);
  expect(facts!['payments']).toBeGreaterThan(100);
  expect(facts!['providers']).toBeGreaterThan(8);
  expect(facts!['completed']! / facts!['payments']!).toBeGreaterThan(0.75);
  expect(facts!['failed']).toBeGreaterThan(5);
  expect(facts!['priced']).toBeGreaterThan(50);
  const [first] = await select<{ created_at: Date }>('select min(created_at) as created_at from payments');
  expect(Date.now() - first!.created_at.getTime()).toBeGreaterThan((DAYS - 2) * DAY_MS);
});

test('payments take seconds on the clock of the sandbox, and are announced at once', async () => {
  const [slow] = await select<{ seconds: number; late: number }>(
    `select percentile_cont(0.9) within group (order by extract(epoch from final_at - created_at)) as seconds,
            (select percentile_cont(0.9) within group (order by extract(epoch from a.started_at - c.created_at))
             from callbacks c join callback_attempts a using (merchant_id, callback_id) where a.attempt_no = 1) as late
     from payments where state in ('COMPLETED', 'FAILED')`,
  );
  expect(slow!.seconds).toBeLessThan(90);
  // A busy machine is slower than the clock; the next move that matters is ten minutes long.
  expect(slow!.late).toBeLessThan(60);
});

/** Floats that are not what their operator holds. */
async function findWrongFloats(): Promise<readonly string[]> {
  const totals = new Map<string, bigint>();
  const floats = new Map<string, bigint>();
  for (const { type, currency, provider, balance } of await listTrialBalance(
    sandbox.gateway.engine.store.database,
  )) {
    totals.set(currency, (totals.get(currency) ?? 0n) + balance);
    if (type === 'FLOAT') floats.set(`${provider} ${currency}`, -balance);
  }
  expect([...totals.values()].every((total) => total === 0n)).toBe(true);
  const held = new Map(
    sandbox.simulator
      .books()
      .totals.map(({ provider, currency, balance }) => [`${provider} ${currency}`, parseSigned(balance)]),
  );
  const names = new Set([...floats.keys(), ...held.keys()]);
  return [...names].filter((name) => (floats.get(name) ?? 0n) !== (held.get(name) ?? 0n));
}

test('the trial balance is zero in every currency, and every float is what the operator holds', async () => {
  expect(await listUnbalancedWallets(sandbox.gateway.engine.store.database)).toEqual([]);
  // On a busy machine the last payments end after the demo.
  await eventually(findWrongFloats).toEqual([]);
});

test('a case, payments without an answer and a failing endpoint are left to look into', async () => {
  expect(await readCases(sandbox.gateway.engine, { onlyOpen: true })).toHaveLength(1);
  // On a busy machine the last of them come there after the demo.
  await eventually(async () => {
    const [waiting] = await select<Record<string, number>>(
      `select count(*)::int as unanswered from payments where state = 'IN_RECONCILIATION'`,
    );
    return waiting!['unanswered'];
  }).toBe(2);
  const [open] = await select<Record<string, number>>(
    `select (select count(*)::int from callbacks where status = 'PENDING' and attempt_count > 1) as undelivered,
            (select count(*)::int from callbacks where status = 'DELIVERED') as delivered`,
  );
  expect(open!['undelivered']).toBeGreaterThan(0);
  expect(open!['delivered']).toBeGreaterThan(100);
});

test('from the landing page it takes two clicks to an overview with figures', async () => {
  const browser = await openBrowser();
  try {
    const user = await openUser(browser, { widthPx: WIDTHS.desktop });
    const { page } = user;
    await page.goto(sandbox.baseUrl);
    await expectSoundEverywhere(user);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('button', { name: /owner@demo\.example/ }).waitFor();
    await expectSoundEverywhere(user);
    await page.getByRole('button', { name: /owner@demo\.example/ }).click();
    await page.waitForURL(/\/dashboard\/m\//);
    await page
      .locator('main')
      .getByText(/\d,\d{3}/)
      .filter({ visible: true })
      .first()
      .waitFor();
  } finally {
    await browser.close();
  }
});

test('the dashboard is built for its users: no file names a folder of the machine that built it', () => {
  const assets = join(DASHBOARD_DIRECTORY, 'assets');
  const sources = join(import.meta.dirname, '../../dashboard');
  const files = readdirSync(assets).filter((file) =>
    readFileSync(join(assets, file), 'utf8').includes(sources),
  );
  expect(files).toEqual([]);
});

test('progress is told', () => {
  expect(progress.some((text) => text.startsWith('Demo traffic: '))).toBe(true);
});
