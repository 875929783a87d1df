// What PostgreSQL itself holds about payments, anyone who writes: final is final, open payments have a next step.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/store/database.ts';
import { insertPaymentEvents } from '../../src/store/payments/payment-events.ts';
import { insertPaymentKeys, listPaymentKeys } from '../../src/store/payments/payment-keys.ts';
import {
  insertPayments,
  listPayments,
  lockPayments,
  updatePayments,
  type StoredPayment,
} from '../../src/store/payments/payments.ts';
import { addMerchant, addPayment, NOON, openTestStore, samplePayment } from './open-store.ts';
import type { TestStore } from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.stop());

const add = (changes: Partial<StoredPayment> = {}) =>
  addPayment(store, samplePayment(store.merchantId, changes));

/** A payment that has ended. Endings are not inserted: they are reached. */
async function addFinal(state: 'COMPLETED' | 'FAILED'): Promise<StoredPayment> {
  const open = await add({ state: 'PROCESSING', nextAction: 'ENQUIRE' });
  const failureCode = state === 'FAILED' ? ({ failureCode: 'PAYER_NOT_FOUND' } as const) : {};
  const final: StoredPayment = { ...open, state, nextAction: null, nextActionAt: null, ...failureCode };
  await updatePayments(store.database, store.keyring, [final]);
  return final;
}

const change = (payment: StoredPayment, assignments: string) =>
  store.database.query(`update payments set ${assignments} where payment_id = $1`, [payment.paymentId]);

const read = async (payment: StoredPayment) =>
  (await listPayments(store.database, store.keyring, [payment]))[0];

describe.each(['COMPLETED', 'FAILED'] as const)('a %s payment', (state) => {
  const other = state === 'COMPLETED' ? 'FAILED' : 'COMPLETED';

  test.each([
    ['into the other final state', `state = '${other}', failure_code = 'OTHER_ERROR'`],
    ['back to PROCESSING', `state = 'PROCESSING', next_action = 'ENQUIRE', next_action_at = created_at`],
    [
      'to IN_RECONCILIATION',
      `state = 'IN_RECONCILIATION', next_action = 'ENQUIRE', next_action_at = created_at`,
    ],
    ['to another amount', `amount = 101, amount_text = '101'`],
    ['to another currency', `currency = 'USD'`],
    ['to another failure code', `failure_code = 'OTHER_ERROR'`],
  ])('a final payment cannot be changed %s', async (_, assignments) => {
    const payment = await addFinal(state);
    await expect(change(payment, assignments)).rejects.toThrow(
      `payment ${payment.paymentId} is ${state} and final`,
    );
    expect(await read(payment)).toEqual(payment);
  });

  test('a final payment cannot be changed through updatePayments either, and takes the rest of its batch with it', async () => {
    const payment = await addFinal(state);
    const open = await add();
    const changes: StoredPayment[] = [
      { ...open, enquiryCount: 9 },
      { ...payment, state: 'PROCESSING', nextAction: 'ENQUIRE', nextActionAt: NOON },
    ];
    await expect(updatePayments(store.database, store.keyring, changes)).rejects.toThrow('and final');
    expect(await read(open)).toEqual(open);
  });

  test('still counts the events that come after its end', async () => {
    const payment = await addFinal(state);
    await updatePayments(store.database, store.keyring, [{ ...payment, eventCount: 7 }]);
    expect(await read(payment)).toEqual({ ...payment, eventCount: 7 });
  });
});

describe('next actions', () => {
  const none = { nextAction: null, nextActionAt: null };

  test.each(['ACCEPTED', 'PROCESSING', 'IN_RECONCILIATION'] as const)(
    'an open payment in %s needs one, with its time',
    async (state) => {
      await expect(add({ state, ...none })).rejects.toThrow('payments_open_has_next_action');
      await expect(add({ state, nextActionAt: null })).rejects.toThrow('payments_open_has_next_action');
      await expect(add({ state, nextAction: null })).rejects.toThrow('payments_open_has_next_action');
      await add({ state });
    },
  );

  test('an ENQUEUED payment may have none: the release of its provider covers it', async () => {
    await add({ state: 'ENQUEUED', ...none });
  });

  test('a final payment has none', async () => {
    await expect(add({ state: 'COMPLETED' })).rejects.toThrow('payments_final_has_no_next_action');
  });

  test('exactly FAILED payments have a failure code', async () => {
    await expect(add({ state: 'FAILED', ...none })).rejects.toThrow('payments_failed_has_code');
    await expect(change(await add(), `failure_code = 'OTHER_ERROR'`)).rejects.toThrow(
      'payments_failed_has_code',
    );
  });
});

describe('amounts', () => {
  test.each([
    [1_000_000n, '100'],
    [1_000_000n, '100.00'],
    [1n, '0.0001'],
    [9_999_999_999_999_999_999_999n, '999999999999999999.9999'],
  ])('%s ten-thousandths are stored exactly, beside the text "%s" as written', async (amount, amountText) => {
    const payment = await add({ amount, amountText });
    expect(await read(payment)).toMatchObject({ amount, amountText });
  });

  test.each(['100.0001', '99', '1e3', '-100', ''])(
    'the text "%s" is refused beside the amount 100',
    async (text) => {
      await expect(add({ amountText: text })).rejects.toThrow(
        /payments_amount_text_equals_amount|invalid input syntax/,
      );
    },
  );

  test('amounts are positive, and fees are not negative', async () => {
    await expect(add({ amount: 0n, amountText: '0' })).rejects.toThrow('payments_amount_positive');
    await expect(add({ fee: -1n })).rejects.toThrow('payments_fee_not_negative');
  });
});

describe('events', () => {
  test('events are appended only: an event is neither edited nor deleted, nor written twice', async () => {
    const payment = await add();
    const event = { key: payment, eventNo: 1, occurredAt: NOON, event: 'ACCEPTED', fromState: null };
    const insert = () =>
      insertPaymentEvents(store.database, store.keyring, [
        { ...event, toState: 'ACCEPTED', evidence: 'secret' },
      ]);
    await insert();
    await expect(insert()).rejects.toThrow('payment_events_pkey');
    const edit = (statement: string) =>
      store.database.query(`${statement} where payment_no = $1`, [payment.paymentNo]);
    await expect(edit(`update payment_events set detail = 'x'`)).rejects.toThrow(
      'payment_events is append-only',
    );
    await expect(edit('delete from payment_events')).rejects.toThrow('payment_events is append-only');
    const { rows } = await store.database.query(
      `select detail, encrypted_evidence from payment_events
       where payment_no in (select payment_no from payment_keys where payment_id = $1)`,
      [payment.paymentId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].encrypted_evidence.includes('secret')).toBe(false);
  });
});

describe('identifiers', () => {
  test('identifiers are echoed as written and found in any letters', async () => {
    const paymentId = samplePayment(store.merchantId).paymentId;
    const payment = await add({ paymentId, writtenId: paymentId.toUpperCase() });
    expect(await read(payment)).toEqual(payment);
  });

  test('of simultaneous inserts of one identifier exactly one wins, within a batch and between transactions', async () => {
    const key = { ...samplePayment(store.merchantId), fingerprint: Buffer.alloc(16) };
    const numbers = Array.from({ length: 12 }, () => samplePayment('').paymentId);
    const batches = [0, 4, 8].map((start) => numbers.slice(start, start + 4));
    const inserted = await Promise.all(
      batches.map((batch) =>
        inTransaction(store.database, (tx) =>
          insertPaymentKeys(
            tx,
            batch.map((paymentNo) => ({ ...key, paymentNo })),
          ),
        ),
      ),
    );
    const winners = inserted.flatMap((batch) => [...batch]);
    expect(winners).toHaveLength(1);
    expect((await listPaymentKeys(store.database, [key])).map(({ paymentNo }) => paymentNo)).toEqual(winners);
  });

  test('identifiers are taken by merchant and kind: another merchant or kind may use the same one', async () => {
    const payment = await add();
    await add({ paymentId: payment.paymentId, merchantId: await addMerchant(store) });
    await add({ paymentId: payment.paymentId, kind: 'PAYOUT' });
    await expect(add({ paymentId: payment.paymentId })).rejects.toThrow('payments_payment_no_fkey');
  });

  test('identifiers are kept permanently: no payment without its identifier, and no identifier is pruned under it', async () => {
    const unkept = samplePayment(store.merchantId);
    await expect(insertPayments(store.database, store.keyring, [unkept])).rejects.toThrow(
      'foreign key constraint',
    );
    const { paymentId } = await add();
    await expect(
      store.database.query('delete from payment_keys where payment_id = $1', [paymentId]),
    ).rejects.toThrow('foreign key constraint');
  });
});

describe('locks', () => {
  test('locks are taken in one order whatever the order asked for, so that two batches never wait for each other', async () => {
    const payments = await Promise.all(Array.from({ length: 8 }, () => add()));
    const orders = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0 ? payments : payments.toReversed(),
    );
    const results = await Promise.all(
      orders.map((keys) =>
        inTransaction(store.database, async (tx) => {
          const locked = await lockPayments(tx, store.keyring, keys);
          await updatePayments(tx, store.keyring, locked);
          return locked.map(({ paymentId }) => paymentId);
        }),
      ),
    );
    const sorted = payments.map(({ paymentId }) => paymentId).toSorted();
    for (const locked of results) expect(locked).toEqual(sorted);
  });

  test('locks leave out what does not exist', async () => {
    const payment = await add();
    const unknown = samplePayment(store.merchantId);
    const locked = await inTransaction(store.database, (tx) =>
      lockPayments(tx, store.keyring, [unknown, payment]),
    );
    expect(locked).toEqual([payment]);
  });

  test('an update that misses one of its payments throws', async () => {
    const unknown = samplePayment(store.merchantId);
    await expect(updatePayments(store.database, store.keyring, [unknown])).rejects.toThrow(
      '0 of 1 payments updated',
    );
  });
});
