// What workers measure for the host's alerts: nothing where all is well, and each thing that can be wrong.
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openGateway } from '../src/commands/serve/compose.ts';
import { settleWallet } from '../src/core/ledger/administer-wallets.ts';
import { sumLedger } from '../src/core/monitoring/sum-ledger.ts';
import { measureBooks, parseCheckpoint, renderCheckpoint } from '../src/core/monitoring/measure-books.ts';
import { measureFloat } from '../src/core/monitoring/measure-float.ts';
import { measureFlow } from '../src/core/monitoring/measure-flow.ts';
import { takeMeasurements } from '../src/core/monitoring/monitor.ts';
import { parseAmount } from '../src/domain/money.ts';
import { NUMBERING_LOCK } from '../src/store/events/event-queue.ts';
import { readCases } from '../src/core/reconciliation/resolve-cases.ts';
import { resolveCase } from './approvals.ts';
import { depositRequest, eventually, openTestGateway, select, type TestGateway } from './gateway.ts';
import { readMetrics } from './metrics.ts';
import { setAvailability, start, startCompleted, topUp, waitForPayment } from './payments.ts';
import { payoutRequest, wallet } from './requests.ts';

const PROVIDER = 'MTN_MOMO_RWA';
const OFTEN = { intervalMs: 100, floatIntervalMs: 100, booksIntervalMs: 100 };
const MINIMUM = { provider: PROVIDER, currency: 'RWF', amount: parseAmount('250')! };
const DAY_MS = 86_400_000;

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await openTestGateway({
    simulator: { outcomeDelayMs: 50, openingFloat: '1000' },
    timing: { enquiryDelaysMs: [3_600_000] },
    monitor: { ...OFTEN, floatMinimums: [MINIMUM] },
  });
});
afterEach(() => gateway.stop());

/** What the gateway exposes under a name, by its labels. */
async function measured(name: string, url = gateway.url): Promise<Record<string, number>> {
  const metrics = await readMetrics(url);
  const found = [...metrics].filter(([series]) => series.replace(/\{.*/, '') === name);
  return Object.fromEntries(found.map(([series, value]) => [series.slice(name.length), value]));
}

const value = async (name: string) => Object.values(await measured(name))[0];
const age = (name: string) => eventually(() => value(name));

/** Anyone who may switch triggers off may do anything; the books must tell. */
async function tamper(text: string): Promise<void> {
  const client = new Client({ connectionString: gateway.databaseUrl });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** The only payment is at its operator, who has nothing more to say. */
async function isSent(): Promise<void> {
  const sent = `select 1 from payments where state = 'PROCESSING' and event_count > 2`;
  await eventually(async () => (await select(gateway, sent)).length).toBe(1);
}

/** So many attempts of callbacks are recorded, and no one is at it: only then time may move. */
async function attempted(count: number): Promise<void> {
  const written = `select (select count(*) from callback_attempts) >= $1
    and not exists (select 1 from endpoint_queues where leased_until > $2) as is_so`;
  const isSo = async () => (await select(gateway, written, [count, gateway.engine.clock.now()]))[0]!['is_so'];
  await eventually(isSo).toBe(true);
}

const MUST_BE_ZERO = [
  'malipo_payments_without_step',
  'malipo_endpoint_queues_failing',
  'malipo_endpoint_queues_disabled',
  'malipo_wallets_overdrawn',
  'malipo_wallets_unbalanced',
  'malipo_currencies_unbalanced',
];

/** Waits until both the flow and the books have been measured after now. */
async function measuredAgain(): Promise<void> {
  const before = Date.now() / 1_000;
  await eventually(async () => {
    const parts = Object.values(await measured('malipo_monitor_success_timestamp_seconds'));
    return parts.length === 3 && parts.every((at) => at > before);
  }).toBe(true);
}

test('a gateway that is well measures nothing wrong', async () => {
  await startCompleted(gateway, 'deposit', depositRequest());
  await startCompleted(gateway, 'payout', payoutRequest());
  await eventually(() => gateway.receiver.received.length).toBe(2);
  await measuredAgain();
  for (const name of MUST_BE_ZERO) expect(await measured(name), name).toEqual({ '': 0 });
  for (const name of ['overdue', 'enqueued', 'in_reconciliation']) {
    expect(await measured(`malipo_payments_${name}`), name).toEqual({});
  }
  expect(await measured('malipo_cases_open')).toEqual({});
  expect(await measured('malipo_suspense_amount')).toEqual({});
  expect(await measured('malipo_endpoint_queues_pending')).toEqual({ '': 0 });
  expect(await measured('malipo_callbacks_overdue_seconds')).toEqual({ '': 0 });
  await eventually(() => measured('malipo_events_queued')).toEqual({ '': 0 });
  expect(await measured('malipo_events_queued_seconds')).toEqual({ '': 0 });
});

test('events that are not in the feed yet are counted, with the age of the oldest', async () => {
  await eventually(async () => (await select(gateway, 'select 1 from event_queue')).length).toBe(0);
  const client = new Client({ connectionString: gateway.databaseUrl });
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [NUMBERING_LOCK]);
  // A movement comes first, then the statuses of a payment.
  await topUp(gateway, gateway.merchantId, '7');
  await eventually(() => value('malipo_events_queued')).toBe(1);
  await gateway.gateway.movableClock!.move(DAY_MS);
  await startCompleted(gateway, 'deposit', depositRequest());
  await eventually(() => value('malipo_events_queued')).toBe(5);
  await age('malipo_events_queued_seconds').toBeGreaterThan(86_399);
  await client.query(`delete from event_queue where type = 'M'`);
  await eventually(() => value('malipo_events_queued')).toBe(3);
  await eventually(async () => (await value('malipo_events_queued_seconds'))! < 3_600).toBe(true);
  await client.end();
  await eventually(() => value('malipo_events_queued')).toBe(0);
  await eventually(() => value('malipo_events_queued_seconds')).toBe(0);
});

describe('money in between', () => {
  test('clearing holds what came by bank, with its age; settled to the last, it is zero and has none', async () => {
    const rwf = '{country="RWA",currency="RWF"}';
    await eventually(async () => (await measured('malipo_clearing_amount'))[rwf]).toBe(-1_000_000);
    await gateway.gateway.movableClock!.move(2 * DAY_MS);
    await eventually(async () => (await measured('malipo_clearing_age_seconds'))[rwf]! > 172_799).toBe(true);
    const place = { by: 'test', merchantId: gateway.merchantId, country: 'RWA', currency: 'RWF' };
    await settleWallet(gateway.engine, { ...place, amount: parseAmount('1000000')! });
    await eventually(async () => (await measured('malipo_clearing_amount'))[rwf]).toBe(0);
    expect((await measured('malipo_clearing_age_seconds'))[rwf]).toBe(0);
    await topUp(gateway, gateway.merchantId, '7');
    await eventually(async () => (await measured('malipo_clearing_amount'))[rwf]).toBe(-7);
    // Its age is that of the new money, not of the old.
    expect((await measured('malipo_clearing_age_seconds'))[rwf]).toBeLessThan(60);
  });

  test('suspense holds a late success until two people resolve its case', async () => {
    gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
    const refused = depositRequest({ payer: wallet(PROVIDER, '250783456039') });
    await start(gateway, 'deposit', refused);
    const place = `{country="RWA",currency="RWF",provider="${PROVIDER}"}`;
    await eventually(() => measured('malipo_suspense_amount')).toEqual({ [place]: 100 });
    await eventually(() => measured('malipo_cases_open')).toEqual({ '{evidence="LATE_SUCCESS"}': 1 });
    await gateway.gateway.movableClock!.move(DAY_MS);
    await age('malipo_suspense_age_seconds').toBeGreaterThan(86_399);
    await age('malipo_cases_open_seconds').toBeGreaterThan(86_399);
    const [found] = await readCases(gateway.engine, { onlyOpen: true });
    const { caseId } = found!;
    await resolveCase(gateway.engine, { caseId, resolution: 'CREDIT_MERCHANT' });
    await eventually(() => measured('malipo_suspense_amount')).toEqual({ [place]: 0 });
    expect(await measured('malipo_suspense_age_seconds')).toEqual({ [place]: 0 });
    await eventually(() => measured('malipo_cases_open')).toEqual({});
  });
});

describe('payments', () => {
  test('payments whose step cannot be taken are counted by kind and action, with their age', async () => {
    gateway.simulator.addFault({ type: 'OUTCOME', status: 'PENDING' });
    const id = await start(gateway, 'deposit', depositRequest());
    await isSent();
    const lock = new Client({ connectionString: gateway.databaseUrl });
    await lock.connect();
    await lock.query('begin');
    await lock.query('select 1 from payments where payment_id = $1 for update', [id]);
    await gateway.gateway.movableClock!.move(DAY_MS);
    await eventually(() => measured('malipo_payments_overdue')).toEqual({
      '{action="ENQUIRE",kind="DEPOSIT"}': 1,
    });
    await age('malipo_payments_overdue_seconds').toBeGreaterThan(3_600);
    await lock.end();
  });

  test('payments that no one will look at again are counted', async () => {
    gateway.simulator.addFault({ type: 'OUTCOME', status: 'PENDING' });
    await start(gateway, 'deposit', depositRequest());
    await isSent();
    await tamper(`alter table payments drop constraint payments_open_has_next_action;
      update payments set next_action = null, next_action_at = null`);
    await age('malipo_payments_without_step').toBe(1);
  });

  test('payments that wait for their provider are counted by provider', async () => {
    await setAvailability(gateway, 'payout', 'DELAYED');
    await start(gateway, 'payout', payoutRequest());
    const place = `{kind="PAYOUT",provider="${PROVIDER}"}`;
    await eventually(() => measured('malipo_payments_enqueued')).toEqual({ [place]: 1 });
    await gateway.gateway.movableClock!.move(DAY_MS);
    await age('malipo_payments_enqueued_seconds').toBeGreaterThan(86_399);
  });

  test('without a clear answer are counted by provider', async () => {
    gateway.simulator.addFault({ type: 'WRONG_AMOUNT', amount: '90' });
    const id = await start(gateway, 'deposit', depositRequest());
    await waitForPayment(gateway, 'deposit', id, 'IN_RECONCILIATION');
    const place = `{kind="DEPOSIT",provider="${PROVIDER}"}`;
    await eventually(() => measured('malipo_payments_in_reconciliation')).toEqual({ [place]: 1 });
    await age('malipo_payments_in_reconciliation_seconds').toBeGreaterThan(0);
  });
});

describe('callback addresses', () => {
  test('where nothing gets through are failing, for as long as their oldest callback waits', async () => {
    gateway.receiver.answerWith({ status: 500 });
    await startCompleted(gateway, 'deposit', depositRequest());
    for (let attempts = 1; attempts <= 3; attempts += 1) {
      await attempted(attempts);
      await eventually(() => value('malipo_endpoint_queues_pending')).toBe(1);
      await gateway.gateway.movableClock!.move(DAY_MS);
    }
    await age('malipo_endpoint_queues_failing').toBe(1);
    await age('malipo_endpoint_queues_failing_seconds').toBeGreaterThan(2 * 86_400);
    gateway.receiver.answerWith({ status: 200 });
    await gateway.gateway.movableClock!.move(DAY_MS);
    await age('malipo_endpoint_queues_failing').toBe(0);
    await age('malipo_endpoint_queues_failing_seconds').toBe(0);
  });

  test('callback addresses that no one serves are overdue, and what waits at a switched-off address is counted', async () => {
    gateway.receiver.answerWith({ status: 500 });
    await startCompleted(gateway, 'deposit', depositRequest());
    await attempted(1);
    await tamper(`update callback_endpoints set disabled_at = created_at;
      update endpoint_queues set leased_until = '2099-01-01'`);
    await age('malipo_endpoint_queues_disabled').toBe(1);
    await gateway.gateway.movableClock!.move(DAY_MS);
    await age('malipo_callbacks_overdue_seconds').toBeGreaterThan(86_000);
  });
});

describe('floats', () => {
  const place = `{currency="RWF",provider="${PROVIDER}"}`;

  test('floats are known by operator and books, and the host’s minimum stands beside them', async () => {
    await startCompleted(gateway, 'deposit', depositRequest());
    await startCompleted(gateway, 'payout', payoutRequest({ amount: '30' }));
    await eventually(() => measured('malipo_float_books_amount')).toMatchObject({ [place]: 70 });
    await eventually(() => measured('malipo_float_operator_amount')).toMatchObject({ [place]: 1_070 });
    await eventually(() => measured('malipo_float_difference_amount')).toMatchObject({ [place]: 1_000 });
    await eventually(() => measured('malipo_float_unexplained_amount')).toMatchObject({ [place]: 1_000 });
    expect(await measured('malipo_float_min_amount')).toEqual({ [place]: 250 });
  });

  test('the books go on from a checkpoint to the same figures as from the beginning', async () => {
    const { engine } = gateway;
    await startCompleted(gateway, 'deposit', depositRequest());
    await setAvailability(gateway, 'payout', 'DELAYED');
    const waited = await start(gateway, 'payout', payoutRequest({ amount: '30' }));
    await gateway.gateway.movableClock!.move(DAY_MS);
    await sumLedger(engine);
    const { checkpoint } = (await measureBooks(engine, { last: null }))!;
    // Held before the checkpoint, posted after it.
    await setAvailability(gateway, 'payout', 'OPERATIONAL');
    await waitForPayment(gateway, 'payout', waited, 'COMPLETED');
    await topUp(gateway, gateway.merchantId, '5');
    const stored = parseCheckpoint(JSON.parse(JSON.stringify(renderCheckpoint(checkpoint))));
    expect(stored).toEqual(checkpoint);
    const nothing = { through: new Date(0), standings: [], recountFrom: null };
    const names = new Set([
      'malipo_float_books_amount',
      'malipo_clearing_amount',
      'malipo_clearing_age_seconds',
    ]);
    const figures = async (from: typeof checkpoint) => {
      const samples = [
        ...(await measureFloat(engine, { minimums: [] })).samples,
        ...(await measureFlow(engine, from)),
      ];
      return samples
        .filter(({ metric }) => names.has(metric))
        .map(
          // Ages are measured one after the other: the second is a moment older.
          ({ metric, labels, value: amount }) => {
            const figure = metric.endsWith('_seconds') ? Math.floor(amount / 3_600) : amount.toFixed();
            return `${metric} ${Object.values(labels).join(' ')} ${figure}`;
          },
        )
        .toSorted();
    };
    const figuresFromBeginning = await figures(nothing);
    expect(figuresFromBeginning).toContain('malipo_clearing_amount RWA RWF -1000005');
    expect(figuresFromBeginning).toContain(`malipo_float_books_amount ${PROVIDER} RWF 70`);
    expect(await figures(stored)).toEqual(figuresFromBeginning);
    const { checkpoint: next } = (await measureBooks(engine, { last: stored }))!;
    expect(await figures(next)).toEqual(figuresFromBeginning);
  });
});

describe('books', () => {
  test.each([
    [
      'a balance that was changed',
      'update wallets set posted = posted + 1 where posted > 0',
      'wallets_unbalanced',
    ],
    [
      'a hold that was forgotten',
      'update wallets set held = held + 1 where posted > 0',
      'wallets_unbalanced',
    ],
    ['a transfer that was deleted', `delete from transfers where template = 'TOP_UP'`, 'wallets_unbalanced'],
    [
      'a transfer between two currencies',
      `update transfers set credit_account_id =
         (select account_id from accounts where type = 'CLEARING' and currency = 'ZMW' limit 1)
       where debit_account_id = (select account_id from accounts where type = 'CLEARING' and currency = 'RWF' limit 1)`,
      'currencies_unbalanced',
    ],
    [
      'more held than there is',
      `alter table wallets drop constraint wallets_available_not_negative;
       update wallets set held = posted + 1`,
      'wallets_overdrawn',
    ],
  ])('%s is found', async (_what, text, name) => {
    await measuredAgain();
    expect(await value(`malipo_${name}`)).toBe(0);
    await tamper(text);
    await age(`malipo_${name}`).toBeGreaterThan(0);
  });

  test('what was summed up and then changed is found', async () => {
    await gateway.gateway.movableClock!.move(DAY_MS);
    await sumLedger(gateway.engine);
    await measuredAgain();
    expect(await value('malipo_wallets_unbalanced')).toBe(0);
    await tamper(`delete from transfers where template = 'TOP_UP'`);
    await age('malipo_wallets_unbalanced').toBeGreaterThan(0);
  });
});

/** When a part was last measured, in seconds. */
async function succeededAt(part: string): Promise<number> {
  return (await measured('malipo_monitor_success_timestamp_seconds'))[`{part="${part}"}`] ?? 0;
}

async function floatMeasuredAgain(): Promise<void> {
  const before = await succeededAt('float');
  await eventually(() => succeededAt('float')).toBeGreaterThan(before + 1);
}

describe('several workers', () => {
  test('each part is measured by one of them, and all expose it', async () => {
    await measuredAgain();
    const { config } = gateway;
    const other = await openGateway(config, { role: 'all', logTo: 2 });
    const { url } = await other.start();
    try {
      await eventually(async () => Object.keys(await measured('malipo_clearing_amount', url)).length).toBe(
        Object.keys(await measured('malipo_clearing_amount')).length,
      );
    } finally {
      await other.stop();
    }
  });

  test('of several that look at once, one takes each part; when its time has come again, one takes it again', async () => {
    const quiet = await openTestGateway({ role: 'api' });
    const { engine, config } = quiet;
    const look = async () => {
      const taken = await Promise.all(
        Array.from({ length: 5 }, () => takeMeasurements(engine, config.monitor)),
      );
      return taken.flat().length;
    };
    expect(await look()).toBe(3);
    expect(await look()).toBe(0);
    await quiet.gateway.movableClock!.move(config.monitor.intervalMs);
    expect(await look()).toBe(1);
    // Ten minutes without a measurement: anyone who took the books is gone. The floats are due by then anyway.
    await quiet.gateway.movableClock!.move(11 * 60_000);
    expect(await look()).toBe(3);
    await quiet.gateway.movableClock!.move(config.monitor.booksIntervalMs);
    for (const measure of await takeMeasurements(engine, config.monitor)) await measure();
    await quiet.gateway.movableClock!.move(11 * 60_000);
    expect(await look()).toBe(2);
    await quiet.stop();
  });

  test('a worker that cannot read the last measurement exposes none, and when there last was one', async () => {
    // A measurement that began before the wallets were filled shows no clearing either.
    await eventually(() => measured('malipo_clearing_amount')).not.toEqual({});
    await tamper('alter table monitor_readings rename to elsewhere');
    await eventually(() => measured('malipo_clearing_amount')).toEqual({});
    expect(await measured('malipo_wallets_unbalanced')).toEqual({});
    await age('malipo_monitor_success_timestamp_seconds').toBeGreaterThan(0);
    await tamper('alter table elsewhere rename to monitor_readings');
    await age('malipo_clearing_amount').toBeLessThan(0);
  });

  test('a part that cannot be measured keeps the time of its last success', async () => {
    await measuredAgain();
    await tamper('alter table cases rename to elsewhere');
    // What was measured before the change is exposed by then.
    await floatMeasuredAgain();
    const before = await succeededAt('flow');
    await floatMeasuredAgain();
    // Within half a second: what is exposed is counted back from an age.
    expect(await succeededAt('flow')).toBeCloseTo(before, 0);
  });
});
