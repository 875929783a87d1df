// What a merchant owes: collected from later credits to the same wallet, and what waits meanwhile.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settleWallet, topUpWallets } from '../src/core/ledger/administer-wallets.ts';
import { advance, claimDueSubmits } from '../src/core/payments/process/advance.ts';
import { release } from '../src/core/payments/process/release.ts';
import { readCases } from '../src/core/reconciliation/resolve-cases.ts';
import { renderAmount, type Amount } from '../src/domain/money.ts';
import type { Outcome } from '../src/domain/payments/outcome.ts';
import type { PaymentKey, PaymentKind } from '../src/domain/payments/payment.ts';
import { listTrialBalance, listUnbalancedWallets } from '../src/store/ledger/ledger.ts';
import { resolveCase } from './approvals.ts';
import { call, depositRequest, openTestGateway, payer, select, type TestGateway } from './gateway.ts';
import { payoutRequest, refundRequest, remittanceRequest, type Body } from './requests.ts';

const NOUNS = { DEPOSIT: 'deposit', PAYOUT: 'payout', REFUND: 'refund', REMITTANCE: 'remittance' } as const;

let gateway: TestGateway;
beforeEach(async () => {
  // No worker: every step here is taken by the test.
  gateway = await openTestGateway({ role: 'api' });
});
afterEach(async () => {
  const { database } = gateway.engine.store;
  const totals = new Map<string, Amount>();
  for (const { currency, balance } of await listTrialBalance(database)) {
    totals.set(currency, (totals.get(currency) ?? 0n) + balance);
  }
  expect([...totals].filter(([, total]) => total !== 0n)).toEqual([]);
  expect(await listUnbalancedWallets(database)).toEqual([]);
  await gateway.stop();
});

/** What an account of Rwandan francs holds: credits less debits. */
async function balanceOf(type: string): Promise<string> {
  const rows = await listTrialBalance(gateway.engine.store.database);
  const row = rows.find((one) => one.type === type && one.currency === 'RWF' && one.country === 'RWA');
  return renderAmount(row?.balance ?? 0n);
}

const owed = async () => (await balanceOf('RECEIVABLE')).replace('-', '');

async function start(kind: PaymentKind, request: Body): Promise<Body> {
  return (await call(gateway, 'POST', `/v2/${NOUNS[kind]}s`, request)).body;
}

async function accepted(kind: PaymentKind, request: Body): Promise<PaymentKey> {
  expect(await start(kind, request)).toMatchObject({ status: 'ACCEPTED' });
  return { merchantId: gateway.merchantId, kind, paymentId: request[`${NOUNS[kind]}Id`] };
}

async function say(key: PaymentKey, outcome: Outcome): Promise<void> {
  await advance(gateway.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
}

async function completedDeposit(request: Body = depositRequest()): Promise<PaymentKey> {
  const key = await accepted('DEPOSIT', request);
  await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  await say(key, { type: 'COMPLETED', providerTransactionId: randomUUID() });
  return key;
}

const failed: Outcome = { type: 'FAILED', code: 'OTHER_ERROR' };

/** A completed deposit of 100 that the operator takes back. */
async function reversedDeposit(): Promise<PaymentKey> {
  const key = await completedDeposit();
  await say(key, failed);
  return key;
}

async function reverseEvidence(key: PaymentKey): Promise<void> {
  const open = await readCases(gateway.engine, { onlyOpen: true });
  const { caseId } = open.find(({ paymentId }) => paymentId === key.paymentId)!;
  const about = {
    caseId,
    resolution: 'REVERSE_EVIDENCE',
    reason: 'letter of 3 March',
    amount: null,
  } as const;
  expect(await resolveCase(gateway.engine, about)).toMatchObject({ type: 'DONE' });
}

async function topUp(amount: Amount): Promise<void> {
  const { merchantId } = gateway;
  await topUpWallets(gateway.engine, [{ by: 'Ana', merchantId, country: 'RWA', currency: 'RWF', amount }]);
}

async function statusOf({ kind, paymentId }: PaymentKey): Promise<string> {
  return (await call(gateway, 'GET', `/v2/${NOUNS[kind]}s/${paymentId}`)).body['data'].status;
}

const outOfFunds = { status: 'REJECTED', failureReason: { failureCode: 'WALLET_OUT_OF_FUNDS' } };

describe('A10: a reversal that the operator takes back', () => {
  test('A10: a reversal that the operator takes back is undone by REVERSE_EVIDENCE: the books are as before it, and the deposit can be refunded', async () => {
    const key = await completedDeposit();
    const before = [await balanceOf('FLOAT'), await balanceOf('WALLET'), await owed()];
    await say(key, failed);
    expect(await owed()).toBe('100');
    await reverseEvidence(key);
    expect([await balanceOf('FLOAT'), await balanceOf('WALLET'), await owed()]).toEqual(before);
    expect(await start('REFUND', refundRequest(key.paymentId))).toMatchObject({ status: 'ACCEPTED' });
  });

  test('A10: a reversal that the operator takes back gives back to the wallet what was collected for it meanwhile', async () => {
    const key = await reversedDeposit();
    await completedDeposit(depositRequest({ amount: '60' }));
    expect([await owed(), await balanceOf('WALLET')]).toEqual(['40', '1000100']);
    await reverseEvidence(key);
    expect([await owed(), await balanceOf('WALLET')]).toEqual(['0', '1000160']);
  });

  test('A10: a reversal that the operator takes back can come once more, and is a new case with postings of its own', async () => {
    const key = await reversedDeposit();
    await reverseEvidence(key);
    await say(key, failed);
    expect(await owed()).toBe('100');
    expect(await readCases(gateway.engine, { onlyOpen: true })).toMatchObject([{ paymentId: key.paymentId }]);
    await reverseEvidence(key);
    expect(await owed()).toBe('0');
  });
});

async function availableOf(currency: string): Promise<Amount> {
  const [row] = await select(
    gateway,
    `select ((w.posted - w.held) * 10000)::bigint::text as available from wallets w join accounts using (account_id)
     where currency = $1 and country = 'RWA'`,
    [currency],
  );
  return BigInt(row?.['available'] ?? 0);
}

/** A completed deposit of 100 that the operator takes back after everything available has left the wallet. */
async function uncoveredReversal(): Promise<PaymentKey> {
  const key = await completedDeposit();
  const { merchantId } = gateway;
  const all = { by: 'Ana', merchantId, country: 'RWA', currency: 'RWF', amount: await availableOf('RWF') };
  expect(await settleWallet(gateway.engine, all)).toEqual({ type: 'DONE' });
  await say(key, failed);
  return key;
}

describe('A10: what a merchant owes', () => {
  test('A10: what a merchant owes is collected from later credits, each in the transaction that credits the wallet', async () => {
    await reversedDeposit();
    const deposit = await completedDeposit(depositRequest({ amount: '60' }));
    expect([await owed(), await balanceOf('WALLET')]).toEqual(['40', '1000100']);
    expect(
      await select(
        gateway,
        `select template, trim_scale(amount)::text as amount, count(*) over (partition by created_at)::int as together
         from transfers
           where subject_id in (select payment_no from payment_keys where payment_id = $1) order by leg_no`,
        [deposit.paymentId],
      ),
    ).toEqual([
      { template: 'SETTLE', amount: '60', together: 2 },
      { template: 'COLLECT', amount: '60', together: 2 },
    ]);
    await topUp(1_000_000n);
    expect([await owed(), await balanceOf('WALLET')]).toEqual(['0', '1000160']);
    await topUp(1_000_000n);
    expect(await balanceOf('WALLET')).toBe('1000260');
  });

  test('A10: what a merchant owes is collected once by credits that arrive at the same time', async () => {
    await reversedDeposit();
    const keys = await Promise.all(
      Array.from({ length: 8 }, () => accepted('DEPOSIT', depositRequest({ amount: '30' }))),
    );
    await Promise.all(
      keys.map(async (key) => {
        await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
        await say(key, { type: 'COMPLETED', providerTransactionId: randomUUID() });
      }),
    );
    expect([await owed(), await balanceOf('WALLET')]).toEqual(['0', '1000240']);
  });

  test('A10: what a merchant owes is not collected from another wallet of the same merchant', async () => {
    await reversedDeposit();
    await completedDeposit(
      depositRequest({ amount: '1000', currency: 'XOF', payer: payer('MTN_MOMO_BEN', '2290151345789') }),
    );
    expect(await owed()).toBe('100');
  });

  test('A10: what a merchant owes and the wallet does not cover must stay: payouts, remittances and refunds are rejected', async () => {
    const deposit = await completedDeposit();
    const payout = await accepted('PAYOUT', payoutRequest({ amount: '250' }));
    await advance(gateway.engine, [{ key: payout, event: { type: 'SUBMIT_CLAIMED' } }]);
    await uncoveredReversal();
    await say(payout, failed);
    expect(await start('PAYOUT', payoutRequest({ amount: '151' }))).toMatchObject(outOfFunds);
    expect(await start('REMITTANCE', remittanceRequest({ amount: '151' }))).toMatchObject(outOfFunds);
    await accepted('PAYOUT', payoutRequest({ amount: '150' }));
    expect(await start('PAYOUT', payoutRequest({ amount: '100' }))).toMatchObject(outOfFunds);
    expect(await start('REFUND', refundRequest(deposit.paymentId))).toMatchObject(outOfFunds);
    await topUp(2_000_000n);
    expect(await start('PAYOUT', payoutRequest({ amount: '100' }))).toMatchObject({ status: 'ACCEPTED' });
  });

  test('A10: what a merchant owes stops nothing where the wallet covers it', async () => {
    const waiting = await accepted('PAYOUT', payoutRequest());
    await reversedDeposit();
    expect(await owed()).toBe('100');
    const remittance = await accepted('REMITTANCE', remittanceRequest());
    const all = await accepted('PAYOUT', payoutRequest({ amount: renderAmount(await availableOf('RWF')) }));
    await claimDueSubmits(gateway.engine, { countMax: 10 });
    const states = await Promise.all([waiting, remittance, all].map(statusOf));
    expect(states).toEqual(['PROCESSING', 'PROCESSING', 'PROCESSING']);
  });

  test('A10: what a merchant owes and the wallet does not cover lets unsent payouts and remittances wait', async () => {
    const waiting = [
      await accepted('PAYOUT', payoutRequest()),
      await accepted('REMITTANCE', remittanceRequest()),
    ];
    await uncoveredReversal();
    const claim = () => claimDueSubmits(gateway.engine, { countMax: 10 });
    const releaseNow = () =>
      release(gateway.engine, {
        countMax: 10,
        onError: (error) => {
          throw error;
        },
      });
    const states = () => Promise.all(waiting.map(statusOf));
    await claim();
    expect(await states()).toEqual(['ENQUEUED', 'ENQUEUED']);
    expect(await releaseNow()).toBe(0);
    const attempts = await select(gateway, `select 1 from payment_attempts where kind <> 'DEPOSIT'`);
    expect(attempts).toEqual([]);
    await topUp(1_000_000n);
    expect(await releaseNow()).toBe(2);
    await claim();
    expect(await states()).toEqual(['PROCESSING', 'PROCESSING']);
  });

  test('A10: what a merchant owes is not collected from what the shares of a split need, but from what is left', async () => {
    await reversedDeposit();
    const split = {
      splitPaymentId: randomUUID(),
      amount: '100',
      currency: 'RWF',
      payer: payer('MTN_MOMO_RWA', '250783456789'),
      splits: [
        { payoutId: randomUUID(), amount: '70', recipient: payer('MTN_MOMO_RWA', '250783456789') },
        { payoutId: randomUUID(), amount: '20', recipient: payer('MTN_MOMO_RWA', '250783456789') },
      ],
    };
    expect((await call(gateway, 'POST', '/v2/split-payments', split)).body).toMatchObject({
      status: 'ACCEPTED',
    });
    const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: split.splitPaymentId } as const;
    await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
    await say(key, { type: 'COMPLETED', providerTransactionId: randomUUID() });
    expect(await owed()).toBe('90');
    expect(
      await select(
        gateway,
        `select trim_scale(posted)::text as posted, trim_scale(held)::text as held from wallets
         join accounts using (account_id) where country = 'RWA' and currency = 'RWF'`,
      ),
      // What the case could cost is held too.
    ).toEqual([{ posted: '1000190', held: '190' }]);
  });
});
