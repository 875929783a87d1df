// What operators say too late, twice, in bad form or about somebody else's payment: no money moves that should not.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advance } from '../src/core/payments/process/advance.ts';
import { enquire } from '../src/core/payments/process/enquire.ts';
import { permissionFor } from '../src/core/operators/operator-calls.ts';
import { initiate as initiateOrders } from '../src/core/payments/accept/initiate.ts';
import { readCases } from '../src/core/reconciliation/resolve-cases.ts';
import type { Outcome } from '../src/domain/payments/outcome.ts';
import type { Resolution } from '../src/domain/reconciliation/cases.ts';
import type { PaymentKey } from '../src/domain/payments/payment.ts';
import { listLatestAttempts } from '../src/store/payments/attempts.ts';
import { listPayments } from '../src/store/payments/payments.ts';
import { resolveCase } from './approvals.ts';
import { clockAt, nowOf } from './clocks.ts';
import { call, openTestGateway, payer, select, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  // No worker: every step here is taken manually.
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

const sentDeposit = () => sentPayment('DEPOSIT');

async function sentPayment(kind: 'DEPOSIT' | 'PAYOUT'): Promise<PaymentKey> {
  const { engine, merchantId } = gateway;
  const paymentId = randomUUID();
  const [answer] = await initiateOrders(engine, [
    {
      paymentNo: randomUUID(),
      merchant: (await engine.directory.merchant(merchantId))!,
      apiVersion: 'v2',
      writtenId: paymentId,
      kind,
      amount: 1_000_000n,
      amountText: '100',
      currency: 'RWF',
      provider: 'MTN_MOMO_RWA',
      details: { phoneNumber: '250783456789' },
    },
  ]);
  expect(answer!.type).toBe('ACCEPTED');
  const key = { merchantId, kind, paymentId } as const;
  await advance(engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  return key;
}

async function say(key: PaymentKey, outcome: Outcome, fromConnector = 'simulator'): Promise<string> {
  const event = { type: 'OPERATOR_ANSWERED', outcome } as const;
  const [advanced] = await advance(gateway.engine, [{ key, event, fromConnector }]);
  return advanced!.type;
}

async function read(key: PaymentKey) {
  const { database, keyring } = gateway.engine.store;
  return (await listPayments(database, keyring, [key]))[0]!;
}

const stateOf = async (key: PaymentKey) => (await read(key)).state;

async function casesOf({ paymentId }: PaymentKey): Promise<string[]> {
  const rows = await select(gateway, 'select evidence from cases where payment_id = $1', [paymentId]);
  return rows.map(({ evidence }) => evidence);
}

async function refund(deposit: PaymentKey): Promise<Record<string, any>> {
  const body = { refundId: randomUUID(), depositId: deposit.paymentId };
  return (await call(gateway, 'POST', '/v2/refunds', body)).body;
}

const completed = (providerTransactionId: string): Outcome => ({ type: 'COMPLETED', providerTransactionId });
const failed: Outcome = { type: 'FAILED', code: 'OTHER_ERROR' };

test('a hint that overtook the answer to the request is still asked about at once', async () => {
  const key = await sentDeposit();
  await advance(gateway.engine, [{ key, event: { type: 'HINTED' } }]);
  await say(key, { type: 'PENDING' });
  const { nextAction, nextActionAt } = await read(key);
  expect([nextAction, nextActionAt! <= nowOf(gateway.engine)]).toEqual(['ENQUIRE', true]);
});

describe('an operator transaction', () => {
  test('an operator transaction that completes a payment a second time, under another identifier, opens a case', async () => {
    const key = await sentDeposit();
    expect(await say(key, completed(randomUUID()))).toBe('MOVE');
    expect(await say(key, completed(randomUUID()))).toBe('CONTRADICTION');
    expect(await casesOf(key)).toEqual(['DISCREPANCY']);
  });

  test('an operator transaction that pays a FAILED payment a second time, under another identifier, opens a case of its own', async () => {
    const key = await sentDeposit();
    const first = randomUUID();
    await say(key, failed);
    await say(key, completed(first));
    await say(key, completed(first));
    expect(await casesOf(key)).toEqual(['LATE_SUCCESS']);
    expect(await say(key, completed(randomUUID()))).toBe('CONTRADICTION');
    expect((await casesOf(key)).toSorted()).toEqual(['DISCREPANCY', 'LATE_SUCCESS']);
  });

  test('an operator transaction that completed another payment completes no second one: IN_RECONCILIATION with a case', async () => {
    const [one, two] = [await sentDeposit(), await sentDeposit()];
    const transaction = randomUUID();
    await say(one, completed(transaction));
    await say(two, completed(transaction));
    expect([await stateOf(one), await stateOf(two)]).toEqual(['COMPLETED', 'IN_RECONCILIATION']);
    expect(await casesOf(two)).toEqual(['DISCREPANCY']);
  });

  test('of another amount does not keep its rightful owner from it', async () => {
    const [wrong, right] = [await sentDeposit(), await sentDeposit()];
    const transaction = randomUUID();
    await say(wrong, { ...completed(transaction), moved: { amount: 1n } } as Outcome);
    await say(right, completed(transaction));
    expect([await stateOf(wrong), await stateOf(right)]).toEqual(['IN_RECONCILIATION', 'COMPLETED']);
  });

  test.each([
    ['a NUL', 'x\0y'],
    ['thousands of characters', 'x'.repeat(5_000)],
    ['nothing', ''],
  ])(
    'an operator transaction whose identifier is %s is an answer no one can read, and the payment goes on',
    async (_name, identifier) => {
      const key = await sentDeposit();
      expect(await say(key, completed(identifier))).toBe('MOVE');
      expect(await stateOf(key)).toBe('PROCESSING');
    },
  );

  test('told by an operator the payment was not sent to is no one', async () => {
    const key = await sentDeposit();
    expect(await say(key, failed, 'other')).toBe('NOTHING');
    expect(await stateOf(key)).toBe('PROCESSING');
  });
});

describe('the same contradiction twice in one batch', () => {
  test('the same contradiction twice in one batch opens one case and is posted once', async () => {
    const key = await sentDeposit();
    await say(key, failed);
    const event = { type: 'OPERATOR_ANSWERED', outcome: { type: 'COMPLETED' } } as const;
    await advance(gateway.engine, [
      { key, event },
      { key, event },
    ]);
    expect(await casesOf(key)).toEqual(['LATE_SUCCESS']);
    const transfers = await select(
      gateway,
      'select 1 from transfers where subject_id in (select payment_no from payment_keys where payment_id = $1)',
      [key.paymentId],
    );
    expect(transfers).toHaveLength(1);
  });
});

describe('a refund', () => {
  test('of a deposit that the operator took back is rejected', async () => {
    const deposit = await sentDeposit();
    await say(deposit, completed(randomUUID()));
    await say(deposit, failed);
    expect((await refund(deposit))['failureReason'].failureCode).toBe('INVALID_STATE');
  });

  test('a refund that FAILED and was paid all the same leaves nothing to refund', async () => {
    const deposit = await sentDeposit();
    await say(deposit, completed(randomUUID()));
    const { refundId } = await refund(deposit);
    const key = { ...deposit, kind: 'REFUND', paymentId: refundId } as const;
    await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
    await say(key, failed);
    await say(key, completed(randomUUID()));
    expect((await refund(deposit))['failureReason'].failureCode).toBe('DEPOSIT_ALREADY_REFUNDED');
  });
});

describe('"not found"', () => {
  test('"not found" is judged by the moment of asking, however long the answer took', async () => {
    const key = await sentDeposit();
    const { engine } = gateway;
    const { database, keyring } = engine.store;
    const [payment] = await listPayments(database, keyring, [key]);
    const [attempt] = await listLatestAttempts(database, [key]);
    const connector = engine.connectors.get('simulator')!;
    let shiftMs = 0;
    const slow = {
      ...connector,
      repeatedSubmit: 'CHARGES_AGAIN' as const,
      query: async () => {
        // The worker stands still while the answer is on its way.
        shiftMs = 60_000;
        return { outcome: { type: 'NOT_SEEN' as const }, evidence: '' };
      },
    };
    const paused = {
      ...engine,
      clock: clockAt(() => new Date(Date.now() + shiftMs)),
      connectors: new Map([['simulator', slow]]),
    };
    const { advances } = await enquire(paused, {
      payment: payment!,
      attempt: attempt!,
      lease: new Date(),
    });
    expect(advances[0]!.event).toMatchObject({ outcome: { type: 'NOT_SEEN' } });
  });
});

describe('permission to send', () => {
  test('permission to send ends and does not come back, whatever the clock does', async () => {
    const key = await sentDeposit();
    const [attempt] = await listLatestAttempts(gateway.engine.store.database, [key]);
    let now = Date.now();
    const engine = { ...gateway.engine, clock: clockAt(() => new Date(now)) };
    const permission = permissionFor(engine, attempt!);
    expect(permission.isOpen()).toBe(true);
    now += 3_600_000;
    expect(permission.isOpen()).toBe(false);
    now -= 7_200_000;
    expect(permission.isOpen()).toBe(false);
  });
});

test('a split across countries of one currency is paid from the wallet its collection went into', async () => {
  const split = {
    splitPaymentId: randomUUID(),
    amount: '1000',
    currency: 'XOF',
    payer: payer('MTN_MOMO_BEN', '2290151345789'),
    splits: [{ payoutId: randomUUID(), amount: '400', recipient: payer('MTN_MOMO_CIV', '2250503456789') }],
  };
  const wallets = async () =>
    select(
      gateway,
      `select country, posted - held as available from wallets join accounts using (account_id)
      where currency = 'XOF' and country in ('BEN', 'CIV') order by country`,
    );
  const before = await wallets();
  expect((await call(gateway, 'POST', '/v2/split-payments', split)).body['status']).toBe('ACCEPTED');
  const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: split.splitPaymentId } as const;
  await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  expect(await say(key, completed(randomUUID()))).toBe('MOVE');
  const after = await wallets();
  const grown = after.map((row, index) => Number(row['available']) - Number(before[index]!['available']));
  expect(grown).toEqual([600, 0]);
});

test('the payoutIds of a split whose collection failed are free again', async () => {
  const payoutId = randomUUID();
  const recipient = payer('MTN_MOMO_RWA', '250788000111');
  const split = {
    splitPaymentId: randomUUID(),
    amount: '1000',
    currency: 'RWF',
    payer: payer('MTN_MOMO_RWA', '250783456789'),
    splits: [{ payoutId, amount: '400', recipient }],
  };
  await call(gateway, 'POST', '/v2/split-payments', split);
  const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: split.splitPaymentId } as const;
  await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  const payout = { payoutId, amount: '50', currency: 'RWF', recipient };
  expect((await call(gateway, 'POST', '/v2/payouts', payout)).body['status']).toBe('DUPLICATE_IGNORED');
  await say(key, failed);
  expect((await call(gateway, 'POST', '/v2/payouts', payout)).body['status']).toBe('ACCEPTED');
});

async function openCasesOf({ paymentId }: PaymentKey) {
  const open = await readCases(gateway.engine, { onlyOpen: true });
  return open.filter((found) => found.paymentId === paymentId);
}

async function resolve(key: PaymentKey, resolution: Resolution, amount: bigint | null): Promise<void> {
  const [found] = await openCasesOf(key);
  const about = { caseId: found!.caseId, resolution, reason: 'as the report says', amount };
  expect((await resolveCase(gateway.engine, about)).type).toBe('DONE');
}

async function transfersOf({ paymentId }: PaymentKey): Promise<string[]> {
  const rows = await select(
    gateway,
    `select template, trim_scale(amount)::text as amount from transfers
      where subject_id in (select payment_no from payment_keys where payment_id = $1) order by leg_no`,
    [paymentId],
  );
  return rows.map(({ template, amount }) => `${template} ${amount}`);
}

describe('A5: one case for each operator transaction', () => {
  test('a third payment of a payout opens a case of its own after the second was resolved, and is posted', async () => {
    const key = await sentPayment('PAYOUT');
    await say(key, completed(randomUUID()));
    await say(key, completed(randomUUID()));
    await resolve(key, 'WRITE_OFF', 1_000_000n);
    const third = randomUUID();
    expect(await say(key, completed(third))).toBe('CONTRADICTION');
    expect(await openCasesOf(key)).toMatchObject([{ evidence: 'DISCREPANCY', providerTransactionId: third }]);
    await resolve(key, 'WRITE_OFF', 1_000_000n);
    expect(await transfersOf(key)).toEqual(['OUTGOING 100', 'WRITE_OFF 100', 'WRITE_OFF 100']);
  });

  test('two further transactions before a person looks are two cases, and each names its transaction', async () => {
    const key = await sentPayment('PAYOUT');
    const [second, third] = [randomUUID(), randomUUID()];
    for (const transaction of [randomUUID(), second, third, second, third]) {
      await say(key, completed(transaction));
    }
    const named = (await openCasesOf(key)).map(({ providerTransactionId }) => providerTransactionId);
    expect(named).toHaveLength(2);
    expect(new Set(named)).toEqual(new Set([second, third]));
  });

  test('two further transactions in one batch are two cases', async () => {
    const key = await sentDeposit();
    await say(key, completed(randomUUID()));
    const event = () => ({ type: 'OPERATOR_ANSWERED', outcome: completed(randomUUID()) }) as const;
    await advance(gateway.engine, [
      { key, event: event() },
      { key, event: event() },
    ]);
    expect(await casesOf(key)).toEqual(['DISCREPANCY', 'DISCREPANCY']);
  });

  test('a success of another amount opens a case that names its transaction, and completes nothing', async () => {
    const key = await sentDeposit();
    const transaction = randomUUID();
    await say(key, { ...completed(transaction), moved: { amount: 1n } } as Outcome);
    expect(await openCasesOf(key)).toMatchObject([{ providerTransactionId: transaction }]);
    expect(await stateOf(key)).toBe('IN_RECONCILIATION');
    const [payment] = await select(
      gateway,
      'select provider_transaction_id as id from payments where payment_id = $1',
      [key.paymentId],
    );
    expect(payment).toEqual({ id: null });
  });

  test('a transaction of another payment is named by the case about it', async () => {
    const [one, two] = [await sentDeposit(), await sentDeposit()];
    const transaction = randomUUID();
    await say(one, completed(transaction));
    await say(two, completed(transaction));
    expect(await openCasesOf(two)).toMatchObject([{ providerTransactionId: transaction }]);
  });

  test('a late success that is named only later is the same case, and is posted once', async () => {
    const key = await sentDeposit();
    const transaction = randomUUID();
    await say(key, failed);
    await say(key, { type: 'COMPLETED' });
    await say(key, completed(transaction));
    await say(key, { type: 'COMPLETED' });
    expect(await openCasesOf(key)).toMatchObject([
      { evidence: 'LATE_SUCCESS', providerTransactionId: transaction },
    ]);
    expect(await transfersOf(key)).toEqual(['LATE_SUCCESS 100']);
    await resolve(key, 'CREDIT_MERCHANT', null);
    await say(key, completed(transaction));
    expect(await openCasesOf(key)).toEqual([]);
    await say(key, completed(randomUUID()));
    expect(await openCasesOf(key)).toHaveLength(1);
  });

  test('a second reversal under a transaction of its own is a second case, which takes the money back no second time', async () => {
    const key = await sentDeposit();
    const [own, first, second] = [randomUUID(), randomUUID(), randomUUID()];
    await say(key, completed(own));
    for (const reversal of [own, first, undefined, first]) {
      await say(key, { ...failed, ...(reversal && { providerTransactionId: reversal }) });
    }
    expect(await openCasesOf(key)).toMatchObject([
      { evidence: 'LATE_FAILURE', providerTransactionId: first },
    ]);
    await resolve(key, 'WRITE_OFF', null);
    await say(key, { ...failed, providerTransactionId: second });
    expect(await openCasesOf(key)).toMatchObject([{ providerTransactionId: second }]);
    expect(await transfersOf(key)).toEqual(['SETTLE 100', 'LATE_FAILURE 100', 'WRITE_OFF 100']);
  });

  test('a reversal that names no transaction of its own is named by that of its payment', async () => {
    const key = await sentDeposit();
    const own = randomUUID();
    await say(key, completed(own));
    await say(key, failed);
    expect(await openCasesOf(key)).toMatchObject([{ evidence: 'LATE_FAILURE', providerTransactionId: own }]);
  });
});
