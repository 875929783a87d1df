import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import { countHours } from '../../src/core/payments/read/count-hours.ts';
import { MERCHANT_ROLES, permissionsOf } from '../../src/domain/merchants/roles.ts';
import { OPERATIONS } from '../../src/domain/payments/payment.ts';
import { insertEnded } from '../ended-payments.ts';
import { lockTable } from '../edge/table-lock.ts';
import { depositRequest, eventually, initiate, payer, type TestGateway } from '../gateway.ts';
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

describe('the overview of a new merchant', () => {
  test('the overview of a new merchant is empty, but for the wallets it will have', async () => {
    const merchantId = await newMerchant();
    const owner = await signedIn(gateway, 'OWNER', merchantId);
    const { status, body } = await readOverview(owner, merchantId, { from: '2026-01-01' });
    expect(status).toBe(200);
    expect(body).toEqual({
      from: '2026-01-01T00:00:00.000Z',
      until: '2026-01-02T00:00:00.000Z',
      countedUntil: null,
      isCatchingUp: false,
      step: 'HOUR',
      volumes: [],
      totals: [],
      providers: [],
      kinds: [],
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
    const today = dayOf(gateway.engine.clock.now());
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
      [{ kind: 'DEPOSIT', failureCode: expect.any(String), failureMessage: expect.any(String), count: 1 }],
      [{ provider: 'MTN_MOMO_RWA', kind: 'DEPOSIT', completed: 1, failed: 1 }],
    ]);
  });

  test('the overview adds up hours of days into volumes, rates, times and reasons', async () => {
    const merchantId = await newMerchant();
    const owner = await signedIn(gateway, 'OWNER', merchantId);
    const { database } = gateway.engine.store;
    const ended = [
      { finalAt: on(1, 3), amount: '10.25', tookMs: 500 },
      { finalAt: on(1, 22), amount: '0.0001', tookMs: 500 },
      { finalAt: on(3, 5), amount: '7', tookMs: 40_000, provider: 'AIRTEL_RWA' },
      { finalAt: on(3, 6), failureCode: 'INSUFFICIENT_BALANCE', provider: 'AIRTEL_RWA', tookMs: 45_000 },
      { finalAt: on(3, 7), failureCode: 'PAYER_NOT_FOUND', tookMs: 500 },
      { finalAt: on(3, 7), failureCode: 'PAYER_NOT_FOUND', tookMs: 500 },
      { finalAt: on(3, 8), kind: 'PAYOUT', currency: 'USD', amount: '3' },
      // Outside of what is asked for.
      { finalAt: on(4, 0), amount: '1000' },
    ] as const;
    for (const one of ended) await insertEnded(database, { merchantId, ...one });
    await countHours(gateway.engine);
    const { body } = await readOverview(owner, merchantId, { from: '2026-02-01', to: '2026-02-03' });
    expect(body.step).toBe('DAY');
    expect(body.volumes).toEqual([
      volume('2026-02-01', 'DEPOSIT', 'RWF', { completed: 2, completedAmount: '10.2501' }),
      volume('2026-02-03', 'DEPOSIT', 'RWF', {
        completed: 1,
        completedAmount: '7',
        failed: 3,
        failedAmount: '300',
      }),
      volume('2026-02-03', 'PAYOUT', 'USD', { completed: 1, completedAmount: '3' }),
    ]);
    expect(body.totals).toMatchObject([
      { kind: 'DEPOSIT', currency: 'RWF', completed: 3, completedAmount: '17.2501', failed: 3 },
      { kind: 'PAYOUT', currency: 'USD', completed: 1 },
    ]);
    expect(body.providers).toMatchObject([
      { provider: 'AIRTEL_RWA', kind: 'DEPOSIT', completed: 1, failed: 1, p50Seconds: 45, p90Seconds: 57 },
      {
        provider: 'MTN_MOMO_RWA',
        kind: 'DEPOSIT',
        completed: 2,
        failed: 2,
        p50Seconds: 0.5,
        p90Seconds: 0.9,
      },
      { provider: 'MTN_MOMO_RWA', kind: 'PAYOUT', completed: 1, failed: 0 },
    ]);
    expect(body.kinds[0]).toMatchObject({ kind: 'DEPOSIT', completed: 3, failed: 3, meanSeconds: 14.5 });
    expect(body.failures.map((one: any) => [one.failureCode, one.count])).toEqual([
      ['PAYER_NOT_FOUND', 2],
      ['INSUFFICIENT_BALANCE', 1],
    ]);
  });

  test('of two days or less goes by the hour', async () => {
    const merchantId = await newMerchant();
    const owner = await signedIn(gateway, 'OWNER', merchantId);
    const finalAt = new Date('2026-02-01T17:59:59.999Z');
    await insertEnded(gateway.engine.store.database, { merchantId, finalAt });
    await countHours(gateway.engine);
    const { body } = await readOverview(owner, merchantId, { from: '2026-02-01', to: '2026-02-02' });
    expect([body.step, body.volumes[0].at]).toEqual(['HOUR', '2026-02-01T17:00:00.000Z']);
  });

  test('the overview says so while there is much to count', async () => {
    const merchantId = await newMerchant();
    const owner = await signedIn(gateway, 'OWNER', merchantId);
    const { database } = gateway.engine.store;
    // Anyone who counts is kept waiting.
    const other = await database.connect();
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock(7029)');
    await insertEnded(database, { merchantId, finalAt: new Date(Date.now() - 120_000) });
    const read = async () => (await readOverview(owner, merchantId, { from: dayOf(new Date()) })).body;
    expect(await read()).toMatchObject({ countedUntil: null, isCatchingUp: true });
    await other.query('rollback');
    other.release();
    await eventually(read).toMatchObject({ countedUntil: expect.any(String), isCatchingUp: false });
  });

  test.each([
    ['2026-02-30', '2026-03-01', 'from: there is no such day.'],
    ['2026-02-02', '2026-02-01', 'to: must not be before the first day.'],
    ['2026-01-01', '2026-04-03', 'to: at most 92 days.'],
    ['yesterday', '2026-04-03', 'from:'],
  ])('from %s to %s is refused', async (from, to, said) => {
    const owner = await signedIn(gateway, 'OWNER');
    const { status, body } = await readOverview(owner, gateway.merchantId, { from, to });
    expect(status).toBe(400);
    expect(body.failureReason.failureMessage).toContain(said);
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
  const none = { completed: 0, completedAmount: '0', failed: 0, failedAmount: '0' };
  return { at: `${day}T00:00:00.000Z`, kind, currency, ...none, ...ends };
}

test('people whose searches take long wait for each other, and no payment waits for them', async () => {
  const { merchantId } = gateway;
  const owner = await signedIn(gateway, 'OWNER', merchantId);
  const lock = await lockTable(gateway.databaseUrl, 'payment_hours');
  // More than a process has connections.
  const looks = Array.from({ length: 40 }, () => readOverview(owner, merchantId, { from: '2026-01-01' }));
  try {
    await eventually(() => lock.countWaiting()).toBeGreaterThan(0);
    const begun = performance.now();
    await initiate(gateway);
    expect(performance.now() - begun).toBeLessThan(2_000);
  } finally {
    await lock.release();
  }
  expect(new Set((await Promise.all(looks)).map(({ status }) => status))).toEqual(new Set([200]));
});
