// Money that leaves: many requests at once, and what the books, the wallet and the operator say afterwards.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseAmount, renderAmount } from '../src/domain/money.ts';
import { listTrialBalance, listUnbalancedWallets, listWallets } from '../src/store/ledger/ledger.ts';
import { setFee } from '../src/store/merchants/merchants.ts';
import { openAccount, type Account, type AccountOptions } from './edge/accounts.ts';
import { actOn } from './edge/action-rows.ts';
import { told } from './edge/answers.ts';
import { call, depositRequest, eventually, openTestGateway, select, type TestGateway } from './gateway.ts';
import {
  readPayment,
  send,
  setAvailability,
  start,
  startCompleted,
  topUp,
  waitForOperators,
  waitForPayment,
} from './payments.ts';
import { payoutRequest, refundRequest, wallet, type Body } from './requests.ts';

let gateway: TestGateway;
beforeAll(async () => {
  // Slow enough that there is time to cancel while others are released.
  gateway = await openTestGateway({ worker: { releasesPerSecond: 30 } });
});
afterAll(() => gateway.stop());
afterEach(() => expectBooksInOrder());

type Operations = NonNullable<AccountOptions['operations']>;

/** An account of its own, with this much in its Rwandan wallet. */
async function accountWith(amount: string, operations: Operations = ['PAYOUT']): Promise<Account> {
  const account = await openAccount(gateway, { operations, callbackUrl: gateway.receiver.url });
  if (amount !== '0') await topUp(gateway, account.merchantId, amount);
  return account;
}

async function walletOf({ merchantId }: Account): Promise<{ posted: string; held: string }> {
  const [found] = await listWallets(gateway.engine.store.database, merchantId);
  return { posted: renderAmount(found!.posted), held: renderAmount(found!.held) };
}

async function statusesOf(account: Account): Promise<Record<string, number>> {
  const rows = await select(
    gateway,
    'select state, count(*)::int as count from payments where merchant_id = $1 group by 1',
    [account.merchantId],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

const callbackCount = async (ids: readonly string[]) =>
  (await select(gateway, 'select 1 from callbacks where payment_id = any($1)', [ids])).length;

/** How often an answer was given: { "200 ACCEPTED": 300 }. */
function tally(answers: readonly string[]): Record<string, number> {
  const counts = Map.groupBy(answers, (answer) => answer);
  return Object.fromEntries([...counts].map(([answer, all]) => [answer, all.length]));
}

/** Debits equal credits, wallets equal their transfers, and our float is what the operator says it is. */
async function expectBooksInOrder(): Promise<void> {
  const { database } = gateway.engine.store;
  expect(await listUnbalancedWallets(database)).toEqual([]);
  const balances = await listTrialBalance(database);
  const totals = Map.groupBy(balances, ({ currency }) => currency);
  for (const rows of totals.values()) expect(rows.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n);
  const ours = balances
    .filter(({ type, balance }) => type === 'FLOAT' && balance !== 0n)
    .map(({ provider, currency, balance }) => `${provider} ${renderAmount(balance)} ${currency}`);
  const operators = gateway.simulator
    .books()
    .totals.map(({ sent, received, ...total }) => ({
      ...total,
      moved: parseAmount(sent)! - parseAmount(received)!,
    }))
    .filter(({ moved }) => moved !== 0n)
    .map(({ provider, currency, moved }) => `${provider} ${renderAmount(moved)} ${currency}`);
  expect(ours.toSorted()).toEqual(operators.toSorted());
}

describe('500 simultaneous payouts against funds for exactly 300, with a percentage and a fixed fee', () => {
  test('300 are ACCEPTED and complete, 200 are WALLET_OUT_OF_FUNDS, and the wallet is never below zero', async () => {
    // Each takes 100 and a fee of 1.5 % and 3: half a franc is rounded to the even one.
    const account = await accountWith(String(300 * 105));
    await setFee(gateway.engine.store.database, {
      merchantId: account.merchantId,
      provider: 'MTN_MOMO_RWA',
      operation: 'PAYOUT',
      currency: 'RWF',
      fee: { basisPoints: 150, fixed: parseAmount('3')! },
    });
    const samples = sampleAvailable(account);
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => send(account, 'payout', payoutRequest({ amount: '100' }))),
    );
    expect(tally(answers.map(told))).toEqual({
      '200 ACCEPTED': 300,
      '200 REJECTED WALLET_OUT_OF_FUNDS': 200,
    });
    await eventually(() => statusesOf(account)).toEqual({ COMPLETED: 300 });
    const available = await samples.stop();
    expect(available.length).toBeGreaterThan(5);
    expect(available.filter((amount) => amount < 0n)).toEqual([]);
    expect(await walletOf(account)).toEqual({ posted: '0', held: '0' });
    const paid = gateway.simulator.books().charges.filter(({ operation }) => operation === 'PAYOUT');
    expect(paid).toHaveLength(300);
    const fees = await listTrialBalance(gateway.engine.store.database);
    expect(fees.find(({ type }) => type === 'FEE')?.balance).toBe(parseAmount(String(300 * 5)));
    expect(told(await send(account, 'payout', payoutRequest({ amount: '5' })))).toBe(
      '200 REJECTED WALLET_OUT_OF_FUNDS',
    );
  });
});

describe('50 simultaneous partial refunds of one deposit', () => {
  test('50 simultaneous partial refunds of one deposit never exceed it; then one by one until DEPOSIT_ALREADY_REFUNDED', async () => {
    const account = await accountWith('5000', ['DEPOSIT', 'REFUND']);
    const depositId = await startCompleted(account, 'deposit', depositRequest({ amount: '1000' }));
    const ask = (changes: Body = {}) => send(account, 'refund', refundRequest(depositId, changes));
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask({ amount: '150' })));
    const first = tally(answers.map(told));
    expect(first['200 ACCEPTED']).toBeGreaterThanOrEqual(1);
    expect(first['200 ACCEPTED']).toBeLessThanOrEqual(6);
    // All others were rejected for the only reasons there are.
    const refusals = ['200 REJECTED REFUND_IN_PROGRESS', '200 REJECTED AMOUNT_TOO_LARGE'];
    expect(Object.keys(first).filter((answer) => !['200 ACCEPTED', ...refusals].includes(answer))).toEqual(
      [],
    );

    const toldNext = async (changes: Body = {}) => {
      await eventually(() => openRefundCount(depositId)).toBe(0);
      return told(await ask(changes));
    };
    const rest: string[] = [];
    do rest.push(await toldNext({ amount: '150' }));
    while (rest.at(-1) === '200 ACCEPTED');
    expect(rest.at(-1)).toBe('200 REJECTED AMOUNT_TOO_LARGE');
    expect(await toldNext()).toBe('200 ACCEPTED');
    expect(await toldNext()).toBe('200 REJECTED DEPOSIT_ALREADY_REFUNDED');
    expect(await toldNext({ amount: '5' })).toBe('200 REJECTED DEPOSIT_ALREADY_REFUNDED');

    const refunds = await select(
      gateway,
      `select amount::int as amount, state from payments where deposit_id = $1 order by amount`,
      [depositId],
    );
    expect(refunds.map(({ amount }) => amount)).toEqual([100, 150, 150, 150, 150, 150, 150]);
    expect(new Set(refunds.map(({ state }) => state))).toEqual(new Set(['COMPLETED']));
    expect(await walletOf(account)).toEqual({ posted: '5000', held: '0' });
  });
});

describe('a wallet drained to zero by more payouts while one is in flight', () => {
  test('its COMPLETED still posts', async () => {
    const account = await accountWith('300');
    const recipient = wallet('MTN_MOMO_RWA', '250783000222');
    gateway.simulator.addFault({
      type: 'OUTCOME',
      status: 'SUCCESSFUL',
      // Later than the two payouts below, on a busy machine too.
      delayMs: 60_000,
      phoneNumber: '250783000222',
    });
    const inFlight = await start(account, 'payout', payoutRequest({ amount: '100', recipient }));
    await waitForPayment(account, 'payout', inFlight, 'PROCESSING');
    for (const amount of ['150', '50']) {
      await startCompleted(account, 'payout', payoutRequest({ amount }));
    }
    expect(told(await send(account, 'payout', payoutRequest({ amount: '5' })))).toBe(
      '200 REJECTED WALLET_OUT_OF_FUNDS',
    );
    expect((await readPayment(account, 'payout', inFlight))['status']).toBe('PROCESSING');
    expect(await walletOf(account)).toEqual({ posted: '100', held: '100' });
    await waitForOperators(gateway, [inFlight]);
    await gateway.gateway.movableClock!.move(61_000);
    await waitForPayment(account, 'payout', inFlight, 'COMPLETED');
    expect(await walletOf(account)).toEqual({ posted: '0', held: '0' });
  });
});

describe('payouts that wait for a DELAYED provider', () => {
  afterEach(() => setAvailability(gateway, 'payout', 'OPERATIONAL'));

  test('100 accepted, 10 cancelled while 90 are released: 10 FAILED, 90 COMPLETED, none both, one callback each', async () => {
    const account = await accountWith('10000');
    const ids = await enqueue(account, 100);
    expect(await walletOf(account)).toEqual({ posted: '10000', held: '10000' });
    await setAvailability(gateway, 'payout', 'OPERATIONAL');
    await eventually(async () => (await statusesOf(account))['COMPLETED'] ?? 0).toBeGreaterThan(0);
    const cancelled = ids.slice(-10);
    const answers = await Promise.all(cancelled.map((id) => cancel(account, id)));
    expect(tally(answers.map(told))).toEqual({ '200 ACCEPTED': 10 });
    await eventually(() => statusesOf(account)).toEqual({ COMPLETED: 90, FAILED: 10 });

    for (const id of cancelled) {
      const record = await readPayment(account, 'payout', id);
      expect(record['failureReason'].failureCode).toBe('MANUALLY_CANCELLED');
      expect(record).not.toHaveProperty('providerTransactionId');
    }
    expect(await sentOf(ids)).toEqual(new Set(ids.slice(0, 90)));
    expect(await walletOf(account)).toEqual({ posted: '1000', held: '0' });
    const received = () =>
      gateway.receiver.received.filter(({ body }) => ids.includes(String(body['payoutId'])));
    await eventually(() => received().length).toBe(100);
    expect(new Set(received().map(({ body }) => body['payoutId'])).size).toBe(100);
    expect(await callbackCount(ids)).toBe(100);
  });

  test('cancelled at the moment of their release, each is either never sent or not cancelled', async () => {
    const account = await accountWith('4000');
    const ids = await enqueue(account, 40);
    await setAvailability(gateway, 'payout', 'OPERATIONAL');
    // Release comes once in a second; the cancellations are spread over that second.
    const answers = await Promise.all(
      ids.map(async (id, index) => {
        await sleep(index * 50);
        return { id, answer: told(await cancel(account, id)) };
      }),
    );
    const lost = answers.filter(({ answer }) => answer === '200 REJECTED INVALID_STATE').map(({ id }) => id);
    const won = answers.filter(({ answer }) => answer === '200 ACCEPTED').map(({ id }) => id);
    expect(lost.length + won.length).toBe(40);
    await eventually(async () => (await statusesOf(account))['COMPLETED'] ?? 0).toBe(lost.length);
    expect((await statusesOf(account))['FAILED'] ?? 0).toBe(won.length);
    expect(await sentOf(ids)).toEqual(new Set(lost));
    expect(await walletOf(account)).toEqual({ posted: String(4_000 - 100 * lost.length), held: '0' });
    expect(await callbackCount(ids)).toBe(40);
  });
});

/** Payouts that wait, in lists of 20, one after the other, so that it is known who waits longest. */
async function enqueue(account: Account, count: number): Promise<readonly string[]> {
  await setAvailability(gateway, 'payout', 'DELAYED');
  const ids: string[] = [];
  while (ids.length < count) {
    const list = Array.from({ length: 20 }, () => payoutRequest({ amount: '100' }));
    const { body } = await call(account, 'POST', '/v2/payouts/bulk', list);
    expect((body as unknown as Body[]).every(({ status }) => status === 'ACCEPTED')).toBe(true);
    ids.push(...list.map(({ payoutId }) => payoutId));
  }
  expect(await statusesOf(account)).toEqual({ ENQUEUED: count });
  return ids;
}

const cancel = (account: Account, id: string) =>
  actOn(account, { noun: 'payout', action: 'fail-enqueued', id });

/** Those of the payments that were sent to the operator. */
async function sentOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await select(gateway, 'select payment_id from payment_attempts where payment_id = any($1)', [
    ids,
  ]);
  return new Set(rows.map(({ payment_id }) => payment_id));
}

async function openRefundCount(depositId: string): Promise<number> {
  const rows = await select(
    gateway,
    `select 1 from payments where deposit_id = $1 and state not in ('COMPLETED', 'FAILED')`,
    [depositId],
  );
  return rows.length;
}

/** Looks at what is available in an account's wallet, again and again, until stopped. */
function sampleAvailable(account: Account): { readonly stop: () => Promise<readonly bigint[]> } {
  const samples: bigint[] = [];
  const stopping = new AbortController();
  const sampling = (async () => {
    while (!stopping.signal.aborted) {
      const [found] = await listWallets(gateway.engine.store.database, account.merchantId);
      samples.push(found!.posted - found!.held);
      await sleep(5);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await sampling;
      return samples;
    },
  };
}
