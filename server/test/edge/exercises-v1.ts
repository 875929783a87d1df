// What makes a running gateway give each answer that the OpenAPI document of API v1 describes.
import { randomUUID } from 'node:crypto';
import {
  completeEarlier,
  earlierDeposit,
  earlierPayout,
  earlierRefund,
  msisdn,
  readEarlier,
  startEarlier,
  waitForEarlier,
} from '../v1.ts';
import { call, waitUntil, type Answer, type TestGateway } from '../gateway.ts';
import { setAvailability, type Noun } from '../payments.ts';
import type { Body } from '../requests.ts';
import type { Exercises } from './exercises.ts';
import { withoutTable } from './missing-table.ts';

function openPage(gateway: TestGateway, changes: Body = {}): Promise<Answer> {
  const request = { depositId: randomUUID(), returnUrl: 'https://shop.example/orders/1', ...changes };
  return call(gateway, 'POST', '/v1/widget/sessions', request);
}

/** A number that nothing else here is paid from or to. */
const ODD = '250783456777';

const METADATA = { metadata: [{ fieldName: 'orderId', fieldValue: 'ORD-1', isPII: true }] };

export const EARLIER_EXERCISES: Exercises = {
  'POST /deposits 200': (gateway) => startAll(gateway, 'deposit', earlierDeposit(METADATA)),
  'GET /deposits/{depositId} 200': async (gateway) => {
    const declines = earlierDeposit({ payer: msisdn('250783456039') });
    const odd = await completeEarlier(gateway, 'deposit', earlierDeposit(METADATA));
    return [
      await read(gateway, 'deposit', randomUUID()),
      await read(gateway, 'deposit', odd),
      await end(gateway, 'deposit', declines, 'FAILED'),
      await suspicious(gateway, 'deposit', earlierDeposit({ payer: msisdn(ODD) })),
    ];
  },
  'POST /deposits/resend-callback 200': (gateway) => resendAll(gateway, 'deposit', earlierDeposit()),
  'POST /payouts 200': (gateway) => startAll(gateway, 'payout', earlierPayout(METADATA)),
  'POST /payouts/bulk 200': async (gateway) => {
    const request = earlierPayout();
    const requests = [request, request, earlierPayout({ amount: '0' })];
    return [await call(gateway, 'POST', '/payouts/bulk', requests)];
  },
  'GET /payouts/{payoutId} 200': async (gateway) => [
    await end(gateway, 'payout', earlierPayout(METADATA), 'COMPLETED'),
    await end(gateway, 'payout', earlierPayout({ recipient: msisdn('250783456089') }), 'FAILED'),
    await suspicious(gateway, 'payout', earlierPayout({ recipient: msisdn(ODD) })),
  ],
  'POST /payouts/resend-callback 200': (gateway) => resendAll(gateway, 'payout', earlierPayout()),
  'POST /payouts/fail-enqueued/{payoutId} 200': (gateway) =>
    cancelAll(gateway, (payoutId) => call(gateway, 'POST', `/payouts/fail-enqueued/${payoutId}`)),
  'POST /payouts/fail-enqueued 200': (gateway) =>
    cancelAll(gateway, (payoutId) => call(gateway, 'POST', '/payouts/fail-enqueued', { payoutId })),
  'POST /refunds 200': async (gateway) =>
    startAll(gateway, 'refund', earlierRefund(await collect(gateway), METADATA)),
  'GET /refunds/{refundId} 200': async (gateway) => [
    await end(gateway, 'refund', earlierRefund(await collect(gateway), METADATA), 'COMPLETED'),
    await end(gateway, 'refund', earlierRefund(await collect(gateway, '250783456089')), 'FAILED'),
    await suspicious(gateway, 'refund', earlierRefund(await collect(gateway, ODD))),
  ],
  'POST /refunds/resend-callback 200': async (gateway) =>
    resendAll(gateway, 'refund', earlierRefund(await collect(gateway))),
  'POST /v1/widget/sessions 200': async (gateway) => [await openPage(gateway, { msisdn: '1', ...METADATA })],
  'POST /v1/widget/sessions 201': async (gateway) => [await openPage(gateway)],
  'GET /active-conf 200': async (gateway) => [await call(gateway, 'GET', '/active-conf')],
  'GET /availability 200': async (gateway) => [await call(gateway, 'GET', '/availability')],
  'GET /availability 500': async (gateway) => {
    const answers: Answer[] = [];
    await withoutTable(gateway, 'provider_availability', async () => {
      answers.push(await call(gateway, 'GET', '/availability'));
    });
    return answers;
  },
  'GET /public-key/http 200': async (gateway) => [await call(gateway, 'GET', '/public-key/http')],
  'GET /public-key/http 500': async (gateway) => {
    const answers: Answer[] = [];
    await withoutTable(gateway, 'service_signing_keys', async () => {
      answers.push(await call(gateway, 'GET', '/public-key/http'));
    });
    return answers;
  },
  'POST /v1/predict-correspondent 200': async (gateway) => [
    await call(gateway, 'POST', '/v1/predict-correspondent', { msisdn: '+250 783 456 789' }),
  ],
  'GET /v1/wallet-balances 200': async (gateway) => [await call(gateway, 'GET', '/v1/wallet-balances')],
  'GET /v1/wallet-balances/{country} 200': async (gateway) => [
    await call(gateway, 'GET', '/v1/wallet-balances/RWA'),
  ],
};

function read(gateway: TestGateway, noun: Noun, id: string): Promise<Answer> {
  return call(gateway, 'GET', `/${noun}s/${id}`);
}

async function collect(gateway: TestGateway, from = '250783456789'): Promise<string> {
  return completeEarlier(gateway, 'deposit', earlierDeposit({ payer: msisdn(from) }));
}

/** Accepted, repeated, rejected. */
async function startAll(gateway: TestGateway, noun: Noun, request: Body): Promise<readonly Answer[]> {
  const rejected = { ...request, [`${noun}Id`]: randomUUID(), amount: '0' };
  const answers: Answer[] = [];
  for (const body of [request, request, rejected]) {
    answers.push(await call(gateway, 'POST', `/${noun}s`, body));
  }
  return answers;
}

async function end(gateway: TestGateway, noun: Noun, request: Body, status: string): Promise<Answer> {
  const id = await startEarlier(gateway, noun, request);
  await waitForEarlier(gateway, noun, id, status);
  return read(gateway, noun, id);
}

/** A payment of which the operator says that it moved another amount. */
async function suspicious(gateway: TestGateway, noun: Noun, request: Body): Promise<Answer> {
  const script = { phoneNumber: ODD, operation: noun.toUpperCase(), scenario: 'WRONG_AMOUNT', amount: '7' };
  await call(gateway, 'POST', '/sandbox/scripts', script);
  const id = await startEarlier(gateway, noun, request);
  await waitUntil(async () => 'suspiciousActivityReport' in (await readEarlier(gateway, noun, id)));
  return read(gateway, noun, id);
}

async function resendAll(gateway: TestGateway, noun: Noun, request: Body): Promise<readonly Answer[]> {
  const known = await completeEarlier(gateway, noun, request);
  return Promise.all(
    [known, randomUUID()].map((id) =>
      call(gateway, 'POST', `/${noun}s/resend-callback`, { [`${noun}Id`]: id }),
    ),
  );
}

/** A payout that waits for its provider, and one that no one knows. */
async function cancelAll(
  gateway: TestGateway,
  cancel: (payoutId: string) => Promise<Answer>,
): Promise<readonly Answer[]> {
  await setAvailability(gateway, 'payout', 'DELAYED');
  try {
    const waiting = await startEarlier(gateway, 'payout', earlierPayout());
    return [await cancel(waiting), await cancel(randomUUID())];
  } finally {
    await setAvailability(gateway, 'payout', 'OPERATIONAL');
  }
}
