// An act and its entry in the audit log are one transaction: when the entry cannot be written, nothing has happened.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  changeAvailability,
  changeFee,
  changeOperations,
  createMerchant,
  createToken,
  setCallbackUrl,
  switchProviders,
  withdrawToken,
} from '../src/core/merchants/administer-merchants.ts';
import {
  addPublicKey,
  removePublicKey,
  requireSignatures,
  rotateSigningKey,
  withdrawSigningKey,
} from '../src/core/merchants/administer-keys.ts';
import { askedByCommand } from '../src/core/approvals/request.ts';
import { resumeMerchant, suspendMerchant } from '../src/core/merchants/suspension.ts';
import { changePageBrand } from '../src/core/merchants/page-brand.ts';
import { changeRegionalSettings } from '../src/core/merchants/regional-settings.ts';
import { changeContact, enableCallbacks, replay } from '../src/core/merchants/administer-callbacks.ts';
import {
  changeCredentials,
  removeCredentials,
  retireAccount,
} from '../src/core/operators/administer-operators.ts';
import { findPlatformApproval } from '../src/store/approvals/approvals.ts';
import { listReplacedAccounts } from '../src/store/operators/replaced-credentials.ts';
import { adjustWallet, settleWallet, topUpWallets } from '../src/core/ledger/administer-wallets.ts';
import { changeWalletAlert } from '../src/core/ledger/set-wallet-alert.ts';
import { endPayment } from '../src/core/payments/act/end-payment.ts';
import { erasePerson } from '../src/core/encryption/erase-person.ts';
import type { CellAnswer } from '../src/core/cells/in-every-cell.ts';
import { startCloses } from '../src/core/daily-close/accounts.ts';
import { exportClose } from '../src/core/daily-close/export-close.ts';
import { requestFirstDay } from '../src/core/daily-close/first-day.ts';
import { requestReopening } from '../src/core/daily-close/reopen-day.ts';
import { setMapping } from '../src/core/daily-close/report-mappings.ts';
import { importBankFile } from '../src/core/daily-close/import-bank.ts';
import { requestClose } from '../src/core/daily-close/sign-close.ts';
import { freeze, requestLift } from '../src/core/limits/freeze.ts';
import { exportNumbers, listNumbers, unlistNumbers } from '../src/core/limits/listed-numbers.ts';
import { changeLimit, type LimitOrder } from '../src/core/limits/set-limits.ts';
import { changeReviewRule, type ReviewRuleOrder } from '../src/core/limits/set-review-rules.ts';
import type { LimitMaxima } from '../src/domain/limits/limit.ts';
import { grantRightsTo } from '../src/core/merchants/grant-rights.ts';
import { importReport } from '../src/core/reconciliation/import-report.ts';
import type { Engine } from '../src/core/engine.ts';
import { requestMoney } from '../src/core/ledger/request-money-movement.ts';
import { orderFloat } from '../src/core/ledger/move-float.ts';
import { requestBankAccount } from '../src/core/settlements/bank-accounts.ts';
import { requestSettlementDecision } from '../src/core/settlements/decide-settlement.ts';
import { requestSettlement } from '../src/core/settlements/request-settlement.ts';
import { beginRecovery, endRecovery } from '../src/core/recovery/recover.ts';
import { destroyDataKey, replaceDataKey, REST_MS } from '../src/core/encryption/replace-data-key.ts';
import { rehash } from '../src/core/encryption/rehash.ts';
import { reEncrypt } from '../src/core/encryption/re-encrypt.ts';
import { LEAD_MIN_MS } from '../src/core/access/signing-keys.ts';
import { dismissNotification } from '../src/core/payments/notifications/unmatched-notifications.ts';
import { insertNotifications } from '../src/store/payments/notifications/notifications.ts';
import { markUnmatched } from '../src/store/payments/notifications/unmatched-notifications.ts';
import { listWallets } from '../src/store/ledger/ledger.ts';
import { nowOf } from './clocks.ts';
import { runCommandHere } from './command-process.ts';
import { actorNamed, approvalOfCase, decideAs, requestAs } from './approvals.ts';
import { depositRequest, openTestGateway, select, waitUntil, type TestGateway } from './gateway.ts';
import { start, waitForPayment } from './payments.ts';
import { wallet } from './requests.ts';
import { serverEnvironment } from './server-process.ts';
import { createKey } from './signing.ts';

const CLOSED = { provider: 'MTN_MOMO_RWA', currency: 'RWF' } as const;
const MAPPING = {
  columns: { time: 'Date', amount: 'Amount' },
  timeForm: 'DAY_FIRST',
  decimalMark: 'POINT',
  words: [],
} as const;
const CLOSED_DAYS = { firstDay: '2026-01-02', timeZone: null, dueHours: 36 } as const;

let gateway: TestGateway;
let caseId: string;
let unclearId: string;
beforeAll(async () => {
  gateway = await openTestGateway({ simulator: { outcomeDelayMs: 100 }, bankCoolingOffMs: 0 });
  gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
  const request = depositRequest({ payer: wallet('MTN_MOMO_RWA', '250783456039') });
  await waitForPayment(gateway, 'deposit', await start(gateway, 'deposit', request), 'FAILED');
  const openCases = () => select(gateway, 'select case_id from cases');
  await waitUntil(async () => (await openCases()).length === 1);
  caseId = (await openCases())[0]!['case_id'];
  gateway.simulator.addFault({ type: 'WRONG_AMOUNT', amount: '90' });
  unclearId = await start(gateway, 'deposit', depositRequest());
  await waitForPayment(gateway, 'deposit', unclearId, 'IN_RECONCILIATION');
  await select(gateway, `update callback_endpoints set disabled_at = created_at where kind = 'PAYOUT'`);
});
afterAll(() => gateway.stop());

type Act = (engine: Engine, by: string, merchantId: string) => Promise<unknown>;

const PLACE = { country: 'RWA', currency: 'RWF', amount: 10_000n };
const PROVIDERS = { providers: ['MTN_MOMO_RWA'], operations: ['PAYOUT'] } as const;

const MTN = { connector: 'mtn-momo', account: 'MTN_MOMO_RWA', product: 'collection' };

const KEY = createKey('till', 'ecdsa-p256-sha256');

const ENDED = { unasked: true } as const;

const moneyOf = (by: string, merchantId: string) =>
  ({
    actor: actorNamed(by),
    merchantId,
    ...PLACE,
    type: 'TOP_UP',
    walletProvider: '',
    reference: null,
    reason: 'why',
  }) as const;

async function requested(engine: Engine, by: string, merchantId: string): Promise<string> {
  const answer = await requestMoney(engine, moneyOf(by, merchantId));
  return answer.type === 'REQUESTED' ? answer.approvalId : answer.type;
}

function settlementOf(by: string, merchantId: string) {
  const place = { country: 'RWA', currency: 'RWF', provider: '' };
  return { by, merchantId, requestId: randomUUID(), ...place, amount: 10_000n };
}

/** The one settlement that waits for its decision. */
async function openSettlement(engine: Engine): Promise<string> {
  const text = `select settlement_id as id from settlements where status = 'REQUESTED'`;
  const { rows } = await engine.store.database.query<{ id: string }>(text);
  return rows[0]?.id ?? '';
}

/** The pending request about a subject. */
async function approvalOf(engine: Engine, kind: string, subject: string): Promise<string> {
  const text = `select approval_id as id from approvals where kind = $1 and subject = $2 and status = 'PENDING'`;
  const { rows } = await engine.store.database.query<{ id: string }>(text, [kind, subject]);
  return rows[0]?.id ?? '';
}

const LIMIT_MAXIMA: LimitMaxima = { countMax: 5, amountMax: null };

const RULE = { withoutAnswer: 'HOLD', amountAbove: null, hours: null } as const;

function ruleOrder(by: string, merchantId: string, values: ReviewRuleOrder['values']): ReviewRuleOrder {
  const key = { rule: 'SCREENING', subject: 'PAYOUT' } as const;
  return { merchantId, key, values, actor: actorNamed(by), secondApprover: 'OPTIONAL' };
}

function limitOrder(by: string, merchantId: string, maxima: LimitMaxima | null): LimitOrder {
  const what = { setBy: 'PLATFORM', kind: 'PAYOUT', scope: 'MERCHANT', subject: '' } as const;
  const key = { ...what, period: 'DAY', currency: '' } as const;
  return { actor: actorNamed(by), secondApprover: 'OPTIONAL', merchantId, key, maxima };
}

const ALL = { scope: 'ALL' } as const;
const LISTED = '250783456780';
const listOf = (by: string, merchantId: string) => ({ by, merchantId, list: 'BLOCKED' }) as const;

function confirmed(answers: readonly CellAnswer<unknown>[]): void {
  for (const answer of answers) if (answer.type === 'NOT_CONFIRMED') throw answer.error;
}

/** Everything that is done manually, in an order in which each changes something. */
const ACTS: readonly (readonly [act: string, doIt: Act])[] = [
  [
    'MERCHANT_CREATED',
    (engine, by) =>
      createMerchant(engine, { by, companyName: 'Duka', operations: ['DEPOSIT'], walletPerProvider: false }),
  ],
  [
    'MERCHANT_SUSPENDED',
    (engine, by, merchantId) => suspendMerchant(engine, { actor: actorNamed(by), merchantId }),
  ],
  [
    'MERCHANT_RESUMED',
    (engine, by, merchantId) => resumeMerchant(engine, { ...askedByCommand(engine, by), merchantId }),
  ],
  [
    'OPERATIONS_SET',
    (engine, by, merchantId) => changeOperations(engine, { by, merchantId, operations: ['PAYOUT'] }),
  ],
  [
    'PROVIDERS_DEACTIVATED',
    (engine, by, merchantId) => switchProviders(engine, { by, merchantId, ...PROVIDERS, to: 'OFF' }),
  ],
  [
    'PROVIDERS_ACTIVATED',
    (engine, by, merchantId) => switchProviders(engine, { by, merchantId, ...PROVIDERS, to: 'ON' }),
  ],
  [
    'WALLET_ALERT_SET',
    (engine, by, merchantId) => {
      const key = { country: 'RWA', currency: 'RWF', provider: '' };
      return changeWalletAlert(engine, { by, merchantId, ...key, below: 10_000n });
    },
  ],
  [
    'CALLBACKS_ENABLED',
    (engine, by, merchantId) => enableCallbacks(engine, { by, merchantId, kinds: ['PAYOUT'] }),
  ],
  [
    'CALLBACK_URL_SET',
    (engine, by, merchantId) => setCallbackUrl(engine, { by, merchantId, url: 'https://shop.example' }),
  ],
  [
    'CALLBACKS_REPLAYED',
    (engine, by, merchantId) => {
      const span = { from: new Date(0), to: new Date('2100-01-01T00:00:00Z') };
      return replay(engine, { by, merchantId, ...span, kinds: ['DEPOSIT'], statuses: ['DELIVERED'] });
    },
  ],
  [
    'CONTACT_SET',
    (engine, by, merchantId) => changeContact(engine, { by, merchantId, email: 'ana@shop.example' }),
  ],
  [
    'FEE_SET',
    (engine, by, merchantId) => {
      const place = { provider: 'MTN_MOMO_RWA', operation: 'PAYOUT', currency: 'RWF' } as const;
      return changeFee(engine, { by, merchantId, ...place, fee: { basisPoints: 1, fixed: 0n } });
    },
  ],
  ['LIMIT_SET', (engine, by, merchantId) => changeLimit(engine, limitOrder(by, merchantId, LIMIT_MAXIMA))],
  ['LIMIT_REMOVED', (engine, by, merchantId) => changeLimit(engine, limitOrder(by, merchantId, null))],
  [
    'FROZEN',
    async (engine, by) =>
      confirmed(await freeze(engine, { by, target: ALL, reason: 'why', expiresAt: null })),
  ],
  [
    'FREEZE_LIFTED',
    async (engine, by) => {
      const actor = actorNamed(by);
      const order = { target: ALL, reason: 'over', actor, secondApprover: 'OPTIONAL' } as const;
      return confirmed((await requestLift(engine, order)).cells);
    },
  ],
  [
    'NUMBERS_LISTED',
    (engine, by, merchantId) =>
      listNumbers(engine, {
        ...listOf(by, merchantId),
        entries: [{ phoneNumber: LISTED, reason: 'why', expiresAt: null }],
      }),
  ],
  [
    'NUMBERS_EXPORTED',
    async (engine, by, merchantId) => {
      for await (const page of exportNumbers(engine, listOf(by, merchantId))) expect(page).toHaveLength(1);
    },
  ],
  [
    'NUMBERS_UNLISTED',
    (engine, by, merchantId) => unlistNumbers(engine, { ...listOf(by, merchantId), phoneNumbers: [LISTED] }),
  ],
  ['REVIEW_RULE_SET', (engine, by, merchantId) => changeReviewRule(engine, ruleOrder(by, merchantId, RULE))],
  [
    'REVIEW_RULE_REMOVED',
    (engine, by, merchantId) => changeReviewRule(engine, ruleOrder(by, merchantId, null)),
  ],
  [
    'TOKEN_CREATED',
    (engine, by, merchantId) =>
      createToken(engine, { by, merchantId, name: 'till', scopes: [], expiresAt: null }),
  ],
  [
    'TOKEN_REVOKED',
    async (engine, by) => {
      const [token] = await select(gateway, 'select token_id from api_tokens where revoked_at is null');
      return withdrawToken(engine, { by, tokenId: token!['token_id'] });
    },
  ],
  [
    'AVAILABILITY_SET',
    (engine, by) =>
      changeAvailability(engine, { by, provider: 'MTN_MOMO_RWA', operation: 'PAYOUT', status: 'CLOSED' }),
  ],
  [
    'PUBLIC_KEY_ADDED',
    (engine, by, merchantId) => {
      const { name, pem } = KEY;
      return addPublicKey(engine, { by, merchantId, name, algorithm: 'ecdsa-p256-sha256', pem });
    },
  ],
  [
    'PUBLIC_KEY_REMOVED',
    (engine, by, merchantId) => removePublicKey(engine, { by, merchantId, name: KEY.name }),
  ],
  [
    'SIGNATURES_SET',
    (engine, by, merchantId) =>
      requireSignatures(engine, { by, merchantId, covers: 'PAYMENTS', isRequired: true }),
  ],
  [
    'PAGE_BRAND_SET',
    (engine, by, merchantId) => changePageBrand(engine, { by, merchantId, colour: '#8a1538' }),
  ],
  [
    'REGIONAL_SETTINGS_SET',
    (engine, by, merchantId) => changeRegionalSettings(engine, { by, merchantId, timeZone: 'Africa/Kigali' }),
  ],
  ['SIGNING_KEY_ADDED', (engine, by) => rotateSigningKey(engine, { by, leadMs: 3_600_000 })],
  [
    'SIGNING_KEY_RETIRED',
    async (engine, by) => withdrawSigningKey(engine, { by, keyId: 'HTTP_EC_P256_KEY:2' }),
  ],
  [
    'OPERATOR_CREDENTIALS_SET',
    (engine, by) => changeCredentials(engine, { by, ...MTN, values: { apiKey: 'x' } }),
  ],
  ['OPERATOR_CREDENTIALS_REMOVED', (engine, by) => removeCredentials(engine, { by, ...MTN })],
  [
    'OPERATOR_ACCOUNT_RETIRED',
    async (engine, by) => {
      const { database } = engine.store;
      await database.query(`update replaced_credentials set replaced_at = '2026-01-01T00:00:00Z'`);
      const [replaced] = await listReplacedAccounts(database);
      return retireAccount(engine, { by, connector: 'mtn-momo', accountId: replaced?.accountId ?? '' });
    },
  ],
  ['WALLET_TOPPED_UP', (engine, by, merchantId) => topUpWallets(engine, [{ by, merchantId, ...PLACE }])],
  ['WALLET_SETTLED', (engine, by, merchantId) => settleWallet(engine, { by, merchantId, ...PLACE })],
  [
    'WALLET_ADJUSTED',
    (engine, by, merchantId) => adjustWallet(engine, { by, merchantId, ...PLACE, reason: 'why' }),
  ],
  [
    'BANK_ACCOUNT_SET',
    async (engine, by, merchantId) => {
      const account = { bank: 'Bank of Kigali', holder: 'Duka', number: '00040123456' };
      const order = { actor: actorNamed('Ana'), merchantId, currency: 'RWF', account };
      await requestBankAccount(engine, order);
      return decideAs(engine, by, await approvalOf(engine, 'BANK_ACCOUNT', 'RWF'));
    },
  ],
  [
    'SETTLEMENT_REQUESTED',
    (engine, by, merchantId) => requestSettlement(engine, settlementOf(by, merchantId)),
  ],
  [
    'SETTLEMENT_REJECTED',
    async (engine, by, merchantId) => {
      const decision = { decision: 'REJECTED', reason: 'wrong account' } as const;
      const settlementId = await openSettlement(engine);
      await requestSettlementDecision(engine, { actor: actorNamed('Ana'), settlementId, ...decision });
      await decideAs(engine, by, await approvalOf(engine, 'SETTLEMENT', settlementId));
      // For the act after this one.
      await requestSettlement(engine, settlementOf(by, merchantId));
    },
  ],
  [
    'SETTLEMENT_PAID',
    async (engine, by) => {
      const decision = { decision: 'PAID', reference: 'FT-AUDIT' } as const;
      const settlementId = await openSettlement(engine);
      await requestSettlementDecision(engine, { actor: actorNamed('Ana'), settlementId, ...decision });
      return decideAs(engine, by, await approvalOf(engine, 'SETTLEMENT', settlementId));
    },
  ],
  [
    'FLOAT_MOVED',
    (engine, by) => {
      const place = { provider: 'MTN_MOMO_RWA', country: 'RWA', currency: 'RWF' };
      const movement = { type: 'FLOAT_TOP_UP', ...place, amount: 10_000n, reference: `T-${by}` } as const;
      return orderFloat(engine, { actor: { personId: null, by }, secondApprover: 'OPTIONAL', movement });
    },
  ],
  ['APPROVAL_REQUESTED', (engine, by, merchantId) => requested(engine, by, merchantId)],
  [
    'APPROVAL_WITHDRAWN',
    async (engine, by, merchantId) =>
      decideAs(engine, by, await requested(engine, by, merchantId), 'withdraw'),
  ],
  [
    'APPROVAL_REJECTED',
    async (engine, by, merchantId) =>
      decideAs(engine, by, await requested(engine, 'Ana', merchantId), 'reject'),
  ],
  [
    'APPROVAL_GIVEN',
    async (engine, by, merchantId) => decideAs(engine, by, await requested(engine, 'Ana', merchantId)),
  ],
  [
    'PERSONAL_DATA_ERASED',
    (engine, by, merchantId) =>
      erasePerson(engine, { by, merchantId, phoneNumber: '250783456039', reason: 'why' }),
  ],
  [
    'REPORT_IMPORTED',
    (engine, by) => {
      // What a day needs to be signed.
      const period = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-01-03T00:00:00Z') };
      const file = { provider: 'MTN_MOMO_RWA', fileHash: Buffer.alloc(32), period };
      const secondApprover = 'OPTIONAL';
      return importReport(engine, {
        by,
        secondApprover,
        ...file,
        batches: () => Readable.from([]),
        onError: () => {},
      });
    },
  ],
  [
    'DAILY_CLOSE_STARTED',
    (engine, by) => startCloses(engine, { by, ...CLOSED, ...CLOSED_DAYS, firstDay: '2026-01-01' }),
  ],
  [
    'BANK_FILE_IMPORTED',
    (engine, by) => importBankFile(engine, { by, ...CLOSED, fileHash: by, lines: [], faultCount: 0 }),
  ],
  [
    'REPORT_MAPPING_SET',
    (engine, by) => setMapping(engine, { by, ...CLOSED, source: 'BANK', mapping: MAPPING }),
  ],
  [
    'DAILY_CLOSE_FIRST_DAY_SET',
    async (engine, by) => {
      const { firstDay } = CLOSED_DAYS;
      const asked = await requestFirstDay(engine, { ...CLOSED, firstDay, actor: actorNamed('Ana') });
      const subject = `${CLOSED.provider}/${CLOSED.currency}`;
      const found = await findPlatformApproval(engine.store.database, { kind: 'FIRST_DAY', subject });
      return decideAs(engine, by, asked.type === 'REQUESTED' ? asked.approvalId : found!.approvalId);
    },
  ],
  [
    'DAY_CLOSED',
    async (engine, by) => {
      const day = { ...CLOSED, day: CLOSED_DAYS.firstDay };
      const asked = { ...day, actor: actorNamed('Ana'), note: null, contentHash: null };
      const answer = await requestClose(engine, asked);
      const subject = `${CLOSED.provider}/${CLOSED.currency}/${day.day}`;
      const found = await findPlatformApproval(engine.store.database, { kind: 'DAY_CLOSE', subject });
      return decideAs(engine, by, answer.type === 'REQUESTED' ? answer.approvalId : found!.approvalId);
    },
  ],
  [
    'DAY_REOPENED',
    async (engine, by) => {
      const day = { ...CLOSED, day: CLOSED_DAYS.firstDay };
      const asked = await requestReopening(engine, { ...day, actor: actorNamed('Ana'), reason: 'why' });
      const subject = `${CLOSED.provider}/${CLOSED.currency}/${day.day}`;
      const found = await findPlatformApproval(engine.store.database, { kind: 'DAY_REOPEN', subject });
      return decideAs(engine, by, asked.type === 'REQUESTED' ? asked.approvalId : found!.approvalId);
    },
  ],
  [
    'DAY_CLOSE_EXPORTED',
    (engine, by) => exportClose(engine, { by, ...CLOSED, day: CLOSED_DAYS.firstDay, write: () => undefined }),
  ],
  [
    'PAYMENT_ENDED',
    (engine, by, merchantId) => {
      const key = { merchantId, kind: 'DEPOSIT', paymentId: unclearId } as const;
      const outcome = { type: 'COMPLETED', providerTransactionId: 'T-1' } as const;
      const ordered = { actor: { personId: null, by }, secondApprover: 'OPTIONAL' } as const;
      return endPayment(engine, { ...ordered, key, outcome, reason: 'why' });
    },
  ],
  [
    'CASE_RESOLVED',
    async (engine, by, merchantId) => {
      await requestAs(engine, 'Ana', { caseId, resolution: 'CREDIT_MERCHANT' });
      return decideAs(engine, by, await approvalOfCase(engine, { caseId, merchantId }));
    },
  ],
  [
    'NOTIFICATION_DISMISSED',
    async (engine, by) => {
      const [notificationId, receivedAt] = [randomUUID(), nowOf(engine)];
      const { database, keyring } = engine.store;
      const message = { notificationId, receivedAt, connector: 'simulator', message: '{}', reference: null };
      await insertNotifications(database, keyring, [{ ...message, reading: 'AUTHENTIC' }]);
      await markUnmatched(database, [message], receivedAt);
      return dismissNotification(engine, { by, notificationId });
    },
  ],
  // A role that every PostgreSQL has; what it may do is of this database alone.
  [
    'RIGHTS_GRANTED',
    (engine, by) => grantRightsTo(engine, { by, role: 'pg_read_all_settings', holder: 'api' }),
  ],
  ['DATA_RE_ENCRYPTED', (engine, by) => reEncrypt(engine, { by, onProgress: () => undefined })],
  ['DATA_REHASHED', (engine, by) => rehash(engine, { by, onProgress: () => undefined })],
  [
    'DATA_KEY_REPLACED',
    async (engine, by, merchantId) => {
      const run = replaceDataKey(engine, { by, merchantId, onProgress: () => undefined });
      // It waits twice, until every process must have read the keys.
      const isOver = () => Promise.race([run.then(() => true).catch(() => true), setTimeout(300, false)]);
      while (!(await isOver())) await gateway.gateway.movableClock!.move(LEAD_MIN_MS);
      return run;
    },
  ],
  [
    'DATA_KEY_DESTROYED',
    async (engine, by, merchantId) => {
      await gateway.gateway.movableClock!.move(REST_MS);
      return destroyDataKey(engine, { by, merchantId, onProgress: () => undefined });
    },
  ],
  ['RECOVERY_BEGUN', (engine, by) => beginRecovery(engine, { by, lostFrom: new Date(0) })],
  [
    'RECOVERY_ENDED_AT_PROVIDER',
    (engine, by) => endRecovery(engine, { ...ENDED, by, provider: 'MTN_MOMO_RWA' }),
  ],
  ['RECOVERY_ENDED', (engine, by) => endRecovery(engine, { ...ENDED, by, provider: null })],
];

const TABLES = [
  'report_mappings',
  'close_accounts',
  'bank_files',
  'day_closes',
  'merchants',
  'merchant_providers',
  'api_tokens',
  'callback_endpoints',
  'fees',
  'provider_availability',
  'merchant_public_keys',
  'limits',
  'freezes',
  'listed_numbers',
  'review_rules',
  'sensitive_changes',
  'service_signing_keys',
  'operator_credentials',
  'operator_reports',
  'accounts',
  'wallets',
  'transfers',
  'bank_accounts',
  'settlements',
];

/** What is only requested stays. */
const COUNTED: Readonly<Record<string, string>> = {
  day_closes: `where status in ('CLOSED', 'REOPENED')`,
  bank_accounts: `where status = 'CURRENT'`,
};

/** The rows of every table an act may change. */
async function everything(): Promise<readonly string[]> {
  const rows = TABLES.map(
    (table) => `select '${table}' as of, ${table}::text as row from ${table} ${COUNTED[table] ?? ''}`,
  );
  const all = await select(gateway, rows.join(' union all '));
  return all.map(({ of, row }) => `${of} ${row}`).toSorted();
}

describe.each(ACTS)('%s', (act, doIt) => {
  test('an action happens with its entry in the audit log, or not at all', async () => {
    const { engine, merchantId } = gateway;
    const entries = () =>
      select(gateway, 'select actor from audit_log where act = $1 order by entry_no', [act]);
    const before = { rows: await everything(), entries: await entries() };
    // No one's name: the entry is refused.
    await expect(doIt(engine, ' ', merchantId)).rejects.toThrow('_is_named');
    expect({ rows: await everything(), entries: await entries() }).toEqual(before);
    await doIt(engine, 'Ben', merchantId);
    expect(await entries()).toEqual([...before.entries, { actor: 'Ben' }]);
  });
});

/** Acts of people who are signed in: tests of the console do them, each with its entry. */
const DONE_IN_THE_CONSOLE = new RegExp(
  '^(PAYOUTS?|APPROVAL_CONFIRMED|PERSON_|PERSONAL_DATA_SHOWN|PHONE|ROLE|MEMBER|INVITATION|SIGNED_IN|PASSWORD' +
    '|BREAK_GLASS_SIGNED_IN|TWO_FACTOR|SIGN_IN|NEW_DEVICE|CANCELLATION|REFUND' +
    '|REVIEW_DECIDED|STATEMENT_(ASKED|FETCHED)|CALLBACK_(TESTED|ASKED)|PAYMENTS_EXPORTED|PAYMENT_LINK)',
);

test('every act of the log is tried here, except those that only look and those of the console', () => {
  const source = readFileSync(new URL('../src/store/audit.ts', import.meta.url), 'utf8');
  const acts = [...source.matchAll(/^ {2}\| '(\w+)'/gm)].map(([, act = '']) => act);
  // A move and the end of a cell take two cells; moving.long.test.ts and cells/ending.test.ts have them.
  // core/stopped-claims.test.ts has payments to cancel, connectors/certify.test.ts an account to certify,
  // wrong-files.test.ts reports that are refused, wrong-clock.test.ts a time that went ahead.
  const elsewhere = [
    'MERCHANT_MOVED',
    'MERCHANT_MOVE_ABORTED',
    'CELL_BALANCES_LEFT',
    'CELL_BALANCES_ARRIVED',
    'PAYMENT_CANCELLED',
    'OPERATOR_CERTIFICATION_STARTED',
    'REPORT_REFUSED',
    'REPORT_READING_ACCEPTED',
    'FILE_VOIDED',
    'LOST_PAYMENT_DECIDED',
    'TIME_SET_BACK',
  ];
  const tried = acts.filter(
    (act) => !act.endsWith('_READ') && !elsewhere.includes(act) && !DONE_IN_THE_CONSOLE.test(act),
  );
  expect(tried.toSorted()).toEqual(ACTS.map(([act]) => act).toSorted());
});

test('every detail of these entries has a label in both languages of the dashboard', async () => {
  const sources = ['detail-words.ts', 'field-words.ts'].map((file) =>
    readFileSync(new URL(`../../dashboard/src/parts/${file}`, import.meta.url), 'utf8'),
  );
  const isLabelled = (name: string) =>
    sources.some((text) => text.match(new RegExp(`^ +${name}: '`, 'gm'))?.length === 2);
  const found = await select(gateway, 'select distinct jsonb_object_keys(detail) as name from audit_log');
  const names = found.map(({ name }) => name);
  expect(names).toContain('scopes');
  expect(names.filter((name) => !isLabelled(name))).toEqual([]);
  expect(isLabelled('noSuchDetail')).toBe(false);
});

test('settlements at once take what is there and no more; the others are told, and nothing fails', async () => {
  const { engine } = gateway;
  const order = { by: 'Ana', companyName: 'Duka', operations: ['PAYOUT'], walletPerProvider: false } as const;
  const merchantId = await createMerchant(engine, order);
  const of = (amount: bigint) => ({ by: 'Ana', merchantId, country: 'RWA', currency: 'RWF', amount });
  await topUpWallets(engine, [of(100n)]);
  const answers = await Promise.all(Array.from({ length: 12 }, () => settleWallet(engine, of(30n))));
  expect(answers.filter(({ type }) => type === 'DONE')).toHaveLength(3);
  expect(answers.filter(({ type }) => type === 'SHORT')).toHaveLength(9);
  expect(answers).toContainEqual({ type: 'SHORT', available: 10n });
  const [rwandan] = await listWallets(engine.store.database, merchantId);
  expect(rwandan!.posted).toBe(10n);
});

const run = (...words: string[]) => runCommandHere(serverEnvironment(gateway), ['audit', ...words]);

test('commands verify and export the chain of all this, also after everything was encrypted again', async () => {
  await waitUntil(async () => (await select(gateway, 'select 1 from audit_unchained')).length === 0);
  const { output: text } = await run('export');
  const lines = text.split('\n').map((line) => JSON.parse(line));
  expect(lines.length).toBeGreaterThan(ACTS.length);
  const head = `${lines.at(-1).no}:${lines.at(-1).hash}`;
  expect(await run('verify', '--head', head)).toMatchObject({
    code: 0,
    output: `head\t${head}\nnot yet chained\t0\t-\ncopied with merchants\t0`,
  });
  expect(await run('export', '--after', head)).toMatchObject({ code: 0, output: '' });
  const other = `${lines.length}:${'0'.repeat(64)}`;
  expect(await run('verify', '--head', other)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`OTHER_CHAIN\t${lines.length}\t-`),
  });
  expect(await run('export', '--after', other)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('another hash'),
  });
  expect(await run('export', '--after', 'x')).toMatchObject({
    code: 1,
    errors: expect.stringContaining('--after'),
  });
});
