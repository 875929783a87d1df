// A change of encryption keys to its end: what the old one has encrypted is encrypted again, and then the old one can
// go.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGateway, type Gateway } from '../src/commands/serve/compose.ts';
import { readAuditLog } from '../src/core/audit.ts';
import { reEncrypt } from '../src/core/encryption/re-encrypt.ts';
import { freeze, requestLift } from '../src/core/limits/freeze.ts';
import { listNumbers } from '../src/core/limits/listed-numbers.ts';
import { insertNextDataKey, readDataKeys } from '../src/store/encryption/data-keys.ts';
import { findCredentials, setCredentials } from '../src/store/operators/operator-credentials.ts';
import {
  insertReport,
  keepLines,
  listLines,
  markFindings,
} from '../src/store/reconciliation/operator-reports.ts';
import { findNotification } from '../src/store/payments/notifications/notifications.ts';
import { findOperatorToken, keepOperatorToken } from '../src/store/operators/operator-tokens.ts';
import { insertTraffic, listTraffic } from '../src/store/operators/operator-traffic.ts';
import { keepReplacedCredentials, listKeptCredentials } from '../src/store/operators/replaced-credentials.ts';
import {
  PLATFORM_COLUMNS,
  MERCHANT_COLUMNS,
  WRAPPED_COLUMNS,
  type EncryptedColumn,
} from '../src/store/encryption/encrypted-columns.ts';
import { estimateReEncryption } from '../src/store/encryption/re-encryption.ts';
import { estimateRows } from '../src/store/database.ts';
import { actorNamed } from './approvals.ts';
import { nowOf } from './clocks.ts';
import { runCommandHere, startCommand } from './command-process.ts';
import {
  depositRequest,
  eventually,
  openTestGateway,
  readDeposit,
  TEST_KEYS,
  waitUntil,
  type TestGateway,
} from './gateway.ts';
import { startCompleted } from './payments.ts';
import { serverEnvironment } from './server-process.ts';
import { insertReviews, settleReview } from '../src/store/reviews/payment-reviews.ts';
import { numberedKeys } from '../src/store/rows.ts';
import { insertQuestion } from '../src/store/operators/operator-questions.ts';

const OLD = TEST_KEYS.encryptionKeys[0]!;
const NEW = { id: 2, key: Buffer.alloc(32, 9) };
const MTN = { connector: 'mtn-momo', account: 'MTN_MOMO_RWA' };
const PRODUCTS = ['collection', 'disbursement', 'remittance'];
const VALUES = { apiKey: 'x' };
/** On a busy machine a process takes its time to start. */
const PROCESS_MS = 120_000;
const ORDER = { by: 'Ana', onProgress: () => undefined };

let gateway: TestGateway;
let changed: Gateway;
let depositId: string;
let reportId: string;
beforeAll(async () => {
  gateway = await openTestGateway({ keys: { ...TEST_KEYS, encryptionKeys: [OLD, NEW] } });
  depositId = await startCompleted(gateway, 'deposit', depositRequest());
  await fillPlatform(gateway);
  changed = await openWith([NEW, OLD]);
});
afterAll(async () => {
  await changed.stop();
  await gateway.stop();
});

function openWith(encryptionKeys: readonly (typeof NEW)[]): Promise<Gateway> {
  const keys = { ...TEST_KEYS, encryptionKeys };
  return openGateway({ ...gateway.config, keys }, { role: 'all', logTo: 2 });
}

/** What no payment of the sandbox leaves behind. */
async function fillPlatform({ engine, merchantId }: TestGateway): Promise<void> {
  const { database, keyring } = engine.store;
  const now = nowOf(engine);
  const next = { no: 1, wrapped: keyring.createDataKey(merchantId, 1) };
  await insertNextDataKey(database, { merchantId, next, now });
  for (const product of PRODUCTS)
    await setCredentials(database, keyring, { ...MTN, product, values: VALUES, now });
  const replaced = { ...MTN, product: 'collection', accountId: 'replaced', values: VALUES, now };
  await keepReplacedCredentials(database, keyring, replaced);
  await keepOperatorToken(database, keyring, { account: 'a', token: 't', renewAt: now, expiresAt: now });
  const facts = { step: 'query', reference: null, httpStatus: 200, error: null, durationMs: 1 };
  await insertTraffic(database, keyring, [{ ...MTN, ...facts, at: now, request: 'asked', answer: 'told' }]);
  await insertQuestion(database, keyring, { reference: '0001', now });
  const phoneNumber = '250783456780';
  const why = { by: 'Ana', reason: 'stolen', expiresAt: null };
  const target = { scope: 'NUMBER', phoneNumber } as const;
  await freeze(engine, { ...why, target });
  await requestLift(engine, { ...why, target, actor: actorNamed('Ana'), secondApprover: 'REQUIRED' });
  const entries = [{ ...why, phoneNumber }];
  await listNumbers(engine, { by: 'Ana', merchantId: null, list: 'BLOCKED', entries });
  const [key] = await numberedKeys.select(database, 'from payments limit 1');
  const review = { ...key!, reasons: ['SCREENED'], begunAt: now, endsAt: null } as const;
  await insertReviews(database, [{ ...review, status: 'ASKING' }]);
  const settled = { ...review, before: 'ASKING', status: 'HELD', reason: 'stolen' } as const;
  await settleReview(database, keyring, settled);
  const file = { provider: 'MTN_MOMO_RWA', fileHash: Buffer.alloc(32), emptyPeriod: null, now };
  const report = await insertReport(database, file);
  reportId = report.reportId;
  const line = {
    occurredAt: now,
    direction: 'IN',
    status: 'COMPLETED',
    amount: 1n,
    currency: 'RWF',
  } as const;
  const kept = await keepLines(database, keyring, report, [{ lineNo: 1, line }]);
  const found = kept.map((one) => ({ ...one, finding: 'UNKNOWN', key: null }) as const);
  await markFindings(database, { provider: file.provider, found, now });
}

async function select(text: string): Promise<readonly Record<string, unknown>[]> {
  return (await changed.engine.store.database.query(text)).rows;
}

function settingOf({ id, key }: typeof NEW): string {
  return `${id}:${key.toString('base64')}`;
}

/** Data keys encrypt the rest: wrapping them again is enough. */
const RE_ENCRYPTED = [...WRAPPED_COLUMNS, ...PLATFORM_COLUMNS].map(nameOf);
const UNDER_DATA_KEYS = MERCHANT_COLUMNS.map(nameOf);

function nameOf({ table, column }: EncryptedColumn): string {
  return `${table}.${column}`;
}

const NOT_ENCRYPTED = ['payments.counted_in', 'split_payments.counted_in', 'cases.counted_in'];

const HASHES = [
  'api_tokens.secret_hash',
  'audit_chain.hash',
  'audit_chain_head.head_hash',
  'audit_log.reason_hash',
  'checkouts.code_hash',
  'invitations.token_hash',
  'operator_accounts.account_hash',
  'cases.line_hash',
  'operator_report_lines.line_hash',
  'operator_report_lines.of_hash',
  'posted_references.line_hash',
  'operator_report_lines.number_hash',
  'unmatched_payments.line_hash',
  'operator_reports.file_hash',
  'listed_numbers.number_hash',
  'payment_keys.fingerprint',
  'payment_pages.code_hash',
  'payment_search.value_hash',
  'payout_batch_rows.number_hash',
  'payout_batches.content_hash',
  'payer_prompts.number_hash',
  'people_devices.device_hash',
];
/** Shown to every payer. */
const PUBLIC = ['merchants.page_logo'];

test('every column that could be encrypted is re-encrypted, or is under data keys, or is a hash, or is public', async () => {
  const columns = await select(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea'`,
  );
  const known = [...RE_ENCRYPTED, ...UNDER_DATA_KEYS, ...HASHES, ...PUBLIC, ...NOT_ENCRYPTED];
  expect(columns.map(({ name }) => String(name)).toSorted()).toEqual(known.toSorted());
});

/** The encryption keys, or data keys by their number 0, that the values of each encrypted column name. */
async function keyIdsByColumn(): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = [...RE_ENCRYPTED, ...UNDER_DATA_KEYS].map(
    (name) => `select '${name}' as name, array_agg(distinct get_byte(${name}, 1)) as ids
      from ${name.split('.')[0]} where ${name} is not null`,
  );
  const rows = await select(found.join(' union all '));
  return new Map(rows.map(({ name, ids }) => [String(name), ids as readonly number[]]));
}

test('before, all of that is under the old key, and what is under data keys names none', async () => {
  const ids = await keyIdsByColumn();
  for (const name of RE_ENCRYPTED) expect([name, ids.get(name)]).toEqual([name, [1]]);
  for (const name of UNDER_DATA_KEYS) expect([name, [0]]).toEqual([name, ids.get(name) ?? [0]]);
});

test('a run that is killed is taken up by the next, which says that the old key can go', async () => {
  const settings = {
    ...serverEnvironment(gateway),
    DATABASE_URL: gateway.databaseUrl,
    MALIPO_ENCRYPTION_KEYS: [NEW, OLD].map(settingOf).join(','),
  };
  const holder = await gateway.engine.store.database.connect();
  await holder.query('begin');
  await holder.query(`select from operator_traffic for update`);
  const run = startCommand(settings, ['keys', 're-encrypt', '--by', 'Ana']);
  const held = 'operator_traffic.encrypted_exchange';
  const isAllElseNew = async () => {
    const ids = await keyIdsByColumn();
    return RE_ENCRYPTED.every((name) => name === held || (ids.get(name) ?? [2]).join() === '2');
  };
  try {
    // It has come to the row that somebody holds, which is in the last table. Tables between the two may be left.
    await waitUntil(isAllElseNew, { timeout: PROCESS_MS });
  } finally {
    await run.kill();
    await holder.query('rollback');
    holder.release();
  }
  expect((await keyIdsByColumn()).get('operator_traffic.encrypted_exchange')).toEqual([1]);
  const output = ['operator_traffic: 1', 're-encrypted: 1', 'encryption key 1 is no longer needed'].join(
    '\n',
  );
  expect(await runCommandHere(settings, ['keys', 're-encrypt', '--by', 'Ana'])).toEqual({
    code: 0,
    output,
    errors: '',
  });
  const [entry] = await readAuditLog(changed.engine, {
    merchantId: null,
    act: 'DATA_RE_ENCRYPTED',
    countMax: 1,
  });
  expect(entry).toMatchObject({ actor: 'Ana', subject: 'encryption key 2' });
});

test('the rows of every encrypted column can be estimated, of all merchants and of one', async () => {
  const { database } = gateway.engine.store;
  for (const of of [...PLATFORM_COLUMNS, ...WRAPPED_COLUMNS])
    expect(await estimateReEncryption(database, { of, merchantId: null }), of.table).toBeGreaterThanOrEqual(
      0,
    );
  const counts = MERCHANT_COLUMNS.map((of) =>
    estimateReEncryption(database, { of, merchantId: gateway.merchantId }),
  );
  expect(Math.max(...(await Promise.all(counts)))).toBeGreaterThan(0);
  expect(await estimateRows(database, 'select from payments', [])).toBeGreaterThan(0);
});

test('anyone who has the old key in front encrypts under it again, and is noticed', async () => {
  const { database, keyring } = gateway.engine.store;
  const encrypt = () =>
    setCredentials(database, keyring, { ...MTN, product: 'x', values: VALUES, now: new Date() });
  await encrypt();
  expect(await reEncrypt(changed.engine, { by: 'Ana', onProgress: encrypt })).toMatchObject({
    unused: [],
    inUse: [1],
  });
  expect(await reEncrypt(changed.engine, ORDER)).toMatchObject({ unused: [1], inUse: [] });
});

test('payments go on meanwhile, and afterwards the old key can go', async () => {
  const paid = Promise.all(
    Array.from({ length: 5 }, () => startCompleted(gateway, 'deposit', depositRequest())),
  );
  await Promise.all([reEncrypt(changed.engine, ORDER), paid]);
  // The process that still has the old key in front has encrypted under it. Now it has nothing more to do.
  await eventually(() => reEncrypt(changed.engine, ORDER)).toEqual({
    reEncrypted: 0,
    unused: [1],
    inUse: [],
    moving: [],
  });

  const without = await openWith([NEW]);
  try {
    const { url } = await without.start();
    const there = { ...gateway, url };
    expect(await readDeposit(there, depositId)).toMatchObject({
      payer: { accountDetails: { phoneNumber: '250783456789' } },
    });
    const { database, keyring } = without.engine.store;
    expect(await readDataKeys(without.engine.store, gateway.merchantId)).toMatchObject({ other: { no: 1 } });
    for (const product of PRODUCTS)
      expect(await findCredentials(database, keyring, { ...MTN, product })).toEqual(VALUES);
    const kept = await listKeptCredentials(database, keyring, [MTN.connector]);
    expect(kept.filter(({ accountId }) => accountId !== null)).toMatchObject([{ values: VALUES }]);
    expect(await findOperatorToken(database, keyring, 'a')).toMatchObject({ token: 't' });
    const [traffic] = await listTraffic(database, keyring, { reference: null, countMax: 1 });
    expect(traffic).toMatchObject({ request: 'asked', answer: 'told' });
    for (const { id } of await select('select notification_id as id from operator_notifications'))
      expect(await findNotification(database, keyring, String(id))).not.toBeNull();
    const all = { reportId, findings: ['UNKNOWN'], countMax: 1 } as const;
    expect(await listLines(database, keyring, all)).toMatchObject([{ text: expect.stringContaining('RWF') }]);
    expect(await without.engine.signingKeys.current()).toBeDefined();
    // Last: the process that has the old key in front may take a step of it, and encrypts what it is told under it.
    await startCompleted(there, 'deposit', depositRequest());
  } finally {
    await without.stop();
  }
});
