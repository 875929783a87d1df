// Everything a host does manually, by running the commands: what each does, what it says, and what is recorded.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminCommands } from '../src/commands/administer.ts';
import { createMerchant } from '../src/core/merchants/administer-merchants.ts';
import { readAuditLog } from '../src/core/audit.ts';
import { topUpWallets } from '../src/core/ledger/administer-wallets.ts';
import { requestBankAccount } from '../src/core/settlements/bank-accounts.ts';
import { requestSettlement } from '../src/core/settlements/request-settlement.ts';
import { renderAmount } from '../src/domain/money.ts';
import { OPERATIONS } from '../src/domain/payments/payment.ts';
import type { AuditEntry } from '../src/store/audit.ts';
import { listWallets } from '../src/store/ledger/ledger.ts';
import { actorNamed, decideAs } from './approvals.ts';
import { runCommand, runCommandHere, type CommandResult } from './command-process.ts';
import { createTestDatabase } from './database.ts';
import { openAccount, type Account } from './edge/accounts.ts';
import { told } from './edge/answers.ts';
import { call, depositRequest, eventually, openTestGateway, select, type TestGateway } from './gateway.ts';
import { start, waitForPayment } from './payments.ts';
import { payoutRequest, wallet } from './requests.ts';
import { serverEnvironment } from './server-process.ts';
import { createKey, draftRequest, send, signDraft } from './signing.ts';

let gateway: TestGateway;
/** A merchant of the host's own making, with a token. */
let merchantId: string;
let account: { readonly url: string; readonly apiToken: string };

beforeAll(async () => {
  gateway = await openTestGateway({
    simulator: { outcomeDelayMs: 100 },
    timing: { enquiryDelaysMs: [3_600_000] },
    bankCoolingOffMs: 0,
  });
  merchantId = (await run('merchant', 'create', '--name', 'Duka', '--by', 'Ana')).output;
  const { output: apiToken } = await run(...ofMerchant('token create'), '--name', 'till', '--by', 'Ana');
  account = { url: gateway.url, apiToken };
});
afterAll(() => gateway.stop());

function run(...args: readonly string[]): Promise<CommandResult> {
  return runCommandHere(serverEnvironment(gateway), args);
}

function ofMerchant(command: string): readonly string[] {
  return [...command.split(' '), '--merchant', merchantId];
}

const runAlone = (...args: readonly string[]) => runCommand(serverEnvironment(gateway), args);

/** Runs a command that must succeed. Answers what it said. */
async function did(...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await run(...args);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return output;
}

/** Runs a command that must be refused. Answers the first line of what it said. */
async function refused(...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await run(...args);
  expect({ code, output }).toEqual({ code: 1, output: '' });
  return errors.split('\n')[0]!;
}

async function latestEntry(of: string | null = merchantId): Promise<Omit<AuditEntry, 'at' | 'merchantId'>> {
  const [entry] = await readAuditLog(gateway.engine, { merchantId: of, countMax: 1 });
  const { actor, act, subject, detail, reason } = entry!;
  return { actor, act, subject, detail, ...(reason === undefined ? {} : { reason }) };
}

const entryCount = async () => (await select(gateway, 'select 1 from audit_log')).length;
const deposit = () => call(account, 'POST', '/v2/deposits', depositRequest());

describe('merchants', () => {
  test('one is created with every provider active, and it is recorded', async () => {
    const id = await did('merchant', 'create', '--name', 'Soko', '--wallet-per-provider', '--by', 'Ana');
    expect(await latestEntry(id)).toEqual({
      actor: 'Ana',
      act: 'MERCHANT_CREATED',
      subject: id,
      detail: {
        operations: ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE', 'SPLIT_PAYMENT'],
        walletPerProvider: true,
        providers: 'all',
      },
    });
    const merchant = await gateway.engine.directory.merchant(id);
    expect(merchant).toMatchObject({ companyName: 'Soko', walletPerProvider: true, isSuspended: false });
    expect(merchant!.activeProviders).toContain('MTN_MOMO_RWA PAYOUT');
  });

  test('one is suspended: its tokens are refused, until it is resumed', async () => {
    expect(await did(...ofMerchant('merchant suspend'), '--by', 'Ben')).toBe('suspended');
    const entry = { actor: 'Ben', subject: merchantId, detail: {} };
    expect(await latestEntry()).toEqual({ ...entry, act: 'MERCHANT_SUSPENDED' });
    expect(told(await deposit())).toBe('401 REJECTED AUTHENTICATION_ERROR');
    expect(await did(...ofMerchant('merchant resume'), '--by', 'Ben')).toBe('resumed');
    expect(await latestEntry()).toEqual({ ...entry, act: 'MERCHANT_RESUMED' });
    expect(told(await deposit())).toBe('200 ACCEPTED');
  });

  test('what changes nothing is said, and not recorded', async () => {
    const before = await entryCount();
    expect(await did(...ofMerchant('merchant resume'), '--by', 'Ben')).toBe('not suspended');
    expect(await entryCount()).toBe(before);
  });

  test('the operations are set, to exactly these', async () => {
    await did(...ofMerchant('operations set'), '--operations', 'PAYOUT,REFUND', '--by', 'Ana');
    expect(await latestEntry()).toMatchObject({
      act: 'OPERATIONS_SET',
      detail: { operations: ['PAYOUT', 'REFUND'] },
    });
    expect(told(await deposit())).toBe('403 REJECTED DEPOSITS_NOT_ALLOWED');
    await did(...ofMerchant('operations set'), '--operations', 'all', '--by', 'Ana');
    expect(told(await deposit())).toBe('200 ACCEPTED');
  });

  test('a provider is switched off and on, by operation', async () => {
    const place = ['--provider', 'MTN_MOMO_RWA', '--operation', 'DEPOSIT,PAYOUT', '--by', 'Ana'];
    const detail = { providers: ['MTN_MOMO_RWA'], operations: ['DEPOSIT', 'PAYOUT'] };
    expect(await did(...ofMerchant('provider deactivate'), ...place)).toBe('set');
    expect(await latestEntry()).toMatchObject({ act: 'PROVIDERS_DEACTIVATED', detail });
    expect(told(await deposit())).toBe('200 REJECTED INVALID_PROVIDER');
    expect(await did(...ofMerchant('provider activate'), ...place)).toBe('set');
    expect(await latestEntry()).toMatchObject({ act: 'PROVIDERS_ACTIVATED', detail });
    expect(told(await deposit())).toBe('200 ACCEPTED');
  });

  test('callbacks go to one address, or to one of each kind; the log has only its host', async () => {
    const set = [...ofMerchant('callback-url set'), '--by', 'Ana', '--url'];
    expect(await did(...set, 'https://shop.example/all?key=s3cret')).toBe('set');
    expect(await did(...set, 'https://shop.example/payouts', '--kind', 'PAYOUT')).toBe('set');
    expect(await latestEntry()).toEqual({
      actor: 'Ana',
      act: 'CALLBACK_URL_SET',
      subject: merchantId,
      detail: { kinds: ['PAYOUT'], host: 'shop.example' },
    });
    const log = await readAuditLog(gateway.engine, { merchantId, countMax: 100 });
    expect(JSON.stringify(log)).not.toContain('s3cret');
  });

  test('pages get a colour and a logo, and lose them again', async () => {
    const set = [...ofMerchant('page-brand set'), '--by', 'Ana'];
    expect(await did(...set, '--colour', '#8A1538')).toBe('set');
    expect(await latestEntry()).toEqual({
      actor: 'Ana',
      act: 'PAGE_BRAND_SET',
      subject: merchantId,
      detail: { colour: '#8a1538', logoSha256: null },
    });
    expect(await did(...set, '--colour', 'none', '--logo', 'none')).toBe('set');
    expect(await refused(...set)).toContain('Give --colour, --logo or both.');
    expect(await refused(...set, '--colour', 'red')).toContain('a colour such as');
    expect(await refused(...set, '--logo', '/nowhere.png')).toContain('cannot be read');
  });

  test('a time zone and a home currency are set', async () => {
    const set = [...ofMerchant('regional-settings set'), '--by', 'Ana'];
    expect(await did(...set, '--time-zone', 'Africa/Kigali')).toBe('set');
    expect(await did(...set, '--home-currency', 'RWF')).toBe('set');
    expect(await latestEntry()).toEqual({
      actor: 'Ana',
      act: 'REGIONAL_SETTINGS_SET',
      subject: merchantId,
      detail: { timeZone: 'Africa/Kigali', homeCurrency: 'RWF' },
    });
    expect(await did(...set, '--home-currency', 'none')).toBe('set');
    expect(await refused(...set)).toContain('Give --time-zone, --home-currency or both.');
    expect(await refused(...set, '--time-zone', 'Kigali')).toContain('There is no time zone Kigali.');
    expect(await refused(...set, '--home-currency', 'XXX')).toContain('No provider has the currency XXX.');
  });

  test('a fee is set: a share and a fixed part', async () => {
    const place = ['--provider', 'MTN_MOMO_RWA', '--operation', 'DEPOSIT', '--currency', 'RWF'];
    await did(...ofMerchant('fee set'), ...place, '--basis-points', '150', '--fixed', '10', '--by', 'Ana');
    expect(await latestEntry()).toEqual({
      actor: 'Ana',
      act: 'FEE_SET',
      subject: 'MTN_MOMO_RWA DEPOSIT RWF',
      detail: { basisPoints: 150, fixed: '10' },
    });
    const { body } = await call(account, 'POST', '/v2/deposits', depositRequest({ amount: '1000' }));
    const [{ fee }] = (await select(gateway, 'select fee::text from payments where payment_id = $1', [
      body['depositId'],
    ])) as [{ fee: string }];
    expect(fee).toBe('25.0000');
  });

  test('one is shown with everything that is set for it', async () => {
    const shown = (await did(...ofMerchant('merchant show'))).split('\n');
    expect(shown.slice(0, 7)).toEqual([
      'cell\t0001',
      `merchant\t${merchantId}`,
      'company\tDuka',
      'home\t0001',
      'status\tACTIVE',
      'operations\tDEPOSIT PAYOUT REFUND REMITTANCE SPLIT_PAYMENT',
      'wallets\tone for each country and currency',
    ]);
    expect(shown).toContain('provider\tMTN_MOMO_RWA\tDEPOSIT PAYOUT REFUND REMITTANCE');
    expect(shown).toContain('fee\tMTN_MOMO_RWA DEPOSIT RWF\t150 basis points + 10');
    expect(shown).toContain('callback\tDEPOSIT\thttps://shop.example/all?key=s3cret');
    expect(shown).toContain('callback\tPAYOUT\thttps://shop.example/payouts');
  });
});

describe('tokens', () => {
  test('one is made with some scopes and an end, listed, and revoked', async () => {
    const scopes = ['--scopes', 'deposits:read,toolkit:read', '--expires', '2099-01-31'];
    const text = await did(...ofMerchant('token create'), '--name', 'reader', ...scopes, '--by', 'Ben');
    const tokenId = text.split('_')[3]!;
    expect(await latestEntry()).toEqual({
      actor: 'Ben',
      act: 'TOKEN_CREATED',
      subject: tokenId,
      detail: {
        name: 'reader',
        scopes: ['deposits:read', 'toolkit:read'],
        expiresAt: '2099-01-31T00:00:00.000Z',
      },
    });
    const reader = { url: gateway.url, apiToken: text };
    expect(told(await call(reader, 'POST', '/v2/deposits', depositRequest()))).toBe(
      '403 REJECTED AUTHORISATION_ERROR',
    );
    const [line] = (await did(...ofMerchant('token list')))
      .split('\n')
      .filter((one) => one.startsWith(tokenId));
    expect(line).toMatch(
      /^\w+\treader\tACTIVE until 2099-01-31T00:00:00\.000Z\t\S+\tused \S+\tdeposits:read toolkit:read$/,
    );
    expect(await did('token', 'revoke', '--token-id', tokenId, '--by', 'Ana')).toBe('revoked');
    expect(await latestEntry()).toEqual({ actor: 'Ana', act: 'TOKEN_REVOKED', subject: tokenId, detail: {} });
    expect(told(await call(reader, 'POST', '/v2/deposits', depositRequest()))).toBe(
      '401 REJECTED AUTHENTICATION_ERROR',
    );
    expect(await refused('token', 'revoke', '--token-id', tokenId, '--by', 'Ana')).toMatch('revoked before');
    expect(await did(...ofMerchant('token list'))).toMatch(new RegExp(`^${tokenId}\treader\tREVOKED `, 'm'));
  });

  test('no secret of a token is in the log', async () => {
    const secret = account.apiToken.slice(-51);
    const log = await did('audit', 'list', '--limit', '1000');
    expect(log).toContain('TOKEN_CREATED');
    expect(log).not.toContain(secret);
    expect(log).not.toContain(account.apiToken);
  });
});

describe('wallets', () => {
  const rwandan = ['--country', 'RWA', '--currency', 'RWF'];
  let owner: Account;
  beforeAll(async () => {
    owner = await openAccount(gateway, { operations: ['PAYOUT'] });
  });
  const latest = () => latestEntry(owner.merchantId);
  const balance = async () => {
    const [found] = await listWallets(gateway.engine.store.database, owner.merchantId);
    return renderAmount(found!.posted);
  };
  const move = (command: string, amount: string, ...rest: readonly string[]) =>
    [
      ...command.split(' '),
      '--merchant',
      owner.merchantId,
      ...rwandan,
      `--amount=${amount}`,
      ...rest,
      '--by',
      'Ana',
    ] as const;
  const templates = async () => {
    const rows = await select(
      gateway,
      `select template, d.type as debit, c.type as credit, amount::text from transfers
       join accounts d on d.account_id = debit_account_id join accounts c on c.account_id = credit_account_id
       where transfers.merchant_id = $1 and subject_kind in ('TOP_UP', 'SETTLEMENT', 'ADJUSTMENT')
       order by transfers.created_at`,
      [owner.merchantId],
    );
    return rows.map(
      ({ template, debit, credit, amount }) => `${template} ${debit} ${credit} ${Number(amount)}`,
    );
  };

  test('money is brought in, paid out and corrected, each as a transfer and an entry', async () => {
    expect(await did(...move('wallet top-up', '1000'))).toBe('done');
    expect(await latest()).toMatchObject({
      act: 'WALLET_TOPPED_UP',
      subject: 'RWA RWF',
      detail: { amount: '1000' },
    });
    expect(await did(...move('wallet settle', '400'))).toBe('done');
    expect(await latest()).toMatchObject({ act: 'WALLET_SETTLED', detail: { amount: '400' } });
    expect(await did(...move('wallet adjust', '-60', '--reason', 'counted twice'))).toBe('done');
    expect(await latest()).toMatchObject({
      actor: 'Ana',
      act: 'WALLET_ADJUSTED',
      subject: 'RWA RWF',
      detail: { amount: '-60' },
      reason: 'counted twice',
    });
    expect(await did(...move('wallet adjust', '10', '--reason', 'some of it back'))).toBe('done');
    expect(await balance()).toBe('550');
    expect(await templates()).toEqual([
      'TOP_UP CLEARING WALLET 1000',
      'SETTLEMENT WALLET CLEARING 400',
      'ADJUSTMENT WALLET ADJUSTMENT 60',
      'ADJUSTMENT ADJUSTMENT WALLET 10',
    ]);
  });

  test.each([
    ['wallet settle', '551', []],
    ['wallet adjust', '-551', ['--reason', 'too much']],
  ])(
    '%s never takes a wallet below zero: it says what is there, and writes nothing',
    async (command, amount, rest) => {
      const before = await entryCount();
      expect(await refused(...move(command, amount, ...rest))).toBe(
        'Nothing was moved. The wallet has 550 RWF available.',
      );
      expect(await entryCount()).toBe(before);
      expect(await balance()).toBe('550');
    },
  );

  test('what is held for a payout cannot be settled', async () => {
    const stuck = payoutRequest({ recipient: wallet('MTN_MOMO_RWA', '250783456129') });
    await start(owner, 'payout', stuck);
    expect(await did('wallet', 'list', '--merchant', owner.merchantId)).toBe('RWA RWF\t550\t100');
    expect(await refused(...move('wallet settle', '500'))).toBe(
      'Nothing was moved. The wallet has 450 RWF available.',
    );
  });

  test('a settlement from a wallet that was never used is refused, and makes no wallet', async () => {
    const ugandan = ['--country', 'UGA', '--currency', 'UGX', '--amount', '1', '--by', 'Ana'];
    expect(await refused('wallet', 'settle', '--merchant', owner.merchantId, ...ugandan)).toMatch(
      'has 0.00 UGX available',
    );
    expect(await listWallets(gateway.engine.store.database, owner.merchantId)).toHaveLength(1);
  });

  test('a merchant who keeps one wallet per provider must say which', async () => {
    const order = { by: 'test', companyName: 'Soko', operations: OPERATIONS, walletPerProvider: true };
    const id = await createMerchant(gateway.engine, order);
    const topUp = ['wallet', 'top-up', '--merchant', id, ...rwandan, '--amount', '10', '--by', 'Ana'];
    expect(await refused(...topUp)).toMatch('Missing: --provider.');
    expect(await refused(...topUp, '--provider', 'AIRTEL_COD')).toMatch(
      'No provider AIRTEL_COD in RWA supports RWF.',
    );
    await did(...topUp, '--provider', 'AIRTEL_RWA');
    expect(await did('wallet', 'list', '--merchant', id)).toBe('RWA RWF AIRTEL_RWA\t10\t0');
    expect(await latestEntry(id)).toMatchObject({ subject: 'RWA RWF AIRTEL_RWA' });
    expect(await refused(...move('wallet top-up', '10', '--provider', 'AIRTEL_RWA'))).toMatch(
      'leave out --provider',
    );
  });

  test('the trial balance shows every currency and is zero in each', async () => {
    const lines = (await did('trial-balance', 'show')).split('\n');
    expect(lines).toContain('RWF\tRWA\tADJUSTMENT\t\t50');
    const totals = lines.filter((line) => line.includes('\tTOTAL\t'));
    expect(totals).toContain('RWF\tTOTAL\t0');
    expect(totals.length).toBeGreaterThan(10);
    expect(totals.filter((line) => !/\t0(\.00)?$/.test(line))).toEqual([]);
    expect((await did('trial-balance', 'show', '--again')).split('\n')).toEqual(lines);
  });
});

describe('the trial balance of books that are wrong', () => {
  test('the trial balance of books that are wrong ends with code 1 and names the currencies, and the wallets that are not their transfers', async () => {
    const other = await openTestGateway({ role: 'api' });
    try {
      await select(
        other,
        `insert into transfers (merchant_id, subject_kind, subject_id, leg_no, template, debit_account_id,
           credit_account_id, amount, state, created_at)
         select merchant_id, 'TOP_UP', gen_random_uuid(), 0, 'TOP_UP', account_id,
           (select account_id from accounts where currency = 'RWF' and type = 'CLEARING'), 5, 'POSTED', created_at
         from accounts join merchants using (merchant_id) where currency = 'UGX' and type = 'WALLET'`,
      );
      const { code, output, errors } = await runCommand(serverEnvironment(other), ['trial-balance', 'show']);
      expect(code).toBe(1);
      expect(output).toContain('RWF\tTOTAL\t5');
      expect(output).toContain('UGX\tTOTAL\t-5');
      expect(errors).toMatch(/^The books do not balance in (RWF, UGX|UGX, RWF)\.$/m);
      expect(errors).toMatch(/^The balance of wallet \S+ is not the sum of its transfers\.$/m);
    } finally {
      await other.stop();
    }
  });
});

describe('availability', () => {
  test('availability is set by a person, and recorded when it changes', async () => {
    const place = ['--provider', 'AIRTEL_RWA', '--operation', 'DEPOSIT', '--by', 'Ana'];
    expect(await did('availability', 'set', ...place, '--status', 'CLOSED')).toBe('set');
    expect(await latestEntry(null)).toEqual({
      actor: 'Ana',
      act: 'AVAILABILITY_SET',
      subject: 'AIRTEL_RWA DEPOSIT',
      detail: { status: 'CLOSED' },
    });
    const before = await entryCount();
    expect(await did('availability', 'set', ...place, '--status', 'CLOSED')).toBe('nothing to change');
    expect(await entryCount()).toBe(before);
    expect(await did('availability', 'set', ...place, '--status', 'OPERATIONAL')).toBe('set');
  });
});

/** The end of what `case resolve` prints. */
const about = (requested: string) => ['--approval', requested.slice(-36), '--by'];

describe('cases', () => {
  test('cases are listed, and resolved by a request that is not rejected but approved by another person, and gone from the open ones', async () => {
    gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
    const request = depositRequest({ payer: wallet('MTN_MOMO_RWA', '250783456039') });
    const paymentId = await start(account, 'deposit', request);
    await waitForPayment(account, 'deposit', paymentId, 'FAILED');
    await eventually(async () => (await select(gateway, 'select 1 from cases')).length).toBe(1);
    const open = await did('case', 'list', '--open');
    const caseId = open.slice(0, 36);
    expect(open).toMatch(
      new RegExp(
        `^${caseId}\t\\S+\tLATE_SUCCESS\tDEPOSIT\t${paymentId}\tFAILED\tMTN_MOMO_RWA\t100 RWF\t${merchantId}`,
      ),
    );
    expect(open).toContain('  open: CREDIT_MERCHANT or RETURN_TO_PAYER or REVERSE_EVIDENCE');
    expect(await did('case', 'show', '--case', caseId, '--by', 'Ben')).toMatch(
      /operator's response: .*SUCCESSFUL/,
    );
    expect(await latestEntry()).toMatchObject({ actor: 'Ben', act: 'CASE_READ', subject: caseId });

    const wanted = ['case', 'resolve', '--case', caseId, '--reason', 'goods were sent', '--by', 'Ana'];
    expect(await refused(...wanted, '--resolution', 'WRITE_OFF')).toBe(
      'This case can be resolved by CREDIT_MERCHANT or RETURN_TO_PAYER or REVERSE_EVIDENCE.',
    );
    const first = await did(...wanted, '--resolution', 'RETURN_TO_PAYER');
    expect(first).toMatch(/^requested RETURN_TO_PAYER: \S{36}$/);
    expect(await latestEntry()).toMatchObject({ act: 'APPROVAL_REQUESTED', reason: 'goods were sent' });
    expect(await refused('approval', 'reject', ...about(first), 'Ben')).toBe(
      'reason: say why it is rejected.',
    );
    expect(await did('approval', 'reject', ...about(first), 'Ben', '--reason', 'then pay the shop')).toBe(
      'done',
    );
    expect(await latestEntry()).toMatchObject({ act: 'APPROVAL_REJECTED', reason: 'then pay the shop' });
    const second = await did(...wanted, '--resolution', 'CREDIT_MERCHANT');
    expect(await did('case', 'list', '--open')).toContain(
      'open: CREDIT_MERCHANT, requested by Ana: goods were sent',
    );
    expect(await refused('approval', 'approve', ...about(second), 'ana')).toBe(
      'You requested this yourself. Another person must decide.',
    );
    expect(await did('approval', 'approve', ...about(second), 'Ben')).toBe('done');
    expect(await latestEntry()).toMatchObject({
      actor: 'Ben',
      act: 'APPROVAL_GIVEN',
      detail: { kind: 'CASE', resolution: 'CREDIT_MERCHANT', requestedBy: 'Ana' },
    });
    expect(await did('case', 'list', '--open')).toBe('');
    expect(await did('case', 'list')).toMatch(
      / {2}resolved \S+, approved by Ben: CREDIT_MERCHANT, requested by Ana/,
    );
    expect(await refused(...wanted, '--resolution', 'CREDIT_MERCHANT')).toBe('The case was resolved before.');
    await did('trial-balance', 'show');
  });

  test('cases that do not exist are not there', async () => {
    const nowhere = ['--case', randomUUID(), '--by', 'Ana'];
    expect(await refused('case', 'show', ...nowhere)).toBe('There is no such case.');
    const unknown = ['--approval', randomUUID(), '--by', 'Ana'];
    expect(await refused('approval', 'approve', ...unknown)).toBe('There is no such request.');
  });
});

const demand = (to: string) => [...ofMerchant('signatures require'), '--set', to, '--by', 'Ana'];
const remove = (name: string) => [...ofMerchant('public-key remove'), '--name', name, '--by', 'Ana'];
const signingKey = (no: number) => `HTTP_EC_P256_KEY:${no}`;

describe('signatures', () => {
  const shop = createKey('till 2027', 'ecdsa-p256-sha256');
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'malipo-keys-'));
    await writeFile(join(folder, 'shop.pem'), shop.pem);
    const { privateKey } = createKey('x', 'ecdsa-p256-sha256');
    await writeFile(join(folder, 'private.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const { publicKey: small } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    await writeFile(join(folder, 'small.pem'), small.export({ type: 'spki', format: 'pem' }));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const add = (name: string, algorithm = 'ecdsa-p256-sha256', file = 'shop.pem') => [
    ...ofMerchant('public-key add'),
    '--name',
    name,
    '--algorithm',
    algorithm,
    '--file',
    join(folder, file),
    '--by',
    'Ana',
  ];

  test('a key is added, listed, demanded and removed, and each is recorded', async () => {
    expect(await refused(...demand('on'))).toContain('Add one first.');
    const fingerprint = (await did(...add(shop.name))).replace('added ', '');
    expect(await latestEntry()).toEqual({
      actor: 'Ana',
      act: 'PUBLIC_KEY_ADDED',
      subject: shop.name,
      detail: { algorithm: 'ecdsa-p256-sha256', fingerprint },
    });
    expect(await refused(...add(shop.name))).toContain('There is a key till 2027 already.');
    expect(await did(...demand('on'))).toBe('set');
    expect(await latestEntry()).toMatchObject({
      act: 'SIGNATURES_SET',
      detail: { signedRequestsOnly: true },
    });
    expect(await did(...demand('on'))).toBe('nothing to change');
    const [first, second] = (await did(...ofMerchant('public-key list'))).split('\n');
    expect(first).toBe('signatures are required');
    expect(second).toContain(`${shop.name}\tecdsa-p256-sha256\t${fingerprint}\t`);
    expect(told(await deposit())).toBe('401 REJECTED AUTHENTICATION_ERROR');
    const draft = draftRequest({
      url: gateway.url,
      path: '/v2/deposits',
      body: JSON.stringify(depositRequest()),
      key: shop,
    });
    expect(told(await send(account, signDraft(draft)))).toBe('200 ACCEPTED');
    expect(await did(...remove(shop.name))).toContain('it was the last key');
    expect(await latestEntry()).toMatchObject({ act: 'PUBLIC_KEY_REMOVED', subject: shop.name });
    expect(await refused(...remove(shop.name))).toBe('There is no such key.');
    expect(await did(...demand('off'))).toBe('set');
    expect(told(await deposit())).toBe('200 ACCEPTED');
  });

  test.each<[string, readonly string[], string]>([
    ['a name with quotes', ['a"b'], '--name must have at most 100 plain characters'],
    ['no such algorithm', ['x', 'ed25519'], '--algorithm must be one of'],
    ['no such file', ['x', 'ecdsa-p256-sha256', 'nowhere.pem'], 'cannot be read.'],
    ['a private key', ['x', 'ecdsa-p256-sha256', 'private.pem'], 'it is not a public key in PEM form'],
    ['a key of another curve', ['x', 'ecdsa-p384-sha384'], 'needs a key on curve secp384r1'],
    ['a key of another kind', ['x', 'rsa-pss-sha512'], 'needs an RSA key'],
    ['a key that is too short', ['x', 'rsa-v1_5-sha256', 'small.pem'], 'at least 2048 bits'],
  ])('%s is refused', async (_, [name = '', algorithm, file], message) => {
    expect(await refused(...add(name, algorithm, file))).toContain(message);
  });

  test('the signing key is rotated and a stolen one retired, and each is recorded', async () => {
    await gateway.engine.signingKeys.current();
    const first = (await select(gateway, 'select max(key_no) as no from service_signing_keys'))[0]!['no'];
    const state = async (no: number) =>
      (await did('signing-key', 'list'))
        .split('\n')
        .find((line) => line.startsWith(`${signingKey(no)}\t`))
        ?.split('\t')[1];
    const retire = (no: number) => ['signing-key', 'retire', '--key', signingKey(no), '--by', 'Ana'];
    expect(await state(first)).toBe('CURRENT');
    expect(await did('signing-key', 'rotate', '--by', 'Ana')).toBe(
      `${signingKey(first + 1)} signs in 86400 seconds`,
    );
    expect(await latestEntry(null)).toMatchObject({
      act: 'SIGNING_KEY_ADDED',
      subject: signingKey(first + 1),
    });
    expect(await state(first + 1)).toBe('NEXT');
    expect(await did('signing-key', 'rotate', '--at-once', '--by', 'Ana')).toBe(
      `${signingKey(first + 2)} signs in 15 seconds`,
    );
    expect(await refused(...retire(first))).toContain('This key is in use.');
    // Commands go by real time, so its time is brought forward instead.
    await select(gateway, 'update service_signing_keys set signs_from = created_at where key_no = $1', [
      first + 2,
    ]);
    expect(await state(first + 2)).toBe('CURRENT');
    expect(await state(first)).toBe('KEPT');
    expect(await did(...retire(first))).toBe('retired');
    expect(await latestEntry(null)).toMatchObject({ act: 'SIGNING_KEY_RETIRED', subject: signingKey(first) });
    expect(await state(first)).toBe('RETIRED');
    expect(await refused(...retire(first))).toContain('There is no such key');
  });
});

describe('the audit log', () => {
  test('the audit log is shown the newest last: when, who, what, whose, on what, details and why', async () => {
    await did(...ofMerchant('merchant suspend'), '--by', 'Ana Uwase');
    await did(...ofMerchant('merchant resume'), '--by', 'Ben');
    const lines = (await did(...ofMerchant('audit list'), '--limit', '2')).split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]!.split('\t').slice(1)).toEqual([
      'Ana Uwase',
      'MERCHANT_SUSPENDED',
      merchantId,
      merchantId,
      '{}',
    ]);
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT\S+Z\tBen\tMERCHANT_RESUMED\t/);
    const all = await did('audit', 'list', '--limit', '1000');
    expect(all).toContain('\tsandbox\tMERCHANT_CREATED\t');
    expect(await did(...ofMerchant('audit list'), '--limit', '1000')).not.toContain('\tsandbox\t');
  });

  test.each([
    ['changed', `update audit_log set actor = 'NoOne'`],
    ['shortened', 'delete from audit_log'],
    ['emptied', 'truncate audit_log'],
  ])('the audit log cannot be %s', async (_how, statement) => {
    await expect(select(gateway, statement)).rejects.toThrow('audit_log is append-only');
  });

  test('the audit log takes no act without a name', async () => {
    const insert = `insert into audit_log (id, at, actor, act, subject, detail)
      select gen_random_uuid(), at, ' ', act, subject, detail from audit_log limit 1`;
    await expect(select(gateway, insert)).rejects.toThrow('audit_log_actor_is_named');
  });
});

/** Acts that must say who does them, with everything else they need. */
const ACTS = [...adminCommands].filter(([, { usage }]) => usage.includes('--by NAME')).map(([name]) => name);
const READS = [
  'merchant show',
  'limit list',
  'freeze list',
  'hold list',
  'review list',
  'review-rule list',
  'cell status',
  'callback list',
  'notice list',
  'token list',
  'public-key list',
  'signing-key list',
  'keys wrap',
  'availability history',
  'operator-account list',
  'wallet list',
  'trial-balance show',
  'settlement list',
  'reconciliation list',
  'float list',
  'daily-close list',
  'daily-close show',
  'recovery show',
  'unmatched-payment list',
  'unmatched-payment decided',
  'unmatched-payment find',
  'case list',
  'unmatched-notification list',
  'person list',
  'approval list',
  'audit list',
  'audit verify',
  'audit export',
];

const endOf = (id: string) => ['--merchant', id, '--kind', 'PAYOUT', '--payment', id];

test('what is held is listed, the oldest first', async () => {
  const target = ['--scope', 'NUMBER', '--number', '250783456780'];
  await did('freeze', 'add', ...target, '--reason', 'Fraud', '--by', 'Ana');
  const { merchantId: of } = gateway;
  const request = payoutRequest({ recipient: wallet('MTN_MOMO_RWA', '250783456780') });
  const id = await start(gateway, 'payout', request);
  await waitForPayment(gateway, 'payout', id, 'ENQUEUED');
  const cells = (await did('hold', 'list', '--merchant', of)).split('\t');
  expect(cells).toEqual([of, 'FREEZE', 'PAYOUT', id, '100 RWF', expect.stringMatching(/Z$/), '-', 'NUMBER']);
  expect(await did('hold', 'list')).toContain(id);
  expect(await did(...ofMerchant('hold list'))).toBe('');
  await did('freeze', 'lift', ...target, '--reason', 'Called them', '--by', 'Ana');
});

describe('what a person gets wrong', () => {
  test('every command that changes anything, or shows what others said, must say who does it', () => {
    expect([...adminCommands.keys()].filter((name) => !ACTS.includes(name))).toEqual(READS);
  });

  test.each([
    ['no name', [], 'Missing: --by NAME.'],
    ['an empty name', ['--by', '  '], '--by must be your name, on one line.'],
    ['two lines', ['--by', 'Ana\nBen'], '--by must be your name, on one line.'],
  ])('%s', async (_title, by, message) => {
    expect(await refused(...ofMerchant('merchant suspend'), ...by)).toBe(message);
  });

  const somebody = ['--by', 'Ana'];
  const topUp = ['wallet', 'top-up', '--merchant', 'MERCHANT', '--amount', '1', ...somebody];
  const fee = [
    'fee',
    'set',
    '--merchant',
    'MERCHANT',
    '--provider',
    'MTN_MOMO_RWA',
    '--operation',
    'PAYOUT',
    ...somebody,
  ];
  const noOne = randomUUID();
  test.each<[string, readonly string[], string]>([
    [
      'an id that is none',
      ['merchant', 'suspend', '--merchant', 'duka', ...somebody],
      '--merchant must be an id',
    ],
    [
      'no such merchant',
      ['merchant', 'suspend', '--merchant', noOne, ...somebody],
      `There is no merchant ${noOne}.`,
    ],
    [
      'no such operation',
      ['operations', 'set', '--merchant', noOne, '--operations', 'DEPOSIT,BORROW', ...somebody],
      '--operations: unknown value "BORROW"',
    ],
    [
      'no such provider',
      ['provider', 'activate', '--merchant', noOne, '--provider', 'X', '--operation', 'all', ...somebody],
      '--provider: unknown value "X"',
    ],
    [
      'an address that is none',
      ['callback-url', 'set', '--url', 'shop.example', ...somebody, '--merchant', 'MERCHANT'],
      '--url must be a URL',
    ],
    [
      'an address inside the network',
      ['callback-url', 'set', '--url', 'https://0x0a000001/', ...somebody, '--merchant', 'MERCHANT'],
      'Callbacks cannot be sent to 10.0.0.1: it is not a public address. MALIPO_OUTGOING_ALLOW can allow it.',
    ],
    [
      'a time without a zone',
      [
        'callback',
        'replay',
        '--from',
        '2027-01-31T14:00',
        '--to',
        'x',
        ...somebody,
        '--merchant',
        'MERCHANT',
      ],
      '--from must be a time such as 2027-01-31T14:00:00Z.',
    ],
    [
      'a span that ends before it begins',
      [
        'callback',
        'replay',
        '--from',
        '2027-01-31T14:00Z',
        '--to',
        '2027-01-31T13:00Z',
        ...somebody,
        '--merchant',
        'M',
      ],
      '--from must be before --to.',
    ],
    [
      'two mail addresses',
      [
        'contact',
        'set',
        '--email',
        'ana@shop.example,ben@shop.example',
        ...somebody,
        '--merchant',
        'MERCHANT',
      ],
      '--email must be one email address',
    ],
    [
      'a share above all of it',
      [...fee, '--currency', 'RWF', '--basis-points', '10001'],
      '--basis-points must be a whole number from 0 to 10000',
    ],
    [
      'a fixed fee smaller than the smallest coin',
      [...fee, '--currency', 'RWF', '--basis-points', '0', '--fixed', '0.5'],
      '--fixed must be an amount with at most 0 decimals.',
    ],
    [
      'a fee in a currency no one takes',
      [...fee, '--currency', 'USD', '--basis-points', '0'],
      'MTN_MOMO_RWA does not offer PAYOUT in USD.',
    ],
    [
      'a wallet where no provider is',
      [...topUp, '--country', 'RWA', '--currency', 'USD'],
      'No provider in RWA supports USD.',
    ],
    [
      'an amount of nothing',
      [
        'wallet',
        'settle',
        '--merchant',
        noOne,
        '--country',
        'RWA',
        '--currency',
        'RWF',
        '--amount',
        '0',
        ...somebody,
      ],
      '--amount must be an amount such as 1000 or 12.5.',
    ],
    [
      'an adjustment without a reason',
      [
        'wallet',
        'adjust',
        '--merchant',
        noOne,
        '--country',
        'RWA',
        '--currency',
        'RWF',
        '--amount',
        '1',
        ...somebody,
      ],
      'Missing: --reason TEXT.',
    ],
    [
      'the end of a payment without a transaction',
      ['payment', 'end', ...endOf(noOne), '--as', 'COMPLETED', '--reason', 'why', ...somebody],
      'Missing: --transaction.',
    ],
    [
      'a failure with a transaction',
      [
        'payment',
        'end',
        ...endOf(noOne),
        '--as',
        'FAILED',
        '--transaction',
        'T',
        '--reason',
        'why',
        ...somebody,
      ],
      '--transaction is for --as COMPLETED.',
    ],
    [
      'a success with a failure code',
      [
        'payment',
        'end',
        ...endOf(noOne),
        '--as',
        'COMPLETED',
        '--failure-code',
        'X',
        '--reason',
        'why',
        ...somebody,
      ],
      '--failure-code is for --as FAILED.',
    ],
    [
      'the end of a payment without a reason',
      ['payment', 'end', ...endOf(noOne), '--as', 'FAILED', ...somebody],
      'Missing: --reason TEXT.',
    ],
    [
      'a statement with one end',
      [
        'operator-report',
        'import',
        '--provider',
        'MTN_MOMO_RWA',
        '--file',
        'x',
        '--from',
        '2027-01-01T00:00:00Z',
        ...somebody,
      ],
      'Missing: --to.',
    ],
    [
      'a statement of no one',
      ['operator-report', 'import', '--provider', 'MTN', '--file', 'x', ...somebody],
      '--provider must be one of',
    ],
    ['a limit that is none', ['audit', 'list', '--limit', '0'], '--limit must be a whole number above 0.'],
  ])('%s', async (_title, args, message) => {
    const before = await entryCount();
    const given = args.map((arg) => (arg === 'MERCHANT' ? merchantId : arg));
    expect(await refused(...given)).toContain(message);
    expect(await entryCount()).toBe(before);
  });
});

const ofSettlement = (command: string, settlementId: string) =>
  ['settlement', command, '--settlement', settlementId, '--by', 'Ana'] as const;

test('a settlement is listed with a masked account, and paid or rejected by two people', async () => {
  const { engine } = gateway;
  const shop = await openAccount(gateway, { operations: ['PAYOUT'] });
  const place = { merchantId: shop.merchantId, country: 'RWA', currency: 'RWF', provider: '' };
  await topUpWallets(engine, [{ by: 'Ana', ...place, amount: 10_000_000n }]);
  const bank = { bank: 'Bank of Kigali', holder: 'Grace Uwase', number: '00040123456789' };
  const registered = { merchantId: shop.merchantId, currency: 'RWF', account: bank };
  await decideAs(
    engine,
    'Ben',
    (await requestBankAccount(engine, { ...registered, actor: actorNamed('Ana') }))!,
  );
  const request = async () => {
    const requestId = randomUUID();
    const answer = await requestSettlement(engine, { by: 'Grace', requestId, ...place, amount: 4_000_000n });
    return answer.type === 'REQUESTED' ? answer.settlementId : expect.fail(answer.type);
  };
  const ids = [await request(), await request()] as const;
  const lines = (await did('settlement', 'list')).split('\n');
  const first = `${ids[0]}\t${shop.merchantId}\tRWA RWF\t400\tBank of Kigali ••••••6789`;
  expect(lines.filter((line) => line.startsWith(first))).toHaveLength(1);
  expect(lines).toHaveLength(2);
  expect(await refused(...ofSettlement('paid', ids[0]), '--reference', '?')).toContain('--reference must be');
  expect(await refused(...ofSettlement('paid', randomUUID()), '--reference', 'FT-1')).toBe(
    'There is no such settlement.',
  );
  const asked = [
    await did(...ofSettlement('paid', ids[0]), '--reference', 'FT-26-1'),
    await did(...ofSettlement('reject', ids[1]), '--reason', 'wrong account'),
  ];
  expect(await refused(...ofSettlement('paid', ids[1]), '--reference', 'FT-26-2')).toContain(
    'pending approval',
  );
  for (const answer of asked) {
    const approval = about(answer);
    expect(await refused('approval', 'approve', ...approval, 'ana')).toContain('Another person');
    expect(await did('approval', 'approve', ...approval, 'Ben')).toBe('done');
  }
  expect(await did('settlement', 'list')).toBe('');
  expect(await did('wallet', 'list', '--merchant', shop.merchantId)).toBe('RWA RWF\t600\t0');
  await did('trial-balance', 'show');
});

describe('accounts with operators', () => {
  const place = ['--connector', 'mtn-momo', '--account', 'MTN_MOMO_RWA', '--product', 'collection'];
  const values = {
    baseUrl: 'https://mtn.example',
    subscriptionKey: 'sub-1',
    apiUser: 'user-1',
    apiKey: 'k-secret-1',
  };
  const set = (input: unknown, ...rest: readonly string[]) =>
    runCommand(
      serverEnvironment(gateway),
      ['operator-account', 'set', ...place, ...rest],
      typeof input === 'string' ? input : JSON.stringify(input),
    );

  test('accounts with operators are set from standard input, encrypted, listed without values, recorded by field, and removed', async () => {
    const done = await set(values, '--by', 'Ana');
    expect(done).toMatchObject({ code: 0, errors: '' });
    expect(await did('operator-account', 'list')).toMatch(
      /^mtn-momo\tMTN_MOMO_RWA\tcollection\t20\S+\tCURRENT\t[0-9a-f]{32}$/,
    );
    const rows = await select(gateway, 'select c::text as text from operator_credentials c');
    expect(rows[0]?.['text']).not.toContain(Buffer.from('k-secret-1').toString('hex'));
    const [entry] = await readAuditLog(gateway.engine, { merchantId: null, countMax: 1 });
    expect(entry).toMatchObject({
      act: 'OPERATOR_CREDENTIALS_SET',
      subject: 'mtn-momo/MTN_MOMO_RWA/collection',
      detail: { fields: ['apiKey', 'apiUser', 'baseUrl', 'subscriptionKey'] },
    });
    expect(await did('operator-account', 'remove', ...place, '--by', 'Ana')).toBe('removed');
    expect(await refused('operator-account', 'remove', ...place, '--by', 'Ana')).toContain('no such');
    expect(await did('operator-account', 'list')).toMatch(
      /^mtn-momo\tMTN_MOMO_RWA\tcollection\t20\S+\tREPLACED\t[0-9a-f]{32}$/,
    );
  });

  test.each([
    ['no JSON', 'x', 'Standard input must be a JSON object of strings'],
    ['a number', { ...values, apiKey: 7 }, 'Standard input must be a JSON object of strings'],
    ['a field too few', { ...values, apiKey: '' }, "'apiKey' is missing: the API key of that user"],
    ['a field too many', { ...values, pin: '1' }, "there is no 'pin'"],
  ])('%s is refused, and what was given is not repeated', async (_title, input, message) => {
    const { code, errors } = await set(input, '--by', 'Ana');
    expect(code).not.toBe(0);
    expect(errors).toContain(message);
    expect(errors).not.toContain('k-secret-1');
  });

  test('a connector tells what its accounts consist of', async () => {
    expect(await did('operator-account', 'list', '--connector', 'mtn-momo')).toContain(
      'disbursement\tapiKey\tSECRET\trequired\tthe API key of that user',
    );
  });

  test('reading what an operator said is recorded', async () => {
    expect(await did('operator-traffic', 'list', '--by', 'Ana')).toBe('');
    const [entry] = await readAuditLog(gateway.engine, { merchantId: null, countMax: 1 });
    expect(entry).toMatchObject({ actor: 'Ana', act: 'OPERATOR_TRAFFIC_READ', subject: 'all' });
  });
});

describe('as a process of its own', () => {
  test('a command that does what it is asked ends with code 0', async () => {
    const done = await runAlone(...ofMerchant('operations set'), '--operations', 'all', '--by', 'Ana');
    expect(done).toEqual({ code: 0, output: 'set', errors: '' });
  });

  test('one that cannot do it says why and ends with code 1', async () => {
    const refusal = await runAlone('case', 'show', '--case', randomUUID(), '--by', 'Ana');
    expect(refusal).toEqual({ code: 1, output: '', errors: 'There is no such case.' });
  });

  test('one that is called with the wrong words says how it is used and ends with code 1', async () => {
    expect(await runAlone(...ofMerchant('merchant suspend'))).toEqual({
      code: 1,
      output: '',
      errors: [
        'malipo-server merchant suspend: Missing: --by NAME.',
        'Usage: malipo-server merchant suspend --merchant ID --by NAME',
        'Options: malipo-server merchant suspend --help',
      ].join('\n'),
    });
  });
});

test('B12: in production callbacks go to https addresses and configured ports only', async () => {
  const database = await createTestDatabase();
  try {
    const {
      MALIPO_SIMULATOR_URL: _simulator,
      MALIPO_MOVABLE_CLOCK: _clock,
      ...rest
    } = serverEnvironment(gateway);
    const environment = {
      ...rest,
      DATABASE_URL: database.url,
      MALIPO_ENVIRONMENT: 'production',
      MALIPO_PUBLIC_URL: gateway.url,
    };
    const inProduction = (...args: string[]) => runCommandHere(environment, args);
    const { output: id } = await inProduction('merchant', 'create', '--name', 'Duka', '--by', 'Ana');
    const set = ['callback-url', 'set', '--merchant', id, '--by', 'Ana', '--url'];
    expect(await inProduction(...set, 'http://shop.example')).toEqual({
      code: 1,
      output: '',
      errors: 'In production the callback URL must be https.',
    });
    expect(await inProduction(...set, 'https://shop.example:8443')).toEqual({
      code: 1,
      output: '',
      errors: 'Callbacks cannot be sent to port 8443. MALIPO_OUTGOING_PORTS can allow it.',
    });
    expect(await inProduction(...set, 'https://shop.example')).toMatchObject({ code: 0, output: 'set' });
  } finally {
    await database.drop();
  }
});
