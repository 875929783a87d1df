// An operator that only acknowledges an enquiry and posts its result later. What it then says needs no confirmation:
// asking about it would be answered by one more message, and so on.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, select } from '../gateway.ts';
import { readPayment, start, waitForPayment } from '../payments.ts';
import { openOperatorGateway, requestFor, type OperatorGateway } from './operator-gateway.ts';

let gateway: OperatorGateway;
beforeEach(async () => {
  gateway = await openOperatorGateway(
    { name: 'mpesa-daraja', provider: 'MPESA_KEN', title: 'mpesa-daraja' },
    { worker: { sweepIntervalMs: 100, sweepOverdueAfterMs: 100 } },
  );
});
afterEach(() => gateway.stop());

const listCases = (paymentId: string) =>
  select(gateway, 'select evidence from cases where payment_id = $1', [paymentId]);
const countMessages = async () => (await select(gateway, 'select 1 from operator_notifications')).length;
const waiting = () => select(gateway, 'select 1 from operator_notifications where applied_at is null');

test('a success after FAILED is asked about once, and the message that answers opens the case', async () => {
  gateway.fake.addFault({ type: 'OUTCOME', status: 'FAILED', failureCode: '2001', delayMs: 0 });
  gateway.fake.addFault({ type: 'CONTRADICTING_NOTIFICATION', delayMs: 60_000 });
  const payoutId = await start(gateway, 'payout', requestFor(gateway, 'payout'));
  await waitForPayment(gateway, 'payout', payoutId, 'FAILED');
  await gateway.gateway.movableClock!.move(60_000);
  await eventually(() => listCases(payoutId)).toEqual([{ evidence: 'LATE_SUCCESS' }]);
  await eventually(waiting).toEqual([]);
  // Two ends, and the answers to what was asked. There would be more with every sweep if each was asked about.
  await eventually(async () => {
    const before = await countMessages();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return (await countMessages()) - before;
  }).toBe(0);
  expect(await countMessages()).toBeLessThan(10);
  expect((await readPayment(gateway, 'payout', payoutId))['status']).toBe('FAILED');
});
