// Payments as API v1 tells them, and payments that are started in one API version and gone on with in the other. Rows
// of api.md about records of API v1, "Endpoints" and "States", of completions section 2, 3.3, 3.4.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  completeEarlier,
  earlierDeposit,
  earlierPayout,
  earlierRefund,
  msisdn,
  readEarlier,
  sendEarlier,
  startEarlier,
  waitForEarlier,
} from '../v1.ts';
import { call, depositRequest, eventually, openTestGateway, payer, type TestGateway } from '../gateway.ts';
import {
  callbacksAbout,
  readPayment,
  send,
  setAvailability,
  smallest,
  start,
  startCompleted,
  waitForPayment,
  type Noun,
} from '../payments.ts';
import { payoutRequest, refundRequest, wallet } from '../requests.ts';
import { openAccount } from './accounts.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ timing: { enquiryDelaysMs: [200] } });
});
afterAll(() => gateway.stop());

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const WRITTEN = { statementDescription: 'Order 123456', customerTimestamp: '2020-02-21T17:32:28+02:00' };
const METADATA = {
  metadata: [
    { fieldName: 'orderId', fieldValue: 'ORD-1' },
    { fieldName: 'email', fieldValue: 'a@example.com', isPII: true },
  ],
};

/** The callback about a payment, when it has come. */
async function announced(noun: Noun, id: string) {
  await eventually(() => callbacksAbout(gateway, noun, id).length).toBeGreaterThan(0);
  return callbacksAbout(gateway, noun, id)[0];
}

describe('API v1 records', () => {
  test('Deposit COMPLETED: exactly the fields of the table; its callback is the record', async () => {
    const request = earlierDeposit({ amount: '150', country: 'RWA', ...WRITTEN, ...METADATA });
    const depositId = await startEarlier(gateway, 'deposit', request);
    const record = await waitForEarlier(gateway, 'deposit', depositId, 'COMPLETED');
    const { MTN_FINAL: id } = record['correspondentIds'];
    expect(record).toEqual({
      depositId,
      status: 'COMPLETED',
      requestedAmount: '150',
      depositedAmount: '150',
      currency: 'RWF',
      country: 'RWA',
      payer: msisdn('250783456789'),
      correspondent: 'MTN_MOMO_RWA',
      ...WRITTEN,
      created: TIME,
      respondedByPayer: TIME,
      correspondentIds: { MTN_INIT: id, MTN_FINAL: expect.any(String) },
      metadata: { orderId: 'ORD-1', email: 'a@example.com' },
    });
    expect(record['respondedByPayer'] >= record['created']).toBe(true);
    expect(await announced('deposit', depositId)).toEqual(record);
  });

  test('Deposit FAILED: failureReason, and neither depositedAmount nor respondedByPayer', async () => {
    const request = earlierDeposit({ payer: msisdn('250783456039') });
    const depositId = await startEarlier(gateway, 'deposit', request);
    const record = await waitForEarlier(gateway, 'deposit', depositId, 'FAILED');
    expect(record['failureReason']).toEqual({
      failureCode: 'PAYMENT_NOT_APPROVED',
      failureMessage: expect.any(String),
    });
    expect(record).not.toHaveProperty('depositedAmount');
    expect(record).not.toHaveProperty('respondedByPayer');
    expect(await announced('deposit', depositId)).toEqual(record);
  });

  test('Payout COMPLETED: amount, recipient and receivedByRecipient; its callback is the record', async () => {
    const payoutId = await startEarlier(gateway, 'payout', earlierPayout(METADATA));
    const record = await waitForEarlier(gateway, 'payout', payoutId, 'COMPLETED');
    expect(record).toEqual({
      payoutId,
      status: 'COMPLETED',
      amount: '100',
      currency: 'RWF',
      country: 'RWA',
      recipient: msisdn('250783456789'),
      correspondent: 'MTN_MOMO_RWA',
      statementDescription: 'Order 123456',
      customerTimestamp: '2020-02-21T17:32:28Z',
      created: TIME,
      receivedByRecipient: TIME,
      correspondentIds: { MTN_INIT: expect.any(String), MTN_FINAL: expect.any(String) },
      metadata: { orderId: 'ORD-1', email: 'a@example.com' },
    });
    expect(await announced('payout', payoutId)).toEqual(record);
  });

  test('Refund callback: as a payout, with what the deposit had', async () => {
    const depositId = await completeEarlier(gateway, 'deposit', earlierDeposit());
    const refundId = await startEarlier(gateway, 'refund', earlierRefund(depositId, { amount: '40' }));
    const record = await waitForEarlier(gateway, 'refund', refundId, 'COMPLETED');
    expect(record).toEqual({
      refundId,
      status: 'COMPLETED',
      amount: '40',
      currency: 'RWF',
      country: 'RWA',
      recipient: msisdn('250783456789'),
      correspondent: 'MTN_MOMO_RWA',
      statementDescription: 'Order 123456',
      customerTimestamp: record['created'],
      created: TIME,
      receivedByRecipient: TIME,
      correspondentIds: { MTN_INIT: expect.any(String), MTN_FINAL: expect.any(String) },
    });
    expect(await announced('refund', refundId)).toEqual(record);
  });

  test.each(['deposit', 'payout', 'refund'])('a %s no one knows is an empty list with 200', async (noun) => {
    expect(await call(gateway, 'GET', `/${noun}s/${randomUUID()}`)).toEqual({ status: 200, body: [] });
  });

  test('suspiciousActivityReport: AMOUNT_DISCREPANCY, and the payment stays SUBMITTED', async () => {
    const phoneNumber = '250783456701';
    const script = { phoneNumber, operation: 'DEPOSIT', scenario: 'WRONG_AMOUNT', amount: '7' };
    await call(gateway, 'POST', '/sandbox/scripts', script);
    const depositId = await startEarlier(gateway, 'deposit', earlierDeposit({ payer: msisdn(phoneNumber) }));
    await waitForPayment(gateway, 'deposit', depositId, 'IN_RECONCILIATION');
    expect(await readEarlier(gateway, 'deposit', depositId)).toMatchObject({
      status: 'SUBMITTED',
      suspiciousActivityReport: [{ activityType: 'AMOUNT_DISCREPANCY', comment: expect.any(String) }],
    });
  });

  test.each([
    ['deposit', 'MTN_MOMO_RWA', '250783456029', 'PAYER_NOT_FOUND'],
    ['deposit', 'MTN_MOMO_RWA', '250783456039', 'PAYMENT_NOT_APPROVED'],
    ['deposit', 'MTN_MOMO_CMR', '237653456019', 'PAYER_LIMIT_REACHED'],
    ['deposit', 'ORANGE_CMR', '237693456049', 'INSUFFICIENT_BALANCE'],
    ['deposit', 'MPESA_KEN', '254703456059', 'TRANSACTION_ALREADY_IN_PROCESS'],
    ['deposit', 'MTN_MOMO_BEN', '22951345069', 'OTHER_ERROR'],
    ['payout', 'MTN_MOMO_BEN', '22951345089', 'RECIPIENT_NOT_FOUND'],
    ['payout', 'ORANGE_CMR', '237693456099', 'RECIPIENT_NOT_ALLOWED_TO_RECEIVE'],
    ['payout', 'MPESA_KEN', '254703456109', 'RECIPIENT_LIMIT_REACHED'],
    ['payout', 'MTN_MOMO_BEN', '22951345119', 'OTHER_ERROR'],
  ] as const)(
    'failure codes of 3.3: a %s with %s and %s ends with %s',
    async (noun, correspondent, number, code) => {
      const money = smallest(correspondent, noun === 'deposit' ? 'DEPOSIT' : 'PAYOUT');
      const common = { ...money, correspondent };
      const request =
        noun === 'deposit'
          ? earlierDeposit({ ...common, payer: msisdn(number) })
          : earlierPayout({ ...common, recipient: msisdn(number) });
      const id = await startEarlier(gateway, noun, request);
      const { failureReason } = await waitForEarlier(gateway, noun, id, 'FAILED');
      expect(failureReason.failureCode).toBe(code);
    },
  );

  test('PROCESSING reads SUBMITTED', async () => {
    const stuck = earlierDeposit({ payer: msisdn('250783456129') });
    const depositId = await startEarlier(gateway, 'deposit', stuck);
    await waitForPayment(gateway, 'deposit', depositId, 'PROCESSING');
    expect(await readEarlier(gateway, 'deposit', depositId)).toMatchObject({ status: 'SUBMITTED' });
  });
});

describe('resending and cancelling', () => {
  test('Resend-callback response: ACCEPTED, and the callback comes once more', async () => {
    const payoutId = await completeEarlier(gateway, 'payout', earlierPayout());
    await announced('payout', payoutId);
    const answer = await call(gateway, 'POST', '/payouts/resend-callback', { payoutId });
    expect(answer).toEqual({ status: 200, body: { payoutId, status: 'ACCEPTED' } });
    await eventually(() => callbacksAbout(gateway, 'payout', payoutId).length).toBe(2);
  });

  test.each(['deposit', 'payout', 'refund'])(
    'Resend-callback response of an unknown %s: REJECTED with a human-readable string',
    async (noun) => {
      const id = randomUUID();
      const { body } = await call(gateway, 'POST', `/${noun}s/resend-callback`, { [`${noun}Id`]: id });
      expect(body).toEqual({
        [`${noun}Id`]: id,
        status: 'REJECTED',
        rejectionReason: expect.stringMatching(new RegExp(`^${noun} with ID ${id} `, 'i')),
      });
    },
  );

  test('payout must be in a final state', async () => {
    const stuck = earlierPayout({ recipient: msisdn('250783456129') });
    const payoutId = await startEarlier(gateway, 'payout', stuck);
    const { body } = await call(gateway, 'POST', '/payouts/resend-callback', { payoutId });
    expect(body).toMatchObject({ status: 'REJECTED', rejectionReason: expect.stringContaining(payoutId) });
  });

  test.each([
    ['in the path', (payoutId: string) => call(gateway, 'POST', `/payouts/fail-enqueued/${payoutId}`)],
    ['in the body', (payoutId: string) => call(gateway, 'POST', '/payouts/fail-enqueued', { payoutId })],
  ])('ENQUEUED (payout) is cancelled with its identifier %s', async (_, cancel) => {
    await setAvailability(gateway, 'payout', 'DELAYED');
    try {
      const payoutId = await startEarlier(gateway, 'payout', earlierPayout());
      expect(await readEarlier(gateway, 'payout', payoutId)).toMatchObject({ status: 'ENQUEUED' });
      expect((await cancel(payoutId)).body).toEqual({ payoutId, status: 'ACCEPTED' });
      const callback = await announced('payout', payoutId);
      expect(callback).toMatchObject({
        status: 'FAILED',
        failureReason: { failureCode: 'MANUALLY_CANCELLED' },
      });
      expect((await cancel(payoutId)).body).toEqual({
        payoutId,
        status: 'REJECTED',
        rejectionReason: expect.stringContaining('FAILED'),
      });
    } finally {
      await setAvailability(gateway, 'payout', 'OPERATIONAL');
    }
  });
});

describe('across the API versions', () => {
  test('a deposit of API v1 is read and refunded in the current one, which is told in its words', async () => {
    const depositId = await completeEarlier(gateway, 'deposit', earlierDeposit());
    expect(await readPayment(gateway, 'deposit', depositId)).toMatchObject({
      status: 'COMPLETED',
      amount: '100',
      payer: payer('MTN_MOMO_RWA', '250783456789'),
      customerMessage: 'Order 123456',
    });
    const refundId = await startCompleted(gateway, 'refund', refundRequest(depositId));
    expect(await announced('refund', refundId)).toMatchObject({ depositId, customerMessage: 'Order 123456' });
  });

  test('a deposit of API v2 is read and refunded in the earlier one, which is told in its words', async () => {
    const request = depositRequest({ customerMessage: 'Order 123456', clientReferenceId: 'INV-1' });
    const depositId = await startCompleted(gateway, 'deposit', request);
    const record = await readEarlier(gateway, 'deposit', depositId);
    expect(record).toMatchObject({ depositedAmount: '100', statementDescription: 'Order 123456' });
    expect(record['customerTimestamp']).toBe(record['created']);
    const refundId = await completeEarlier(gateway, 'refund', earlierRefund(depositId));
    expect(await announced('refund', refundId)).toMatchObject({ statementDescription: 'Order 123456' });
  });

  test('an identifier accepted in one API version is a duplicate in the other', async () => {
    const depositId = await startEarlier(gateway, 'deposit', earlierDeposit());
    const created = (await readEarlier(gateway, 'deposit', depositId))['created'];
    const { body } = await send(gateway, 'deposit', depositRequest({ depositId }));
    expect(body).toEqual({ depositId, status: 'DUPLICATE_IGNORED', created });
    const current = depositRequest();
    await start(gateway, 'deposit', current);
    const repeat = earlierDeposit({ depositId: current['depositId'], amount: '777' });
    expect((await sendEarlier(gateway, 'deposit', repeat)).body).toMatchObject({
      status: 'DUPLICATE_IGNORED',
    });
  });

  test('a payout that waits is cancelled in the API version that did not start it', async () => {
    await setAvailability(gateway, 'payout', 'DELAYED');
    try {
      const earlier = await startEarlier(gateway, 'payout', earlierPayout());
      expect((await call(gateway, 'POST', `/v2/payouts/fail-enqueued/${earlier}`)).body).toMatchObject({
        status: 'ACCEPTED',
      });
      const current = await start(gateway, 'payout', payoutRequest());
      expect((await call(gateway, 'POST', `/payouts/fail-enqueued/${current}`)).body).toMatchObject({
        status: 'ACCEPTED',
      });
      expect(await announced('payout', earlier)).toMatchObject({ correspondent: 'MTN_MOMO_RWA' });
      expect(await announced('payout', current)).toMatchObject({
        recipient: wallet('MTN_MOMO_RWA', '250783456789'),
      });
    } finally {
      await setAvailability(gateway, 'payout', 'OPERATIONAL');
    }
  });

  test('resending in either API version repeats the words of the one that started the payment', async () => {
    const earlier = await completeEarlier(gateway, 'deposit', earlierDeposit());
    const current = await startCompleted(gateway, 'deposit', depositRequest());
    await call(gateway, 'POST', `/v2/deposits/resend-callback/${earlier}`);
    await call(gateway, 'POST', '/deposits/resend-callback', { depositId: current });
    for (const [id, word] of [
      [earlier, 'requestedAmount'],
      [current, 'amount'],
    ] as const) {
      await eventually(() => callbacksAbout(gateway, 'deposit', id).length).toBe(2);
      for (const callback of callbacksAbout(gateway, 'deposit', id)) expect(callback).toHaveProperty(word);
    }
  });

  test("another account's payment is as unknown as in API v2", async () => {
    const depositId = await startEarlier(gateway, 'deposit', earlierDeposit());
    const stranger = await openAccount(gateway);
    expect((await call(stranger, 'GET', `/deposits/${depositId}`)).body).toEqual([]);
  });
});
