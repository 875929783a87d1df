// Payouts of API v2 at a running gateway. Rows of api.md "Payout" and "Endpoints" and of completions
// 1.3, 1.5, 1.7, 3.1 and 3.2; what all payments that send money have in common is in outgoing-rows.ts.
import { describe, expect, test } from 'vitest';
import { openGateway } from '../../src/commands/serve/compose.ts';
import { listWallets } from '../../src/store/ledger/ledger.ts';
import { setFee } from '../../src/store/merchants/merchants.ts';
import { openTestGateway, select } from '../gateway.ts';
import { readPayment, send, setAvailability, smallest, start, topUp, waitForPayment } from '../payments.ts';
import { payoutRequest, wallet, type Body } from '../requests.ts';
import { openAccount, type Account } from './accounts.ts';
import { quotedByAnswer, told } from './answers.ts';
import { describeBulk } from './bulk-rows.ts';
import { describeOutgoing, withGateway } from './outgoing-rows.ts';

const gateway = withGateway();

async function accountWith(amount: string, providers?: readonly string[]): Promise<Account> {
  const account = await openAccount(gateway(), {
    operations: ['PAYOUT'],
    ...(providers === undefined ? {} : { providers }),
  });
  if (amount !== '0') await topUp(gateway(), account.merchantId, amount);
  return account;
}

/** An account that pays 1 % and 2 for each payout. */
async function accountWithFee(amount: string): Promise<Account> {
  const account = await accountWith(amount);
  await setFee(gateway().engine.store.database, {
    merchantId: account.merchantId,
    provider: 'MTN_MOMO_RWA',
    operation: 'PAYOUT',
    currency: 'RWF',
    fee: { basisPoints: 100, fixed: 20_000n },
  });
  return account;
}

async function walletOf({ merchantId }: Account) {
  const [found] = await listWallets(gateway().engine.store.database, merchantId);
  return { posted: found!.posted / 10_000n, held: found!.held / 10_000n };
}

describe('the record', () => {
  test('COMPLETED: exactly the fields of the specification', async () => {
    const request = payoutRequest({
      amount: '150',
      customerMessage: 'Salary May',
      clientReferenceId: 'SAL-5',
      metadata: [{ employee: 'E-1' }, { email: 'a@example.com', isPII: true }],
    });
    const payoutId = await start(gateway(), 'payout', request);
    expect(await waitForPayment(gateway(), 'payout', payoutId, 'COMPLETED')).toEqual({
      payoutId,
      status: 'COMPLETED',
      amount: '150',
      currency: 'RWF',
      country: 'RWA',
      recipient: wallet('MTN_MOMO_RWA', '250783456789'),
      customerMessage: 'Salary May',
      clientReferenceId: 'SAL-5',
      created: expect.stringMatching(/Z$/),
      providerTransactionId: expect.stringMatching(/./),
      metadata: { employee: 'E-1', email: 'a@example.com' },
    });
  });

  test('absent fields are left out, and the customerMessage is the company name', async () => {
    const payoutId = await start(gateway(), 'payout', payoutRequest());
    const record = await waitForPayment(gateway(), 'payout', payoutId, 'COMPLETED');
    expect(Object.keys(record).toSorted().join(' ')).toBe(
      'amount country created currency customerMessage payoutId providerTransactionId recipient status',
    );
    expect(record['customerMessage']).toBe('Demo Shop');
  });
});

describe('rejections, HTTP 200', () => {
  test.each<[string, Body, readonly string[]]>([
    ['INVALID_PHONE_NUMBER', { recipient: wallet('MTN_MOMO_RWA', '260763456789') }, ['RWA']],
    ['INVALID_CURRENCY', { currency: 'ZMW' }, ['ZMW', 'MTN_MOMO_RWA']],
    ['INVALID_AMOUNT', { amount: '100.50' }, ['MTN_MOMO_RWA', '0']],
    ['AMOUNT_OUT_OF_BOUNDS', { amount: '0' }, ['5', '2000000', 'MTN_MOMO_RWA']],
    ['AMOUNT_OUT_OF_BOUNDS', { amount: '2000001' }, ['5', '2000000', 'MTN_MOMO_RWA']],
  ])('%s: %j', async (code, changes, quoted) => {
    const answer = await send(gateway(), 'payout', payoutRequest(changes));
    expect(told(answer)).toBe(`200 REJECTED ${code}`);
    expect(quotedByAnswer(answer)).toEqual(quoted);
  });

  test('INVALID_PROVIDER: known, but not active for this account', async () => {
    const account = await accountWith('1000', ['AIRTEL_RWA']);
    expect(told(await send(account, 'payout', payoutRequest()))).toBe('200 REJECTED INVALID_PROVIDER');
  });

  test('WALLET_OUT_OF_FUNDS: names country, amount with its fee, and currency; a smaller one is accepted', async () => {
    const account = await accountWith('99');
    const request = payoutRequest({ amount: '100' });
    const answer = await send(account, 'payout', request);
    expect(told(answer)).toBe('200 REJECTED WALLET_OUT_OF_FUNDS');
    expect(quotedByAnswer(answer)).toEqual(['RWA', '100', 'RWF']);
    expect(told(await send(account, 'payout', { ...request, amount: '99' }))).toBe('200 ACCEPTED');
  });

  test('WALLET_OUT_OF_FUNDS: an account that never had money', async () => {
    expect(told(await send(await accountWith('0'), 'payout', payoutRequest()))).toBe(
      '200 REJECTED WALLET_OUT_OF_FUNDS',
    );
  });

  test('20 at once with one identifier and no funds are all REJECTED: no one is told DUPLICATE_IGNORED', async () => {
    const account = await accountWith('0');
    const request = payoutRequest();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(account, 'payout', request)));
    expect(new Set(answers.map(told))).toEqual(new Set(['200 REJECTED WALLET_OUT_OF_FUNDS']));
  });
});

describe('principal and fee', () => {
  test('principal and fee are held from acceptance, and taken when it is COMPLETED', async () => {
    const account = await accountWithFee('1000');
    gateway().simulator.addFault({
      type: 'OUTCOME',
      status: 'SUCCESSFUL',
      delayMs: 300,
      phoneNumber: '250783000111',
    });
    const request = payoutRequest({ recipient: wallet('MTN_MOMO_RWA', '250783000111') });
    await start(account, 'payout', request);
    expect(await walletOf(account)).toEqual({ posted: 1_000n, held: 103n });
    await waitForPayment(account, 'payout', request['payoutId'], 'COMPLETED');
    expect(await walletOf(account)).toEqual({ posted: 897n, held: 0n });
  });

  test('principal and fee are free again when it is FAILED', async () => {
    const account = await accountWithFee('1000');
    const request = payoutRequest({ recipient: wallet('MTN_MOMO_RWA', '250783456089') });
    await start(account, 'payout', request);
    await waitForPayment(account, 'payout', request['payoutId'], 'FAILED');
    expect(await walletOf(account)).toEqual({ posted: 1_000n, held: 0n });
  });

  test('WALLET_OUT_OF_FUNDS where there is enough for the principal only', async () => {
    const answer = await send(await accountWithFee('102'), 'payout', payoutRequest());
    expect(told(answer)).toBe('200 REJECTED WALLET_OUT_OF_FUNDS');
    expect(quotedByAnswer(answer)).toEqual(['RWA', '103', 'RWF']);
    expect(told(await send(await accountWithFee('103'), 'payout', payoutRequest()))).toBe('200 ACCEPTED');
  });
});

describe('provider turns DELAYED after acceptance', () => {
  test('unsent payouts become ENQUEUED, and are sent when it is back', async () => {
    const api = await openTestGateway({ role: 'api' });
    try {
      const payoutId = await start(api, 'payout', payoutRequest());
      expect((await readPayment(api, 'payout', payoutId))['status']).toBe('ACCEPTED');
      await setAvailability(api, 'payout', 'DELAYED');
      const worker = await openGateway({ ...api.config, operatorsUrl: api.url }, { role: 'worker' });
      await worker.start();
      try {
        await waitForPayment(api, 'payout', payoutId, 'ENQUEUED');
        await setAvailability(api, 'payout', 'OPERATIONAL');
        await waitForPayment(api, 'payout', payoutId, 'COMPLETED');
      } finally {
        await worker.stop();
      }
    } finally {
      await api.stop();
    }
  });
});

describe('without a configured callback URL', () => {
  test('none is sent, the payout still ends, and resend is REJECTED INVALID_STATE with a message that says why', async () => {
    const account = await accountWith('1000');
    const request = payoutRequest();
    await start(account, 'payout', request);
    await waitForPayment(account, 'payout', request['payoutId'], 'COMPLETED');
    expect(
      await select(gateway(), 'select 1 from callbacks where payment_id = $1', [request['payoutId']]),
    ).toEqual([]);
    const { url, apiToken } = account;
    const answer = await fetch(`${url}/v2/payouts/resend-callback/${request['payoutId']}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiToken}` },
    });
    expect(await answer.json()).toMatchObject({
      payoutId: request['payoutId'],
      status: 'REJECTED',
      failureReason: {
        failureCode: 'INVALID_STATE',
        failureMessage: expect.stringContaining('no callback address is configured'),
      },
    });
  });
});

describeBulk({ noun: 'payout', request: payoutRequest }, gateway);

describeOutgoing(
  {
    noun: 'payout',
    requestTo: async (_, { provider, phoneNumber }) =>
      payoutRequest({ ...smallest(provider, 'PAYOUT'), recipient: wallet(provider, phoneNumber) }),
  },
  gateway,
);
