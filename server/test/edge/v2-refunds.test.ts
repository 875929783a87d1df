// Refunds of API v2 at a running gateway. Every row of completions 1.4 is a test named after it; what
// all payments that send money have in common is in outgoing-rows.ts.
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import numbers from '../../src/sandbox/fakes/payers/numbers.json' with { type: 'json' };
import { depositRequest, payer, type TestGateway } from '../gateway.ts';
import {
  depositFrom,
  readPayment,
  send,
  setAvailability,
  start,
  startCompleted,
  waitForPayment,
} from '../payments.ts';
import { payoutRequest, refundRequest, wallet, type Body } from '../requests.ts';
import { openAccount } from './accounts.ts';
import { quotedByAnswer, told } from './answers.ts';
import { describeOutgoing, withGateway } from './outgoing-rows.ts';

const gateway = withGateway();

const PROVIDER = 'MTN_MOMO_RWA';

function completedDeposit(changes: Body = {}): Promise<string> {
  return startCompleted(gateway(), 'deposit', depositRequest({ amount: '500', ...changes }));
}

async function answerTo(depositId: string, changes: Body = {}): Promise<string> {
  return told(await send(gateway(), 'refund', refundRequest(depositId, changes)));
}

/** A refund that has COMPLETED. */
async function refunded(depositId: string, changes: Body = {}): Promise<Body> {
  const refundId = await start(gateway(), 'refund', refundRequest(depositId, changes));
  return waitForPayment(gateway(), 'refund', refundId, 'COMPLETED');
}

describe('completions 1.4', () => {
  describe('amount, currency: optional', () => {
    test('omitted amount = refund what remains: all of it', async () => {
      const depositId = await completedDeposit();
      expect(await refunded(depositId)).toMatchObject({ depositId, amount: '500', currency: 'RWF' });
    });

    test('omitted amount = refund what remains: the rest of it', async () => {
      const depositId = await completedDeposit();
      await refunded(depositId, { amount: '120' });
      expect(await refunded(depositId)).toMatchObject({ amount: '380' });
    });

    test("omitted currency = the deposit's", async () => {
      const depositId = await startCompleted(
        gateway(),
        'deposit',
        depositRequest({ amount: '15.50', currency: 'ZMW', payer: payer('MTN_MOMO_ZMB', '260763456789') }),
      );
      expect(await refunded(depositId, { amount: '10.50' })).toMatchObject({
        amount: '10.50',
        currency: 'ZMW',
        country: 'ZMB',
      });
    });

    test('another currency than the deposit’s = INVALID_CURRENCY; its own is accepted', async () => {
      const depositId = await completedDeposit();
      expect(await answerTo(depositId, { currency: 'ZMW' })).toBe('200 REJECTED INVALID_CURRENCY');
      expect(await answerTo(depositId, { currency: 'RWF' })).toBe('200 ACCEPTED');
    });
  });

  test("recipient: taken from the deposit's payer, and so is the customerMessage", async () => {
    const depositId = await completedDeposit({
      payer: payer('AIRTEL_RWA', '250733456789'),
      customerMessage: 'Order 7',
    });
    expect(await refunded(depositId)).toMatchObject({
      recipient: wallet('AIRTEL_RWA', '250733456789'),
      customerMessage: 'Order 7',
    });
  });

  test('deposit missing: 200 REJECTED NOT_FOUND', async () => {
    const depositId = randomUUID();
    const answer = await send(gateway(), 'refund', refundRequest(depositId));
    expect(told(answer)).toBe('200 REJECTED NOT_FOUND');
    expect(answer.body['failureReason'].failureMessage).toMatch(`Deposit with ID ${depositId} `);
  });

  test("deposit missing: another account's is as unknown", async () => {
    const depositId = await completedDeposit();
    const other = await openAccount(gateway(), { operations: ['DEPOSIT', 'REFUND'] });
    expect(told(await send(other, 'refund', refundRequest(depositId)))).toBe('200 REJECTED NOT_FOUND');
  });

  test('deposit missing: a payout with that identifier is none', async () => {
    const payoutId = await start(gateway(), 'payout', payoutRequest());
    expect(await answerTo(payoutId)).toBe('200 REJECTED NOT_FOUND');
  });

  test.each([
    ['PROCESSING', '250783456129'],
    ['FAILED', '250783456039'],
  ])('deposit not COMPLETED: %s is 200 REJECTED INVALID_STATE', async (status, phoneNumber) => {
    const depositId = await start(
      gateway(),
      'deposit',
      depositRequest({ payer: payer(PROVIDER, phoneNumber) }),
    );
    await waitForPayment(gateway(), 'deposit', depositId, status);
    const answer = await send(gateway(), 'refund', refundRequest(depositId));
    expect(told(answer)).toBe('200 REJECTED INVALID_STATE');
    expect(answer.body['failureReason'].failureMessage).toMatch(`Deposit with ID ${depositId} is ${status}`);
  });

  describe('another refund of it open: REFUND_IN_PROGRESS', () => {
    afterEach(() => setAvailability(gateway(), 'refund', 'OPERATIONAL'));

    test('while the first is ENQUEUED; not any more when it has ended', async () => {
      const depositId = await completedDeposit();
      await setAvailability(gateway(), 'refund', 'DELAYED');
      const refundId = await start(gateway(), 'refund', refundRequest(depositId, { amount: '100' }));
      expect((await readPayment(gateway(), 'refund', refundId))['status']).toBe('ENQUEUED');
      const answer = await send(gateway(), 'refund', refundRequest(depositId, { amount: '100' }));
      expect(told(answer)).toBe('200 REJECTED REFUND_IN_PROGRESS');
      expect(answer.body['failureReason'].failureMessage).toContain(depositId);
      await setAvailability(gateway(), 'refund', 'OPERATIONAL');
      await waitForPayment(gateway(), 'refund', refundId, 'COMPLETED');
      expect(await answerTo(depositId, { amount: '100' })).toBe('200 ACCEPTED');
    });
  });

  test('sum would pass deposit: AMOUNT_TOO_LARGE, naming what remains', async () => {
    const depositId = await completedDeposit();
    expect(await answerTo(depositId, { amount: '501' })).toBe('200 REJECTED AMOUNT_TOO_LARGE');
    await refunded(depositId, { amount: '120' });
    const answer = await send(gateway(), 'refund', refundRequest(depositId, { amount: '381' }));
    expect(told(answer)).toBe('200 REJECTED AMOUNT_TOO_LARGE');
    expect(quotedByAnswer(answer)).toEqual(['380', 'RWF']);
    expect(await answerTo(depositId, { amount: '380' })).toBe('200 ACCEPTED');
  });

  test('nothing remains: DEPOSIT_ALREADY_REFUNDED, with and without an amount', async () => {
    const depositId = await completedDeposit();
    await refunded(depositId, { amount: '120' });
    await refunded(depositId, { amount: '380' });
    expect(await answerTo(depositId)).toBe('200 REJECTED DEPOSIT_ALREADY_REFUNDED');
    expect(await answerTo(depositId, { amount: '1' })).toBe('200 REJECTED DEPOSIT_ALREADY_REFUNDED');
  });

  test('provider min/max of REFUND op: AMOUNT_OUT_OF_BOUNDS', async () => {
    const depositId = await completedDeposit();
    const answer = await send(gateway(), 'refund', refundRequest(depositId, { amount: '4' }));
    expect(told(answer)).toBe('200 REJECTED AMOUNT_OUT_OF_BOUNDS');
    expect(quotedByAnswer(answer)).toEqual(['5', '2000000', PROVIDER]);
  });

  test('key name: failureReason, never rejectionReason', async () => {
    const depositId = await completedDeposit();
    const request = refundRequest(depositId, { amount: '501' });
    const { body } = await send(gateway(), 'refund', request);
    expect(Object.keys(body).toSorted()).toEqual(['failureReason', 'refundId', 'status']);
    expect(Object.keys(body['failureReason'])).toEqual(['failureCode', 'failureMessage']);
  });
});

describe('what else can be said of refunds', () => {
  test('INVALID_AMOUNT: more decimals than the provider takes', async () => {
    expect(await answerTo(await completedDeposit(), { amount: '100.5' })).toBe('200 REJECTED INVALID_AMOUNT');
  });

  test('a refund that FAILED gave nothing back: all can be refunded still', async () => {
    const depositId = await completedDeposit({ payer: payer(PROVIDER, '250783456089') });
    const refundId = await start(gateway(), 'refund', refundRequest(depositId));
    await waitForPayment(gateway(), 'refund', refundId, 'FAILED');
    expect(await answerTo(depositId)).toBe('200 ACCEPTED');
  });

  test('the deposit is found and echoed in other letters too', async () => {
    const depositId = (await completedDeposit()).toUpperCase();
    expect(await refunded(depositId)).toMatchObject({ depositId, amount: '500' });
  });

  test('WALLET_OUT_OF_FUNDS: the money of the deposit has been paid out', async () => {
    const account = await openAccount(gateway(), { operations: ['DEPOSIT', 'PAYOUT', 'REFUND'] });
    const depositId = await startCompleted(account, 'deposit', depositRequest({ amount: '500' }));
    await start(account, 'payout', payoutRequest({ amount: '400' }));
    const request = refundRequest(depositId);
    const answer = await send(account, 'refund', request);
    expect(told(answer)).toBe('200 REJECTED WALLET_OUT_OF_FUNDS');
    expect(quotedByAnswer(answer)).toEqual(['RWA', '500', 'RWF']);
    expect(told(await send(account, 'refund', { ...request, amount: '100' }))).toBe('200 ACCEPTED');
  });

  test('COMPLETED: exactly the fields of the specification', async () => {
    const depositId = await completedDeposit({ customerMessage: 'Order 7' });
    const record = await refunded(depositId, {
      amount: '120',
      clientReferenceId: 'RET-1',
      metadata: [{ reason: 'broken' }],
    });
    expect(record).toEqual({
      refundId: expect.any(String),
      depositId,
      status: 'COMPLETED',
      amount: '120',
      currency: 'RWF',
      country: 'RWA',
      recipient: wallet(PROVIDER, '250783456789'),
      customerMessage: 'Order 7',
      clientReferenceId: 'RET-1',
      created: expect.stringMatching(/Z$/),
      providerTransactionId: expect.stringMatching(/./),
      metadata: { reason: 'broken' },
    });
  });
});

/** A deposit from any wallet, completed even where the number's own deposits are not. */
async function depositCompletedBy(home: TestGateway, provider: string, phoneNumber: string): Promise<string> {
  const isOdd = numbers.some(
    (row) => row.operation === 'DEPOSIT' && row.provider === provider && row.phoneNumber === phoneNumber,
  );
  if (isOdd) {
    home.simulator.addFault({ type: 'OUTCOME', status: 'SUCCESSFUL', operation: 'DEPOSIT', phoneNumber });
  }
  return startCompleted(home, 'deposit', depositFrom(provider, phoneNumber));
}

describeOutgoing(
  {
    noun: 'refund',
    requestTo: async (home, { provider, phoneNumber }) =>
      refundRequest(await depositCompletedBy(home, provider, phoneNumber)),
  },
  gateway,
);
