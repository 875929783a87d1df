// Everything the simulator can do wrong, seen from the connector's and the receiver's side.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NotificationReading, SubmitRequest } from '../../src/connectors/port.ts';
import { eventually } from './receiver.ts';
import { startSandbox, type Sandbox } from './simulator-fake.ts';
import { NO_ACCOUNT_RECORDED } from './stage.ts';

const OPEN = { isOpen: () => true };

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.stop());

const submit = async (order: SubmitRequest) => (await sandbox.connector.submit(order, OPEN)).outcome;
const query = async (order: SubmitRequest) =>
  (await sandbox.connector.query!({ ...order, attemptNo: 1, claimedAt: new Date() })).outcome;
const charges = () => sandbox.simulator.books().charges;

/** The readings of the next notifications, and proof that no more come with them. */
async function readings(count: number): Promise<NotificationReading[]> {
  await sandbox.receiver.wait(count);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(sandbox.receiver.received).toHaveLength(count);
  const { read } = sandbox.connector.notifications!;
  return Promise.all(sandbox.receiver.received.map(async (raw) => read(raw, NO_ACCOUNT_RECORDED)));
}

describe('faults of an exchange', () => {
  it('LOSE_ANSWER: charged, and the socket closed without an answer', async () => {
    sandbox.simulator.addFault({ type: 'LOSE_ANSWER' });
    const order = sandbox.order();
    expect(await submit(order)).toEqual({ type: 'UNKNOWN', reason: 'NO_ANSWER' });
    expect(charges()).toMatchObject([{ reference: order.reference, status: 'SUCCESSFUL' }]);
  });

  it.each([
    { when: 'BEFORE', charged: 0 },
    { when: 'AFTER', charged: 1 },
  ] as const)('ERROR $when accepting leaves $charged charges', async ({ when, charged }) => {
    sandbox.simulator.addFault({ type: 'ERROR', httpStatus: 503, when });
    expect(await submit(sandbox.order())).toEqual({ type: 'UNKNOWN', reason: 'OPERATOR_ERROR' });
    expect(charges()).toHaveLength(charged);
  });

  it.each([
    { when: 'BEFORE', charged: 0 },
    { when: 'AFTER', charged: 1 },
  ] as const)(
    'HANG $when accepting, given up by the caller, leaves $charged charges',
    async ({ when, charged }) => {
      sandbox.simulator.addFault({ type: 'HANG', when });
      expect(await submit(sandbox.order())).toEqual({ type: 'UNKNOWN', reason: 'NO_ANSWER' });
      await eventually(() => sandbox.simulator.hanging()).toEqual([]);
      expect(charges()).toHaveLength(charged);
    },
  );

  it('DELAY: a request is executed late even if its caller no longer waits', async () => {
    sandbox.simulator.addFault({ type: 'DELAY', delayMs: 4_000 });
    const order = sandbox.order();
    expect(await submit(order)).toEqual({ type: 'UNKNOWN', reason: 'NO_ANSWER' });
    expect(await query(order)).toEqual({ type: 'NOT_SEEN' });
    await eventually(() => query(order)).toMatchObject({ type: 'COMPLETED' });
  });

  it('answerDelayMs: accepted at once, answered later', async () => {
    sandbox.simulator.changeSettings({ answerDelayMs: 100 });
    const order = sandbox.order();
    const answer = submit(order);
    await eventually(charges).toHaveLength(1);
    expect((await answer).type).toBe('COMPLETED');
  });

  it('a fault strikes only what it is aimed at, and only as often as it should', async () => {
    const aimed = sandbox.order({ phoneNumber: '260763000001' });
    const fault = { type: 'ERROR', httpStatus: 500 } as const;
    sandbox.simulator.addFault({ ...fault, phoneNumber: '260763000001', times: 2 });
    sandbox.simulator.addFault({ ...fault, operation: 'PAYOUT' });
    sandbox.simulator.addFault({ ...fault, reference: 'another' });
    expect((await submit(sandbox.order())).type).toBe('COMPLETED');
    expect((await submit(aimed)).type).toBe('UNKNOWN');
    expect((await submit(aimed)).type).toBe('UNKNOWN');
    expect((await submit(aimed)).type).toBe('COMPLETED');
    expect((await submit(sandbox.order({ operation: 'PAYOUT' }))).type).toBe('UNKNOWN');
    sandbox.simulator.clearFaults();
    expect((await submit(sandbox.order({ reference: 'another' }))).type).toBe('COMPLETED');
  });

  it('a fault at the query knows the phone number of the charge', async () => {
    const order = sandbox.order();
    await submit(order);
    sandbox.simulator.addFault({ type: 'LOSE_ANSWER', step: 'query', phoneNumber: order.phoneNumber });
    expect(await query(order)).toEqual({ type: 'UNKNOWN', reason: 'NO_ANSWER' });
  });
});

describe('faults of a transaction', () => {
  it('WRONG_AMOUNT: answers, notifications and books have another amount', async () => {
    sandbox.simulator.addFault({ type: 'WRONG_AMOUNT' });
    const order = sandbox.order({ amount: 150_000n });
    expect(await submit(order)).toMatchObject({ moved: { amount: 160_000n } });
    expect(await readings(1)).toMatchObject([
      { type: 'AUTHENTIC', outcome: { moved: { amount: 160_000n } } },
    ]);
    expect(charges()).toMatchObject([{ amount: '16' }]);
    sandbox.simulator.addFault({ type: 'WRONG_AMOUNT', amount: '0.5' });
    expect(await submit(sandbox.order())).toMatchObject({ moved: { amount: 5_000n } });
  });

  it('UNKNOWN_CODE: a failure with an unknown code', async () => {
    sandbox.simulator.addFault({ type: 'UNKNOWN_CODE' });
    expect(await submit(sandbox.order())).toEqual({ type: 'UNKNOWN', reason: 'UNMAPPED_CODE' });
    expect(await readings(1)).toMatchObject([
      { type: 'AUTHENTIC', outcome: { type: 'UNKNOWN', reason: 'UNMAPPED_CODE' } },
    ]);
    expect(charges()).toMatchObject([{ status: 'FAILED', failureCode: 'E9999' }]);
  });

  it('OUTCOME: scripts the end, its code and its time', async () => {
    sandbox.simulator.addFault({ type: 'OUTCOME', status: 'FAILED', failureCode: 'OTHER', delayMs: 60_000 });
    const order = sandbox.order();
    expect(await submit(order)).toEqual({ type: 'PENDING' });
    sandbox.clock.advance(60_000);
    expect(await query(order)).toMatchObject({ type: 'FAILED', code: 'OTHER_ERROR' });
    sandbox.simulator.addFault({ type: 'OUTCOME', status: 'PENDING' });
    expect(await submit(sandbox.order())).toEqual({ type: 'PENDING' });
  });

  it('one request can meet a fault of the exchange, of the transaction and of the notification', async () => {
    sandbox.simulator.addFault({ type: 'LOSE_ANSWER' });
    sandbox.simulator.addFault({ type: 'OUTCOME', status: 'FAILED' });
    sandbox.simulator.addFault({ type: 'DOUBLE_NOTIFICATION' });
    expect((await submit(sandbox.order())).type).toBe('UNKNOWN');
    const failed = { type: 'AUTHENTIC', outcome: { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } };
    expect(await readings(2)).toMatchObject([failed, failed]);
  });
});

describe('faults of a notification', () => {
  const completed = { type: 'AUTHENTIC', outcome: { type: 'COMPLETED' } };

  it('NO_NOTIFICATION: nothing is sent, and the next transaction is announced again', async () => {
    sandbox.simulator.addFault({ type: 'NO_NOTIFICATION' });
    await submit(sandbox.order());
    const next = sandbox.order();
    await submit(next);
    expect(await readings(1)).toMatchObject([{ ...completed, reference: next.reference }]);
  });

  it('notifications can be switched off', async () => {
    sandbox.simulator.changeSettings({ notifications: false });
    await submit(sandbox.order());
    expect(await readings(0)).toEqual([]);
  });

  it('DOUBLE_NOTIFICATION: the same one twice', async () => {
    sandbox.simulator.addFault({ type: 'DOUBLE_NOTIFICATION' });
    await submit(sandbox.order());
    expect(await readings(2)).toMatchObject([completed, completed]);
  });

  it('LATE_NOTIFICATION: when the clock says so', async () => {
    sandbox.simulator.addFault({ type: 'LATE_NOTIFICATION', delayMs: 60_000 });
    await submit(sandbox.order());
    expect(await readings(0)).toEqual([]);
    sandbox.clock.advance(60_000);
    expect(await readings(1)).toMatchObject([completed]);
  });

  it('FORGED_NOTIFICATION: a false success before the true failure', async () => {
    sandbox.simulator.addFault({ type: 'OUTCOME', status: 'FAILED' });
    sandbox.simulator.addFault({ type: 'FORGED_NOTIFICATION' });
    const order = sandbox.order();
    await submit(order);
    const [forged, genuine] = await readings(2);
    expect(forged).toEqual({ type: 'HINT', reference: order.reference });
    expect(sandbox.receiver.received[0]!.body.toString()).toContain('SUCCESSFUL');
    expect(genuine).toMatchObject({ type: 'AUTHENTIC', outcome: { type: 'FAILED' } });
  });

  it('FORGED_NOTIFICATION only: also for a transaction that never ends', async () => {
    sandbox.simulator.addFault({ type: 'FORGED_NOTIFICATION', only: true, times: 2 });
    await submit(sandbox.order());
    sandbox.simulator.addFault({ type: 'OUTCOME', status: 'PENDING' });
    await submit(sandbox.order());
    expect(await readings(2)).toMatchObject([{ type: 'HINT' }, { type: 'HINT' }]);
  });

  it('CONTRADICTING_NOTIFICATION: the end, then its opposite, and the books say the last word', async () => {
    sandbox.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
    const order = sandbox.order();
    await submit(order);
    expect(await readings(2)).toMatchObject([completed, { type: 'AUTHENTIC', outcome: { type: 'FAILED' } }]);
    expect(await query(order)).toMatchObject({ type: 'FAILED' });
    expect(sandbox.simulator.books().totals).toMatchObject([{ received: '0' }]);
  });

  it('CONTRADICTING_NOTIFICATION: a late success, when the clock says so', async () => {
    sandbox.simulator.addFault({ type: 'OUTCOME', status: 'FAILED', failureCode: 'OTHER' });
    sandbox.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION', delayMs: 60_000 });
    const order = sandbox.order();
    await submit(order);
    expect(await readings(1)).toMatchObject([{ type: 'AUTHENTIC', outcome: { type: 'FAILED' } }]);
    sandbox.clock.advance(60_000);
    expect((await readings(2))[1]).toMatchObject(completed);
    expect(charges()[0]).toMatchObject({ status: 'SUCCESSFUL' });
    expect(charges()[0]).not.toHaveProperty('failureCode');
  });

  it('a receiver that refuses hears it once, or as often as retries are configured', async () => {
    sandbox.receiver.answerWith(500);
    await submit(sandbox.order());
    await readings(1);
    sandbox.simulator.changeSettings({ notificationRetryDelaysMs: [5, 5] });
    await submit(sandbox.order());
    await readings(4);
    sandbox.receiver.answerWith(204);
    await submit(sandbox.order());
    await readings(5);
  });

  it('an address without a listener harms nothing', async () => {
    await submit(sandbox.order({ notificationUrl: 'http://127.0.0.1:1/' }));
    await submit(sandbox.order({ notificationUrl: 'not an address' }));
    expect((await submit(sandbox.order())).type).toBe('COMPLETED');
  });
});
