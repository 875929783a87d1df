// Daraja's unpleasant habits, played by its fake over HTTP: what its connector makes of them alone, and what it
// does to payments in a whole gateway.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type {
  RefundSubmitRequest,
  StoredAttempt,
  SubmitAnswer,
  SubmitRequest,
} from '../../src/connectors/port.ts';
import { measureFloat } from '../../src/core/monitoring/measure-float.ts';
import { setCredentials } from '../../src/store/operators/operator-credentials.ts';
import { importReport } from '../../src/core/reconciliation/import-report.ts';
import { notificationSecret } from '../../src/core/operators/reference.ts';
import { parseAmount } from '../../src/domain/money.ts';
import { nowOf } from '../clocks.ts';
import { call, eventually, select } from '../gateway.ts';
import { readPayment, start, startCompleted, waitForPayment } from '../payments.ts';
import { refundRequest } from '../requests.ts';
import { openTestStore, type TestStore } from '../store/open-store.ts';
import { openOperatorGateway, requestFor, type OperatorGateway } from './operator-gateway.ts';
import { NO_ACCOUNT_RECORDED, openStage, type Stage } from './stage.ts';

const TRIAL = { name: 'mpesa-daraja', provider: 'MPESA_KEN', title: 'mpesa-daraja' };
const OPEN = { isOpen: () => true };

const attemptOf = (order: SubmitRequest, ageMs: number): StoredAttempt => ({
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

  const submit = (order: SubmitRequest) => stage.connector.submit(order, OPEN);
  const reverse = (order: RefundSubmitRequest) => stage.connector.refund!.submit(order, OPEN);
  const ask = (order: SubmitRequest, { providerReference }: SubmitAnswer, ageMs: number) =>
    stage.connector.query!({ ...attemptOf(order, ageMs), providerReference: providerReference ?? '' });
  /** The last message about an order, as it is read. */
  const told = async (order: SubmitRequest, count = 1) => {
    const about = () => stage.receiver.received.filter((one) => one.pathReference === order.reference);
    await eventually(() => about().length).toBeGreaterThanOrEqual(count);
    return stage.connector.notifications!.read(about().at(-1)!, NO_ACCOUNT_RECORDED);
  };
  const completedDeposit = async () => {
    const order = stage.order();
    await submit(order);
    const reading = await told(order);
    if (reading.type !== 'HINT' || reading.reportedReceipt === undefined) throw new Error(reading.type);
    return { ...attemptOf(order, 0), provedReceipt: reading.reportedReceipt };
  };
  /** What the operator answers about a payout or reversal. */
  const answered = async (order: SubmitRequest, answer: SubmitAnswer) => {
    await told(order);
    expect((await ask(order, answer, 0)).outcome).toBe('ENQUIRY_REQUESTED');
    return told(order, 2);
  };

  test('a push in progress is 4999 once and an error that says nothing the next time', async () => {
    stage.fake.addFault({ type: 'OUTCOME', status: 'PENDING' });
    const order = stage.order();
    const answer = await submit(order);
    expect((await ask(order, answer, 0)).outcome).toEqual({ type: 'PENDING' });
    const nothing = { type: 'UNKNOWN', reason: 'OPERATOR_ERROR' };
    expect((await ask(order, answer, 0)).outcome).toEqual(nothing);
    expect((await ask(order, { ...answer, providerReference: 'ws_CO_0' }, 0)).outcome).toEqual(nothing);
  });

  test('a success in an enquiry counts once the callback has had its time', async () => {
    stage.fake.addFault({ type: 'NO_NOTIFICATION' });
    const order = stage.order();
    const answer = await submit(order);
    expect((await ask(order, answer, 110_000)).outcome).toEqual({ type: 'PENDING' });
    expect((await ask(order, answer, 130_000)).outcome).toEqual({ type: 'COMPLETED' });
  });

  test('without an initiator no receipt can be proved, so it is not waited for', async () => {
    await withAccount({ initiatorName: '' });
    const order = stage.order();
    expect((await ask(order, await submit(order), 0)).outcome).toEqual({ type: 'COMPLETED' });
  });

  test('D: a push that an enquiry says has failed, and that succeeds, is never FAILED', async () => {
    stage.fake.addFault({ type: 'OUTCOME', status: 'SUCCESSFUL', delayMs: 60_000 });
    const order = stage.order({ phoneNumber: '254708374147' });
    const answer = await submit(order);
    const said = await ask(order, answer, 90_000);
    expect(said).toMatchObject({ outcome: { type: 'PENDING' }, reportedFailure: '1037' });
    stage.advance(61_000);
    stage.fake.books();
    expect((await ask(order, answer, 150_000)).outcome).toEqual({ type: 'COMPLETED' });
  });

  test('D: a push that is not known yet is asked about again, and raises no alert', async () => {
    stage.fake.addFault({ type: 'OUTCOME', status: 'PENDING' });
    const order = stage.order({ phoneNumber: '254708374146' });
    const said = await ask(order, await submit(order), 5_000);
    expect(said.outcome).toEqual({ type: 'UNKNOWN', reason: 'OPERATOR_ERROR' });
    expect(said).not.toHaveProperty('alert');
  });

  test.each([
    ['2001', 'PAYMENT_NOT_APPROVED'],
    ['1032', 'PAYMENT_NOT_APPROVED'],
    ['1', 'INSUFFICIENT_BALANCE'],
  ])('a push that ends %s says so to an enquiry, and its callback is a hint', async (failureCode, code) => {
    stage.fake.addFault({ type: 'OUTCOME', status: 'FAILED', failureCode });
    const order = stage.order();
    const answer = await submit(order);
    expect(await told(order)).toEqual({ type: 'HINT', reference: order.reference });
    expect((await ask(order, answer, 0)).outcome).toEqual({ type: 'FAILED', code });
  });

  test("the sandbox's number never answers", async () => {
    const order = stage.order({ phoneNumber: '254708374149' });
    expect(await ask(order, await submit(order), 0)).toMatchObject({ reportedFailure: '1037' });
  });

  test('a payment is reversed once, and only under a receipt that is known', async () => {
    const original = await completedDeposit();
    const first = stage.order({ operation: 'REFUND', amount: 500_000n });
    const reversed = await reverse({ ...first, original });
    expect(reversed.outcome).toEqual({ type: 'PENDING' });
    expect(await answered(first, reversed)).toMatchObject({
      outcome: { type: 'COMPLETED', moved: { amount: 500_000n } },
    });
    const second = stage.order({ operation: 'REFUND', amount: 500_000n });
    await reverse({ ...second, original });
    expect(await told(second)).toEqual({ type: 'HINT', reference: second.reference });
    const strange = stage.order({ operation: 'REFUND' });
    await reverse({ ...strange, original: { ...original, provedReceipt: 'SAA9999999' } });
    await told(strange);
    expect(refunds()).toHaveLength(1);
  });
  const refunds = () => stage.fake.books().charges.filter(({ operation }) => operation === 'REFUND');

  test('B1: a deposit whose receipt was only reported is not refunded before it is proved', async () => {
    const { provedReceipt: reportedReceipt, ...deposit } = await completedDeposit();
    const original = { ...deposit, reportedReceipt };
    const answer = await reverse({ ...stage.order({ operation: 'REFUND' }), original });
    expect(answer.outcome).toEqual({ type: 'UNKNOWN', reason: 'NOT_YET' });
    expect(refunds()).toEqual([]);
  });

  test('a deposit whose receipt was never reported cannot be refunded, and the host gets an alert', async () => {
    const { provedReceipt: _receipt, ...original } = await completedDeposit();
    const early = await reverse({ ...stage.order({ operation: 'REFUND' }), original });
    expect(early.outcome).toEqual({ type: 'UNKNOWN', reason: 'NOT_YET' });
    const claimedAt = new Date(original.claimedAt.getTime() - 3_600_000);
    const late = { ...original, claimedAt };
    const answer = await reverse({ ...stage.order({ operation: 'REFUND' }), original: late });
    expect(answer).toMatchObject({ outcome: { type: 'FAILED', code: 'OTHER_ERROR' }, alert: 'NO_RECEIPT' });
    expect(refunds()).toEqual([]);
  });

  test('cents are never rounded away: nothing is sent', async () => {
    for (const operation of ['DEPOSIT', 'PAYOUT'] as const) {
      const answer = await submit(stage.order({ operation, amount: 1_500_001n }));
      expect(answer).toMatchObject({ outcome: { type: 'FAILED' }, alert: 'NOT_WHOLE_SHILLINGS' });
    }
    expect(stage.fake.books().charges).toEqual([]);
  });

  test('an address with a refused word is refused at once, and that is an end', async () => {
    const order = stage.order();
    const answer = await submit({ ...order, notificationUrl: `${order.notificationUrl}/mpesa` });
    expect(answer).toMatchObject({ outcome: { type: 'FAILED' }, alert: '400.002.02' });
  });

  test('a token that another client ended by requesting a new one is renewed once', async () => {
    await submit(stage.order());
    const { baseUrl, consumerKey, consumerSecret } = account();
    const basic = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64');
    const url = `${baseUrl}/oauth/v1/generate?grant_type=client_credentials`;
    expect((await fetch(url, { headers: { authorization: `Basic ${basic}` } })).status).toBe(200);
    const order = stage.order();
    expect((await submit(order)).outcome).toEqual({ type: 'PENDING' });
    expect(stage.fake.books().charges).toHaveLength(2);
  });
  const account = () => {
    if (!('credentialsOf' in stage.fake)) throw new Error('this fake has no accounts');
    const credentialsOf = stage.fake.credentialsOf as (
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
    expect(await told(order)).toEqual({ type: 'HINT', reference: order.reference, alert: '2001' });
    expect(stage.fake.books().charges).toEqual([]);
  });

  test.each([
    ['DEPOSIT', { passkey: '' }, 'NO_PASSKEY'],
    ['PAYOUT', { certificate: 'no certificate' }, 'NO_INITIATOR'],
  ] as const)('a %s with %j is not sent, and the host gets an alert', async (operation, change, alert) => {
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

  test('a payout that could not be sent has not FAILED: it is sent later', async () => {
    await gateway.fake.stop();
    const payoutId = await start(gateway, 'payout', requestFor(gateway, 'payout'));
    await eventually(() =>
      select(gateway, 'select 1 from payment_attempts where unsent_count > 0'),
    ).toHaveLength(1);
    expect((await readPayment(gateway, 'payout', payoutId))['status']).toBe('PROCESSING');
  });

  test('a payout whose result was lost is asked about, and the answer comes later', async () => {
    gateway.fake.addFault({ type: 'NO_NOTIFICATION' });
    await startCompleted(gateway, 'payout', requestFor(gateway, 'payout'));
    const kept = await select(gateway, 'select reading from operator_notifications');
    expect(kept.map(({ reading }) => reading as string)).toContain('AUTHENTIC');
  });

  test('an empty float fails the payout and alerts the host, by a message alone', async () => {
    gateway.fake.addFault({ type: 'OUTCOME', status: 'FAILED', failureCode: '1' });
    const payoutId = await start(gateway, 'payout', requestFor(gateway, 'payout'));
    await waitForPayment(gateway, 'payout', payoutId, 'FAILED');
    await eventually(alerts).toEqual(['1']);
  });

  test('D: a payout whose status is not certified is not FAILED', async () => {
    gateway.fake.addFault({ type: 'OUTCOME', status: 'FAILED', failureCode: '7001' });
    const payoutId = await start(gateway, 'payout', requestFor(gateway, 'payout'));
    await eventually(async () =>
      (await select(gateway, 'select detail from payment_events')).map(({ detail }) => detail as string),
    ).toContain('UNKNOWN UNMAPPED_CODE');
    expect((await readPayment(gateway, 'payout', payoutId))['status']).toBe('PROCESSING');
  });

  const MINUTE_MS = 60_000;
  const pastTheHorizon = (kind: 'DEPOSIT' | 'REFUND') =>
    gateway.gateway.movableClock!.move(gateway.timingOf(kind).horizonMs + MINUTE_MS);

  test('B1: a deposit whose CheckoutRequestID was lost ends by no callback: a report must prove it', async () => {
    gateway.fake.addFault({ type: 'LOSE_ANSWER', operation: 'DEPOSIT' });
    const request = requestFor(gateway, 'deposit');
    const depositId = await start(gateway, 'deposit', request);
    await eventually(() => receiptsOf('reported_receipt')).toHaveLength(1);
    await pastTheHorizon('DEPOSIT');
    await waitForPayment(gateway, 'deposit', depositId, 'IN_RECONCILIATION');
    const [receipt = ''] = await receiptsOf('reported_receipt');
    const line = {
      occurredAt: nowOf(gateway.engine),
      direction: 'IN',
      status: 'COMPLETED',
      amount: parseAmount(request['amount'])!,
      currency: 'KES',
      providerTransactionId: receipt,
    } as const;
    await importReport(gateway.engine, {
      by: 'test',
      secondApprover: 'OPTIONAL',
      provider: 'MPESA_KEN',
      fileHash: Buffer.alloc(32, 7),
      period: null,
      async *batches() {
        yield [{ lineNo: 1, line }];
      },
      onError: (error) => {
        throw error;
      },
    });
    const deposit = await waitForPayment(gateway, 'deposit', depositId, 'COMPLETED');
    expect(deposit['providerTransactionId']).toBe(receipt);
  });
  const receiptsOf = async (column: 'reported_receipt' | 'proved_receipt') =>
    (await select(gateway, `select ${column} as receipt from payment_attempts`)).flatMap(
      ({ receipt }) => (receipt as string | null) ?? [],
    );

  test('B1: a refund whose answer was lost ends by no result, and is sent once', async () => {
    const depositId = await startCompleted(gateway, 'deposit', requestFor(gateway, 'deposit'));
    gateway.fake.addFault({ type: 'LOSE_ANSWER', operation: 'REFUND' });
    const refundId = await start(gateway, 'refund', refundRequest(depositId));
    await eventually(() => hints('refund')).toBeGreaterThan(0);
    await pastTheHorizon('REFUND');
    await waitForPayment(gateway, 'refund', refundId, 'IN_RECONCILIATION');
    const refunds = gateway.fake.books().charges.filter(({ operation }) => operation === 'REFUND');
    expect(refunds.map(({ submissions }) => submissions)).toEqual([1]);
  });
  const hints = async (noun: string) => {
    const rows = await select(
      gateway,
      `select 1 from operator_notifications join payment_attempts using (reference) where kind = $1`,
      [noun.toUpperCase()],
    );
    return rows.length;
  };

  test('B1: a deposit completes with the receipt that an enquiry proved', async () => {
    const depositId = await startCompleted(gateway, 'deposit', requestFor(gateway, 'deposit'));
    const { providerTransactionId } = await readPayment(gateway, 'deposit', depositId);
    expect(providerTransactionId).toMatch(/^S\w+$/);
    expect(await receiptsOf('proved_receipt')).toEqual([providerTransactionId]);
  });

  test('B1: a receipt of another amount is not proved, and no reversal names it', async () => {
    gateway.fake.addFault({ type: 'NO_NOTIFICATION' });
    const other = await start(gateway, 'deposit', { ...requestFor(gateway, 'deposit'), amount: '77' });
    await eventually(() => gateway.fake.books().charges.length).toBe(1);
    const { transactionId } = gateway.fake.books().charges[0]!;
    gateway.fake.addFault({ type: 'NO_NOTIFICATION' });
    const depositId = await start(gateway, 'deposit', requestFor(gateway, 'deposit'));
    await eventually(() => gateway.fake.books().charges.length).toBe(2);
    const reference = await tellReceipt(depositId, transactionId);
    await eventually(() => answersAbout(reference)).toContain('RECEIPT');
    expect(await receiptsOf('reported_receipt')).toEqual([transactionId]);
    expect(await receiptsOf('proved_receipt')).toEqual([]);
    await gateway.gateway.movableClock!.move(3 * MINUTE_MS);
    for (const id of [other, depositId]) await waitForPayment(gateway, 'deposit', id, 'COMPLETED');
    const refundId = await start(gateway, 'refund', refundRequest(depositId));
    await eventually(() => eventsOf(refundId)).toContain('SUBMIT_UNSENT');
    await gateway.gateway.movableClock!.move(25 * 60 * MINUTE_MS);
    await waitForPayment(gateway, 'refund', refundId, 'FAILED');
    expect(gateway.fake.books().charges.map(({ operation }) => operation)).toEqual(['DEPOSIT', 'DEPOSIT']);
  });
  const eventsOf = async (paymentId: string) =>
    (
      await select(
        gateway,
        `select event from payment_events
          where payment_no in (select payment_no from payment_keys where payment_id = $1)`,
        [paymentId],
      )
    ).map(({ event }) => event as string);
  /** The callback of a push, as anybody could send it who knows its address. Answers the deposit's reference. */
  const tellReceipt = async (depositId: string, receipt: string) => {
    const [attempt] = await select(gateway, 'select reference from payment_attempts where payment_id = $1', [
      depositId,
    ]);
    const reference = attempt!['reference'] as string;
    const secret = notificationSecret(gateway.engine.referenceKey, reference);
    const Item = [{ Name: 'MpesaReceiptNumber', Value: receipt }];
    const body = { Body: { stkCallback: { ResultCode: 0, CallbackMetadata: { Item } } } };
    await call(gateway, 'POST', `/operators/daraja/notifications/${reference}/${secret}`, body);
    return reference;
  };

  test('B1: a refund waits until the receipt of its deposit is proved, and is sent then', async () => {
    gateway.fake.changeSettings({ notifications: false });
    const depositId = await start(gateway, 'deposit', requestFor(gateway, 'deposit'));
    await eventually(() => gateway.fake.books().charges.length).toBe(1);
    await tellReceipt(depositId, gateway.fake.books().charges[0]!.transactionId);
    await eventually(() => receiptsOf('reported_receipt')).toHaveLength(1);
    await gateway.gateway.movableClock!.move(3 * MINUTE_MS);
    await waitForPayment(gateway, 'deposit', depositId, 'COMPLETED');
    const refundId = await start(gateway, 'refund', refundRequest(depositId));
    await eventually(() => eventsOf(refundId)).toContain('SUBMIT_UNSENT');
    expect(await receiptsOf('proved_receipt')).toEqual([]);
    gateway.fake.changeSettings({ notifications: true });
    await gateway.gateway.movableClock!.move(MINUTE_MS);
    await eventually(() => receiptsOf('proved_receipt')).toHaveLength(1);
    await gateway.gateway.movableClock!.move(MINUTE_MS);
    await waitForPayment(gateway, 'refund', refundId, 'COMPLETED');
  });
  const answersAbout = async (reference: string) => {
    const rows = await select(gateway, 'select reading from operator_notifications where reference = $1', [
      reference,
    ]);
    return rows.map(({ reading }) => reading as string);
  };

  test('B1: after a restore the lost secret of a question means that it is asked again', async () => {
    gateway.fake.changeSettings({ notifications: false });
    const payoutId = await start(gateway, 'payout', requestFor(gateway, 'payout'));
    await eventually(() => gateway.fake.books().charges.length).toBe(1);
    await eventually(() => questions()).not.toEqual([]);
    for (const { encrypted } of await questions()) expect(encrypted).not.toMatch(/^[0-9a-f]{64}$/);
    await gateway.engine.store.database.query('delete from operator_questions');
    gateway.fake.changeSettings({ notifications: true });
    await gateway.gateway.movableClock!.move(10 * MINUTE_MS);
    await waitForPayment(gateway, 'payout', payoutId, 'COMPLETED');
  });
  const questions = () =>
    select(gateway, `select encode(encrypted_secret, 'escape') as encrypted from operator_questions`);

  test('a balance is asked for, and known once it was reported', async () => {
    const minimums = [{ provider: 'MPESA_KEN', currency: 'KES', amount: 1n }];
    const floatTold = async () => {
      const { samples } = await measureFloat(gateway.engine, { minimums });
      return samples.find(({ metric }) => metric === 'malipo_float_operator_amount')?.value;
    };
    await eventually(floatTold).toBe(1_000_000);
  });
});
