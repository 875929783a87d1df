// An operator whose messages are only hints, and what they are worth once a payment has ended.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, select } from '../gateway.ts';
import { callbacksAbout, readPayment, startCompleted } from '../payments.ts';
import { openOperatorGateway, requestFor, type OperatorGateway } from './operator-gateway.ts';

let gateway: OperatorGateway;
beforeEach(async () => {
  gateway = await openOperatorGateway({ name: 'mtn-momo', provider: 'MTN_MOMO_ZMB', title: 'mtn-momo' });
});
afterEach(() => gateway.stop());

const listCases = (paymentId: string) =>
  select(gateway, 'select evidence from cases where payment_id = $1', [paymentId]);
const countQueries = async () => {
  const rows = await select(gateway, `select 1 from operator_traffic where step = 'query'`);
  return rows.length;
};

/** After the end of a payment, however long a busy machine takes for that. */
const LATER_MS = 60_000;

const passLater = () => gateway.gateway.movableClock!.move(LATER_MS);

test('a hint about a completed deposit is asked about, and what the operator now says opens a case', async () => {
  gateway.fake.addFault({ type: 'CONTRADICTING_NOTIFICATION', delayMs: LATER_MS });
  const depositId = await startCompleted(gateway, 'deposit', requestFor(gateway, 'deposit'));
  await eventually(() => callbacksAbout(gateway, 'deposit', depositId).length).toBe(1);
  await passLater();
  await eventually(() => listCases(depositId)).toEqual([{ evidence: 'LATE_FAILURE' }]);
  expect((await readPayment(gateway, 'deposit', depositId))['status']).toBe('COMPLETED');
  expect(callbacksAbout(gateway, 'deposit', depositId)).toHaveLength(1);
});

test('a hint that comes after the end costs one question and changes nothing', async () => {
  gateway.fake.addFault({ type: 'LATE_NOTIFICATION', delayMs: LATER_MS });
  const depositId = await startCompleted(gateway, 'deposit', requestFor(gateway, 'deposit'));
  // The enquiry that told its end.
  await eventually(countQueries).toBe(1);
  await passLater();
  await eventually(countQueries).toBe(2);
  await eventually(() =>
    select(gateway, 'select 1 from operator_notifications where applied_at is null'),
  ).toEqual([]);
  expect(await listCases(depositId)).toEqual([]);
  expect((await readPayment(gateway, 'deposit', depositId))['status']).toBe('COMPLETED');
});
