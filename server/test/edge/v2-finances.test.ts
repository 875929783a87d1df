// What is in the wallets. Rows of api.md "Wallet balances"; of completions.md 1.1, 1.8 and "Wallets and balance".
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import { topUpWallets } from '../../src/core/ledger/administer-wallets.ts';
import { listProviders } from '../../src/domain/operators/catalogue.ts';
import { parseAmount, renderAmount } from '../../src/domain/money.ts';
import { listWallets } from '../../src/store/ledger/ledger.ts';
import { setFee } from '../../src/store/merchants/merchants.ts';
import {
  call,
  depositRequest,
  eventually,
  openTestGateway,
  payer,
  select,
  type TestGateway,
} from '../gateway.ts';
import { openAccount, openToken, type Account } from './accounts.ts';
import { quotedByAnswer, told } from './answers.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ timing: { enquiryDelaysMs: [100] } });
});
afterAll(() => gateway.stop());

const get = (account: Pick<Account, 'url' | 'apiToken'>, query = '') =>
  call(account, 'GET', `/v2/wallet-balances${query}`);

/** "RWA RWF 1500.00" of each wallet, with its provider at the end if it has one. */
async function balancesOf(account: Account, query = ''): Promise<readonly string[]> {
  const { status, body } = await get(account, query);
  expect(status).toBe(200);
  return body['balances'].map(({ country, currency, balance, provider }: Record<string, string>) =>
    [country, currency, balance, provider].join(' ').trim(),
  );
}

function openRwandanAccount(): Promise<Account> {
  return openAccount(gateway, {
    operations: ['DEPOSIT', 'PAYOUT', 'REFUND'],
    providers: ['MTN_MOMO_RWA', 'AIRTEL_RWA'],
  });
}

async function topUp(account: Account, amount: string, place = { country: 'RWA', currency: 'RWF' }) {
  const order = { by: 'test', merchantId: account.merchantId, ...place, amount: parseAmount(amount)! };
  await topUpWallets(gateway.engine, [order]);
}

const COMPLETES = '250783456789';
const STUCK = '250783456129';
const FAILS = '250783456119';

async function deposit(account: Account, amount: string): Promise<void> {
  const request = depositRequest({ amount });
  expect(told(await call(account, 'POST', '/v2/deposits', request))).toBe('200 ACCEPTED');
  await waitFor(account, `/v2/deposits/${request['depositId']}`, 'COMPLETED');
}

async function payout(account: Account, amount: string, phoneNumber: string): Promise<string> {
  const payoutId = randomUUID();
  const recipient = payer('MTN_MOMO_RWA', phoneNumber);
  const request = { payoutId, amount, currency: 'RWF', recipient };
  expect(told(await call(account, 'POST', '/v2/payouts', request))).toBe('200 ACCEPTED');
  return `/v2/payouts/${payoutId}`;
}

async function waitFor(account: Account, path: string, status: string): Promise<void> {
  await eventually(async () => (await call(account, 'GET', path)).body['data']?.status).toBe(status);
}

async function charge(account: Account, operation: 'DEPOSIT' | 'PAYOUT', fixed: string): Promise<void> {
  await setFee(gateway.engine.store.database, {
    merchantId: account.merchantId,
    provider: 'MTN_MOMO_RWA',
    operation,
    currency: 'RWF',
    fee: { basisPoints: 0, fixed: parseAmount(fixed)! },
  });
}

/** What the transfers say, in which nothing is summed up beforehand: posted to the wallet less taken or held. */
async function ledgerOf({ merchantId }: Account): Promise<readonly string[]> {
  const rows = await select<{ country: string; currency: string; available: string }>(
    gateway,
    `select country, currency,
       (coalesce((select sum(amount) from transfers where credit_account_id = account_id and state = 'POSTED'), 0)
        - coalesce((select sum(amount) from transfers
                    where debit_account_id = account_id and state in ('POSTED', 'PENDING')), 0))::numeric(22,2)::text
         as available
     from accounts where merchant_id = $1 and type = 'WALLET' order by 1, 2`,
    [merchantId],
  );
  return rows.map(({ country, currency, available }) => `${country} ${currency} ${available}`);
}

describe('GET /v2/wallet-balances', () => {
  test('{ balances: [{ country, balance, currency, provider }] }, provider empty', async () => {
    const account = await openRwandanAccount();
    await topUp(account, '1500');
    expect(await get(account)).toEqual({
      status: 200,
      body: { balances: [{ country: 'RWA', balance: '1500.00', currency: 'RWF', provider: '' }] },
    });
  });

  test('one wallet per country and currency, shared by the providers of the country', async () => {
    const account = await openAccount(gateway, { providers: ['AIRTEL_COD', 'ORANGE_COD', 'MTN_MOMO_RWA'] });
    await topUp(account, '12.5', { country: 'COD', currency: 'USD' });
    expect(await balancesOf(account)).toEqual(['COD CDF 0.00', 'COD USD 12.50', 'RWA RWF 0.00']);
  });

  test('an account configured to keep one per provider: provider is its code', async () => {
    const merchantId = await createMerchant(gateway.engine, {
      by: 'test',
      companyName: 'Test Shop',
      operations: ['DEPOSIT'],
      walletPerProvider: true,
      providers: ['MTN_MOMO_RWA', 'AIRTEL_RWA'],
    });
    const account = await openToken(gateway, merchantId);
    await deposit(account, '100');
    expect(await balancesOf(account)).toEqual(['RWA RWF 0.00 AIRTEL_RWA', 'RWA RWF 100.00 MTN_MOMO_RWA']);
  });

  test('a wallet that waits for its first money is there with 0.00', async () => {
    expect(await balancesOf(await openRwandanAccount())).toEqual(['RWA RWF 0.00']);
  });

  test('money stays visible where no provider is active any more', async () => {
    const account = await openRwandanAccount();
    await topUp(account, '70', { country: 'ZMB', currency: 'ZMW' });
    expect(await balancesOf(account)).toEqual(['RWA RWF 0.00', 'ZMB ZMW 70.00']);
  });

  test('an account with everything has a wallet in every country and currency', async () => {
    const places = listProviders().flatMap(({ country, currencies }) =>
      currencies.map(({ currency }) => `${country} ${currency} 1000000.00`),
    );
    const account = { ...gateway, tokenId: '' };
    expect(await balancesOf(account)).toEqual([...new Set(places)].toSorted());
  });

  test('another merchant’s money is not in it', async () => {
    const [rich, poor] = [await openRwandanAccount(), await openRwandanAccount()];
    await topUp(rich, '1000');
    expect(await balancesOf(poor)).toEqual(['RWA RWF 0.00']);
  });
});

describe('balance = posted − held, as in the ledger', () => {
  test('a deposit adds its amount less the fee, when it is COMPLETED', async () => {
    const account = await openRwandanAccount();
    await charge(account, 'DEPOSIT', '5');
    await deposit(account, '100');
    expect(await balancesOf(account)).toEqual(['RWA RWF 95.00']);
    expect(await ledgerOf(account)).toEqual(['RWA RWF 95.00']);
  });

  test('a deposit that fails adds nothing', async () => {
    const account = await openRwandanAccount();
    const request = depositRequest({ payer: payer('MTN_MOMO_RWA', '250783456039') });
    await call(account, 'POST', '/v2/deposits', request);
    await waitFor(account, `/v2/deposits/${request['depositId']}`, 'FAILED');
    expect(await balancesOf(account)).toEqual(['RWA RWF 0.00']);
  });

  test('a payout takes its amount and fee at once, holds them, and gives them back when it fails', async () => {
    const account = await openRwandanAccount();
    await charge(account, 'PAYOUT', '10');
    await topUp(account, '1000');
    const path = await payout(account, '200', STUCK);
    expect(await balancesOf(account)).toEqual(['RWA RWF 790.00']);
    const [wallet] = await listWallets(gateway.engine.store.database, account.merchantId);
    expect([wallet!.posted, wallet!.held].map(renderAmount)).toEqual(['1000', '210']);
    expect(await ledgerOf(account)).toEqual(['RWA RWF 790.00']);
    await waitFor(account, path, 'PROCESSING');
    expect(await balancesOf(account)).toEqual(['RWA RWF 790.00']);

    const failing = await payout(account, '300', FAILS);
    await waitFor(account, failing, 'FAILED');
    expect(await balancesOf(account)).toEqual(['RWA RWF 790.00']);
    expect(await ledgerOf(account)).toEqual(['RWA RWF 790.00']);
  });

  test('a COMPLETED payout leaves the balance where its hold had brought it', async () => {
    const account = await openRwandanAccount();
    await topUp(account, '500');
    const path = await payout(account, '120', COMPLETES);
    expect(await balancesOf(account)).toEqual(['RWA RWF 380.00']);
    await waitFor(account, path, 'COMPLETED');
    expect(await balancesOf(account)).toEqual(['RWA RWF 380.00']);
    expect(await ledgerOf(account)).toEqual(['RWA RWF 380.00']);
  });

  test('what is shown can be spent to the last unit, and no more', async () => {
    const account = await openRwandanAccount();
    await topUp(account, '300');
    await payout(account, '300', STUCK);
    expect(await balancesOf(account)).toEqual(['RWA RWF 0.00']);
    const request = { payoutId: randomUUID(), amount: '5', currency: 'RWF' };
    const recipient = payer('MTN_MOMO_RWA', COMPLETES);
    const answer = await call(account, 'POST', '/v2/payouts', { ...request, recipient });
    expect(told(answer)).toBe('200 REJECTED WALLET_OUT_OF_FUNDS');
  });
});

describe('filter: country', () => {
  test('only the wallets of the country', async () => {
    const account = await openAccount(gateway, { providers: ['AIRTEL_COD', 'MTN_MOMO_RWA'] });
    await topUp(account, '9', { country: 'COD', currency: 'CDF' });
    await topUp(account, '1', { country: 'ZMB', currency: 'ZMW' });
    expect(await balancesOf(account, '?country=COD')).toEqual(['COD CDF 9.00', 'COD USD 0.00']);
    expect(await balancesOf(account, '?country=ZMB')).toEqual(['ZMB ZMW 1.00']);
    expect(await balancesOf(account, '?country=KEN')).toEqual([]);
  });

  test.each([
    ['a country without providers', '?country=FRA', '400 REJECTED INVALID_PARAMETER country'],
    ['a country in small letters', '?country=rwa', '400 REJECTED INVALID_PARAMETER country'],
    ['an empty country', '?country=', '400 REJECTED INVALID_PARAMETER country'],
    ['two countries', '?country=RWA&country=COD', '400 REJECTED INVALID_PARAMETER country'],
  ])('%s: %s', async (_, query, expected) => {
    expect(told(await get(gateway, query))).toBe(expected);
  });
});

describe('who may ask', () => {
  test('a token with the scope finances:read alone', async () => {
    const { merchantId } = gateway;
    expect((await get(await openToken(gateway, merchantId, { scopes: ['finances:read'] }))).status).toBe(200);
  });

  test('403 without it: { status: REJECTED, failureReason }', async () => {
    const token = await openToken(gateway, gateway.merchantId, { scopes: ['toolkit:read', 'payouts:write'] });
    const answer = await get(token);
    expect(answer).toEqual({
      status: 403,
      body: {
        status: 'REJECTED',
        failureReason: { failureCode: 'AUTHORISATION_ERROR', failureMessage: expect.any(String) },
      },
    });
    expect(quotedByAnswer(answer)).toEqual(['finances:read']);
  });

  test('401 without a good token, whatever else is wrong: { status: REJECTED, failureReason }', async () => {
    expect(await get({ url: gateway.url, apiToken: 'secret' }, '?surplus=1')).toEqual({
      status: 401,
      body: {
        status: 'REJECTED',
        failureReason: { failureCode: 'AUTHENTICATION_ERROR', failureMessage: expect.any(String) },
      },
    });
  });
});
