// A change of the search key to its end: nothing is lost meanwhile, and then no search needs the old one any more.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGateway } from '../src/commands/serve/compose.ts';
import { cancelPayouts } from '../src/core/payout-batches/approve-payouts.ts';
import { readAuditLog } from '../src/core/audit.ts';
import { erasePerson } from '../src/core/encryption/erase-person.ts';
import { findPayments } from '../src/core/payments/read/find-payments.ts';
import { importReport } from '../src/core/reconciliation/import-report.ts';
import { preparePayouts } from '../src/core/payout-batches/prepare-payouts.ts';
import { rehash } from '../src/core/encryption/rehash.ts';
import { searchValue } from '../src/core/payments/search-terms.ts';
import { PAYMENT_KINDS, PAYMENT_STATES } from '../src/domain/payments/payment.ts';
import type { OperatorReportLine } from '../src/domain/reconciliation/operator-report.ts';
import { Keyring } from '../src/store/encryption/encryption.ts';
import { numberHashes } from '../src/store/encryption/number-hash.ts';
import { runCommandHere, startCommand } from './command-process.ts';
import {
  depositRequest,
  eventually,
  openTestGateway,
  payer,
  select,
  TEST_KEYS,
  waitUntil,
  type TestGateway,
} from './gateway.ts';
import { send, startCompleted, topUp } from './payments.ts';
import type { Body } from './requests.ts';
import { serverEnvironment } from './server-process.ts';

const OLD = TEST_KEYS.searchKey;
const NEW = Buffer.alloc(32, 9);
const PHONE = '250783456781';
const UNMATCHED = '250783456782';
const PROVIDER = 'MTN_MOMO_RWA';
/** On a busy machine a process takes its time to start. */
const PROCESS_MS = 120_000;
const ORDER = { by: 'Ana', onProgress: () => undefined };

/** It has the new key behind the old one, and serves all the time. */
let gateway: TestGateway;
/** It has the new key in front. */
let changed: TestGateway;
let ordered: Body;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  gateway = await openTestGateway({ keys: { ...TEST_KEYS, olderSearchKeys: [NEW] } });
  await topUp(gateway, gateway.merchantId, '100000');
  ordered = orderOf();
  await startCompleted(gateway, 'deposit', ordered);
  changed = await openWith({ searchKey: NEW, olderSearchKeys: [OLD] });
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await gateway.stop();
});

async function openWith(keys: {
  readonly searchKey: Buffer;
  readonly olderSearchKeys?: readonly Buffer[];
}): Promise<TestGateway> {
  const config = { ...gateway.config, keys: { ...TEST_KEYS, ...keys } };
  const other = await openGateway(config, { role: 'api', logTo: 2 });
  stops.push(() => other.stop());
  const { url } = await other.start();
  return { ...gateway, gateway: other, engine: other.engine, url };
}

function orderOf(phoneNumber = PHONE): Body {
  return depositRequest({ payer: payer(PROVIDER, phoneNumber), clientReferenceId: 'INV-1' });
}

async function search(at: TestGateway, text: string): Promise<readonly string[]> {
  const { merchantId } = at;
  const all = { kinds: PAYMENT_KINDS, states: PAYMENT_STATES, providers: null };
  const filter = { ...all, merchantId, from: null, amountMin: null, amountMax: null };
  const searched = { search: text, searchIn: 'EVERYTHING' as const, mayReveal: true };
  const order = { filter, to: null, ...searched, after: null, countMax: 100 };
  return (await findPayments(at.engine, order)).payments.map(({ paymentId }) => paymentId);
}

/** Prepares to pay the same to the same. */
async function prepare({ engine, merchantId }: TestGateway, numbers: readonly string[]) {
  const payouts = numbers.map((phoneNumber, at) => ({
    rowNo: at + 1,
    payout: { phoneNumber, amountText: '100', currency: 'RWF', provider: PROVIDER },
  }));
  return preparePayouts(engine, {
    merchant: (await engine.directory.merchant(merchantId))!,
    actor: { personId: 'ana', by: 'Ana' },
    source: 'FORM',
    apiVersion: 'v2',
    title: 'Wages',
    payouts,
    faults: [],
    repeatsAreMeant: false,
    hostLimits: new Map(),
  });
}

const LINE: OperatorReportLine = {
  occurredAt: new Date('2026-01-01T00:00:00Z'),
  direction: 'IN',
  status: 'COMPLETED',
  amount: 1n,
  currency: 'RWF',
  providerTransactionId: 'no-one-knows-it',
  phoneNumber: '250783000009',
};

/** Each time in another file. Answers how many lines there are. */
async function importLine({ engine }: TestGateway, fileNo: number): Promise<number> {
  await importReport(engine, {
    by: 'Ana',
    secondApprover: 'OPTIONAL',
    provider: PROVIDER,
    fileHash: Buffer.alloc(32, fileNo),
    period: null,
    async *batches() {
      yield [{ lineNo: 1, line: LINE }];
    },
    onError: (error) => {
      throw error;
    },
  });
  return (await select(gateway, 'select from operator_report_lines')).length;
}

/** How many payments are found by a number under each key. */
async function countUnder(phoneNumber = PHONE): Promise<{ readonly old: number; readonly new: number }> {
  const count = async (searchKey: Buffer) => {
    const keyring = new Keyring({ ...TEST_KEYS, searchKey });
    const hash = keyring.searchHash(gateway.merchantId, searchValue('phoneNumber', phoneNumber));
    return (await select(gateway, 'select from payment_search where value_hash = $1', [hash])).length;
  };
  return { old: await count(OLD), new: await count(NEW) };
}

const WORKERS = ['250783000001', '250783000002'];

test('with both keys everything is found wherever it was written, and nothing is taken for new', async () => {
  const later = orderOf();
  await startCompleted(changed, 'deposit', later);
  expect(await countUnder()).toEqual({ old: 1, new: 1 });
  const ids = [later['depositId'], ordered['depositId']];
  for (const at of [gateway, changed]) {
    for (const text of [PHONE, 'INV-1']) expect(await search(at, text)).toEqual(ids);
    for (const request of [ordered, later])
      expect((await send(at, 'deposit', request)).body).toMatchObject({ status: 'DUPLICATE_IGNORED' });
  }
  const { batchId } = await prepare(gateway, WORKERS);
  expect(batchId).not.toBeNull();
  expect(await prepare(changed, WORKERS)).toMatchObject({ batchId: null, sameAs: batchId });
  expect([await importLine(gateway, 1), await importLine(changed, 2), await importLine(gateway, 3)]).toEqual([
    1, 1, 1,
  ]);
});

test('a person whose payments are under both keys is forgotten under both', async () => {
  for (const at of [gateway, changed]) await startCompleted(at, 'deposit', orderOf(UNMATCHED));
  const { batchId } = await prepare(gateway, [UNMATCHED, WORKERS[0]!]);
  const { merchantId, engine } = changed;
  const key = { merchantId, batchId: batchId! };
  await cancelPayouts(engine, { ...key, by: 'Ana' });
  expect(
    await erasePerson(engine, { by: 'Ana', merchantId, phoneNumber: UNMATCHED, reason: 'asked' }),
  ).toMatchObject({ erased: 2, open: 0 });
  expect(await countUnder(UNMATCHED)).toEqual({ old: 0, new: 0 });
  const rows = await select(gateway, 'select from payout_batch_rows where number_hash is null');
  expect(rows).toHaveLength(1);
});

test('a run that is killed is taken up by the next, which says what still needs the old key', async () => {
  const held = orderOf();
  await startCompleted(gateway, 'deposit', held);
  const settings = {
    ...serverEnvironment(gateway),
    DATABASE_URL: gateway.databaseUrl,
    MALIPO_SEARCH_KEY: [NEW, OLD].map((key) => key.toString('base64')).join(','),
  };
  const holder = await gateway.engine.store.database.connect();
  await holder.query('begin');
  await holder.query('select from payments where payment_id = $1 for update', [held['depositId']]);
  const run = startCommand(settings, ['keys', 'rehash', '--by', 'Ana']);
  try {
    // It has hashed all but the payment that somebody holds.
    await waitUntil(async () => (await countUnder()).new === 2, { timeout: PROCESS_MS });
  } finally {
    await run.kill();
    await holder.query('rollback');
    holder.release();
  }
  expect(await countUnder()).toEqual({ old: 1, new: 2 });
  expect((await search(gateway, PHONE)).length).toBe(3);
  const { code, output, errors } = await runCommandHere(settings, ['keys', 'rehash', '--by', 'Ana']);
  // Its number and its reference; the numbers of three payouts; one of two batches.
  expect(output.split('\n')).toEqual([
    'payment_search: 2',
    'payout_batch_rows: 3',
    'payout_batches: 1',
    'rehashed: 6',
    "payout batches that cannot be rehashed, because a person's data was erased: 1",
    'older search keys are no longer needed for searches, erasures and repeated batches',
    'they are needed to recognise lines of operator reports that were imported before, if another file has them too',
  ]);
  expect([code, errors]).toEqual([0, '']);
  const [hash] = numberHashes(new Keyring({ ...TEST_KEYS, searchKey: NEW }), LINE.phoneNumber!);
  expect(await select(gateway, 'select number_hash from operator_report_lines')).toEqual([
    { number_hash: hash },
  ]);
  const [entry] = await readAuditLog(changed.engine, { merchantId: null, act: 'DATA_REHASHED', countMax: 1 });
  expect(entry).toMatchObject({ actor: 'Ana', subject: 'search key' });
});

async function payUnderOld(): Promise<void> {
  await startCompleted(gateway, 'deposit', orderOf());
}

test('anyone who has the old key in front hashes under it again, and is noticed', async () => {
  await payUnderOld();
  const order = { by: 'Ana', onProgress: payUnderOld };
  expect(await rehash(changed.engine, order)).toMatchObject({ isOlderInUse: true });
  expect(await rehash(changed.engine, ORDER)).toMatchObject({ isOlderInUse: false });
});

test('a merchant that is being moved is left out and named: copies of its hashes are in progress', async () => {
  await payUnderOld();
  const { merchantId } = gateway;
  await select(
    gateway,
    `insert into migration_locks (merchant_id, state, other_cell, move_id)
     values ($1, 'COPYING', '0002', gen_random_uuid())`,
    [merchantId],
  );
  expect(await rehash(changed.engine, ORDER)).toMatchObject({ rehashed: 0, moving: [merchantId] });
  await select(gateway, 'delete from migration_locks where merchant_id = $1', [merchantId]);
  expect(await rehash(changed.engine, ORDER)).toMatchObject({ rehashed: 2, moving: [] });
});

test('payments go on meanwhile, and afterwards no search needs the old key', async () => {
  const paid = Promise.all(
    [gateway, changed, gateway, changed].map((at) => startCompleted(at, 'deposit', orderOf())),
  );
  await Promise.all([rehash(changed.engine, ORDER), paid]);
  // The process that still has the old key in front has hashed under it. Now it has nothing more to do.
  await eventually(() => rehash(changed.engine, ORDER)).toMatchObject({ rehashed: 0, isOlderInUse: false });
  const all = await search(changed, PHONE);
  expect(await countUnder()).toEqual({ old: 0, new: all.length });

  const without = await openWith({ searchKey: NEW });
  expect(all).toEqual(expect.arrayContaining([ordered['depositId'], ...(await paid)]));
  for (const text of [PHONE, 'INV-1']) expect(await search(without, text)).toEqual(all);
  expect((await send(without, 'deposit', ordered)).body).toMatchObject({ status: 'DUPLICATE_IGNORED' });
  expect(await prepare(without, WORKERS)).toMatchObject({ batchId: null, sameAs: expect.any(String) });
  expect(await importLine(changed, 4)).toBe(1);
  // What is left of the old key: without it, a line that comes again is kept a second time.
  expect(await importLine(without, 5)).toBe(2);
});

test('after a loss of the key all is found again under a new one', async () => {
  const all = await search(changed, PHONE);
  const found = await openWith({ searchKey: Buffer.alloc(32, 10) });
  expect(await search(found, PHONE)).toEqual([]);
  await rehash(found.engine, ORDER);
  expect(await search(found, PHONE)).toEqual(all);

  // Hashes under the lost key stay. Should it turn up again, a person can still be forgotten.
  const { merchantId } = gateway;
  const person = { by: 'Ana', merchantId, phoneNumber: PHONE, reason: 'asked' };
  expect(await erasePerson(found.engine, person)).toMatchObject({ erased: all.length, open: 0 });
  expect(await countUnder()).toEqual({ old: 0, new: all.length });
  expect(await erasePerson(changed.engine, person)).toMatchObject({ open: 0 });
  expect(await countUnder()).toEqual({ old: 0, new: 0 });
});
