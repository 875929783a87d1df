// Refunds of which the operator says that it moved something else: what they gave back is what has left, and nothing is
// refunded while that is open.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advance } from '../src/core/payments/process/advance.ts';
import { readStory } from '../src/core/payments/read/read-timeline.ts';
import { readCases, type CaseView } from '../src/core/reconciliation/resolve-cases.ts';
import { parseAmount, renderAmount } from '../src/domain/money.ts';
import type { Resolution } from '../src/domain/reconciliation/cases.ts';
import { decideAs, requestAs, resolveCase } from './approvals.ts';
import { call, depositRequest, openTestGateway, type TestGateway } from './gateway.ts';
import { send, start, startCompleted, waitForPayment } from './payments.ts';
import { refundRequest, wallet, type Body } from './requests.ts';
import { earlierRefund, sendEarlier } from './v1.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ timing: { enquiryDelaysMs: [3_600_000] } });
});
afterAll(() => gateway.stop());

const francs = (amount: string) => ({ amount, currency: 'RWF' });
const complete = (changes: Body = {}) => startCompleted(gateway, 'deposit', depositRequest(changes));

/** A refund of which the operator says that it moved this much. */
async function refundMoving(moved: string, request: Body): Promise<CaseView> {
  gateway.simulator.addFault({ type: 'WRONG_AMOUNT', amount: moved });
  const refundId = await start(gateway, 'refund', request);
  await waitForPayment(gateway, 'refund', refundId, 'IN_RECONCILIATION');
  const cases = await readCases(gateway.engine, { onlyOpen: true });
  return cases.find(({ paymentId }) => paymentId === refundId)!;
}

/** Two people find out how it ended. */
async function end({ paymentId }: CaseView, type: 'COMPLETED' | 'FAILED'): Promise<void> {
  const key = { merchantId: gateway.merchantId, kind: 'REFUND', paymentId } as const;
  const outcome =
    type === 'COMPLETED'
      ? ({ type, providerTransactionId: randomUUID() } as const)
      : ({ type, code: 'UNSPECIFIED_FAILURE' } as const);
  const actor = { by: 'Ana', reason: 'letter' };
  const [ended] = await advance(gateway.engine, [{ key, event: { type: 'ENDED_MANUALLY', outcome }, actor }]);
  expect(ended).toMatchObject({ type: 'MOVE', payment: { state: type } });
}

async function resolve({ caseId }: CaseView, resolution: Resolution, amount: string): Promise<void> {
  const answer = await resolveCase(gateway.engine, { caseId, resolution, amount: parseAmount(amount)! });
  expect(answer).toMatchObject({ type: 'DONE' });
}

async function refuses(request: Body, failureCode: string): Promise<Body> {
  const { body } = await send(gateway, 'refund', request);
  expect(body).toMatchObject({ status: 'REJECTED', failureReason: { failureCode } });
  return body['failureReason'];
}

/** What people at the dashboard are offered to refund. */
async function refundable(paymentId: string): Promise<string> {
  const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId } as const;
  const story = await readStory(gateway.engine, key, 'MERCHANT');
  return renderAmount(story!.refundable);
}

describe('M7: a refund with a discrepancy', () => {
  test('is in progress until its case is resolved, whatever people ended it as', async () => {
    const depositId = await complete();
    const found = await refundMoving('90', refundRequest(depositId));
    await refuses(refundRequest(depositId), 'REFUND_IN_PROGRESS');
    await end(found, 'FAILED');
    await refuses(refundRequest(depositId), 'REFUND_IN_PROGRESS');
    await refuses(refundRequest(depositId, francs('10')), 'REFUND_IN_PROGRESS');
    expect(await refundable(depositId)).toBe('0');
    const earlier = await sendEarlier(gateway, 'refund', earlierRefund(depositId));
    expect(earlier.body).toMatchObject({ status: 'REJECTED' });
    await resolve(found, 'RECOVER_FROM_MERCHANT', '90');
    expect(await refundable(depositId)).toBe('10');
  });

  test.each([
    ['FAILED', '100', 'RECOVER_FROM_MERCHANT', '90', '10'],
    ['FAILED', '100', 'WRITE_OFF', '90', '10'],
    ['FAILED', '100', 'WRITE_OFF', '0', '100'],
    ['COMPLETED', '60', 'RECOVER_FROM_MERCHANT', '10', '30'],
    ['COMPLETED', '60', 'WRITE_OFF', '10', '30'],
    ['COMPLETED', '60', 'CREDIT_MERCHANT', '10', '50'],
    ['COMPLETED', '60', 'RETURN_TO_PAYER', '10', '40'],
    // More than was ever paid in has left.
    ['COMPLETED', '60', 'RECOVER_FROM_MERCHANT', '50', '0'],
  ] as const)(
    'that ended as %s, of %s francs, gave back what %s of %s says, and leaves %s of 100',
    async (state, amount, resolution, difference, left) => {
      const depositId = await complete();
      const found = await refundMoving('77', refundRequest(depositId, francs(amount)));
      await end(found, state);
      await resolve(found, resolution, difference);
      expect(await refundable(depositId)).toBe(left);
      if (left === '0') {
        await refuses(refundRequest(depositId), 'DEPOSIT_ALREADY_REFUNDED');
        return;
      }
      const more = String(Number(left) + 1);
      const { failureMessage } = await refuses(refundRequest(depositId, francs(more)), 'AMOUNT_TOO_LARGE');
      expect(failureMessage).toContain(left);
      const rest = await startCompleted(gateway, 'refund', refundRequest(depositId));
      expect((await waitForPayment(gateway, 'refund', rest, 'COMPLETED'))['amount']).toBe(left);
      await refuses(refundRequest(depositId), 'DEPOSIT_ALREADY_REFUNDED');
    },
  );

  test('that FAILED, and whose money people returned to its payer, has given it back', async () => {
    const depositId = await complete();
    const found = await refundMoving('90', refundRequest(depositId));
    await end(found, 'FAILED');
    await resolve(found, 'RETURN_TO_PAYER', '90');
    expect(await refundable(depositId)).toBe('10');
    await refuses(refundRequest(depositId, francs('11')), 'AMOUNT_TOO_LARGE');
  });

  test('counts for API v1 and for the collection of a split payment too', async () => {
    const splitPaymentId = randomUUID();
    const splits = [
      { payoutId: randomUUID(), amount: '60', recipient: wallet('MTN_MOMO_RWA', '250783000001') },
    ];
    const payer = wallet('MTN_MOMO_RWA', '250783456789');
    const split = { splitPaymentId, ...francs('100'), payer, splits };
    expect((await call(gateway, 'POST', '/v2/split-payments', split)).body).toMatchObject({
      status: 'ACCEPTED',
    });
    await waitForPayment(gateway, 'deposit', splitPaymentId, 'COMPLETED');
    await waitForPayment(gateway, 'payout', splits[0]!.payoutId, 'COMPLETED');
    const found = await refundMoving('90', refundRequest(splitPaymentId));
    await end(found, 'FAILED');
    const again = () => sendEarlier(gateway, 'refund', earlierRefund(splitPaymentId, { amount: '11' }));
    expect((await again()).body).toMatchObject({ status: 'REJECTED' });
    await refuses(refundRequest(splitPaymentId), 'REFUND_IN_PROGRESS');
    await resolve(found, 'RECOVER_FROM_MERCHANT', '90');
    const { body } = await again();
    expect(body).toMatchObject({ status: 'REJECTED' });
    expect(JSON.stringify(body)).toContain('10');
    const rest = earlierRefund(splitPaymentId);
    expect((await sendEarlier(gateway, 'refund', rest)).body).toMatchObject({ status: 'ACCEPTED' });
    expect(await waitForPayment(gateway, 'refund', rest['refundId'], 'COMPLETED')).toMatchObject({
      amount: '10',
    });
  });

  test('that is resolved at the same moment as another refund is requested lets through no more than is left', async () => {
    for (let round = 0; round < 12; round += 1) {
      const depositId = await complete();
      const found = await refundMoving('90', refundRequest(depositId));
      await end(found, 'FAILED');
      const { caseId } = found;
      const order = { caseId, resolution: 'RECOVER_FROM_MERCHANT', amount: parseAmount('90')! } as const;
      const requested = await requestAs(gateway.engine, 'Ana', order);
      const approvalId = requested.type === 'REQUESTED' ? requested.approvalId : expect.fail(requested.type);
      const again = (amount: string) => send(gateway, 'refund', refundRequest(depositId, francs(amount)));
      const [resolved, ...answers] = await Promise.all([
        decideAs(gateway.engine, 'Ben', approvalId),
        ...['11', '10', '100', '10', '11', '10'].map(again),
      ]);
      expect(resolved).toMatchObject({ type: 'DONE' });
      const accepted = answers.filter(({ body }) => body.status === 'ACCEPTED');
      expect(accepted.length).toBeLessThanOrEqual(1);
      const refused = answers.map(({ body }) => body.failureReason?.failureCode);
      expect(refused[0]).toMatch(/^(REFUND_IN_PROGRESS|AMOUNT_TOO_LARGE|DEPOSIT_ALREADY_REFUNDED)$/);
      expect([refused[2], refused[4]]).not.toContain(undefined);
    }
  });
});

/** A deposit of 100 francs of which the operator says that it moved this much. */
async function depositMoving(moved: string): Promise<CaseView> {
  gateway.simulator.addFault({ type: 'WRONG_AMOUNT', amount: moved });
  const depositId = await start(gateway, 'deposit', depositRequest());
  await waitForPayment(gateway, 'deposit', depositId, 'IN_RECONCILIATION');
  const cases = await readCases(gateway.engine, { onlyOpen: true });
  return cases.find(({ paymentId }) => paymentId === depositId)!;
}

describe('A deposit of which the operator moved less', () => {
  test.each(['RECOVER_FROM_MERCHANT', 'WRITE_OFF'] as const)(
    'is refunded after %s only as far as it has arrived, and not while that is open',
    async (resolution) => {
      const found = await depositMoving('90');
      const { paymentId: depositId } = found;
      const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: depositId } as const;
      const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
      const actor = { by: 'Ana', reason: 'letter' };
      await advance(gateway.engine, [{ key, event: { type: 'ENDED_MANUALLY', outcome }, actor }]);
      expect(await refundable(depositId)).toBe('0');
      const { failureMessage } = await refuses(refundRequest(depositId), 'INVALID_STATE');
      expect(failureMessage).toContain('is being checked');
      await resolve(found, resolution, '10');
      expect(await refundable(depositId)).toBe('90');
      await refuses(refundRequest(depositId, francs('91')), 'AMOUNT_TOO_LARGE');
    },
  );
});

describe('A refund that its operator gave back', () => {
  test('can be requested again when it was credited to the merchant, and not before', async () => {
    const depositId = await complete();
    const refundId = await startCompleted(gateway, 'refund', refundRequest(depositId));
    const key = { merchantId: gateway.merchantId, kind: 'REFUND', paymentId: refundId } as const;
    const outcome = { type: 'FAILED', code: 'OTHER_ERROR' } as const;
    await advance(gateway.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
    await refuses(refundRequest(depositId), 'DEPOSIT_ALREADY_REFUNDED');
    const cases = await readCases(gateway.engine, { onlyOpen: true });
    const { caseId } = cases.find(({ paymentId }) => paymentId === refundId)!;
    expect(await resolveCase(gateway.engine, { caseId, resolution: 'CREDIT_MERCHANT' })).toMatchObject({
      type: 'DONE',
    });
    expect(await refundable(depositId)).toBe('100');
    await startCompleted(gateway, 'refund', refundRequest(depositId));
    await refuses(refundRequest(depositId), 'DEPOSIT_ALREADY_REFUNDED');
  });
});
