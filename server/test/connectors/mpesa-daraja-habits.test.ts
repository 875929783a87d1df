// Daraja's unpleasant habits, played by its double over HTTP: what its connector makes of them alone, and what becomes
// of payments in a whole gateway.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RefundOrder, StoredAttempt, SubmitAnswer, SubmitOrder } from '../../src/connectors/port.ts';
import { measureFloat } from '../../src/core/measure-float.ts';
import { setCredentials } from '../../src/store/operator-credentials.ts';
import { eventually, select } from '../gateway.ts';
import { readPayment, start, startCompleted, waitForPayment } from '../payments.ts';
import { refundRequest } from '../requests.ts';
import { openTestStore, type TestStore } from '../store/open-store.ts';
import { openOperatorGateway, requestFor, type OperatorGateway } from './operator-gateway.ts';
import { NO_ACCOUNT_RECORDED, openStage, type Stage } from './stage.ts';

const TRIAL = { name: 'mpesa-daraja', provider: 'MPESA_KEN', title: 'mpesa-daraja' };
const OPEN = { isOpen: () => true };

const attemptOf = (order: SubmitOrder, ageMs: number): StoredAttempt => ({
  ...order,
  attemptNo: 1,
  claimedAt: new Date(Date.now() - ageMs),
});

describe('the connector', () => {
  let store: TestStore;
  let stage: Stage;
  beforeAll(async () => {
    store = await openTestStore();
  });
  beforeEach(async () => {
    stage = await openStage(TRIAL, store);
  });
  afterEach(() => stage.stop());
  afterAll(() => store.stop());

  const submit = (order: SubmitOrder) => stage.connector.submit(order, OPEN);
  const reverse = (order: RefundOrder) => stage.connector.refund!.submit(order, OPEN);
  const ask = (order: SubmitOrder, { providerReference }: SubmitAnswer, ageMs: number) =>
    stage.connector.query!({ ...attemptOf(order, ageMs), providerReference: providerReference ?? '' });
  /** The outcome and alert of the last message about an order. */
  const told = async (order: SubmitOrder, count = 1) => {
    const about = () => stage.receiver.received.filter((one) => one.pathReference === order.reference);
    await eventually(() => about().length).toBeGreaterThanOrEqual(count);
    const reading = await stage.connector.notifications!.read(about().at(-1)!, NO_ACCOUNT_RECORDED);
    return reading.type === 'AUTHENTIC' ? { outcome: reading.outcome, alert: reading.alert } : reading;
  };
  const completedDeposit = async () => {
    const order = stage.order();
    await submit(order);
    const reading = await told(order);
    const outcome = 'outcome' in reading ? reading.outcome : null;
    if (outcome?.type !== 'COMPLETED') throw new Error('the deposit did not complete');
    return { ...attemptOf(order, 0), providerTransactionId: outcome.providerTransactionId ?? '' };
  };

  test('a push under way is 4999 once and an error that says nothing the next time', async () => {
    stage.double.addFault({ type: 'OUTCOME', status: 'PENDING' });
    const order = stage.order();
    const answer = await submit(order);
    expect((await ask(order, answer, 0)).outcome).toEqual({ type: 'PENDING' });
    const nothing = { type: 'UNKNOWN', reason: 'OPERATOR_ERROR' };
    expect((await ask(order, answer, 0)).outcome).toEqual(nothing);
    expect((await ask(order, { ...answer, providerReference: 'ws_CO_0' }, 0)).outcome).toEqual(nothing);
  });

  test('a success that an enquiry tells is believed once the callback has had its time', async () => {
    stage.double.addFault({ type: 'NO_NOTIFICATION' });
    const order = stage.order();
    const answer = await submit(order);
    expect((await ask(order, answer, 110_000)).outcome).toEqual({ type: 'PENDING' });
    expect((await ask(order, answer, 130_000)).outcome).toEqual({ type: 'COMPLETED' });
  });

  test.each([
    ['17', 'PAYMENT_IN_PROGRESS'],
    ['1037', 'PAYMENT_NOT_APPROVED'],
    ['1', 'INSUFFICIENT_BALANCE'],
  ])('a push that ends %s says so in callback and enquiry', async (failureCode, code) => {
    stage.double.addFault({ type: 'OUTCOME', status: 'FAILED', failureCode });
    const order = stage.order();
    const answer = await submit(order);
    expect(await told(order)).toMatchObject({ outcome: { type: 'FAILED', code } });
    expect((await ask(order, answer, 0)).outcome).toEqual({ type: 'FAILED', code });
  });

  test("the sandbox's number never answers", async () => {
    const order = stage.order({ phoneNumber: '254708374149' });
    await submit(order);
    expect(await told(order)).toMatchObject({ outcome: { code: 'PAYMENT_NOT_APPROVED' } });
  });

  test('a payment is reversed once, and only under a receipt that is known', async () => {
    const original = await completedDeposit();
    const first = stage.order({ operation: 'REFUND', amount: 500_000n });
    expect((await reverse({ ...first, original })).outcome).toEqual({ type: 'PENDING' });
    expect(await told(first)).toMatchObject({ outcome: { type: 'COMPLETED', moved: { amount: 500_000n } } });
    const failed = { outcome: { type: 'FAILED', code: 'OTHER_ERROR' } };
    const second = stage.order({ operation: 'REFUND', amount: 500_000n });
    await reverse({ ...second, original });
    expect(await told(second)).toMatchObject(failed);
    const strange = stage.order({ operation: 'REFUND' });
    await reverse({ ...strange, original: { ...original, providerTransactionId: 'SAA9999999' } });
    expect(await told(strange)).toMatchObject(failed);
    expect(refunds()).toHaveLength(1);
  });
  const refunds = () => stage.double.books().charges.filter(({ operation }) => operation === 'REFUND');

  test('a deposit without a receipt cannot be given back, and the host hears of it', async () => {
    const { providerTransactionId: _lost, ...original } = await completedDeposit();
    const answer = await reverse({ ...stage.order({ operation: 'REFUND' }), original });
    expect(answer).toMatchObject({ outcome: { type: 'FAILED', code: 'OTHER_ERROR' }, alert: 'NO_RECEIPT' });
    expect(refunds()).toEqual([]);
  });

  test('cents are never rounded away: nothing is sent', async () => {
    for (const operation of ['DEPOSIT', 'PAYOUT'] as const) {
      const answer = await submit(stage.order({ operation, amount: 1_500_001n }));
      expect(answer).toMatchObject({ outcome: { type: 'FAILED' }, alert: 'NOT_WHOLE_SHILLINGS' });
    }
    expect(stage.double.books().charges).toEqual([]);
  });

  test('an address with a refused word is refused at once, and that is an end', async () => {
    const order = stage.order();
    const answer = await submit({ ...order, notificationUrl: `${order.notificationUrl}/mpesa` });
    expect(answer).toMatchObject({ outcome: { type: 'FAILED' }, alert: '400.002.02' });
  });

  test('a token that somebody else ended by minting another is renewed once', async () => {
    await submit(stage.order());
    const { baseUrl, consumerKey, consumerSecret } = account();
    const basic = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64');
    const url = `${baseUrl}/oauth/v1/generate?grant_type=client_credentials`;
    expect((await fetch(url, { headers: { authorization: `Basic ${basic}` } })).status).toBe(200);
    const order = stage.order();
    expect((await submit(order)).outcome).toEqual({ type: 'PENDING' });
    expect(stage.double.books().charges).toHaveLength(2);
  });
  const account = () => {
    if (!('credentialsOf' in stage.double)) throw new Error('this double has no accounts');
    const credentialsOf = stage.double.credentialsOf as (
      name: string,
    ) => Record<string, Record<string, string>>;
    return credentialsOf('MPESA_KEN')['default']!;
  };

  const withAccount = async (change: Readonly<Record<string, string>>) => {
    const key = { connector: 'mpesa-daraja', account: 'MPESA_KEN', product: 'default' };
    const values = { ...account(), ...change };
    await setCredentials(store.database, store.keyring, { ...key, values, now: new Date() });
  };

  test('a wrong initiator is acknowledged, and only the result says so', async () => {
    await withAccount({ initiatorPassword: 'not-this-one#' });
    const order = stage.order({ operation: 'PAYOUT' });
    expect((await submit(order)).outcome).toEqual({ type: 'PENDING' });
    expect(await told(order)).toEqual({ outcome: { type: 'FAILED', code: 'OTHER_ERROR' }, alert: '2001' });
    expect(stage.double.books().charges).toEqual([]);
  });

  test.each([
    ['DEPOSIT', { passkey: '' }, 'NO_PASSKEY'],
    ['PAYOUT', { certificate: 'no certificate' }, 'NO_INITIATOR'],
  ] as const)('a %s with %j is not sent, and the host hears of it', async (operation, change, alert) => {
    await withAccount(change);
    const answer = await submit(stage.order({ operation }));
    expect(answer).toMatchObject({ outcome: { type: 'UNKNOWN', reason: 'NOT_SENT' }, alert });
  });
});

describe('in a whole gateway', () => {
  let gateway: OperatorGateway;
  beforeEach(async () => {
    gateway = await openOperatorGateway(TRIAL);
  });
  afterEach(() => gateway.stop());

  const alerts = async () => {
    const { text } = await gateway.gateway.metrics.render();
    return [...text.matchAll(/^malipo_operator_alerts_total\{.*"mpesa-daraja".*alert="([^"]+)"/gm)].map(
      ([, word]) => word,
    );
  };

  test('a payout that could not be sent has FAILED: nobody could ask about it', async () => {
    await gateway.double.stop();
    const payoutId = await start(gateway, 'payout', requestFor(gateway, 'payout'));
    await waitForPayment(gateway, 'payout', payoutId, 'FAILED');
    expect((await readPayment(gateway, 'payout', payoutId))['failureReason']).toMatchObject({
      failureCode: 'UNSPECIFIED_FAILURE',
    });
  });

  test('a payout whose result was lost is asked about, and the answer comes later', async () => {
    gateway.double.addFault({ type: 'NO_NOTIFICATION' });
    await startCompleted(gateway, 'payout', requestFor(gateway, 'payout'));
    const kept = await select(gateway, 'select reading from operator_notifications');
    expect(kept.map(({ reading }) => reading as string)).toContain('AUTHENTIC');
  });

  test('an empty float fails the payout and alerts the host, by a message alone', async () => {
    gateway.double.addFault({ type: 'OUTCOME', status: 'FAILED', failureCode: '1' });
    const payoutId = await start(gateway, 'payout', requestFor(gateway, 'payout'));
    await waitForPayment(gateway, 'payout', payoutId, 'FAILED');
    expect(await alerts()).toEqual(['1']);
  });

  test('a refund whose answer was lost is completed by its result and sent once', async () => {
    const depositId = await startCompleted(gateway, 'deposit', requestFor(gateway, 'deposit'));
    gateway.double.addFault({ type: 'LOSE_ANSWER', operation: 'REFUND' });
    await startCompleted(gateway, 'refund', refundRequest(depositId));
    const refunds = gateway.double.books().charges.filter(({ operation }) => operation === 'REFUND');
    expect(refunds.map(({ submissions }) => submissions)).toEqual([1]);
  });

  test('a balance is asked for, and known once it was told', async () => {
    const minimums = [{ provider: 'MPESA_KEN', currency: 'KES', amount: 1n }];
    const floatTold = async () => {
      const { samples } = await measureFloat(gateway.engine, { minimums, checkpoint: null });
      return samples.find(({ metric }) => metric === 'malipo_float_operator_amount')?.value;
    };
    await eventually(floatTold).toBe(1_000_000);
  });
});
