// Risk events: what was refused, held and released is counted, and no one can fill the table with it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { freeze, requestLift } from '../../src/core/limits/freeze.ts';
import { readRiskEvents } from '../../src/core/limits/read-risk-events.ts';
import { createRiskLog } from '../../src/core/limits/risk-log.ts';
import { changeLimit } from '../../src/core/limits/set-limits.ts';
import { listNumbers } from '../../src/core/limits/listed-numbers.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import { claimSubmits } from '../../src/core/payments/process/submit.ts';
import { requestReview } from '../../src/core/reviews/decide-review.ts';
import { settleScreening, takeUnscreened } from '../../src/core/reviews/screen-payments.ts';
import { DEFAULT_RETENTION, prune } from '../../src/core/retention.ts';
import { largestPayments } from '../../src/domain/limits/default-limits.ts';
import { limitName } from '../../src/domain/limits/limit.ts';
import { VERDICTS } from '../../src/domain/limits/review.ts';
import { renderAmount } from '../../src/domain/money.ts';
import type { RiskEventType } from '../../src/domain/limits/risk-event.ts';
import { countPayoutSpikes } from '../../src/store/monitoring/payout-spikes.ts';
import { actorNamed, decideAs } from '../approvals.ts';
import { nowOf } from '../clocks.ts';
import { call, openTestGateway, select, type TestGateway } from '../gateway.ts';
import { limitOf, orderOf, PROVIDER, UNIT } from './limited-merchants.ts';
import { accepted, claimedNow, setRule } from './reviewed-merchants.ts';

let gateway: TestGateway;
let merchantId: string;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  ({ merchantId } = await createDemoMerchant(gateway.engine, null));
  await select(gateway, 'delete from risk_events');
});

async function read(event: RiskEventType | null = null) {
  await gateway.engine.riskLog.flush(gateway.engine.store.database);
  return (await readRiskEvents(gateway.engine, { event, countMax: 200 })).events;
}

const { countMax: _, amountMax: __, ...KEY } = limitOf({ scope: 'TOKEN' });

async function limitTo(units: number): Promise<void> {
  const maxima = { countMax: null, amountMax: BigInt(units) * UNIT };
  const actor = actorNamed('Ana');
  await changeLimit(gateway.engine, { merchantId, key: KEY, maxima, actor, secondApprover: 'REQUIRED' });
}

test('what a limit refuses is one row with a count, the token, the amount and the name of the limit', async () => {
  await limitTo(1_000);
  const order = () => orderOf(gateway.engine, merchantId, { tokenId: 'stolen', amount: 600n * UNIT });
  const orders = await Promise.all(Array.from({ length: 20 }, order));
  const answers = await initiate(gateway.engine, orders);
  expect(answers.filter(({ type }) => type === 'NOT_ALLOWED')).toHaveLength(19);
  const rows = await read();
  expect(new Set(rows.map(({ event }) => event))).toEqual(new Set(['PLATFORM_LIMIT']));
  // Two where a minute ended meanwhile.
  expect(rows.length).toBeLessThanOrEqual(2);
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(19);
  expect(rows.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)).toBe(19n * 600n * UNIT);
  const of = { merchantId, tokenId: 'stolen', provider: PROVIDER, kind: 'PAYOUT', currency: 'RWF' };
  expect(rows[0]).toMatchObject({ ...of, subject: limitName(KEY) });
});

test('a blocked number, a frozen payment, a freeze and its end are noted, without the number', async () => {
  const phoneNumber = '250783000311';
  const entries = [{ phoneNumber, reason: 'fraud', expiresAt: null }];
  await listNumbers(gateway.engine, { by: 'Ana', merchantId, list: 'BLOCKED', entries });
  await initiate(gateway.engine, [await orderOf(gateway.engine, merchantId, { details: { phoneNumber } })]);
  const recipient = '250783000312';
  const target = { scope: 'NUMBER', phoneNumber: recipient } as const;
  await freeze(gateway.engine, { by: 'Ana', target, reason: 'fraud', expiresAt: null });
  const details = { phoneNumber: recipient };
  await initiate(gateway.engine, [await orderOf(gateway.engine, merchantId, { details })]);
  await claimSubmits(gateway.engine, { countMax: 100 });
  const actor = actorNamed('Ana');
  await requestLift(gateway.engine, { target, reason: 'over', actor, secondApprover: 'OPTIONAL' });
  const rows = await read();
  expect(rows.map(({ event }) => event).toSorted()).toEqual([
    'FREEZE_LIFTED',
    'FROZEN',
    'NUMBER_BLOCKED',
    'PAYMENT_HELD',
  ]);
  expect(rows.find(({ event }) => event === 'FROZEN')).toMatchObject({ subject: 'NUMBER', count: 1 });
  const stored = JSON.stringify(await select(gateway, 'select e::text from risk_events e'));
  expect(stored).not.toMatch(/25078300031|[0-9a-f]{40}/);
  expect(await read('FROZEN')).toHaveLength(1);
});

test('what people hold and decide is noted, and what screening rejects, but not what it allows at once', async () => {
  const { engine } = gateway;
  const withoutAnswer = 'HOLD';
  await setRule(engine, merchantId, { rule: 'SCREENING', subject: 'PAYOUT', withoutAnswer });
  const keys = await Promise.all(VERDICTS.map(() => accepted(engine, merchantId)));
  await claimedNow(engine);
  for (const review of await takeUnscreened(engine, { countMax: 10, deadlineMs: 1_000 })) {
    const verdict = VERDICTS[keys.findIndex(({ paymentId }) => paymentId === review.paymentId)]!;
    await settleScreening(engine, review, { verdict, reason: null });
  }
  const held = keys[VERDICTS.indexOf('HOLD')]!;
  const order = { actor: actorNamed('Ana'), key: held, decision: 'RELEASE', reason: 'known' } as const;
  const requested = await requestReview(engine, order);
  await decideAs(engine, 'Ben', 'approvalId' in requested ? requested.approvalId : '');
  const rows = (await read()).map(({ event, subject, count }) => `${event} ${subject} ${count}`);
  expect(rows.toSorted()).toEqual([
    'PAYMENT_HELD REVIEW 1',
    'PAYMENT_REJECTED SCREENING 1',
    'PAYMENT_RELEASED REVIEW 1',
  ]);
});

test('refused tokens and forged notifications are counted, however many come', async () => {
  const stranger = { ...gateway, apiToken: 'guessed' };
  for (let tries = 0; tries < 5; tries += 1) await call(stranger, 'POST', '/v2/payouts', {});
  const reference = `0001${'a'.repeat(28)}`;
  const path = `${gateway.url}/operators/simulator/notifications/${reference}/guessed`;
  const body = JSON.stringify({ reference, status: 'COMPLETED' });
  for (let sent = 0; sent < 5; sent += 1) await fetch(path, { method: 'POST', body });
  const [tokens, forged] = [await read('TOKEN_REFUSED'), await read('NOTIFICATION_FORGED')];
  expect(tokens.reduce((sum, { count }) => sum + count, 0)).toBe(5);
  expect(forged.reduce((sum, { count }) => sum + count, 0)).toBe(5);
  expect(forged[0]).toMatchObject({ subject: 'simulator', merchantId: null });
  const { text } = await gateway.gateway.metrics.render();
  expect(text).toMatch(/malipo_risk_events_total\{event="TOKEN_REFUSED"\} [1-9]/);
});

test('an attack of many sorts makes a bounded number of rows, and what could not be written comes later', async () => {
  const { clock, observer, store } = gateway.engine;
  const log = createRiskLog(clock, observer);
  for (let index = 0; index < 5_000; index += 1)
    log.note({ event: 'NUMBER_BLOCKED', merchantId: randomUUID(), amount: 1n, currency: 'RWF' });
  const broken = { query: async () => Promise.reject(new Error('away')) } as never;
  await expect(log.flush(broken)).rejects.toThrow('away');
  await log.flush(store.database);
  const [found] = await select(
    gateway,
    `select count(*)::int as rows, sum(event_count)::int as events from risk_events where event = 'NUMBER_BLOCKED'`,
  );
  expect(found!['events']).toBe(5_000);
  expect(found!['rows']).toBeLessThanOrEqual(1_002);
});

test('risk events are deleted after 90 days', async () => {
  gateway.engine.riskLog.note({ event: 'TOKEN_REFUSED' });
  expect(await read()).toHaveLength(1);
  await prune(gateway.engine, DEFAULT_RETENTION, () => false);
  expect(await read()).toHaveLength(1);
  await gateway.gateway.movableClock!.move(91 * 86_400_000);
  await prune(gateway.engine, DEFAULT_RETENTION, () => false);
  expect(await read()).toEqual([]);
});

const hourCounter =
  (now: Date) =>
  (hoursAgo: number, payments: number, amount = '100') =>
    select(
      gateway,
      `insert into payment_hours select $1, date_trunc('hour', $2::timestamptz) - $3 * interval '1 hour',
         'PAYOUT', $4, 'RWF', 'COMPLETED', '', $5::int, $5::int * $6::numeric, 0, 0, ${'0, '.repeat(13)}0`,
      [merchantId, now, hoursAgo, PROVIDER, payments, amount],
    );

test('a merchant that sends out far more than in its busiest hour is a spike, and one that pays wages again is not', async () => {
  const { store } = gateway.engine;
  const now = nowOf(gateway.engine);
  const spikes = () => countPayoutSpikes(store.database, now);
  const none = await spikes();
  const counted = hourCounter(now);
  await counted(0, 19);
  expect(await spikes()).toBe(none);
  await counted(1, 41);
  expect(await spikes()).toBe(none + 1);
  await counted(24 * 30, 20);
  expect(await spikes()).toBe(none);
});

test('a few of the largest payments are a spike too, so that a theft just below the limit is seen', async () => {
  const { store } = gateway.engine;
  const now = nowOf(gateway.engine);
  const spikes = () => countPayoutSpikes(store.database, now);
  const none = await spikes();
  const counted = hourCounter(now);
  const largest = renderAmount(largestPayments((one) => one).get('RWF')!);
  await counted(0, 4, largest);
  expect(await spikes()).toBe(none);
  await counted(1, 1, largest);
  expect(await spikes()).toBe(none + 1);
  await counted(24 * 30, 2, largest);
  expect(await spikes()).toBe(none);
});
