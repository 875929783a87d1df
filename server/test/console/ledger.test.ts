// The books as the host's people walk through them: what the console shows is what the transfers come to.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeFee } from '../../src/core/merchants/administer-merchants.ts';
import { settleWallet } from '../../src/core/ledger/administer-wallets.ts';
import { takeMeasurements } from '../../src/core/monitoring/monitor.ts';
import { parseAmount, parseSigned } from '../../src/domain/money.ts';
import { sumLedger } from '../../src/core/monitoring/sum-ledger.ts';
import { listTrialBalance } from '../../src/store/ledger/ledger.ts';
import { depositRequest, select, type TestGateway } from '../gateway.ts';
import { setAvailability, start, startCompleted, topUp } from '../payments.ts';
import { payoutRequest, refundRequest } from '../requests.ts';
import { openTestConsole, signedIn, type TestPerson } from './people.ts';

const MTN = { provider: 'MTN_MOMO_RWA', currency: 'RWF' } as const;

let gateway: TestGateway;
let support: TestPerson;
let depositId: string;
let waiting: string;

beforeAll(async () => {
  // Nothing is measured by itself: what is summed up, and when, is told by each test.
  gateway = await openTestConsole({ monitor: { intervalMs: 3_600_000, floatIntervalMs: 3_600_000 } });
  support = await signedIn(gateway, 'OPERATOR_SUPPORT');
  const { engine, merchantId } = gateway;
  const fee = { basisPoints: 250, fixed: 0n };
  await changeFee(engine, { by: 'test', merchantId, ...MTN, operation: 'DEPOSIT', fee });
  await topUp(gateway, merchantId, '5000');
  depositId = await startCompleted(gateway, 'deposit', depositRequest({ amount: '1000' }));
  await startCompleted(gateway, 'payout', payoutRequest({ amount: '300' }));
  await startCompleted(gateway, 'refund', refundRequest(depositId, { amount: '200', currency: 'RWF' }));
  const place = { country: 'RWA', currency: 'RWF', amount: parseAmount('400')! };
  await settleWallet(engine, { by: 'test', merchantId, ...place });
  await setAvailability(gateway, 'payout', 'DELAYED');
  waiting = await start(gateway, 'payout', payoutRequest({ amount: '50' }));
});
afterAll(() => gateway.stop());

type Row = Readonly<Record<string, any>>;

async function accounts(query = ''): Promise<readonly Row[]> {
  const { status, body } = await support.call('GET', `api/host/accounts${query}`);
  expect(status).toBe(200);
  return body.rows;
}

async function balances(query = ''): Promise<Row> {
  const rows = (await accounts(query)).filter(
    (row) => row['currency'] === 'RWF' && row['provider'] !== 'AIRTEL_RWA',
  );
  return Object.fromEntries(rows.map((row) => [row['type'], row['balance']]));
}

test('accounts of the platform show what payments, top-ups and settlements left there', async () => {
  // The demo merchant came with 1,000,000 by bank.
  expect(await balances()).toMatchObject({ FLOAT: '-500', FEE: '25', CLEARING: '-1004600' });
});

test("a merchant's accounts show what is posted and what is held", async () => {
  const [wallet] = (await accounts(`?merchantId=${gateway.merchantId}`)).filter(
    (row) => row['currency'] === 'RWF' && row['type'] === 'WALLET',
  );
  expect(wallet).toMatchObject({ merchant: 'Demo Shop', balance: '1005075', held: '50', provider: null });
});

test('accounts show the same from sums as from all transfers', async () => {
  const before = await balances();
  // Beyond what a transaction may still write behind.
  await gateway.gateway.movableClock!.move(3_600_000);
  await sumLedger(gateway.engine);
  const [sums] = await select(gateway, 'select count(*)::int as count from ledger_totals');
  expect(sums!['count']).toBeGreaterThan(0);
  expect(await balances()).toEqual(before);
  await topUp(gateway, gateway.merchantId, '7');
  expect(await balances()).toEqual({ ...before, CLEARING: '-1004607' });
});

async function measure(): Promise<void> {
  const settings = { ...gateway.config.monitor, booksIntervalMs: 1 };
  for (const take of await takeMeasurements(gateway.engine, settings)) await take();
}

test('the trial balance adds up to zero in every currency, and is what the transfers come to', async () => {
  const { body } = await support.call('GET', 'api/host/trial-balance?again=true');
  expect(body).toMatchObject({ isSound: true, unbalancedWallets: 0 });
  expect(body.totals.length).toBeGreaterThan(1);
  expect(body.totals.every(({ total }: { readonly total: string }) => total === '0')).toBe(true);
  const own = (await listTrialBalance(gateway.engine.store.database)).map(({ balance, ...row }) => [
    row,
    balance,
  ]);
  const shown = body.rows.map(({ balance, provider, ...row }: Row) => [
    { ...row, provider: provider ?? '' },
    parseSigned(balance),
  ]);
  expect(new Set(shown.map(String))).toEqual(new Set(own.map(String)));
  expect(shown).toEqual(expect.arrayContaining(own));
});

test('the trial balance shows it when the books are wrong', async () => {
  const spoilt = await openTestConsole({ role: 'api' });
  try {
    const person = await signedIn(spoilt, 'OPERATOR_SUPPORT');
    await select(spoilt, 'update wallets set posted = posted + 1 where posted > 0');
    const { body } = await person.call('GET', 'api/host/trial-balance?again=true');
    expect(body.isSound).toBe(false);
    expect(body.unbalancedWallets).toBeGreaterThan(0);
  } finally {
    await spoilt.stop();
  }
});

test('what moved on an account is listed once each, the newest first, in pages of any size', async () => {
  const float = (await accounts()).find(
    (row) => row['type'] === 'FLOAT' && row['provider'] === 'MTN_MOMO_RWA',
  )!;
  const url = `api/host/accounts/${float['accountId']}/movements`;
  const whole = (await support.call('GET', `${url}?limit=100`)).body;
  expect(whole.next).toBeNull();
  expect(whole.account.balance).toBe('-500');
  const sum = whole.rows
    .filter((row: Row) => row['state'] === 'POSTED')
    .map((row: Row) => (row['debit'].accountId === float['accountId'] ? -1 : 1) * Number(row['amount']))
    .reduce((total: number, change: number) => total + change, 0);
  expect(sum).toBe(-500);
  const paged: Row[] = [];
  let cursor = '';
  do {
    const { body } = await support.call('GET', `${url}?limit=1${cursor}`);
    paged.push(...body.rows);
    cursor = body.next === null ? '' : `&cursor=${body.next}`;
  } while (cursor !== '');
  expect(paged).toEqual(whole.rows);
  const times = paged.map((row) => row['createdAt']);
  expect(times).toEqual(times.toSorted((a, b) => (a < b ? 1 : -1)));
});

test('a payment is shown with every transfer made for it, and without whom it names', async () => {
  const url = `api/host/transfers/${gateway.merchantId}`;
  const { body } = await support.call('GET', `${url}/DEPOSIT/${depositId}`);
  expect(body.payment).toMatchObject({
    state: 'COMPLETED',
    amount: '1000',
    fee: '25',
    provider: MTN.provider,
  });
  expect(
    body.rows.map((row: Row) => [row['debit'].type, row['credit'].type, row['amount'], row['state']]),
  ).toEqual([
    ['FLOAT', 'WALLET', '975', 'POSTED'],
    ['FLOAT', 'FEE', '25', 'POSTED'],
  ]);
  expect(JSON.stringify(body)).not.toContain('250783456789');
  const held = (await support.call('GET', `${url}/PAYOUT/${waiting}`)).body;
  expect(held).toMatchObject({ payment: { state: 'ENQUEUED' }, rows: [{ state: 'PENDING', amount: '50' }] });
  const [top] = await select(
    gateway,
    `select subject_id from transfers where subject_kind = 'TOP_UP' limit 1`,
  );
  const brought = (await support.call('GET', `${url}/TOP_UP/${top!['subject_id']}`)).body;
  expect(brought).toMatchObject({ payment: null, rows: [{ debit: { type: 'CLEARING' } }] });
  expect((await support.call('GET', `${url}/DEPOSIT/${randomUUID()}`)).status).toBe(404);
  expect((await support.call('GET', `api/host/accounts/${randomUUID()}/movements`)).status).toBe(404);
});

test("the float stands beside the operator's own figure, to the last unit", async () => {
  await measure();
  const { body } = await support.call('GET', 'api/host/floats');
  expect(body.asOf).not.toBeNull();
  const row = body.rows.find((one: Row) => one['provider'] === MTN.provider);
  const holds = gateway.simulator.books().totals.find(({ provider }) => provider === MTN.provider);
  expect(row).toMatchObject({ currency: 'RWF', books: '500', min: null, isBelowMin: false });
  expect(parseSigned(row.operator)).toBe(parseSigned(holds!.balance));
  expect(parseSigned(row.difference)).toBe(parseSigned(row.operator) - parseSigned(row.books));
});
