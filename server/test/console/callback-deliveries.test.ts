// The log of callback deliveries, as a merchant's people read it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listDeliveries, WALKED_MAX } from '../../src/store/callbacks/delivery-log.ts';
import { depositRequest, waitUntil, type TestGateway } from '../gateway.ts';
import { callbacksAbout, start, waitForPayment } from '../payments.ts';
import { openTestConsole, signedIn, type TestPerson } from './people.ts';

let gateway: TestGateway;
let support: TestPerson;
const at = (rest = '') => `api/merchants/${gateway.merchantId}/callback-deliveries${rest}`;

beforeAll(async () => {
  gateway = await openTestConsole();
  support = await signedIn(gateway, 'SUPPORT');
});
afterAll(() => gateway.stop());

/** Callbacks of a merchant without payments, one every second, the newest now. */
async function insertDeliveries(count: number, status: string, attemptCount: number): Promise<void> {
  const endpointId = randomUUID();
  const { database } = gateway.engine.store;
  await database.query(
    `insert into callbacks (callback_id, merchant_id, endpoint_id, kind, payment_id, subject_id, announced_state,
       status, attempt_count, due_at, created_at)
     select gen_random_uuid(), $1, $2, 'PAYOUT', gen_random_uuid(), gen_random_uuid(), 'COMPLETED', $3, $4,
       $5::timestamptz + interval '1 day', $5::timestamptz - n * interval '1 second'
     from generate_series(1, $6::int) n`,
    [gateway.merchantId, endpointId, status, attemptCount, new Date(), count],
  );
}

test('a delivery is listed with its payment, its result and every attempt, without the secrets of its address', async () => {
  const depositId = await start(gateway, 'deposit', depositRequest());
  await waitForPayment(gateway, 'deposit', depositId, 'COMPLETED');
  await waitUntil(() => callbacksAbout(gateway, 'deposit', depositId).length > 0);
  await waitUntil(async () => (await support.call('GET', at())).body.rows[0]?.status === 'DELIVERED');
  const { body } = await support.call('GET', at());
  expect(body.rows[0]).toMatchObject({
    kind: 'DEPOSIT',
    paymentId: depositId,
    announcedState: 'COMPLETED',
    attemptCount: 1,
    host: new URL(gateway.receiver.url).host,
    nextAttemptAt: null,
    lastAttempt: { httpStatus: 200, errorCode: null },
  });
  const attempts = await support.call('GET', at(`/${body.rows[0].callbackId}`));
  expect(attempts.body.attempts).toMatchObject([{ attemptNo: 1, httpStatus: 200 }]);
  const resent = await support.call(
    'POST',
    `api/merchants/${gateway.merchantId}/payments/DEPOSIT/${depositId}/callback`,
  );
  expect(resent.status).toBe(200);
  await waitUntil(async () => (await support.call('GET', at())).body.rows.length === 2);
});

test('deliveries are narrowed by status, kind and time, and read page by page without gaps', async () => {
  await insertDeliveries(7, 'ABANDONED', 9);
  await insertDeliveries(1, 'PENDING', 3);
  const failed = await support.call('GET', at('?status=FAILED&kind=PAYOUT&limit=5'));
  expect(failed.body.rows).toHaveLength(5);
  const rest = await support.call('GET', at(`?status=FAILED&kind=PAYOUT&limit=5&cursor=${failed.body.next}`));
  expect([rest.body.rows.length, rest.body.next]).toEqual([2, null]);
  const seen = [...failed.body.rows, ...rest.body.rows].map(({ callbackId }: any) => callbackId);
  expect(new Set(seen).size).toBe(7);
  const retrying = await support.call('GET', at('?status=RETRYING'));
  expect(retrying.body.rows).toMatchObject([{ status: 'RETRYING', nextAttemptAt: expect.any(String) }]);
  expect((await support.call('GET', at('?status=FAILED&kind=REFUND'))).body.rows).toEqual([]);
  const before = new Date(Date.now() - 3_600_000).toISOString();
  expect((await support.call('GET', at(`?to=${before}`))).body.rows).toEqual([]);
  const reversed = await support.call('GET', at(`?from=${new Date().toISOString()}&to=${before}`));
  expect(reversed.body.failureReason.reason.code).toBe('PERIOD_REVERSED');
});

test('what is rare is found behind many others, a bounded way at a time', async () => {
  const { merchantId, engine } = gateway;
  await insertDeliveries(WALKED_MAX + 10, 'DELIVERED', 1);
  await engine.store.database.query(
    `update callbacks set status = 'ABANDONED' where merchant_id = $1 and kind = 'PAYOUT' and created_at = (
       select min(created_at) from callbacks where merchant_id = $1)`,
    [merchantId],
  );
  const filter = { merchantId, kinds: null, statuses: ['FAILED'] as const, from: null, to: null };
  let after = null;
  const found: string[] = [];
  let pages = 0;
  do {
    const page: Awaited<ReturnType<typeof listDeliveries>> = await listDeliveries(
      engine.store.database,
      filter,
      {
        after,
        countMax: 50,
      },
    );
    found.push(...page.deliveries.map(({ callbackId }) => callbackId));
    after = page.next;
    pages += 1;
  } while (after !== null);
  expect([pages, new Set(found).size]).toEqual([2, 8]);
});

test('another merchant’s deliveries do not exist', async () => {
  const other = await openTestConsole();
  const stranger = await signedIn(other, 'OWNER');
  expect((await stranger.call('GET', at())).status).toBe(404);
  const [row] = (await support.call('GET', at('?limit=1'))).body.rows;
  const path = `api/merchants/${other.merchantId}/callback-deliveries/${row.callbackId}`;
  expect((await stranger.call('GET', path)).body.attempts).toEqual([]);
  await other.stop();
});
