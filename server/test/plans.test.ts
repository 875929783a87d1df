// No step of a payment reads a table that grows from end to end: checked from the plans that PostgreSQL chose for
// every statement of one life of each kind, on a database with many payments.
import { randomBytes, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openGateway, type Gateway } from '../src/commands/serve/compose.ts';
import { readPlatformBadges } from '../src/core/console/read-badges.ts';
import { readPlatformOverview } from '../src/core/console/read-platform-overview.ts';
import { readProblems } from '../src/core/console/read-problems.ts';
import { startCloses } from '../src/core/daily-close/accounts.ts';
import { readClose } from '../src/core/daily-close/read-close.ts';
import { readDays } from '../src/core/daily-close/read-days.ts';
import { erasePerson } from '../src/core/encryption/erase-person.ts';
import { findPayments, readPage, totalPayments } from '../src/core/payments/read/find-payments.ts';
import { sweep } from '../src/core/payments/notifications/sweep.ts';
import { countOtherQueues, readReviewQueue } from '../src/core/reviews/decide-review.ts';
import { identifiersFrom } from '../src/domain/identifier.ts';
import { listProviders } from '../src/domain/operators/catalogue.ts';
import { PAYMENT_KINDS, PAYMENT_STATES } from '../src/domain/payments/payment.ts';
import { listDeliveries, WALKED_MAX } from '../src/store/callbacks/delivery-log.ts';
import type { Tx } from '../src/store/database.ts';
import { listPage, sumList, type PageRequest } from '../src/store/payments/payment-finding.ts';
import { listMatches } from '../src/store/payments/payment-matches.ts';
import { WALK_LENGTH_MAX, walkOpen, walkValue } from '../src/store/payments/payment-walks.ts';
import { call, depositRequest, openTestGateway, payer, waitUntil, type TestGateway } from './gateway.ts';
import { insertManyPayments } from './many-payments.ts';
import { insertOpenPayouts } from './open-payouts.ts';
import { callbacksAbout, start, topUp, waitForPayment, type Noun } from './payments.ts';
import { EXPLAIN_SETTINGS, leaveUnanalysed, listFullScans, type Plan, readPlans } from './query-plans.ts';
import { payoutRequest, refundRequest, remittanceRequest, type Body } from './requests.ts';
import { ask, statementRequest, waitForStatement } from './statement-files.ts';
import { measureLook } from './waiting-looks.ts';

/** They have a row for each merchant, provider, key, process or entry that waits, and none for a payment. */
const SMALL_TABLES = [
  'accounts',
  'api_tokens',
  'audit_unchained',
  'bank_accounts',
  'callback_endpoints',
  'endpoint_queues',
  'event_heads',
  'event_queue',
  'clock_shift',
  'fees',
  'freezes',
  // A row for each file of an operator.
  'operator_reports',
  // A row or two for each account with an operator.
  'close_accounts',
  'operator_accounts',
  'operator_account_ids',
  'report_mappings',
  'ledger_progress',
  'ledger_totals',
  'limits',
  'listed_numbers',
  'missing_follow_ups',
  'migration_locks',
  'merchant_providers',
  'merchant_public_keys',
  'merchants',
  'monitor_readings',
  'payment_hours_progress',
  'provider_availability',
  'provider_calls',
  'recoveries',
  'review_rules',
  'sensitive_changes',
  'service_signing_keys',
  'transaction_conflicts',
  // A row for each cell that was ever ended.
  'cell_endings',
  'wallets',
];

/** Enough that a plan which reads one of the tables whole is dearer than any other. */
const COUNT = 30_000;

const DAY_MS = 24 * 3_600_000;

let kept: TestGateway;
let watched: Gateway;
let gateway: TestGateway;
let fromByte = 0;

beforeAll(async () => {
  // It only makes the merchant: its connections are older than the settings below.
  kept = await openTestGateway({ role: 'admin' });
  const { engine, merchantId } = kept;
  await topUp(kept, merchantId, '100000');
  const { database } = engine.store;
  await leaveUnanalysed(database);
  await insertManyPayments(database, { merchantId, count: COUNT, now: new Date() });
  const name = new URL(kept.databaseUrl).pathname.slice(1);
  for (const setting of EXPLAIN_SETTINGS) await database.query(`alter database ${name} set ${setting}`);
  // PgBouncer would lend out older connections, without the settings. The last one to end is the one that asks.
  const ending = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() order by pid = pg_backend_pid()`;
  await database.query(ending).catch(() => undefined);
  fromByte = statSync(inject('clusterLogPath')).size;
  watched = await openGateway(kept.config, { role: 'all', logTo: 2 });
  const { url } = await watched.start();
  gateway = { ...kept, gateway: watched, engine: watched.engine, url };
});
afterAll(async () => {
  await watched.stop();
  await kept.stop();
});

test('a plan that reads a large table from end to end is noticed', async () => {
  const before = statSync(inject('clusterLogPath')).size;
  const { database } = gateway.engine.store;
  await database.query(`select count(*) from payments where provider_transaction_id = 'nowhere'`);
  await database.query('select payment_id from payment_keys order by merchant_id, kind, payment_id');
  const noticed = offencesOf(readPlans(inject('clusterLogPath'), before));
  expect(noticed.filter((offence) => /^payments: .*'nowhere'/.test(offence))).toHaveLength(1);
  expect(noticed.filter((offence) => /^payment_keys: .* order by merchant_id/.test(offence))).toHaveLength(1);
});

test('no statement of a payment, its callback, a status check or a sweep reads a growing table whole', async () => {
  fromByte = statSync(inject('clusterLogPath')).size;
  const depositId = await live('deposit', depositRequest());
  await live('payout', payoutRequest());
  await live('refund', refundRequest(depositId));
  await live('remittance', remittanceRequest());
  await live('deposit', depositRequest({ payer: payer('MTN_MOMO_RWA', '250783456039') }), 'FAILED');
  await splitPayment();
  await call(gateway, 'POST', `/v2/deposits/resend-callback/${depositId}`);
  await call(gateway, 'GET', '/v2/wallet-balances');
  const over = statementRequest({ endDate: new Date(Date.now() - 60_000).toISOString() });
  await waitForStatement(gateway, await ask(gateway, over));
  await sweepAll();
  await waitUntil(() => callbacksAbout(gateway, 'deposit', depositId).length >= 2);
  const plans = readPlans(inject('clusterLogPath'), fromByte);
  expect(plans.length).toBeGreaterThan(50);
  expect(offencesOf(plans)).toEqual([]);
});

test('no statement of the platform’s first screen reads a growing table whole', async () => {
  fromByte = statSync(inject('clusterLogPath')).size;
  const { engine, config } = gateway;
  const until = new Date(Date.now() + DAY_MS);
  await readProblems(engine, config.monitor);
  await readPlatformBadges(engine);
  await readPlatformOverview(engine, { from: new Date(until.getTime() - 30 * DAY_MS), until });
  const plans = readPlans(inject('clusterLogPath'), fromByte);
  expect(plans.filter(({ text }) => text.includes('payment_days')).length).toBeGreaterThanOrEqual(2);
  expect(offencesOf(plans)).toEqual([]);
});

test('no statement of the review queue reads a growing table whole', async () => {
  fromByte = statSync(inject('clusterLogPath')).size;
  const { engine } = gateway;
  const after = { at: new Date(Date.now() - DAY_MS), id: gateway.merchantId };
  for (const place of [null, after]) await readReviewQueue(engine, { after: place, countMax: 51 });
  await countOtherQueues(engine);
  const plans = readPlans(inject('clusterLogPath'), fromByte);
  expect(plans.filter(({ text }) => text.includes('payment_reviews')).length).toBeGreaterThanOrEqual(2);
  expect(offencesOf(plans)).toEqual([]);
});

test('no statement that reads the daily close reads a growing table whole', async () => {
  fromByte = statSync(inject('clusterLogPath')).size;
  const { engine } = gateway;
  const account = { provider: 'MTN_MOMO_RWA', currency: 'RWF' };
  const day = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  await startCloses(engine, { by: 'Ana', ...account, firstDay: day, timeZone: null, dueHours: 36 });
  await readClose(engine, { ...account, day });
  await readDays(engine, { ...account, before: null, countMax: 50 });
  const plans = readPlans(inject('clusterLogPath'), fromByte);
  expect(plans.filter(({ text }) => text.includes('from day_closes')).length).toBeGreaterThanOrEqual(3);
  expect(offencesOf(plans)).toEqual([]);
});

test('no statement that finds payments by a number reads a growing table whole, with one search key or two', async () => {
  const { merchantId, config } = gateway;
  const keys = { ...config.keys, olderSearchKeys: [Buffer.alloc(32, 9)] };
  const two = await openGateway({ ...config, keys }, { role: 'admin', logTo: 2 });
  fromByte = statSync(inject('clusterLogPath')).size;
  for (const engine of [gateway.engine, two.engine]) {
    const filter = { merchantId, kinds: PAYMENT_KINDS, states: PAYMENT_STATES, providers: null, from: null };
    const order = {
      filter: { ...filter, amountMin: null, amountMax: null },
      to: null,
      searchIn: 'EVERYTHING' as const,
      mayReveal: true,
      after: null,
      countMax: 50,
    };
    await findPayments(engine, { ...order, search: '250783456789' });
    await erasePerson(engine, { by: 'Ana', merchantId, phoneNumber: '250783456789', reason: 'asked' });
  }
  await two.stop();
  const plans = readPlans(inject('clusterLogPath'), fromByte);
  expect(plans.filter(({ text }) => text.includes('payment_search')).length).toBeGreaterThanOrEqual(4);
  expect(offencesOf(plans)).toEqual([]);
});

const FILTER = { kinds: PAYMENT_KINDS, states: PAYMENT_STATES, from: null, amountMin: null, amountMax: null };

test('payments of all merchants are found and added up without reading a growing table whole', async () => {
  fromByte = statSync(inject('clusterLogPath')).size;
  const { engine, merchantId } = gateway;
  for (const owner of [merchantId, null]) {
    const filter = { ...FILTER, merchantId: owner, providers: null };
    const order = { filter, to: null, searchIn: 'EVERYTHING' as const, mayReveal: true };
    const page = { ...order, after: null, countMax: 50 };
    expect((await readPage(engine, { ...page, search: 'abcdef01' })).payments).toEqual([]);
    await readPage(engine, { ...page, search: '250783456789' });
    // A tenth of all payments is this merchant's: of the others there are more than are added up.
    const totals = await totalPayments(engine, { ...order, search: '' });
    expect(totals === null).toBe(owner === null);
    await totalPayments(engine, { ...order, search: 'abcdef01' });
  }
  const plans = readPlans(inject('clusterLogPath'), fromByte);
  expect(plans.filter(({ text }) => text.includes('payment_keys')).length).toBeGreaterThanOrEqual(4);
  expect(offencesOf(plans)).toEqual([]);
});

test('what finding payments of all merchants reads depends on merchants, not on payments', async () => {
  const { database } = gateway.engine.store;
  const { rows } = await database.query<{ merchant_id: string }>(
    'select distinct merchant_id from payment_keys',
  );
  const merchantIds = rows.map((row) => row.merchant_id);
  const providers = listProviders().map(({ code }) => code);
  const filter = { ...FILTER, merchantId: null, providers };
  const after = { createdAt: new Date(Date.now() + 60_000), paymentNo: merchantIds[0] ?? '' };
  const page = { filter, after, countMax: 51 };
  const prefix = { references: ['theirs77'], valueHashes: [], merchantIds };
  const [key] = (
    await database.query<{ payment_id: string }>(
      'select payment_id from payment_keys order by payment_no limit 1',
    )
  ).rows;
  const identifiers = identifiersFrom(key?.payment_id.slice(0, 8) ?? '');
  const looks = [
    {
      name: 'list',
      look: async (tx: Tx) => (await listPage(tx, page)).length,
      found: 51,
      rowsReadMax: 12_000,
    },
    {
      name: 'prefix',
      look: async (tx: Tx) => (await listMatches(tx, page, { ...prefix, identifiers })).length,
      found: 2,
      rowsReadMax: 100,
    },
    {
      name: 'totals',
      look: async (tx: Tx) =>
        (await sumList(tx, { ...page, countMax: 1_001 })).reduce((sum, { count }) => sum + count, 0),
      found: 1_001,
      rowsReadMax: 5_000,
    },
  ];
  for (const { name, look, found, rowsReadMax } of looks) {
    const figures = await measureLook(database, { name, look });
    expect([name, figures.found]).toEqual([name, found]);
    expect([name, figures.rowsRead, figures.rowsRead <= rowsReadMax]).toContain(true);
  }
});

test('no statement of a list of the API reads a growing table whole', async () => {
  fromByte = statSync(inject('clusterLogPath')).size;
  const sought = ['clientReferenceId=INV-1', 'metadata=ORD-1', 'phoneNumber=250783456789'];
  const queries = [
    'limit=50',
    'from=2026-01-01&to=2099-01-01',
    'status=FAILED&provider=MTN_MOMO_RWA',
    ...sought,
  ];
  for (const kind of ['deposits', 'payouts', 'refunds', 'remittances']) {
    for (const query of queries) {
      const { body } = await call(gateway, 'GET', `/v2/${kind}?${query}`);
      if (body['next'] !== undefined)
        await call(gateway, 'GET', `/v2/${kind}?${query}&cursor=${body['next']}`);
    }
  }
  const plans = readPlans(inject('clusterLogPath'), fromByte);
  expect(plans.filter(({ text }) => text.includes('walked')).length).toBeGreaterThanOrEqual(40);
  expect(offencesOf(plans)).toEqual([]);
});

test('no statement of the event feed reads a growing table whole', async () => {
  fromByte = statSync(inject('clusterLogPath')).size;
  const { body } = await call(gateway, 'GET', '/v2/events?limit=5');
  expect(body['data']).toHaveLength(5);
  await call(gateway, 'GET', `/v2/events?after=${body['next']}&limit=100`);
  const plans = readPlans(inject('clusterLogPath'), fromByte);
  expect(plans.filter(({ text }) => text.includes('from merchant_events')).length).toBeGreaterThanOrEqual(2);
  expect(offencesOf(plans)).toEqual([]);
});

test('a page of a list of the API reads a bounded number of rows, however rare what it looks for is', async () => {
  const { engine, merchantId } = gateway;
  const { database } = engine.store;
  const providers = listProviders().map(({ code }) => code);
  const after = { createdAt: new Date(Date.now() + 60_000), paymentNo: merchantId };
  const pageOf = (kinds: PageRequest['filter']['kinds'], states: PageRequest['filter']['states']) => ({
    filter: { ...FILTER, merchantId, providers, kinds, states },
    after,
    countMax: 51,
  });
  // A new one each time: what is rolled back stays in the index until it is vacuumed.
  let valueHash = Buffer.alloc(0);
  const common = (tx: Tx) => {
    valueHash = randomBytes(32);
    return giveValue(tx, merchantId, valueHash);
  };
  const open = (tx: Tx) => {
    const from = new Date(Date.now() - 30_000);
    return insertOpenPayouts(tx, {
      merchantId,
      count: 4 * WALK_LENGTH_MAX,
      from,
      valueHash: randomBytes(32),
    });
  };
  const looks = [
    {
      name: 'common value',
      prepare: common,
      walk: walkValue,
      page: pageOf(['DEPOSIT'], ['COMPLETED']),
      found: 51,
    },
    {
      name: 'rare, of a value',
      prepare: common,
      walk: walkValue,
      page: pageOf(['PAYOUT'], ['FAILED']),
      found: 0,
    },
    {
      name: 'rare, of open ones',
      prepare: open,
      walk: walkOpen,
      page: pageOf(['DEPOSIT'], ['PROCESSING']),
      found: 0,
    },
    { name: 'many open', prepare: open, walk: walkOpen, page: pageOf(['PAYOUT'], ['PROCESSING']), found: 51 },
  ] as const;
  const terms = { merchantIds: [merchantId], identifiers: null, references: [] };
  const people = async (tx: Tx) => {
    const matching = { ...terms, valueHashes: [valueHash] };
    return (await listMatches(tx, pageOf(['DEPOSIT'], ['COMPLETED']), matching)).length;
  };
  const searched = await measureLook(database, { name: 'as people search', prepare: common, look: people });
  expect([searched, searched.found === 51 && searched.rowsRead <= 300]).toContain(true);
  for (const { name, prepare, walk, page, found } of looks) {
    const ends: boolean[] = [];
    const look = async (tx: Tx) => {
      const walked = await walk(tx, page, valueHash);
      ends.push(walked.end !== null);
      return walked.found.length;
    };
    const figures = await measureLook(database, { name, prepare, look });
    expect([name, figures.found, ends]).toEqual([name, found, [found === 0]]);
    // The index and the payments along the way; where too few fit, the index once more, to see where it ended.
    const rowsReadMax = found === 0 ? 4 * WALK_LENGTH_MAX : 4 * found;
    expect([name, figures.rowsRead, figures.rowsRead <= rowsReadMax]).toContain(true);
  }
});

/** Every payment of the merchant has this value. */
async function giveValue(tx: Tx, merchantId: string, valueHash: Buffer): Promise<void> {
  await tx.query(
    `insert into payment_search (payment_no, value_hash, created_at)
     select payment_no, $2, created_at from payments where merchant_id = $1`,
    [merchantId, valueHash],
  );
}

test('a page of callback deliveries reads a bounded way along the index by time, however rare what it looks for is', async () => {
  const { engine, merchantId } = gateway;
  const { database } = engine.store;
  const filter = { merchantId, kinds: null, statuses: null, from: null, to: null };
  const page = { after: null, countMax: 50 };
  fromByte = statSync(inject('clusterLogPath')).size;
  const first = await listDeliveries(database, filter, page);
  expect(first.deliveries).toHaveLength(50);
  await listDeliveries(
    database,
    { ...filter, from: new Date(0), to: new Date() },
    { ...page, after: first.next },
  );
  const plans = readPlans(inject('clusterLogPath'), fromByte);
  expect(plans.filter(({ text }) => text.includes('callback_attempts')).length).toBeGreaterThanOrEqual(2);
  expect(offencesOf(plans)).toEqual([]);
  const rare = { ...filter, statuses: ['FAILED'] as const };
  const looks = [
    { name: 'page', filter, rowsReadMax: 300 },
    // The walk, once for what fits and once for where it ends.
    { name: 'rare', filter: rare, rowsReadMax: 2 * WALKED_MAX + 100 },
  ];
  for (const { name, filter: narrowed, rowsReadMax } of looks) {
    const look = async (tx: Tx) => (await listDeliveries(tx, narrowed, page)).deliveries.length;
    const { rowsRead } = await measureLook(database, { name, look });
    expect([name, rowsRead, rowsRead <= rowsReadMax]).toContain(true);
  }
});

function offencesOf(plans: readonly Plan[]): readonly string[] {
  const offences = plans.flatMap((plan) =>
    listFullScans(plan)
      .filter((table) => !SMALL_TABLES.includes(table))
      .map((table) => `${table}: ${plan.text.replaceAll(/\s+/g, ' ')}`),
  );
  return [...new Set(offences)];
}

async function live(noun: Noun, request: Body, status = 'COMPLETED'): Promise<string> {
  const id = await start(gateway, noun, request);
  await waitForPayment(gateway, noun, id, status);
  await waitUntil(() => callbacksAbout(gateway, noun, id).length > 0);
  return id;
}

async function splitPayment(): Promise<void> {
  const splitPaymentId = randomUUID();
  const recipient = payer('MTN_MOMO_RWA', '250783000001');
  const splits = [{ payoutId: randomUUID(), amount: '600', recipient }];
  const asked = { splitPaymentId, amount: '1000', currency: 'RWF', payer: recipient, splits };
  const { body } = await call(gateway, 'POST', '/v2/split-payments', asked);
  expect(body['status']).toBe('ACCEPTED');
  await waitUntil(() =>
    gateway.receiver.received.some((callback) => callback.body['splitPaymentId'] === splitPaymentId),
  );
}

async function sweepAll(): Promise<void> {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  await sweep(gateway.engine, { overdueAfterMs: 0, countMax: 1_000, onError });
  expect(errors).toEqual([]);
}
