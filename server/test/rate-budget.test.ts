// Our own rate budget: it delays payments, and does nothing else to them.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createRateGate, holdersOf, queriesOf } from '../src/connectors/rate-gate.ts';
import { changeAvailability } from '../src/core/merchants/administer-merchants.ts';
import { createBacklog } from '../src/core/payments/accept/backlog.ts';
import { advance } from '../src/core/payments/process/advance.ts';
import { release } from '../src/core/payments/process/release.ts';
import { resultOf } from '../src/domain/operators/provider-health.ts';
import { createSubmitRound } from '../src/jobs/submit.ts';
import { pauseRate, takeRateSlot, takeRateSlots } from '../src/store/operators/operator-rates.ts';
import { openOperatorGateway, requestFor, type OperatorGateway } from './connectors/operator-gateway.ts';
import { openTestStore } from './store/open-store.ts';
import { select, waitUntil } from './gateway.ts';
import { send } from './payments.ts';

const waiting = (kind: 'DEPOSIT' | 'PAYOUT', sent = 10) => ({
  provider: 'MPESA_KEN',
  operation: kind,
  count: 1_000,
  settledCount: 1_000,
  fromBefore: 1_000 - sent,
  since: new Date(0),
});

const PAYOUTS = { provider: 'MPESA_KEN', operation: 'PAYOUT' } as const;

describe('A2: payouts that are offered faster than the operator may be called', () => {
  let gateway: OperatorGateway;
  afterEach(() => gateway.stop());

  test('A2: payouts that are offered faster than the operator may be called are all sent once, none FAILED, and the provider stays OPERATIONAL', async () => {
    gateway = await openOperatorGateway({ name: 'mpesa-daraja', provider: 'MPESA_KEN', title: '' });
    const count = 60;
    const orders = Array.from({ length: count }, () =>
      send(gateway, 'payout', requestFor(gateway, 'payout')),
    );
    for (const { body } of await Promise.all(orders)) expect(body).toMatchObject({ status: 'ACCEPTED' });
    await waitUntil(() => gateway.fake.books().charges.length >= count, { timeout: 150_000 });
    const states = await select(gateway, `select distinct state from payments where state = 'FAILED'`);
    expect(states).toEqual([]);
    expect(gateway.fake.books().charges).toHaveLength(count);
    const away = await select(
      gateway,
      `select status from provider_availability where status <> 'OPERATIONAL'`,
    );
    expect(away).toEqual([]);
  });

  test('A2: payouts that are offered faster than the operator may be called are claimed no faster than that by all workers together', async () => {
    const trial = { name: 'mpesa-daraja', provider: 'MPESA_KEN', title: '' };
    gateway = await openOperatorGateway(trial, { role: 'api' });
    const orders = Array.from({ length: 60 }, () => send(gateway, 'payout', requestFor(gateway, 'payout')));
    for (const { body } of await Promise.all(orders)) expect(body).toMatchObject({ status: 'ACCEPTED' });
    const { engine } = gateway;
    const options = { batchMax: 60, inFlightMax: 60, leaseMs: 60_000 };
    const rounds = [1, 2, 3].map(() => createSubmitRound(engine, (all) => advance(engine, all), options));
    let claimed = 0;
    const errors: unknown[] = [];
    // Nothing is sent: a slow machine would miss slots, and claim again what comes back.
    const background = {
      isStopping: () => false,
      run: () => void (claimed += 1),
      onError: (error: unknown) => void errors.push(error),
    };
    const since = performance.now();
    await Promise.all(rounds.map((round) => round(background)));
    expect([claimed > 0, errors]).toEqual([true, []]);
    // A burst of ten, ten in the second ahead, and ten for each second in which this runs.
    expect(claimed).toBeLessThanOrEqual(20 + (performance.now() - since) / 100);
  });

  test('A2: payouts that are offered faster than the operator may be called are released no faster than that by all workers together', async () => {
    const trial = { name: 'mpesa-daraja', provider: 'MPESA_KEN', title: '' };
    gateway = await openOperatorGateway(trial, { worker: { releasesPerSecond: 0 } });
    await changeAvailability(gateway.engine, { by: 'Ana', ...PAYOUTS, status: 'DELAYED' });
    const orders = Array.from({ length: 40 }, () => send(gateway, 'payout', requestFor(gateway, 'payout')));
    for (const { body } of await Promise.all(orders)) expect(body).toMatchObject({ status: 'ACCEPTED' });
    await changeAvailability(gateway.engine, { by: 'Ana', ...PAYOUTS, status: 'OPERATIONAL' });
    const since = performance.now();
    const releases = [1, 2, 3].map(() => release(gateway.engine, { countMax: 40, onError: () => undefined }));
    const released = (await Promise.all(releases)).reduce((sum, one) => sum + one, 0);
    expect(released).toBeGreaterThan(0);
    // A burst of ten, ten in the second ahead, and ten for each second in which this runs.
    expect(released).toBeLessThanOrEqual(20 + (performance.now() - since) / 100);
  });
});

const backlogOf = (look: () => readonly ReturnType<typeof waiting>[]) => {
  let now = 0;
  return createBacklog({
    clock: { now: () => new Date((now += 60_000)) },
    fromMs: 1_000,
    look: async ({ now: until, settled }) => ({ submits: look(), until, settled }),
    isBudgeted: () => true,
    recovery: () => Promise.resolve(null),
  });
};

describe('A2: what waits for our own budget', () => {
  test('A2: what waits for our own budget says nothing about the health of the operator', () => {
    expect(resultOf({ type: 'UNKNOWN', reason: 'RATE_LIMITED_HERE' })).toBe(null);
    expect(resultOf({ type: 'UNKNOWN', reason: 'NOT_SENT' })).toBe('SILENT');
  });

  test('A2: what waits for our own budget does not shed outgoing payments, and deposits as before', async () => {
    const backlog = backlogOf(() => [waiting('DEPOSIT'), waiting('PAYOUT')]);
    await waitUntil(() => backlog.sheds('MPESA_KEN', 'DEPOSIT'), { timeout: 60_000 });
    expect(backlog.sheds('MPESA_KEN', 'PAYOUT')).toBe(false);
  });

  test('A2: what waits for our own budget sheds outgoing payments too where none is sent: then it is not the budget that they wait for', async () => {
    const backlog = backlogOf(() => [waiting('PAYOUT', 0)]);
    await waitUntil(() => backlog.sheds('MPESA_KEN', 'PAYOUT'), { timeout: 60_000 });
  });
});

describe('A2: submits and enquiries share one budget', () => {
  const rule = { perSecond: 40, burst: 1 };
  let store: Awaited<ReturnType<typeof openTestStore>>;
  beforeAll(async () => {
    store = await openTestStore();
  });
  afterAll(() => store.stop());

  const gateOf = () =>
    createRateGate({
      takeSlot: (order) => takeRateSlot(store.database, order),
      pause: (account, pauseMs) => pauseRate(store.database, account, pauseMs),
    });

  test('a flood of either leaves the other its half, and together they stay below the rate', async () => {
    const account = randomUUID();
    const gate = gateOf();
    const until = Date.now() + 3_000;
    let [submits, queries] = [0, 0];
    const submitting = async () => {
      while (Date.now() < until) {
        const wish = { ...rule, account, withinMs: 1_000, countMax: 100 };
        const slots = await takeRateSlots(store.database, wish);
        submits += slots.length;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const asking = async () => {
      while (Date.now() < until) if (await gate.passQuery(account, rule, 3_000)) queries += 1;
    };
    await Promise.all([submitting(), ...Array.from({ length: 60 }, asking)]);
    expect(submits).toBeGreaterThan(40);
    expect(queries).toBeGreaterThan(40);
    // Slots are taken up to four seconds ahead here: those of the enquiries' last wait.
    expect(submits + queries).toBeLessThan(40 * 7);
  });

  test('questions about account holders take a fifth of the budget, and only slots that are free now', async () => {
    const account = randomUUID();
    const gate = gateOf();
    // So slow that nothing is added while this runs: a slot in 50 seconds.
    const slow = { perSecond: 0.02, burst: 10 };
    const asked = [];
    for (let count = 0; count < 4; count += 1) asked.push(await gate.passHolder(account, slow, 0));
    expect(asked).toEqual([true, true, false, false]);
    const wish = { ...slow, account, withinMs: 0, countMax: 100 };
    expect(await takeRateSlots(store.database, wish)).toHaveLength(8);
    const busy = randomUUID();
    expect(await takeRateSlots(store.database, { ...wish, account: busy })).toHaveLength(10);
    expect(await gate.passHolder(busy, slow, 0)).toBe(false);
  });

  test('an operator that refuses a question about an account holder does not hold up payments', async () => {
    const account = randomUUID();
    const gate = gateOf();
    await gate.holdOff(holdersOf(account), '60');
    expect(await gate.pass(account, rule, 100)).toBe(true);
    expect(await gate.passHolder(account, rule, 0)).toBe(false);
  });

  test('D: an operator that refuses an enquiry it counts apart does not hold up payments', async () => {
    const account = randomUUID();
    const gate = gateOf();
    await gate.holdOff(queriesOf(account), '60');
    expect(await gate.pass(account, rule, 100)).toBe(true);
    expect(await gate.pass(queriesOf(account), rule, 100)).toBe(false);
  });
});
