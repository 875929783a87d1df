// The verdict of a drill finds what never ended, what no operator was asked about, and what no merchant was told.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Endpoint } from '../../../drills/kit/load/endpoint.ts';
import { readPayments } from '../../../drills/kit/verdict/payment-rows.ts';
import { checkPayments } from '../../../drills/kit/verdict/verdict.ts';
import { addPayment, NOON, openTestStore, samplePayment, type TestStore } from '../store/open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.stop());

test('payments of the load that never ended, were never charged, never announced or are lost are found', async () => {
  const { merchantId, database } = store;
  const add = (changes: object) => addPayment(store, samplePayment(merchantId, changes));
  const accepted = await add({});
  const enqueued = await add({ state: 'ENQUEUED', kind: 'PAYOUT', nextAction: null, nextActionAt: null });
  const completed = await add({ state: 'COMPLETED', nextAction: null, nextActionAt: null, finalAt: NOON });
  const lost = { merchantId, kind: 'DEPOSIT', id: randomUUID(), apiVersion: 'v2' } as const;
  const merchants = [{ merchantId, apiToken: '', endpoint: new Endpoint() }];
  const found = await checkPayments(
    { database, acknowledged: [lost], charges: [], merchants },
    await readPayments(database),
  );
  expect(found.map(({ type, subject }) => `${type} ${subject}`).toSorted()).toEqual(
    [
      `LOST DEPOSIT ${lost.id}`,
      `LOST DEPOSIT ${accepted.paymentId}`,
      `LOST PAYOUT ${enqueued.paymentId}`,
      `UNBALANCED DEPOSIT ${accepted.paymentId}`,
      `UNBALANCED DEPOSIT ${completed.paymentId}`,
      `UNBALANCED PAYOUT ${enqueued.paymentId}`,
      `UNANNOUNCED DEPOSIT ${completed.paymentId}`,
    ].toSorted(),
  );
});
