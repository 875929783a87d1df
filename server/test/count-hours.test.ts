// Hours of payments, counted in the background: they must come to what counting every payment comes to, whatever
// happens in between.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMerchant } from '../src/core/merchants/administer-merchants.ts';
import { countHours, type CountOptions } from '../src/core/payments/read/count-hours.ts';
import type { Engine } from '../src/core/engine.ts';
import { renderAmount } from '../src/domain/money.ts';
import { OPERATIONS } from '../src/domain/payments/payment.ts';
import { TIME_BOUNDS_SECONDS } from '../src/domain/payments/time-to-final.ts';
import { TIME_COLUMNS } from '../src/store/payments/payment-hours.ts';
import { amountOfNumeric } from '../src/store/columns.ts';
import { clockAt } from './clocks.ts';
import { insertEnded } from './ended-payments.ts';
import { openTestGateway, select, type TestGateway } from './gateway.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BEGIN = new Date('2026-03-01T00:00:00Z');

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await openTestGateway({ role: 'admin' });
});
afterAll(() => gateway.stop());

const at = (minutes: number) => new Date(BEGIN.getTime() + minutes * MINUTE_MS);

async function newMerchant(): Promise<string> {
  const order = { by: 'test', companyName: 'Other', operations: OPERATIONS, walletPerProvider: false };
  return createMerchant(gateway.engine, order);
}

function engineAt(now: Date): Engine {
  return { ...gateway.engine, clock: clockAt(() => now) };
}

/** Until nothing is left to catch up with. */
async function countAll(now: Date, options: CountOptions = {}): Promise<number> {
  for (let rounds = 1; rounds < 1_000; rounds += 1) {
    if ((await countHours(engineAt(now), options)) === 'IDLE') return rounds;
  }
  throw new Error('it never comes to an end');
}

type Hours = Readonly<Record<string, string>>;

/** One text for each row of the table, by what it counts. */
async function readHours(merchantId: string): Promise<Hours> {
  const rows = await select<Record<string, any>>(
    gateway,
    'select * from payment_hours where merchant_id = $1',
    [merchantId],
  );
  return Object.fromEntries(
    rows.map((row) => [
      [
        row['hour_at'].toISOString(),
        row['kind'],
        row['provider'],
        row['currency'],
        row['state'],
        row['failure_code'],
      ].join(),
      [
        row['payment_count'],
        renderAmount(amountOfNumeric(row['amount'])),
        row['duration_ms'],
        ...TIME_COLUMNS.map((column) => row[column]),
      ].join(),
    ]),
  );
}

/** The same from the payments, one after the other. */
async function recount(merchantId: string): Promise<Hours> {
  const rows = await select<Record<string, any>>(
    gateway,
    'select * from payments where merchant_id = $1 and final_at is not null',
    [merchantId],
  );
  const hours = new Map<string, { amount: bigint; durationMs: number; times: number[] }>();
  for (const row of rows) {
    const hour = new Date(Math.floor(row['final_at'].getTime() / HOUR_MS) * HOUR_MS).toISOString();
    const name = [
      hour,
      row['kind'],
      row['provider'],
      row['currency'],
      row['state'],
      row['failure_code'] ?? '',
    ].join();
    const sum = hours.get(name) ?? { amount: 0n, durationMs: 0, times: TIME_COLUMNS.map(() => 0) };
    const tookMs = row['final_at'].getTime() - row['created_at'].getTime();
    const found = TIME_BOUNDS_SECONDS.findIndex((bound) => tookMs < bound * 1_000);
    sum.times[found < 0 ? TIME_BOUNDS_SECONDS.length : found]! += 1;
    sum.amount += amountOfNumeric(row['amount']);
    sum.durationMs += tookMs;
    hours.set(name, sum);
  }
  return Object.fromEntries(
    [...hours].map(([name, { amount, durationMs, times }]) => {
      const count = times.reduce((total, one) => total + one, 0);
      return [name, [count, renderAmount(amount), durationMs, ...times].join()];
    }),
  );
}

function countIn(hours: Hours): number {
  return Object.values(hours).reduce((sum, text) => sum + Number(text.split(',')[0]), 0);
}

describe('hours', () => {
  test('hours hold what ended in them, by kind, provider, currency, state, reason and time taken', async () => {
    const merchantId = await newMerchant();
    const { database } = gateway.engine.store;
    const ended = [
      { finalAt: at(5), tookMs: 999, amount: '10.5' },
      { finalAt: at(6), tookMs: 1_000, amount: '0.0001' },
      { finalAt: at(7), tookMs: 86_400_000 },
      { finalAt: at(59.999), failureCode: 'PAYER_NOT_FOUND' },
      { finalAt: at(60), failureCode: 'PAYER_NOT_FOUND' },
      { finalAt: at(61), kind: 'PAYOUT', provider: 'AIRTEL_RWA' },
      { finalAt: at(62), kind: 'REFUND', currency: 'USD' },
    ] as const;
    for (const one of ended) await insertEnded(database, { merchantId, ...one });
    await countAll(at(200));
    const hours = await readHours(merchantId);
    expect(hours).toEqual(await recount(merchantId));
    expect(Object.keys(hours)).toHaveLength(5);
    expect(hours['2026-03-01T00:00:00.000Z,DEPOSIT,MTN_MOMO_RWA,RWF,COMPLETED,']).toBe(
      '3,110.5001,86401999,1,1,0,0,0,0,0,0,0,0,0,0,0,1',
    );
  });

  test('hours follow within seconds, without waiting for the end of the hour', async () => {
    const merchantId = await newMerchant();
    await insertEnded(gateway.engine.store.database, { merchantId, finalAt: at(10) });
    await countAll(at(10.1));
    expect(countIn(await readHours(merchantId))).toBe(1);
    await insertEnded(gateway.engine.store.database, { merchantId, finalAt: at(10.2) });
    await countAll(at(10.3));
    expect(countIn(await readHours(merchantId))).toBe(2);
  });

  test('of a long history are caught up with in rounds, of which each counts its part once', async () => {
    const merchantId = await newMerchant();
    for (let hour = 0; hour < 40; hour += 1) {
      for (let minute = 0; minute < 3; minute += 1) {
        await insertEnded(gateway.engine.store.database, { merchantId, finalAt: at(hour * 60 + minute) });
      }
    }
    expect(await countAll(at(41 * 60), { settledAtOnceMax: 10 })).toBeGreaterThan(10);
    const hours = await readHours(merchantId);
    expect(countIn(hours)).toBe(120);
    expect(hours).toEqual(await recount(merchantId));
    const [days] = await select(
      gateway,
      'select count(*)::int as rows, sum(payment_count)::int as count from payment_days where merchant_id = $1',
      [merchantId],
    );
    expect(days).toEqual({ rows: 1, count: 72 });
    expect(await countDifferentDays(merchantId)).toBe(0);
  });

  test('hours that are settled are not counted again and again', async () => {
    const merchantId = await newMerchant();
    await insertEnded(gateway.engine.store.database, { merchantId, finalAt: at(10) });
    await countAll(at(11));
    await countAll(at(75));
    const progress = () =>
      select(gateway, 'select * from payment_hours_progress where merchant_id = $1', [merchantId]);
    await countAll(at(150));
    const settled = await progress();
    for (let hour = 3; hour < 10; hour += 1) await countAll(at(hour * 60 + 30));
    expect(await progress()).toEqual(settled);
  });
});

describe('a payment that is committed long after the time it carries', () => {
  test('a payment that is committed long after the time it carries is missing until its hour is settled, and counted once then', async () => {
    const merchantId = await newMerchant();
    const { database } = gateway.engine.store;
    await insertEnded(database, { merchantId, finalAt: at(5) });
    const slow = await database.connect();
    await slow.query('begin');
    await insertEnded(slow, { merchantId, finalAt: at(6) });
    await countAll(at(8));
    await slow.query('commit');
    slow.release();
    await countAll(at(9));
    expect(countIn(await readHours(merchantId))).toBe(1);
    await countAll(at(71));
    expect(await readHours(merchantId)).toEqual(await recount(merchantId));
    expect(countIn(await readHours(merchantId))).toBe(2);
  });

  test('a payment that is committed long after the time it carries is counted in the hour before the first that was', async () => {
    const merchantId = await newMerchant();
    const { database } = gateway.engine.store;
    await insertEnded(database, { merchantId, finalAt: at(61) });
    await countAll(at(62));
    await insertEnded(database, { merchantId, finalAt: at(59) });
    await countAll(at(140));
    expect(await readHours(merchantId)).toEqual(await recount(merchantId));
    expect(countIn(await readHours(merchantId))).toBe(2);
  });
});

describe('a round that does not come to its end', () => {
  test('a round that does not come to its end has counted nothing, and the next one counts everything once', async () => {
    const merchantId = await newMerchant();
    const { database } = gateway.engine.store;
    await insertEnded(database, { merchantId, finalAt: at(5) });
    await database.query(
      `create function break_off() returns trigger language plpgsql as $$ begin raise exception 'broken off'; end $$`,
    );
    await database.query(
      `create trigger broken before insert or update on payment_hours_progress
       for each row execute function break_off()`,
    );
    await expect(countHours(engineAt(at(6)))).rejects.toThrow('broken off');
    await expect(countHours(engineAt(at(90)))).rejects.toThrow('broken off');
    expect(await readHours(merchantId)).toEqual({});
    await database.query('drop function break_off cascade');
    await countAll(at(90));
    expect(await readHours(merchantId)).toEqual(await recount(merchantId));
  });
});

describe('two workers', () => {
  test('two workers never count at the same time', async () => {
    const merchantId = await newMerchant();
    const { database } = gateway.engine.store;
    for (let minute = 0; minute < 20; minute += 1) {
      await insertEnded(database, { merchantId, finalAt: at(minute) });
      await Promise.all([1, 2, 3].map(() => countHours(engineAt(at(minute + 0.2)))));
    }
    expect(countIn(await readHours(merchantId))).toBe(20);
    expect(await readHours(merchantId)).toEqual(await recount(merchantId));
  });

  test('two workers wait for anyone who counts: while somebody does, a round does nothing', async () => {
    const merchantId = await newMerchant();
    const { database } = gateway.engine.store;
    await insertEnded(database, { merchantId, finalAt: at(1) });
    const other = await database.connect();
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock(7029)');
    expect(await countHours(engineAt(at(3)))).toBe('IDLE');
    expect(await readHours(merchantId)).toEqual({});
    await other.query('rollback');
    other.release();
    await countAll(at(3));
    expect(countIn(await readHours(merchantId))).toBe(1);
  });
});

/** Days that are not what their hours come to; those that are not settled must not be there. */
async function countDifferentDays(merchantId: string): Promise<number> {
  const sums = ['payment_count', 'amount', 'duration_ms', ...TIME_COLUMNS].map(
    (name) => `sum(${name})::numeric`,
  );
  const sort = 'kind, provider, currency, state, failure_code';
  const [row] = await select<{ count: number }>(
    gateway,
    `with added as (
       select date_trunc('day', hour_at, 'UTC') as day_at, ${sort}, ${sums.join(', ')} from payment_hours
       join payment_hours_progress p using (merchant_id)
       where merchant_id = $1 and hour_at < date_trunc('day', settled_until, 'UTC') group by day_at, ${sort}),
     built as (
       select day_at, ${sort}, ${sums.join(', ')} from payment_days where merchant_id = $1 group by day_at, ${sort})
     select count(*)::int as count from (
       (table added except table built) union all (table built except table added)) differences`,
    [merchantId],
  );
  return row?.count ?? -1;
}

type Step =
  | { readonly type: 'END'; readonly minutesAgo: number; readonly isFailed: boolean }
  | { readonly type: 'COUNT'; readonly workers: number }
  | { readonly type: 'WAIT'; readonly minutes: number };

const steps = fc.array(
  fc.oneof(
    fc.record<Step & { type: 'END' }>({
      type: fc.constant('END'),
      // Up to what a commit may take.
      minutesAgo: fc.double({ min: 0, max: 9.9, noNaN: true }),
      isFailed: fc.boolean(),
    }),
    fc.record<Step & { type: 'COUNT' }>({
      type: fc.constant('COUNT'),
      workers: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record<Step & { type: 'WAIT' }>({
      type: fc.constant('WAIT'),
      minutes: fc.integer({ min: 0, max: 90 }),
    }),
  ),
  { minLength: 5, maxLength: 40 },
);

test('whatever ends late, whenever it is counted and by how many: settled hours are a recount', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 5 }), async (played, settledAtOnceMax) => {
      const merchantId = await newMerchant();
      let now = 0;
      for (const step of played) {
        if (step.type === 'WAIT') now += step.minutes;
        if (step.type === 'END') {
          const failureCode = step.isFailed ? 'PAYER_NOT_FOUND' : null;
          const finalAt = new Date(Math.max(BEGIN.getTime(), at(now - step.minutesAgo).getTime()));
          await insertEnded(gateway.engine.store.database, { merchantId, finalAt, failureCode });
        }
        if (step.type === 'COUNT') {
          const rounds = Array.from({ length: step.workers }, () =>
            countHours(engineAt(at(now)), { settledAtOnceMax }),
          );
          await Promise.all(rounds);
        }
      }
      await countAll(at(now + 71), { settledAtOnceMax });
      expect(await readHours(merchantId)).toEqual(await recount(merchantId));
      expect(await countDifferentDays(merchantId)).toBe(0);
    }),
    { numRuns: 25 },
  );
});
