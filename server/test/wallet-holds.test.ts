// Money that must not leave yet: of a manually completed deposit for a day, and what an open case could cost.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settleWallet } from '../src/core/ledger/administer-wallets.ts';
import { releaseDueFunds } from '../src/core/limits/wallet-holds.ts';
import { readRiskEvents } from '../src/core/limits/read-risk-events.ts';
import { advance } from '../src/core/payments/process/advance.ts';
import { readCases, type CaseView } from '../src/core/reconciliation/resolve-cases.ts';
import type { Resolution } from '../src/domain/reconciliation/cases.ts';
import { parseAmount, renderAmount } from '../src/domain/money.ts';
import { listUnbalancedWallets, listWallets } from '../src/store/ledger/ledger.ts';
import { listHeldMoney } from '../src/store/limits/held-money.ts';
import { approvalOfCase, decideAs, requestAs } from './approvals.ts';
import { call, depositRequest, eventually, openTestGateway, select, type TestGateway } from './gateway.ts';
import { start, startCompleted, waitForPayment } from './payments.ts';
import { payoutRequest, wallet } from './requests.ts';

const PROVIDER = 'MTN_MOMO_RWA';
const HOUR_MS = 3_600_000;

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await openTestGateway({
    simulator: { outcomeDelayMs: 100 },
    timing: { enquiryDelaysMs: [HOUR_MS] },
  });
});
afterEach(async () => {
  expect(await listUnbalancedWallets(gateway.engine.store.database)).toEqual([]);
  await gateway.stop();
});

async function rwandan(): Promise<{ readonly posted: string; readonly held: string }> {
  const wallets = await listWallets(gateway.engine.store.database, gateway.merchantId);
  const { posted, held } = wallets.find(({ currency }) => currency === 'RWF')!;
  return { posted: renderAmount(posted), held: renderAmount(held) };
}

const releaseNow = () =>
  releaseDueFunds(gateway.engine, { countMax: 10, onError: (error) => expect(error).toBe(null) });
const listHeld = () =>
  listHeldMoney(gateway.engine.store.database, { merchantId: gateway.merchantId, countMax: 10 });
const move = (hours: number) => gateway.gateway.movableClock!.move(hours * HOUR_MS);

/** Leaves this much in the wallet. */
async function leave(amount: string): Promise<void> {
  const place = { by: 'test', merchantId: gateway.merchantId, country: 'RWA', currency: 'RWF' };
  const surplus = parseAmount((await rwandan()).posted)! - parseAmount(amount)!;
  expect(await settleWallet(gateway.engine, { ...place, amount: surplus })).toEqual({ type: 'DONE' });
}

/** A person finds out that a deposit without a clear answer was paid. */
async function completeManually(paymentId: string): Promise<void> {
  const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId } as const;
  const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
  const [done] = await advance(gateway.engine, [
    {
      key,
      event: { type: 'ENDED_MANUALLY', outcome },
      evidence: 'letter',
      actor: { by: 'Ana', reason: 'letter' },
    },
  ]);
  expect(done).toMatchObject({ type: 'MOVE', payment: { state: 'COMPLETED' } });
}

/** The operator gives no clear answer in time. */
async function startUnclear(path: string, request: Record<string, any>, depositId: string): Promise<void> {
  gateway.simulator.addFault({ type: 'OUTCOME', status: 'PENDING' });
  expect((await call(gateway, 'POST', path, request)).body).toMatchObject({ status: 'ACCEPTED' });
  await waitForPayment(gateway, 'deposit', depositId, 'PROCESSING');
  const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: depositId } as const;
  await advance(gateway.engine, [{ key, event: { type: 'HORIZON_PASSED' } }]);
  await waitForPayment(gateway, 'deposit', depositId, 'IN_RECONCILIATION');
}

/** The operator says that it moved another amount; the payment is not final yet. */
async function startDiscrepancy(noun: 'deposit' | 'payout', amount = '90'): Promise<CaseView> {
  gateway.simulator.addFault({ type: 'WRONG_AMOUNT', amount });
  const request = noun === 'deposit' ? depositRequest() : payoutRequest();
  await waitForPayment(gateway, noun, await start(gateway, noun, request), 'IN_RECONCILIATION');
  const [found] = await readCases(gateway.engine, { onlyOpen: true });
  expect(found).toMatchObject({ evidence: 'DISCREPANCY' });
  return found!;
}

/** With the transaction that the case is about: another one would be a second transfer of the operator. */
async function end(found: CaseView, type: 'COMPLETED' | 'FAILED'): Promise<void> {
  const { merchantId, kind, paymentId, providerTransactionId } = found;
  const outcome =
    type === 'COMPLETED'
      ? ({ type, providerTransactionId: providerTransactionId ?? randomUUID() } as const)
      : ({ type, code: 'UNSPECIFIED_FAILURE' } as const);
  const key = { merchantId, kind, paymentId };
  await advance(gateway.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
}

test('the amount of a manually completed deposit is held for 24 hours, and cannot be paid out or settled', async () => {
  await leave('0');
  const request = depositRequest();
  await startUnclear('/v2/deposits', request, request['depositId']);
  await completeManually(request['depositId']);
  expect(await rwandan()).toEqual({ posted: '100', held: '100' });
  const [hold, ...others] = await listHeld();
  const { depositId: paymentId } = request;
  expect([others, hold]).toMatchObject([[], { what: 'MANUAL_DEPOSIT', kind: 'DEPOSIT', paymentId, why: '' }]);
  expect([renderAmount(hold!.amount), hold!.currency]).toEqual(['100', 'RWF']);
  expect(hold!.until!.getTime() - hold!.since.getTime()).toBe(24 * HOUR_MS);
  const { body } = await call(gateway, 'POST', '/v2/payouts', payoutRequest({ amount: '100' }));
  expect(body).toMatchObject({ status: 'REJECTED', failureReason: { failureCode: 'WALLET_OUT_OF_FUNDS' } });
  const place = { by: 'test', merchantId: gateway.merchantId, country: 'RWA', currency: 'RWF' };
  const order = { ...place, amount: parseAmount('1')! };
  expect(await settleWallet(gateway.engine, order)).toMatchObject({ type: 'SHORT' });
  await move(23);
  expect(await releaseNow()).toBe(0);
  await move(2);
  await eventually(async () => {
    await releaseNow();
    return rwandan();
  }).toEqual({ posted: '100', held: '0' });
  expect(await releaseNow()).toBe(0);
  expect(await listHeld()).toEqual([]);
  const { events } = await readRiskEvents(gateway.engine, { event: null, countMax: 200 });
  const of = { merchantId: gateway.merchantId, subject: 'MANUAL_DEPOSIT' };
  const about = { ...of, amount: parseAmount('100'), currency: 'RWF' };
  for (const event of ['FUNDS_HELD', 'FUNDS_RELEASED'])
    expect(events.find((one) => one.event === event)).toMatchObject(about);
});

test('the payouts of a split payment whose collection was completed manually are sent a day later', async () => {
  await leave('0');
  const [splitPaymentId, payoutId] = [randomUUID(), randomUUID()];
  const split = {
    splitPaymentId,
    amount: '1000',
    currency: 'RWF',
    payer: wallet(PROVIDER, '250783456789'),
    splits: [{ payoutId, amount: '600', recipient: wallet(PROVIDER, '250783000001') }],
  };
  await startUnclear('/v2/split-payments', split, splitPaymentId);
  await completeManually(splitPaymentId);
  // 600 for the payout, 400 that are left.
  expect(await rwandan()).toEqual({ posted: '1000', held: '1000' });
  const waits = `select extract(epoch from next_action_at - created_at)::int as seconds from payments
    where payment_id = $1`;
  expect(await select(gateway, waits, [payoutId])).toEqual([{ seconds: 24 * 3_600 }]);
  await move(23);
  await waitForPayment(gateway, 'payout', payoutId, 'ACCEPTED');
  await move(2);
  await waitForPayment(gateway, 'payout', payoutId, 'COMPLETED');
  await eventually(async () => {
    await releaseNow();
    return rwandan();
  }).toEqual({ posted: '400', held: '0' });
});

/** The operator turns around what it said of a payment. */
async function contradicted(noun: 'deposit' | 'payout', request: Record<string, any>): Promise<CaseView> {
  gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
  await start(gateway, noun, request);
  const open = () => readCases(gateway.engine, { onlyOpen: true });
  await eventually(async () => (await open()).length).toBe(1);
  return (await open())[0]!;
}

async function resolve(found: CaseView, resolution: Resolution, amount?: string): Promise<void> {
  const comesTo = amount === undefined ? null : parseAmount(amount)!;
  const order = { caseId: found.caseId, resolution, reason: 'as the statement says', amount: comesTo };
  expect(await requestAs(gateway.engine, 'Ana', order)).toMatchObject({ type: 'REQUESTED' });
  const approvalId = await approvalOfCase(gateway.engine, found);
  expect(await decideAs(gateway.engine, 'Ben', approvalId, 'approve')).toMatchObject({ type: 'DONE' });
}

const refusedPayout = () => payoutRequest({ recipient: wallet(PROVIDER, '250783456089') });

test.each([
  ['WRITE_OFF', { posted: '1000000', held: '0' }],
  ['RECOVER_FROM_MERCHANT', { posted: '999900', held: '0' }],
] as const)('an open case holds what it could cost, until it is closed: %s', async (resolution, after) => {
  const found = await contradicted('payout', refusedPayout());
  expect(await rwandan()).toEqual({ posted: '1000000', held: '100' });
  expect(await listHeld()).toMatchObject([
    { what: 'CASE', kind: 'PAYOUT', why: 'LATE_SUCCESS', until: null },
  ]);
  await move(100);
  expect(await releaseNow()).toBe(0);
  await resolve(found, resolution);
  expect(await rwandan()).toEqual(after);
  expect(await releaseNow()).toBe(0);
});

test('a case never holds more than is available', async () => {
  const refused = refusedPayout();
  await start(gateway, 'payout', refused);
  await waitForPayment(gateway, 'payout', refused['payoutId'], 'FAILED');
  await leave('40');
  const key = { merchantId: gateway.merchantId, kind: 'PAYOUT', paymentId: refused['payoutId'] } as const;
  const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
  await advance(gateway.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
  expect(await readCases(gateway.engine, { onlyOpen: true })).toHaveLength(1);
  expect(await rwandan()).toEqual({ posted: '40', held: '40' });
});

test('a case that can cost the merchant nothing holds nothing', async () => {
  await contradicted('deposit', depositRequest({ payer: wallet(PROVIDER, '250783456039') }));
  expect(await rwandan()).toEqual({ posted: '1000000', held: '0' });
});

describe('M3: a discrepancy holds what it could cost the merchant, not the whole payment', () => {
  test.each([
    ['deposit', '90', 'COMPLETED', { posted: '1100', held: '10' }],
    ['deposit', '110', 'COMPLETED', { posted: '1100', held: '0' }],
    ['deposit', '90', 'FAILED', { posted: '1000', held: '0' }],
    ['payout', '90', 'COMPLETED', { posted: '900', held: '0' }],
    ['payout', '110', 'COMPLETED', { posted: '900', held: '10' }],
    ['payout', '90', 'FAILED', { posted: '1000', held: '90' }],
    ['payout', '110', 'FAILED', { posted: '1000', held: '110' }],
  ] as const)(
    'of a %s of 100 of which the operator says %s, when it has ended as %s',
    async (noun, reported, ended, held) => {
      await leave('1000');
      const found = await startDiscrepancy(noun, reported);
      // Of a payout that is on its way at least the payment itself is reserved, and what the operator says beyond it.
      const before = noun === 'deposit' ? '0' : reported === '110' ? '110' : '100';
      expect(await rwandan()).toEqual({ posted: '1000', held: before });
      await end(found, ended);
      expect(await rwandan()).toEqual(held);
      await move(100);
      expect(await releaseNow()).toBe(0);
      await resolve(found, 'WRITE_OFF', '10');
      expect(await rwandan()).toEqual({ posted: held.posted, held: '0' });
    },
  );

  test('and the merchant can pay the difference out of the hold', async () => {
    await leave('0');
    const found = await startDiscrepancy('deposit');
    await end(found, 'COMPLETED');
    expect(await rwandan()).toEqual({ posted: '100', held: '10' });
    await resolve(found, 'RECOVER_FROM_MERCHANT', '10');
    expect(await rwandan()).toEqual({ posted: '90', held: '0' });
  });

  test('the whole payment where another transaction moved it once more', async () => {
    await leave('1000');
    const paymentId = await startCompleted(gateway, 'deposit', depositRequest());
    const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId } as const;
    const moved = { amount: parseAmount('90')!, currency: 'RWF' };
    const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID(), moved } as const;
    await advance(gateway.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
    expect(await rwandan()).toEqual({ posted: '1100', held: '100' });
  });

  test('each other amount that the operator says, in a case of its own', async () => {
    await leave('1000');
    const { merchantId, kind, paymentId } = await startDiscrepancy('deposit');
    const say = async (amount: string) => {
      const moved = { amount: parseAmount(amount)!, currency: 'RWF' };
      const outcome = { type: 'COMPLETED', moved } as const;
      const key = { merchantId, kind, paymentId };
      await advance(gateway.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
    };
    const [transaction] = await select(gateway, 'select provider_transaction_id as id from cases');
    await select(gateway, 'update cases set provider_transaction_id = null');
    await say('90');
    await say('30');
    await say('30');
    expect(transaction).toMatchObject({ id: expect.any(String) });
    const cases = await readCases(gateway.engine, { onlyOpen: true });
    expect(cases.map(({ caseNo }) => caseNo)).toEqual([1, 2]);
    await end(cases[0]!, 'COMPLETED');
    expect(await rwandan()).toEqual({ posted: '1100', held: '80' });
  });
});

test.each([
  ['WRITE_OFF', '100'],
  ['RECOVER_FROM_MERCHANT', '90'],
] as const)(
  'a manually completed deposit with a discrepancy is held until that is resolved, and pays for it: %s',
  async (resolution, posted) => {
    await leave('0');
    const found = await startDiscrepancy('deposit');
    await completeManually(found.paymentId);
    expect(await rwandan()).toEqual({ posted: '100', held: '100' });
    await move(100);
    expect(await releaseNow()).toBe(0);
    await resolve(found, resolution, '10');
    await eventually(async () => {
      await releaseNow();
      return rwandan();
    }).toEqual({ posted, held: '0' });
  },
);

test('what a reversed deposit costs is held until later deposits have paid for it', async () => {
  await contradicted('deposit', depositRequest());
  expect(await rwandan()).toEqual({ posted: '1000100', held: '100' });
  await startCompleted(gateway, 'deposit', depositRequest());
  await eventually(async () => {
    await releaseNow();
    return rwandan();
  }).toEqual({ posted: '1000100', held: '0' });
});
