// How many endpoint queues are leased beside each other, and what is announced at all.
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decide, unchanged } from '../src/core/payments/process/decide.ts';
import { freeSlots } from '../src/jobs/callbacks/deliver.ts';
import { insertCallbacks } from '../src/store/callbacks/callbacks.ts';
import { setCallbackEndpoint } from '../src/store/merchants/merchants.ts';
import { nowOf } from './clocks.ts';
import { eventually, initiate, openTestGateway, select, waitUntil, type TestGateway } from './gateway.ts';
import { startCallbackReceiver } from './receiver.ts';
import { addMerchant, addPayment, NOON, samplePayment, secondsAfterNoon } from './store/open-store.ts';

const endpointQueue = (isPrompt: boolean, isOnTrial: boolean) => ({
  isPrompt: () => isPrompt,
  isOnTrial: () => isOnTrial,
});
const endpointQueues = (count: number, isPrompt: boolean, isOnTrial: boolean) =>
  Array.from({ length: count }, () => endpointQueue(isPrompt, isOnTrial));

const PROMPT = [true, false] as const;
const SLOW = [false, false] as const;
const ON_TRIAL = [false, true] as const;

describe('the endpoint queues a worker may still lease', () => {
  test('the endpoint queues a worker may still lease are so many at the start', () => {
    expect(freeSlots([])).toEqual({ SOUND: 256, FAILING: 64 });
  });

  test('among those that fail are not fewer because sound ones answer slowly, however many', () => {
    expect(freeSlots(endpointQueues(64, ...SLOW))).toEqual({ SOUND: 256, FAILING: 64 });
    expect(freeSlots(endpointQueues(960, ...SLOW))).toEqual({ SOUND: 0, FAILING: 64 });
  });

  test('among the sound are not fewer because others fail', () => {
    expect(freeSlots(endpointQueues(64, ...ON_TRIAL))).toEqual({ SOUND: 256, FAILING: 0 });
    expect(freeSlots([...endpointQueues(200, ...PROMPT), ...endpointQueues(60, ...ON_TRIAL)])).toEqual({
      SOUND: 56,
      FAILING: 4,
    });
  });
});

/** A merchant whose one callback is due now. */
async function addEndpointQueue({ engine }: TestGateway, url: string): Promise<void> {
  const { database } = engine.store;
  const merchantId = await addMerchant(engine.store);
  const now = nowOf(engine);
  await setCallbackEndpoint(database, { endpointId: randomUUID(), merchantId, kind: 'DEPOSIT', url, now });
  const ended = samplePayment(merchantId, { state: 'COMPLETED', nextAction: null, nextActionAt: null });
  const payment = await addPayment(engine.store, ended);
  const { paymentNo: subjectId } = payment;
  await insertCallbacks(database, [{ ...payment, subjectId, announcedState: 'COMPLETED', createdAt: now }]);
}

test('an endpoint that failed once is tried again beside as many slow ones as there are places for failing ones', async () => {
  const gateway = await openTestGateway({ worker: { callbackTimeoutMs: 80_000, callbackLeaseMs: 120_000 } });
  const slow = await startCallbackReceiver();
  try {
    slow.answerWith(null);
    for (let count = 0; count < 64; count += 1) await addEndpointQueue(gateway, slow.url);
    await eventually(() => slow.received.length).toBe(64);
    // Until the last of them counts as slow.
    await sleep(1_100);
    await select(
      gateway,
      `update endpoint_queues set failure_count = 1, failing_since = $1 where endpoint_id in (
         select endpoint_id from callback_endpoints where merchant_id = $2)`,
      [nowOf(gateway.engine), gateway.merchantId],
    );
    await initiate(gateway);
    await waitUntil(() => gateway.receiver.received.length === 1);
    expect(slow.received).toHaveLength(64);
  } finally {
    await slow.stop();
    await gateway.stop();
  }
});

describe('an authorisation address', () => {
  const facts = {
    now: secondsAfterNoon(60),
    timing: {
      sendDeadlineMs: 1_000,
      timeoutMs: 1_000,
      notSeenAfterMs: 1_000,
      enquiryDelaysMs: [1_000],
      horizonMs: 600_000,
      reconciliationDelayMs: 60_000,
    },
    walletProvider: '',
    reference: 'r',
    evidence: undefined,
  };

  /** What is announced when the operator names the address while the payment is in a state. */
  function announcedIn(state: 'PROCESSING' | 'IN_RECONCILIATION', known?: string): readonly string[] {
    const sample = samplePayment('9b2f4a3e-6d1c-4f5b-8a70-1c2d3e4f5a6b', { state, nextAction: 'ENQUIRE' });
    const details = { ...sample.details, ...(known === undefined ? {} : { authorizationUrl: known }) };
    const payment = { ...sample, details, nextActionAt: NOON };
    const outcome = { type: 'PENDING', authorizationUrl: 'https://pay.example/2' } as const;
    const { change } = decide(unchanged(payment, null), { type: 'OPERATOR_ANSWERED', outcome }, facts);
    expect(change.payment.details.authorizationUrl).toBe('https://pay.example/2');
    return change.callbacks.map(({ announcedState }) => announcedState);
  }

  test('an authorisation address is announced when it appears and when it changes, and not when it is repeated', () => {
    expect(announcedIn('PROCESSING')).toEqual(['PROCESSING']);
    expect(announcedIn('PROCESSING', 'https://pay.example/1')).toEqual(['PROCESSING']);
    expect(announcedIn('PROCESSING', 'https://pay.example/2')).toEqual([]);
  });

  test('an authorisation address is not announced once the payment is in reconciliation', () => {
    expect(announcedIn('IN_RECONCILIATION')).toEqual([]);
  });
});
