// Limits on a real database: what counts, what does not, and what comes back.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeLimit } from '../../src/core/limits/set-limits.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import type { DirectOrder } from '../../src/core/payments/payment-request.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import { readCases } from '../../src/core/reconciliation/resolve-cases.ts';
import { windowEnd } from '../../src/domain/limits/limit.ts';
import type { PaymentEvent } from '../../src/domain/payments/lifecycle.ts';
import { listLimits } from '../../src/store/limits/limits.ts';
import { listApprovalsOf } from '../../src/store/approvals/approvals.ts';
import { actorNamed, decideAs, resolveCase } from '../approvals.ts';
import { nowOf } from '../clocks.ts';
import { openAccount, openToken } from '../edge/accounts.ts';
import { call, openTestGateway, payer, select, type TestGateway } from '../gateway.ts';
import { topUp } from '../payments.ts';
import { payoutRequest, refundRequest, remittanceRequest, wallet } from '../requests.ts';
import {
  beginHour,
  countChanges,
  countersOf,
  limitedMerchant,
  limitOf,
  orderOf,
  PROVIDER,
  recordCounters,
  setLimits,
  UNIT,
} from './limited-merchants.ts';

let gateway: TestGateway;
beforeAll(async () => {
  // No one sends, and hours or weeks pass before each test.
  gateway = await openTestGateway({ role: 'api', backlogMs: 1_000 * 24 * 3_600_000 });
});
afterAll(() => gateway.stop());
beforeEach(() => beginHour(gateway));

/** Starts these together, and answers the type of each answer. */
async function startAll(orders: readonly DirectOrder[]): Promise<readonly string[]> {
  return (await initiate(gateway.engine, orders)).map(({ type }) => type);
}

const order = (merchantId: string, changes: Partial<DirectOrder> = {}) =>
  orderOf(gateway.engine, merchantId, changes);

async function fail({ merchant, kind, writtenId }: DirectOrder): Promise<void> {
  const key = { merchantId: merchant.merchantId, kind, paymentId: writtenId };
  const events: PaymentEvent[] = [
    { type: 'SUBMIT_CLAIMED' },
    { type: 'OPERATOR_ANSWERED', outcome: { type: 'FAILED', code: 'RECIPIENT_NOT_FOUND' } },
  ];
  for (const event of events) await advance(gateway.engine, [{ key, event }]);
}

const DAY_MS = 24 * 3_600_000;

const [COUNT, REFUSED] = ['ACCEPTED', 'NOT_ALLOWED'];

describe('a batch', () => {
  test('a batch is let through up to the limit, in its order, and what is smaller behind what is too large still fits', async () => {
    const merchantId = await limitedMerchant(gateway.engine, [{ amountMax: 500n * UNIT }]);
    const amounts = [200n, 400n, 300n, 100n];
    const orders = await Promise.all(amounts.map((amount) => order(merchantId, { amount: amount * UNIT })));
    expect(await startAll(orders)).toEqual([COUNT, REFUSED, COUNT, REFUSED]);
    expect(await countersOf(gateway.engine, merchantId)).toEqual([{ count: 2, amount: '500' }]);
  });

  test('a batch changes each counter once, however many payments it has, and twice where it refuses some', async () => {
    const merchantId = await limitedMerchant(gateway.engine, [{ countMax: 30 }]);
    const twenty = async () =>
      startAll(await Promise.all(Array.from({ length: 20 }, () => order(merchantId))));
    await recordCounters(gateway);
    expect(new Set(await twenty())).toEqual(new Set([COUNT]));
    const changes = () => countChanges(gateway, merchantId);
    expect(await changes()).toEqual([20]);
    expect((await twenty()).filter((type) => type === COUNT)).toHaveLength(10);
    expect(await changes()).toEqual([20, 40, 30]);
    expect(await countersOf(gateway.engine, merchantId)).toEqual([{ count: 30, amount: '3000' }]);
  });

  test('a batch counts a repeated identifier once, in one batch and later', async () => {
    const merchantId = await limitedMerchant(gateway.engine, [{ countMax: 10 }]);
    const first = await order(merchantId);
    const repeat = { ...first, paymentNo: randomUUID() };
    expect(await startAll([first, repeat])).toEqual([COUNT, 'DUPLICATE_IGNORED']);
    expect(await startAll([{ ...first, paymentNo: randomUUID() }])).toEqual(['DUPLICATE_IGNORED']);
    expect(await countersOf(gateway.engine, merchantId)).toEqual([{ count: 1, amount: '100' }]);
  });

  test('a batch answers a repeat DUPLICATE_IGNORED also when the limit is reached, and frees a refused identifier', async () => {
    const merchantId = await limitedMerchant(gateway.engine, [{ countMax: 1 }]);
    const first = await order(merchantId);
    const refused = await order(merchantId);
    expect(await startAll([first, refused])).toEqual([COUNT, REFUSED]);
    expect(await startAll([{ ...first, paymentNo: randomUUID() }])).toEqual(['DUPLICATE_IGNORED']);
    await setLimits(gateway.engine, merchantId, [{ countMax: 2 }]);
    expect(await startAll([await orderAgain(refused)])).toEqual([COUNT]);
  });

  test('a batch keeps no count of what the wallet cannot pay, and lets what fits use that space', async () => {
    const account = await openAccount(gateway, { operations: ['PAYOUT'] });
    await topUp(gateway, account.merchantId, '100');
    await setLimits(gateway.engine, account.merchantId, [{ countMax: 1 }]);
    const orders = await Promise.all(
      [300n, 100n].map((amount) => order(account.merchantId, { amount: amount * UNIT })),
    );
    expect(await startAll(orders)).toEqual(['REJECTED', COUNT]);
    expect(await countersOf(gateway.engine, account.merchantId)).toEqual([{ count: 1, amount: '100' }]);
  });

  test('a batch decides again what a limit refused because of a deposit that was rejected later', async () => {
    const merchantId = await limitedMerchant(gateway.engine, [{ kind: 'DEPOSIT', countMax: 1 }]);
    // An attempt of a checkout that does not exist is rejected after limits were looked at.
    const attemptOf = { checkoutId: randomUUID(), attemptNo: 1 };
    const orders = [
      await order(merchantId, { kind: 'DEPOSIT', attemptOf }),
      await order(merchantId, { kind: 'DEPOSIT' }),
    ];
    expect(await startAll(orders)).toEqual(['REJECTED', COUNT]);
    expect(await countersOf(gateway.engine, merchantId)).toEqual([{ count: 1, amount: '100' }]);
  });
});

/** As a merchant sends it again. */
async function orderAgain({ writtenId, merchant }: DirectOrder): Promise<DirectOrder> {
  return order(merchant.merchantId, { writtenId });
}

describe('what is counted apart', () => {
  test('every phone number, provider and token has its own count', async () => {
    const merchantId = await limitedMerchant(gateway.engine, [
      { scope: 'NUMBER', countMax: 1 },
      { scope: 'TOKEN', countMax: 2 },
      { scope: 'PROVIDER', subject: 'AIRTEL_RWA', countMax: 0 },
    ]);
    const to = (phoneNumber: string, tokenId: string, provider = PROVIDER) =>
      order(merchantId, { details: { phoneNumber }, tokenId, provider });
    expect(
      await startAll([
        await to('250783000001', 'a'),
        await to('250783000001', 'b'),
        await to('250783000002', 'a'),
        await to('250783000003', 'a'),
        await to('250783000003', 'b'),
        await to('250733000004', 'b', 'AIRTEL_RWA'),
      ]),
    ).toEqual([COUNT, REFUSED, COUNT, REFUSED, COUNT, REFUSED]);
  });

  test('a window that is over counts nothing, and the merchant’s own limit holds beside the platform’s', async () => {
    const merchantId = await limitedMerchant(gateway.engine, [
      { countMax: 3, period: 'MINUTE' },
      { countMax: 1, period: 'MINUTE', setBy: 'MERCHANT' },
    ]);
    const one = () => order(merchantId).then((made) => startAll([made]));
    expect([await one(), await one()]).toEqual([[COUNT], [REFUSED]]);
    await gateway.gateway.movableClock!.move(60_000);
    expect(await one()).toEqual([COUNT]);
    expect(await countersOf(gateway.engine, merchantId)).toHaveLength(2);
  });
});

describe('what fails', () => {
  test('what fails is given back to the window it was counted in, and not to the one of today', async () => {
    const merchantId = await limitedMerchant(gateway.engine, [{ countMax: 2, period: 'HOUR' }]);
    const first = await order(merchantId);
    expect(await startAll([first, await order(merchantId)])).toEqual([COUNT, COUNT]);
    await gateway.gateway.movableClock!.move(3_600_000);
    expect(await startAll([await order(merchantId)])).toEqual([COUNT]);
    await fail(first);
    expect(await countersOf(gateway.engine, merchantId)).toEqual([
      { count: 1, amount: '100' },
      { count: 1, amount: '100' },
    ]);
  });

  test('what fails makes space in the same window, once', async () => {
    const merchantId = await limitedMerchant(gateway.engine, [{ amountMax: 100n * UNIT, period: 'MONTH' }]);
    const first = await order(merchantId);
    expect(await startAll([first])).toEqual([COUNT]);
    expect(await startAll([await order(merchantId)])).toEqual([REFUSED]);
    await fail(first);
    await fail(first);
    expect(await startAll([await order(merchantId), await order(merchantId)])).toEqual([COUNT, REFUSED]);
  });

  test('what fails gives nothing to a limit that was set after it was accepted', async () => {
    const merchantId = await limitedMerchant(gateway.engine, []);
    const before = await order(merchantId);
    await startAll([before]);
    await setLimits(gateway.engine, merchantId, [{ countMax: 1 }]);
    await startAll([await order(merchantId)]);
    await fail(before);
    expect(await countersOf(gateway.engine, merchantId)).toEqual([{ count: 1, amount: '100' }]);
  });
});

async function paidAfterAll(paid: DirectOrder): Promise<void> {
  const key = keyOf(paid);
  const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
  const [answer] = await advance(gateway.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
  expect(answer).toMatchObject({ type: 'CONTRADICTION' });
}

async function caseOf({ writtenId }: DirectOrder): Promise<string> {
  const cases = await readCases(gateway.engine, { onlyOpen: true });
  return cases.find(({ paymentId }) => paymentId === writtenId)!.caseId;
}

const counters = (merchantId: string) => countersOf(gateway.engine, merchantId);
const move = (ms: number) => gateway.gateway.movableClock!.move(ms);

function keyOf({ merchant, kind, writtenId }: DirectOrder) {
  return { merchantId: merchant.merchantId, kind, paymentId: writtenId };
}

/** Two days later it is still the same month. */
async function beginMonth(): Promise<void> {
  const now = nowOf(gateway.engine);
  await move(windowEnd('MONTH', now).getTime() - now.getTime());
}

describe('M11: a payment that failed and that its operator paid all the same', () => {
  test('counts again, in a window that is full already too, and what comes later is refused', async () => {
    const merchantId = await limitedMerchant(gateway.engine, [{ countMax: 1 }]);
    const first = await order(merchantId);
    expect(await startAll([first])).toEqual([COUNT]);
    await fail(first);
    expect(await startAll([await order(merchantId)])).toEqual([COUNT]);
    await paidAfterAll(first);
    expect(await counters(merchantId)).toEqual([{ count: 2, amount: '200' }]);
    await setLimits(gateway.engine, merchantId, [{ countMax: 2 }]);
    expect(await startAll([await order(merchantId)])).toEqual([REFUSED]);
  });

  test('counts in the windows of now of the limits that had counted it, and of no other limit', async () => {
    const merchantId = await limitedMerchant(gateway.engine, [
      { countMax: 5 },
      { countMax: 9, period: 'MONTH' },
      { countMax: 9, period: 'MONTH', setBy: 'MERCHANT' },
      { countMax: 9, scope: 'NUMBER', period: 'HOUR' },
    ]);
    await beginMonth();
    const first = await order(merchantId);
    expect(await startAll([first])).toEqual([COUNT]);
    await fail(first);
    await setLimits(gateway.engine, merchantId, [{ countMax: 9, scope: 'PROVIDER' }]);
    await move(2 * DAY_MS);
    await paidAfterAll(first);
    // The hour and the day of its acceptance are over; the month is not.
    const [none, some] = [
      { count: 0, amount: '0' },
      { count: 1, amount: '100' },
    ];
    expect(await counters(merchantId)).toEqual([none, none, some, some, some]);
    await resolveCase(gateway.engine, { caseId: await caseOf(first), resolution: 'REVERSE_EVIDENCE' });
    expect(await counters(merchantId)).toEqual([none, none, none, none, none]);
  });

  test('stays counted when the merchant or the platform bears it', async () => {
    const merchantId = await limitedMerchant(gateway.engine, [{ countMax: 5 }]);
    const orders = [await order(merchantId), await order(merchantId)];
    expect(await startAll(orders)).toEqual([COUNT, COUNT]);
    for (const one of orders) {
      await fail(one);
      await paidAfterAll(one);
    }
    for (const [index, resolution] of (['WRITE_OFF', 'RECOVER_FROM_MERCHANT'] as const).entries())
      await resolveCase(gateway.engine, { caseId: await caseOf(orders[index]!), resolution });
    expect(await counters(merchantId)).toEqual([{ count: 2, amount: '200' }]);
  });

  test('is counted once, also when its operator repeats it, in one transaction with what fails then', async () => {
    const merchantId = await limitedMerchant(gateway.engine, [
      { countMax: 9 },
      { countMax: 9, period: 'HOUR' },
    ]);
    const [first, second] = [await order(merchantId), await order(merchantId)];
    expect(await startAll([first, second])).toEqual([COUNT, COUNT]);
    await fail(first);
    await advance(gateway.engine, [{ key: keyOf(second), event: { type: 'SUBMIT_CLAIMED' } }]);
    const failed = { type: 'FAILED', code: 'RECIPIENT_NOT_FOUND' } as const;
    const paid = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
    const tellBoth = () =>
      advance(gateway.engine, [
        { key: keyOf(second), event: { type: 'OPERATOR_ANSWERED', outcome: failed } },
        { key: keyOf(first), event: { type: 'OPERATOR_ANSWERED', outcome: paid } },
      ]);
    await tellBoth();
    await tellBoth();
    const once = { count: 1, amount: '100' };
    expect(await counters(merchantId)).toEqual([once, once]);
  });

  test('counts nothing as a deposit, which lets no money out', async () => {
    const merchantId = await limitedMerchant(gateway.engine, [{ kind: 'DEPOSIT', countMax: 5 }]);
    const first = await order(merchantId, { kind: 'DEPOSIT' });
    expect(await startAll([first])).toEqual([COUNT]);
    await fail(first);
    await paidAfterAll(first);
    expect(await counters(merchantId)).toEqual([{ count: 0, amount: '0' }]);
  });
});

/** Ended by people, after the operator said that it moved this much. */
async function failInDoubt(one: DirectOrder, moved: bigint): Promise<void> {
  const key = keyOf(one);
  const said = { amount: moved * UNIT, currency: one.currency };
  const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID(), moved: said } as const;
  const end = { type: 'FAILED', code: 'OTHER_ERROR' } as const;
  const actor = { by: 'Ana', reason: 'letter' };
  await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  await advance(gateway.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
  await advance(gateway.engine, [{ key, event: { type: 'ENDED_MANUALLY', outcome: end }, actor }]);
}

describe('a payout that people end as FAILED while its operator says that it moved another amount', () => {
  test.each([
    ['RECOVER_FROM_MERCHANT', 90n, { count: 1, amount: '90' }],
    ['WRITE_OFF', 500n, { count: 1, amount: '500' }],
    ['WRITE_OFF', 0n, { count: 0, amount: '0' }],
  ] as const)(
    'stays counted until %s of %s, and then counts what was moved',
    async (resolution, moved, left) => {
      const merchantId = await limitedMerchant(gateway.engine, [{ countMax: 1 }]);
      const first = await order(merchantId);
      expect(await startAll([first])).toEqual([COUNT]);
      await failInDoubt(first, 90n);
      expect(await counters(merchantId)).toEqual([{ count: 1, amount: '100' }]);
      expect(await startAll([await order(merchantId)])).toEqual([REFUSED]);
      const amount = moved * UNIT;
      const resolved = await resolveCase(gateway.engine, { caseId: await caseOf(first), resolution, amount });
      expect(resolved).toMatchObject({ type: 'DONE' });
      expect(await counters(merchantId)).toEqual([left]);
    },
  );

  test('counts what a discrepancy moved that came after its end, and is given back once', async () => {
    const merchantId = await limitedMerchant(gateway.engine, [{ countMax: 5 }]);
    const first = await order(merchantId);
    expect(await startAll([first])).toEqual([COUNT]);
    await fail(first);
    expect(await counters(merchantId)).toEqual([{ count: 0, amount: '0' }]);
    await move(1_000);
    const moved = { amount: 70n * UNIT, currency: first.currency };
    const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID(), moved } as const;
    await advance(gateway.engine, [{ key: keyOf(first), event: { type: 'OPERATOR_ANSWERED', outcome } }]);
    const of = { caseId: await caseOf(first), resolution: 'WRITE_OFF', amount: 70n * UNIT } as const;
    expect(await resolveCase(gateway.engine, of)).toMatchObject({ type: 'DONE' });
    expect(await counters(merchantId)).toEqual([{ count: 1, amount: '70' }]);
  });
});

describe('the API', () => {
  test('the API answers one request 403 with the limit by name, and an element of a list REJECTED alone', async () => {
    const account = await openAccount(gateway, { operations: ['PAYOUT'] });
    await topUp(gateway, account.merchantId, '1000');
    await setLimits(gateway.engine, account.merchantId, [{ scope: 'TOKEN', countMax: 2 }]);
    const requests = [payoutRequest(), payoutRequest(), payoutRequest()];
    const list = await call(account, 'POST', '/v2/payouts/bulk', requests);
    expect(list.status).toBe(200);
    expect((list.body as unknown as { status: string }[]).map(({ status }) => status)).toEqual([
      'ACCEPTED',
      'ACCEPTED',
      'REJECTED',
    ]);
    const alone = await call(account, 'POST', '/v2/payouts', payoutRequest());
    expect(alone.status).toBe(403);
    expect(alone.body).toMatchObject({
      status: 'REJECTED',
      failureReason: {
        failureCode: 'PAYOUTS_NOT_ALLOWED',
        failureMessage: expect.stringContaining('limit of 2 payouts per day for each API token'),
      },
    });
    // Another token has its own count.
    const other = await openToken(gateway, account.merchantId);
    expect((await call(other, 'POST', '/v2/payouts', payoutRequest())).status).toBe(200);
  });

  test('the API answers a remittance above its limit 403 with the limit by name, and an element of a list REJECTED alone', async () => {
    const account = await openAccount(gateway, { operations: ['PAYOUT', 'REMITTANCE'] });
    await topUp(gateway, account.merchantId, '1000');
    await setLimits(gateway.engine, account.merchantId, [
      { kind: 'REMITTANCE', amountMax: 200n * UNIT },
      { kind: 'REMITTANCE', scope: 'COUNTRY', subject: 'RWA', currency: '', setBy: 'MERCHANT', countMax: 3 },
    ]);
    const requests = ['150', '100', '50', '10'].map((amount) => remittanceRequest({ amount }));
    const list = await call(account, 'POST', '/v2/remittances/bulk', requests);
    const above = {
      failureCode: 'REMITTANCES_NOT_ALLOWED',
      failureMessage: expect.stringContaining("platform's limit of 200 RWF in remittances per day"),
    };
    expect(list.status).toBe(200);
    expect(list.body).toMatchObject([
      { remittanceId: requests[0]!['remittanceId'], status: 'ACCEPTED' },
      { remittanceId: requests[1]!['remittanceId'], status: 'REJECTED', failureReason: above },
      { remittanceId: requests[2]!['remittanceId'], status: 'ACCEPTED' },
      { remittanceId: requests[3]!['remittanceId'], status: 'REJECTED', failureReason: above },
    ]);
    const alone = await call(account, 'POST', '/v2/remittances', remittanceRequest({ amount: '10' }));
    expect(alone.status).toBe(403);
    expect(alone.body).toMatchObject({ status: 'REJECTED', failureReason: above });
    await setLimits(gateway.engine, account.merchantId, [{ kind: 'REMITTANCE', amountMax: 300n * UNIT }]);
    expect((await call(account, 'POST', '/v2/remittances', remittanceRequest({ amount: '10' }))).status).toBe(
      200,
    );
    const fourth = await call(account, 'POST', '/v2/remittances', remittanceRequest({ amount: '10' }));
    expect([fourth.status, fourth.body]).toMatchObject([
      403,
      {
        failureReason: {
          failureCode: 'REMITTANCES_NOT_ALLOWED',
          failureMessage: expect.stringContaining("merchant's limit of 3 remittances per day for RWA"),
        },
      },
    ]);
    // Payouts have limits of their own.
    expect((await call(account, 'POST', '/v2/payouts', payoutRequest())).status).toBe(200);
  });

  test('the API answers a refund above its limit 403 with the limit by name, and accepts it with its identifier tomorrow', async () => {
    const account = await openAccount(gateway, { operations: ['DEPOSIT', 'REFUND'] });
    const { merchantId } = account;
    const [first = '', second = ''] = await completedDeposits(merchantId, 2);
    await setLimits(gateway.engine, merchantId, [
      { kind: 'REFUND', scope: 'PROVIDER', countMax: 5, amountMax: 100n * UNIT },
    ]);
    expect((await call(account, 'POST', '/v2/refunds', refundRequest(first))).status).toBe(200);
    const request = refundRequest(second, { amount: '5', currency: 'RWF' });
    const refused = await call(account, 'POST', '/v2/refunds', request);
    expect([refused.status, refused.body]).toMatchObject([
      403,
      {
        refundId: request['refundId'],
        status: 'REJECTED',
        failureReason: {
          failureCode: 'REFUNDS_NOT_ALLOWED',
          failureMessage: expect.stringContaining(
            'limit of 5 refunds and 100 RWF per day for each provider. It starts again at ',
          ),
        },
      },
    ]);
    expect((await call(account, 'GET', `/v2/refunds/${request['refundId']}`)).body).toEqual({
      status: 'NOT_FOUND',
    });
    await gateway.gateway.movableClock!.move(24 * 3_600_000);
    expect((await call(account, 'POST', '/v2/refunds', request)).body).toMatchObject({ status: 'ACCEPTED' });
  });

  test('the API counts the parts of a split payment as payouts when it is accepted, and gives them back when it fails', async () => {
    const account = await openAccount(gateway, { operations: ['DEPOSIT', 'PAYOUT'] });
    const { merchantId } = account;
    await gateway.engine.store.database.query(
      `update merchants set operations = operations || '{SPLIT_PAYMENT}' where merchant_id = $1`,
      [merchantId],
    );
    await setLimits(gateway.engine, merchantId, [{ countMax: 2 }]);
    const first = split();
    expect((await call(account, 'POST', '/v2/split-payments', first)).body).toMatchObject({
      status: 'ACCEPTED',
    });
    expect(await countersOf(gateway.engine, merchantId)).toEqual([{ count: 2, amount: '200' }]);
    expect((await call(account, 'POST', '/v2/split-payments', split())).body).toMatchObject({
      failureReason: { failureCode: 'SPLIT_PAYMENTS_NOT_ALLOWED' },
    });
    expect(await countersOf(gateway.engine, merchantId)).toEqual([{ count: 2, amount: '200' }]);
    const key = { merchantId, kind: 'DEPOSIT', paymentId: first.splitPaymentId } as const;
    await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
    const outcome = { type: 'FAILED', code: 'PAYMENT_NOT_APPROVED' } as const;
    await advance(gateway.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
    expect(await countersOf(gateway.engine, merchantId)).toEqual([{ count: 0, amount: '0' }]);
  });
});

/** Of 100 each. */
async function completedDeposits(merchantId: string, count: number): Promise<readonly string[]> {
  const orders = await Promise.all(
    Array.from({ length: count }, () => order(merchantId, { kind: 'DEPOSIT' })),
  );
  expect(await startAll(orders)).toEqual(orders.map(() => COUNT));
  const events: PaymentEvent[] = [
    { type: 'SUBMIT_CLAIMED' },
    { type: 'OPERATOR_ANSWERED', outcome: { type: 'COMPLETED' } },
  ];
  for (const { writtenId: paymentId } of orders) {
    const key = { merchantId, kind: 'DEPOSIT', paymentId } as const;
    for (const event of events) await advance(gateway.engine, [{ key, event }]);
  }
  return orders.map(({ writtenId }) => writtenId);
}

function split() {
  return {
    splitPaymentId: randomUUID(),
    amount: '300',
    currency: 'RWF',
    payer: payer(PROVIDER, '250783456789'),
    splits: [1, 2].map(() => ({
      payoutId: randomUUID(),
      amount: '100',
      recipient: wallet(PROVIDER, '250783456789'),
    })),
  };
}

test('one person makes a limit stricter; to loosen or remove it another person approves', async () => {
  const { engine } = gateway;
  const merchantId = await limitedMerchant(engine, []);
  const { countMax: _, amountMax: __, ...key } = limitOf({});
  const set = (countMax: number | null) =>
    changeLimit(engine, {
      merchantId,
      key,
      maxima: countMax === null ? null : { countMax, amountMax: null },
      actor: actorNamed('Ana'),
      secondApprover: 'REQUIRED',
    });
  const maxima = async () => (await listLimits(engine.store.database, merchantId)).map((one) => one.countMax);
  expect([await set(10), await set(5), await maxima()]).toEqual(['DONE', 'DONE', [5]]);
  expect([await set(6), await maxima()]).toEqual(['REQUESTED', [5]]);
  const subject = 'PLATFORM PAYOUT MERCHANT EACH DAY RWF';
  const pending = async () =>
    (
      await listApprovalsOf(engine.store.database, {
        kind: 'LIMIT',
        merchantIds: [merchantId],
        subjects: [subject],
      })
    ).get(subject)!;
  expect(await decideAs(engine, 'ana ', (await pending()).approvalId)).toMatchObject({ type: 'SAME_PERSON' });
  expect(await decideAs(engine, 'Ben', (await pending()).approvalId)).toMatchObject({ type: 'DONE' });
  expect(await maxima()).toEqual([6]);
  // What is pending ends when somebody makes the limit stricter.
  expect([await set(null), await set(1), await maxima()]).toEqual(['REQUESTED', 'DONE', [1]]);
  const statuses = await select(
    gateway,
    `select status from approvals where kind = 'LIMIT' and merchant_id = $1 order by requested_at`,
    [merchantId],
  );
  expect(statuses.map(({ status }) => status)).toEqual(['APPROVED', 'WITHDRAWN']);
  await set(null);
  await decideAs(engine, 'Ben', (await pending()).approvalId);
  expect([await maxima(), await set(null)]).toEqual([[], 'NOT_FOUND']);
});
