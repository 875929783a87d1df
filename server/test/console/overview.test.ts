import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import { changeRegionalSettings } from '../../src/core/merchants/regional-settings.ts';
import { inTransaction } from '../../src/store/database.ts';
import { forgetHours } from '../../src/store/payments/payment-hours.ts';
import { countHours } from '../../src/core/payments/read/count-hours.ts';
import { MERCHANT_ROLES, permissionsOf } from '../../src/domain/merchants/roles.ts';
import { OPERATIONS } from '../../src/domain/payments/payment.ts';
import { nowOf } from '../clocks.ts';
import { insertEnded, type EndedPayment } from '../ended-payments.ts';
import { lockTable } from '../edge/table-lock.ts';
import { depositRequest, eventually, initiate, payer, waitUntil, type TestGateway } from '../gateway.ts';
import { start, startCompleted, topUp, waitForPayment } from '../payments.ts';
import { openTestConsole, signedIn, type TestPerson } from './people.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await openTestConsole();
});
afterAll(() => gateway.stop());

async function newMerchant(): Promise<string> {
  const order = { by: 'test', companyName: 'Other', operations: OPERATIONS, walletPerProvider: false };
  return createMerchant(gateway.engine, order);
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function readOverview(
  person: TestPerson,
  merchantId: string,
  { from, to = from }: { readonly from: string; readonly to?: string },
) {
  return person.call('GET', `api/merchants/${merchantId}/overview?from=${from}&to=${to}`);
}

/** No one else counts until the end of the transaction. */
const TAKE_COUNTING_TURN = 'select pg_advisory_xact_lock(7029)';

/** All at once: workers count what has ended while it is written. */
async function addEnded(ended: readonly EndedPayment[]): Promise<void> {
  await inTransaction(gateway.engine.store.database, async (tx) => {
    for (const one of ended) await insertEnded(tx, one);
  });
}

/** Once everything is counted, by this process or by the worker's turn. */
async function readCounted(
  person: TestPerson,
  merchantId: string,
  days: Parameters<typeof readOverview>[2],
): Promise<any> {
  await waitUntil(async () => {
    await countHours(gateway.engine);
    const { countedUntil, isCatchingUp } = (await readOverview(person, merchantId, days)).body;
    return countedUntil !== null && !isCatchingUp;
  });
  return (await readOverview(person, merchantId, days)).body;
}

describe('the overview of a new merchant', () => {
  test('the overview of a new merchant is empty, but for the wallets it will have', async () => {
    const merchantId = await newMerchant();
    const owner = await signedIn(gateway, 'OWNER', merchantId);
    const { status, body } = await readOverview(owner, merchantId, { from: '2026-01-01' });
    expect(status).toBe(200);
    expect(body).toEqual({
      timeZone: 'UTC',
      from: '2026-01-01T00:00:00.000Z',
      until: '2026-01-02T00:00:00.000Z',
      countedUntil: null,
      isCatchingUp: false,
      step: 'HOUR',
      starts: expect.arrayContaining(['2026-01-01T00:00:00.000Z', '2026-01-01T23:00:00.000Z']),
      volumes: [],
      totals: [],
      currencies: [],
      providers: [],
      failures: [],
      wallets: expect.arrayContaining([
        { country: 'RWA', currency: 'RWF', provider: '', available: '0', held: '0' },
      ]),
    });
  });
});

describe('the overview', () => {
  test('the overview follows payments as they end', async () => {
    const owner = await signedIn(gateway, 'OWNER');
    const today = dayOf(nowOf(gateway.engine));
    await startCompleted(gateway, 'deposit', depositRequest({ amount: '250' }));
    const failing = depositRequest({ payer: payer('MTN_MOMO_RWA', '250783456039') });
    await waitForPayment(gateway, 'deposit', await start(gateway, 'deposit', failing), 'FAILED');
    await eventually(async () => {
      const { body } = await readOverview(owner, gateway.merchantId, { from: today });
      return [body.totals, body.failures, body.providers];
    }).toMatchObject([
      [
        {
          kind: 'DEPOSIT',
          currency: 'RWF',
          completed: 1,
          completedAmount: '250',
          failed: 1,
          failedAmount: '100',
        },
      ],
      [{ kind: 'DEPOSIT', currency: 'RWF', failureCode: expect.any(String), count: 1 }],
      [{ provider: 'MTN_MOMO_RWA', kind: 'DEPOSIT', completed: 1, failed: 1 }],
    ]);
  });

  test('the overview adds up hours of days into volumes, rates, times and reasons', async () => {
    const merchantId = await newMerchant();
    const owner = await signedIn(gateway, 'OWNER', merchantId);
    const ended = [
      { finalAt: on(1, 3), amount: '10.25', fee: '0.5', tookMs: 500 },
      { finalAt: on(1, 22), amount: '0.0001', tookMs: 500 },
      { finalAt: on(3, 5), amount: '7', tookMs: 40_000, provider: 'AIRTEL_RWA' },
      {
        finalAt: on(3, 6),
        failureCode: 'INSUFFICIENT_BALANCE',
        provider: 'AIRTEL_RWA',
        tookMs: 45_000,
        fee: '9',
      },
      { finalAt: on(3, 7), failureCode: 'PAYER_NOT_FOUND', tookMs: 500 },
      { finalAt: on(3, 7), failureCode: 'PAYER_NOT_FOUND', tookMs: 500 },
      { finalAt: on(3, 8), kind: 'PAYOUT', currency: 'USD', amount: '3', fee: '0.25' },
      // In the days before.
      { finalAt: on(0, 8), amount: '20', fee: '1' },
      { finalAt: on(0, 8), kind: 'PAYOUT', amount: '5', fee: '0.5' },
      // Outside of what is asked for.
      { finalAt: on(4, 0), amount: '1000' },
    ] as const;
    await addEnded(ended.map((one) => ({ merchantId, ...one })));
    const body = await readCounted(owner, merchantId, { from: '2026-02-01', to: '2026-02-03' });
    expect(body.step).toBe('DAY');
    expect(body.volumes).toEqual([
      volume('2026-02-01', 'DEPOSIT', 'RWF', { completed: 2, completedAmount: '10.2501', fees: '0.5' }),
      volume('2026-02-03', 'DEPOSIT', 'RWF', {
        completed: 1,
        completedAmount: '7',
        failed: 3,
        failedAmount: '300',
      }),
      volume('2026-02-03', 'PAYOUT', 'USD', { completed: 1, completedAmount: '3', fees: '0.25' }),
    ]);
    expect(body.totals).toMatchObject([
      {
        kind: 'DEPOSIT',
        currency: 'RWF',
        completed: 3,
        completedAmount: '17.2501',
        failed: 3,
        fees: '0.5',
        previous: { completed: 1, completedAmount: '20', fees: '1' },
      },
      // None any more, but before.
      { kind: 'PAYOUT', currency: 'RWF', completed: 0, previous: { completed: 1, completedAmount: '5' } },
      { kind: 'PAYOUT', currency: 'USD', completed: 1 },
    ]);
    // What failed costs nothing.
    expect(body.currencies).toEqual([
      { currency: 'RWF', count: 6, fees: '0.5', net: '16.7501', previous: { fees: '1.5', net: '13.5' } },
      { currency: 'USD', count: 1, fees: '0.25', net: '-3.25', previous: { fees: '0', net: '0' } },
    ]);
    expect(body.providers).toMatchObject([
      { provider: 'AIRTEL_RWA', kind: 'DEPOSIT', currency: 'RWF', completed: 1, failed: 1 },
      { provider: 'MTN_MOMO_RWA', kind: 'DEPOSIT', currency: 'RWF', completed: 2, failed: 2 },
      { provider: 'MTN_MOMO_RWA', kind: 'PAYOUT', currency: 'USD', completed: 1, failed: 0 },
    ]);
    // Too few to say how long payments take.
    expect(body.providers.every((one: any) => one.p50Seconds === null && one.p90Seconds === null)).toBe(true);
    expect(body.failures.map((one: any) => [one.failureCode, one.count])).toEqual([
      ['PAYER_NOT_FOUND', 2],
      ['INSUFFICIENT_BALANCE', 1],
    ]);
  });

  test('how long payments take is told of 20 or more', async () => {
    const merchantId = await newMerchant();
    const owner = await signedIn(gateway, 'OWNER', merchantId);
    const add = (count: number) =>
      addEnded(Array.from({ length: count }, () => ({ merchantId, finalAt: on(1, 3), tookMs: 500 })));
    const read = async () => {
      await inTransaction(gateway.engine.store.database, async (tx) => {
        await tx.query(TAKE_COUNTING_TURN);
        await forgetHours(tx, merchantId);
      });
      return (await readCounted(owner, merchantId, { from: '2026-02-01' })).providers[0];
    };
    await add(19);
    expect(await read()).toMatchObject({ completed: 19, p50Seconds: null, p90Seconds: null });
    await add(1);
    expect(await read()).toMatchObject({ completed: 20, p50Seconds: 0.5, p90Seconds: 0.9 });
  });

  test.each([
    // Whole hours from UTC: the day of Kigali, to the second.
    [
      'Africa/Kigali',
      '2026-02-01',
      ['2026-01-31T22:00:00Z', '2026-02-01T21:59:59.999Z'],
      '2026-01-31T22:00:00.000Z',
    ],
    // Half an hour: days are counted from the next whole hour of UTC, which is 00:30 there.
    [
      'Asia/Kolkata',
      '2026-02-01',
      ['2026-01-31T19:00:00Z', '2026-02-01T18:59:59.999Z'],
      '2026-01-31T19:00:00.000Z',
    ],
  ] as const)('days are those of %s', async (timeZone, day, inside, startsAt) => {
    const merchantId = await newMerchant();
    await changeRegionalSettings(gateway.engine, { by: 'test', merchantId, timeZone });
    const owner = await signedIn(gateway, 'OWNER', merchantId);
    const [first, last] = [new Date(inside[0]), new Date(inside[1])];
    const outside = [new Date(first.getTime() - 1), new Date(last.getTime() + 1)];
    await addEnded([
      ...[first, last].map((finalAt) => ({ merchantId, finalAt })),
      ...outside.map((finalAt) => ({ merchantId, finalAt, amount: '1000' })),
    ]);
    const oneDay = await readCounted(owner, merchantId, { from: day });
    expect([oneDay.timeZone, oneDay.from]).toEqual([timeZone, startsAt]);
    expect(oneDay.totals).toMatchObject([{ completed: 2, completedAmount: '200' }]);
    // The same day within a month: there are whole days of UTC inside, and hours of others at both ends.
    const month = (await readOverview(owner, merchantId, { from: '2026-01-15', to: '2026-02-14' })).body;
    expect(month.volumes).toMatchObject([
      { completed: 1, completedAmount: '1000' },
      { at: startsAt, completed: 2, completedAmount: '200' },
      { completed: 1, completedAmount: '1000' },
    ]);
    expect(month.totals).toMatchObject([{ completed: 4, completedAmount: '2200' }]);
  });

  test('of two days or less goes by the hour', async () => {
    const merchantId = await newMerchant();
    const owner = await signedIn(gateway, 'OWNER', merchantId);
    await addEnded([{ merchantId, finalAt: new Date('2026-02-01T17:59:59.999Z') }]);
    const body = await readCounted(owner, merchantId, { from: '2026-02-01', to: '2026-02-02' });
    expect([body.step, body.volumes[0].at]).toEqual(['HOUR', '2026-02-01T17:00:00.000Z']);
  });

  test('the overview says so while there is much to count', async () => {
    const merchantId = await newMerchant();
    const owner = await signedIn(gateway, 'OWNER', merchantId);
    const { database } = gateway.engine.store;
    // Anyone who counts is kept waiting.
    const other = await database.connect();
    await other.query('begin');
    await other.query(TAKE_COUNTING_TURN);
    await insertEnded(database, { merchantId, finalAt: new Date(Date.now() - 120_000) });
    const read = async () => (await readOverview(owner, merchantId, { from: dayOf(new Date()) })).body;
    expect(await read()).toMatchObject({ countedUntil: null, isCatchingUp: true });
    await other.query('rollback');
    other.release();
    await eventually(read).toMatchObject({ countedUntil: expect.any(String), isCatchingUp: false });
  });

  test.each([
    ['2026-02-30', '2026-03-01', { code: 'INVALID_PARAMETER', parameters: { parameter: 'from' } }],
    ['2026-02-02', '2026-02-01', { code: 'PERIOD_REVERSED', parameters: {} }],
    ['2026-01-01', '2026-04-03', { code: 'PERIOD_TOO_LONG', parameters: { days: '92' } }],
    ['yesterday', '2026-04-03', { code: 'INVALID_PARAMETER', parameters: { parameter: 'from' } }],
  ])('from %s to %s is refused with a code', async (from, to, reason) => {
    const owner = await signedIn(gateway, 'OWNER');
    const { status, body } = await readOverview(owner, gateway.merchantId, { from, to });
    expect(status).toBe(400);
    expect(body.failureReason.reason).toEqual(reason);
  });

  test.each(MERCHANT_ROLES)(
    'the overview shows %s balances only if the role may see wallets',
    async (role) => {
      const person = await signedIn(gateway, role);
      await topUp(gateway, gateway.merchantId, '1');
      const { status, body } = await readOverview(person, gateway.merchantId, { from: '2026-01-01' });
      expect(status).toBe(200);
      expect(Array.isArray(body.wallets)).toBe(permissionsOf(role).includes('wallets:read'));
    },
  );
});

/** In February. */
function on(day: number, hour: number): Date {
  return new Date(Date.UTC(2026, 1, day, hour, 30));
}

function volume(day: string, kind: string, currency: string, ends: Record<string, unknown>) {
  const none = { completed: 0, completedAmount: '0', failed: 0, failedAmount: '0', fees: '0' };
  return { at: `${day}T00:00:00.000Z`, kind, currency, ...none, ...ends };
}

test('people whose searches take long wait for each other, and no payment waits for them', async () => {
  const { merchantId } = gateway;
  const owner = await signedIn(gateway, 'OWNER', merchantId);
  const lock = await lockTable(gateway.databaseUrl, 'payment_hours');
  // More than a process has connections.
  let answered = 0;
  const looks = Array.from({ length: 40 }, async () => {
    const answer = await readOverview(owner, merchantId, { from: '2026-01-01' });
    answered += 1;
    return answer;
  });
  try {
    await eventually(() => lock.countWaiting()).toBeGreaterThan(0);
    await initiate(gateway);
    expect(answered).toBe(0);
  } finally {
    await lock.release();
  }
  expect(new Set((await Promise.all(looks)).map(({ status }) => status))).toEqual(new Set([200]));
});
