// A merchant that moves to another cell: everything of it goes along, and anyone who looks for it where it was finds
// it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createMerchant,
  createToken,
  SCOPES,
  withdrawToken,
} from '../src/core/merchants/administer-merchants.ts';
import { numberAllEvents } from '../src/core/event-numbers/number-events.ts';
import { verifyChain } from '../src/core/audit-chain/verify-chain.ts';
import { settleWallet, topUpWallets } from '../src/core/ledger/administer-wallets.ts';
import { MerchantInOtherCell } from '../src/core/cells/lock-merchant.ts';
import { copyPayments } from '../src/core/cells/moving/copy-payments.ts';
import { copyRest } from '../src/core/cells/moving/copy-rest.ts';
import { notificationSecret } from '../src/core/operators/reference.ts';
import { parseAmount } from '../src/domain/money.ts';
import { OPERATIONS } from '../src/domain/payments/payment.ts';
import { inTransaction, type Database } from '../src/store/database.ts';
import { listTrialBalance, listUnbalancedWallets, listWallets } from '../src/store/ledger/ledger.ts';
import { findMigrationLock } from '../src/store/cells/migration-locks.ts';
import { beginCopying, setMigrationLock } from '../src/store/cells/moving/steps.ts';
import { readShapes } from '../src/store/cells/moving/copy-rows.ts';
import { TABLE_FATES } from '../src/store/cells/moving/table-fates.ts';
import { call, depositRequest, eventually, TEST_KEYS, waitUntil } from './gateway.ts';
import { readPayment, send, start, startCompleted, waitForPayment } from './payments.ts';
import { payoutRequest, refundRequest, wallet, type Body } from './requests.ts';
import { ask, fetchRows, readStatement, statementRequest, waitForStatement } from './statement-files.ts';
import { createTokenText } from '../src/core/access/api-token.ts';
import { moveBetween, openTwoCells, type TestCell, type TwoCells } from './two-cells.ts';

/** A wallet whose owner never answers in the sandbox. */
const SILENT = wallet('MTN_MOMO_RWA', '250783456129');

let cells: TwoCells;
/** The merchant by its old cell's address, and by its new one's. */
let old: { readonly url: string; readonly apiToken: string };
let fresh: { readonly url: string; readonly apiToken: string };

beforeAll(async () => {
  cells = await openTwoCells({
    worker: { sweepIntervalMs: 300, sweepOverdueAfterMs: 200 },
    trustedProxies: ['127.0.0.1'],
    authFailureLimit: { perSecond: 0.01, burst: 3 },
  });
  old = { ...cells.one, ...cells.merchant };
  fresh = { ...cells.two, ...cells.merchant };
});
afterAll(() => cells.stop());

/** A token as cell 0001 makes them, which no one has. */
const newToken = () => createTokenText('sandbox', '0001').text;

test('who guesses at tokens of another cell is counted in the one that it asks, and there only', async () => {
  const look = async (client: string, token: string, { url }: TestCell = cells.two) => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': client };
    return (await fetch(`${url}/v2/wallet-balances`, { headers })).status;
  };
  const guess = async (client: string) => look(client, newToken());
  const statuses = [];
  for (let count = 0; count < 5; count += 1) statuses.push(await guess('203.0.113.1'));
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  expect(await look('203.0.113.1', newToken(), cells.one)).toBe(401);
  expect(await guess('203.0.113.2')).toBe(401);
  expect(await look('203.0.113.3', cells.merchant.apiToken)).toBe(200);
  expect(await look('203.0.113.1', cells.merchant.apiToken)).toBe(200);
});

test('every table has its fate', async () => {
  const { rows } = await cells.one.engine.store.database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(TABLE_FATES).toSorted());
});

describe('a merchant that moves', () => {
  let paid: string;
  let stuck: string;
  let refunded: string;
  let balances: unknown;
  let statement: Body;
  let unmade: string;
  let feed: Body;
  let middle: string;

  beforeAll(async () => {
    const { merchantId } = cells.merchant;
    paid = await startCompleted(old, 'deposit', depositRequest({ clientReferenceId: 'order-1' }));
    refunded = await startCompleted(old, 'refund', refundRequest(paid, { amount: '40', currency: 'RWF' }));
    await startCompleted(old, 'payout', payoutRequest());
    stuck = await start(old, 'payout', payoutRequest({ recipient: SILENT }));
    expect(await topUp(cells.one, merchantId)).toEqual({ type: 'DONE' });
    balances = await listWallets(cells.one.engine.store.database, merchantId);
    const over = new Date().toISOString();
    statement = await waitForStatement(old, await ask(old, statementRequest({ endDate: over })));
    unmade = await ask(old, statementRequest({ callbackUrl: cells.receiver.url }));
    await numberAllEvents(cells.one.engine);
    feed = (await call(old, 'GET', '/v2/events?limit=100')).body;
    middle = (await call(old, 'GET', '/v2/events?limit=4')).body['next'];
    expect(await moveBetween(cells, cells.one, cells.two)).toEqual({ type: 'MOVED' });
  });

  test('a merchant that moves takes its audit entries along, and each cell chains them by itself', async () => {
    for (const { engine } of [cells.one, cells.two]) {
      const { database } = engine.store;
      await waitUntil(async () => (await database.query('select 1 from audit_unchained')).rowCount === 0);
      expect((await verifyChain(engine, null)).faults).toEqual([]);
    }
    const chained = async ({ engine }: TestCell) =>
      (
        await engine.store.database.query<{ id: string }>(
          `select c.entry_id as id from audit_chain c join audit_log a on a.id = c.entry_id
           where a.merchant_id = $1 and a.act <> 'MERCHANT_MOVED' order by 1`,
          [cells.merchant.merchantId],
        )
      ).rows;
    const before = await chained(cells.one);
    expect(before.length).toBeGreaterThan(0);
    expect(await chained(cells.two)).toEqual(before);
  });

  test('A10: a merchant that moves keeps the bank references of its top-ups, also against other merchants of the old cell', async () => {
    expect(await topUp(cells.two, cells.merchant.merchantId)).toMatchObject({ type: 'REFERENCE_POSTED' });
    const order = { by: 'test', companyName: 'Soko', operations: OPERATIONS, walletPerProvider: false };
    const otherId = await createMerchant(cells.one.engine, order);
    expect(await topUp(cells.one, otherId)).toMatchObject({ type: 'REFERENCE_TAKEN' });
  });

  test('a merchant that moves is found where it was: its payments, its balances', async () => {
    expect(await readPayment(old, 'deposit', paid)).toMatchObject({ status: 'COMPLETED', amount: '100' });
    expect(await readPayment(old, 'refund', refunded)).toMatchObject({ status: 'COMPLETED' });
    expect(await call(old, 'GET', '/v2/wallet-balances')).toEqual(
      await call(fresh, 'GET', '/v2/wallet-balances'),
    );
    expect(await listWallets(cells.two.engine.store.database, cells.merchant.merchantId)).toEqual(balances);
  });

  test('a merchant that moves has its statements: files are made again, by links of before too, and what was not made is made', async () => {
    const { fileSize, downloadUrl } = statement;
    const statusOf = async () => (await fetch(downloadUrl)).status;
    await eventually(statusOf).toBe(200);
    const rows = await fetchRows({ fileSize, downloadUrl });
    expect(rows.map(({ type }) => type)).toContain('DEPOSIT');
    expect(await fetchRows(await readStatement(old, statement['statementId']))).toEqual(rows);
    expect((await waitForStatement(old, unmade))['status']).toBe('COMPLETED');
    await eventually(() => cells.receiver.received.map(({ body }) => body['statementId'])).toContain(unmade);
  });

  test('a merchant that moves starts payments where it was, in both API versions, and they are made in the new cell', async () => {
    const deposit = await startCompleted(old, 'deposit', depositRequest());
    const { rows } = await cells.two.engine.store.database.query(
      'select 1 from payments where payment_id = $1',
      [deposit],
    );
    expect(rows).toHaveLength(1);
    const earlier = await call(old, 'GET', `/deposits/${deposit}`);
    expect(earlier.body).toMatchObject([{ depositId: deposit, status: 'COMPLETED' }]);
  });

  test('a merchant that moves has one identifier only once, wherever it was used', async () => {
    const again = await send(old, 'deposit', depositRequest({ depositId: paid }));
    expect(again.body).toMatchObject({ status: 'DUPLICATE_IGNORED' });
  });

  test('a merchant that moves has its open payments go on in the new cell', async () => {
    expect(['ACCEPTED', 'PROCESSING']).toContain((await readPayment(fresh, 'payout', stuck))['status']);
    const { rows } = await cells.two.engine.store.database.query(
      'select 1 from payment_attempts where payment_id = $1',
      [stuck],
    );
    expect(rows).toHaveLength(1);
  });

  test('a merchant that moves leaves balanced books in both cells, and no payment in the old one', async () => {
    for (const { engine } of [cells.one, cells.two]) await expectBalanced(engine.store.database);
    const { rows } = await cells.one.engine.store.database.query<Record<string, string>>(
      `select (select count(*) from payments) as payments, (select count(*) from transfers) as transfers,
         (select count(*) from callbacks) as callbacks, (select count(*) from payment_events) as events`,
    );
    expect(rows).toEqual([{ payments: '0', transfers: '0', callbacks: '0', events: '0' }]);
  });

  test('a merchant that moves is counted again in the new cell, and no longer in the old one', async () => {
    const count = async ({ engine }: TestCell) => {
      const { rows } = await engine.store.database.query<{ counted: number }>(
        'select coalesce(sum(payment_count), 0)::int as counted from payment_hours where merchant_id = $1',
        [cells.merchant.merchantId],
      );
      return rows[0]?.counted;
    };
    const { rows: ended } = await cells.two.engine.store.database.query(
      'select 1 from payments where final_at is not null',
    );
    await eventually(() => count(cells.two)).toBe(ended.length);
    expect(await count(cells.one)).toBe(0);
  });

  test('a merchant that moves is searched by what its payments say', async () => {
    const [here, there] = await Promise.all(
      [cells.one, cells.two].map(({ engine }) =>
        engine.store.database.query(
          'select 1 from payment_search join payments using (payment_no) where payment_id = $1',
          [paid],
        ),
      ),
    );
    expect([here!.rows.length, there!.rows.length]).toEqual([0, 2]);
  });

  test('a merchant that moves gets tokens of its home, and one that the old cell never saw is good there too', async () => {
    const { merchantId } = cells.merchant;
    const order = { by: 'test', merchantId, name: 'new', scopes: SCOPES, expiresAt: null };
    const { text: apiToken, tokenId } = await createToken(cells.two.engine, order);
    expect(apiToken).toMatch(/^mlp_sandbox_0001_/);
    await eventually(
      async () => (await call({ ...old, apiToken }, 'GET', '/v2/wallet-balances')).status,
    ).toBe(200);
    await withdrawToken(cells.two.engine, { by: 'test', tokenId });
    await eventually(
      async () => (await call({ ...old, apiToken }, 'GET', '/v2/wallet-balances')).status,
    ).toBe(401);
  });

  test('a merchant that moves hears operators that speak to its old cell, also of attempts made after it left', async () => {
    const later = await start(fresh, 'payout', payoutRequest({ recipient: SILENT }));
    for (const payout of [stuck, later]) {
      await eventually(() => referencesOf(payout)).toHaveLength(1);
      const [reference = ''] = await referencesOf(payout);
      expect(reference).toMatch(/^0001/);
      const secret = notificationSecret(TEST_KEYS.referenceKey, reference);
      const path = `/operators/simulator/notifications/${reference}/${secret}`;
      const { status } = await fetch(`${old.url}${path}`, { method: 'POST', body: '{}' });
      expect(status).toBe(200);
      const heard = await Promise.all(
        [cells.one, cells.two].map((cell) => countNotifications(cell, reference)),
      );
      expect(heard).toEqual([0, 1]);
    }
  });

  test('a merchant that moves is not copied over by a mover that comes too late', async () => {
    const { merchantId } = cells.merchant;
    const { moveId } = (await findMigrationLock(cells.one.engine.store.database, merchantId))!;
    const shapes = await readShapes(cells.one.engine.store.database);
    const step = { merchantId, moveId, otherCell: '0002' };
    const pair = { from: cells.one.engine, to: cells.two.engine, shapes };
    await expect(copyPayments(pair, step, [])).rejects.toThrow('no longer, arriving');
    await expect(copyRest(pair, step)).rejects.toThrow('no longer, arriving');
  });

  test('a merchant that moves is recorded to have moved, in both cells, by anyone who moved it', async () => {
    for (const { engine } of [cells.one, cells.two]) {
      const { rows } = await engine.store.database.query(
        `select actor, detail->>'to' as to from audit_log where act = 'MERCHANT_MOVED'`,
      );
      expect(rows).toContainEqual({ actor: 'test', to: '0002' });
    }
  });

  test('a merchant that moves cannot be acted on in the old cell', async () => {
    const { merchantId } = cells.merchant;
    const place = { country: 'RWA', currency: 'RWF', amount: parseAmount('1')! };
    await expect(settleWallet(cells.one.engine, { by: 'test', merchantId, ...place })).rejects.toThrow(
      MerchantInOtherCell,
    );
  });

  test('a merchant that moves takes its event feed along: cursors stay good, and numbers go on', async () => {
    await numberAllEvents(cells.two.engine);
    const known = feed['data'].length;
    for (const caller of [old, fresh]) {
      const { status, body } = await call(caller, 'GET', `/v2/events?limit=100&after=${middle}`);
      expect(status).toBe(200);
      expect(body['data'].slice(0, known - 4)).toEqual(feed['data'].slice(4));
      const numbers: readonly number[] = body['data'].map(({ number }: Body) => number);
      expect(numbers).toEqual(numbers.map((_, index) => index + 5));
      expect(numbers.at(-1)).toBeGreaterThan(known);
    }
    const { database } = cells.one.engine.store;
    const left = 'select 1 from merchant_events where merchant_id = $1';
    expect((await database.query(left, [cells.merchant.merchantId])).rowCount).toBe(0);
  });

  test('a merchant that moves moves back again', async () => {
    expect(await moveBetween(cells, cells.two, cells.one)).toEqual({ type: 'MOVED' });
    expect(await readPayment(fresh, 'deposit', paid)).toMatchObject({ status: 'COMPLETED' });
    const deposit = await start(fresh, 'deposit', depositRequest());
    await waitForPayment(old, 'deposit', deposit, 'COMPLETED');
    for (const { engine } of [cells.one, cells.two]) await expectBalanced(engine.store.database);
  });
});

test('a migration lock whose mover died lapses, and what waited behind it is served', async () => {
  const { engine } = cells.one;
  const { merchantId } = cells.merchant;
  const step = { merchantId, moveId: randomUUID(), otherCell: '0002', lockId: randomUUID() };
  await inTransaction(engine.store.database, (tx) => beginCopying(tx, step));
  const lapsesAt = new Date(Date.now() + 1_000);
  await inTransaction(engine.store.database, (tx) => setMigrationLock(tx, step, lapsesAt));
  const { body } = await send(old, 'deposit', depositRequest());
  expect(Date.now()).toBeGreaterThanOrEqual(lapsesAt.getTime());
  // One that was let in just before the migration lock came up is told to come again.
  expect(['ACCEPTED', undefined]).toContain(body['status']);
  await startCompleted(old, 'deposit', depositRequest());
  expect(await findMigrationLock(engine.store.database, merchantId)).toMatchObject({ state: 'COPYING' });
});

function topUp({ engine }: TestCell, merchantId: string) {
  const place = { by: 'test', merchantId, country: 'RWA', currency: 'RWF', amount: parseAmount('10')! };
  return topUpWallets(engine, [{ ...place, reference: 'FT-1' }]);
}

async function referencesOf(paymentId: string): Promise<readonly string[]> {
  const { rows } = await cells.two.engine.store.database.query<{ reference: string }>(
    'select reference from payment_attempts where payment_id = $1',
    [paymentId],
  );
  return rows.map(({ reference }) => reference);
}

async function countNotifications({ engine }: TestCell, reference: string): Promise<number> {
  const { rows } = await engine.store.database.query(
    'select 1 from operator_notifications where reference = $1',
    [reference],
  );
  return rows.length;
}

async function expectBalanced(database: Database): Promise<void> {
  expect(await listUnbalancedWallets(database)).toEqual([]);
  const sums = new Map<string, bigint>();
  for (const { currency, balance } of await listTrialBalance(database)) {
    sums.set(currency, (sums.get(currency) ?? 0n) + balance);
  }
  expect([...sums.values()].filter((sum) => sum !== 0n)).toEqual([]);
}
