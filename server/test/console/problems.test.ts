// The one list of open problems, the figures of all merchants, and the counts of the navigation.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  changeAvailability,
  changeFee,
  createMerchant,
} from '../../src/core/merchants/administer-merchants.ts';
import { readPlatformOverview } from '../../src/core/console/read-platform-overview.ts';
import { OPERATIONS } from '../../src/domain/payments/payment.ts';
import type { Availability } from '../../src/store/operators/availability.ts';
import { inTransaction } from '../../src/store/database.ts';
import { clockAt, nowOf } from '../clocks.ts';
import { insertEnded } from '../ended-payments.ts';
import { depositRequest, eventually, select, type TestGateway } from '../gateway.ts';
import { start, startCompleted, waitForPayment } from '../payments.ts';
import { at, PAYING } from './asked.ts';
import { confirmed, openTestConsole, signedIn, type TestPerson } from './people.ts';

const DAY_MS = 24 * 3_600_000;

let gateway: TestGateway;
let support: TestPerson;

beforeAll(async () => {
  gateway = await openTestConsole({
    directoryRememberMs: 0,
    simulator: { outcomeDelayMs: 50 },
    timing: { enquiryDelaysMs: [3_600_000] },
    // Measured once, and not late on a machine that is busy.
    monitor: { intervalMs: 20_000, floatIntervalMs: 20_000, booksIntervalMs: 20_000 },
  });
  support = await signedIn(gateway, 'OPERATOR_SUPPORT');
});
afterAll(() => gateway.stop());

type Row = Readonly<Record<string, any>>;

const problems = async (): Promise<readonly Row[]> =>
  (await support.call('GET', 'api/host/problems')).body.problems;
const codes = async () => (await problems()).map(({ code }) => code);

async function setAirtel(status: Availability): Promise<void> {
  for (const operation of ['PAYOUT', 'DEPOSIT'] as const)
    await changeAvailability(gateway.engine, { by: 'test', provider: 'AIRTEL_RWA', operation, status });
}

/** A deposit of which the operator says that it moved another amount: its outcome is unknown, and a case is open. */
async function startUnresolved(): Promise<string> {
  gateway.simulator.addFault({ type: 'WRONG_AMOUNT', amount: '90' });
  const depositId = await start(gateway, 'deposit', depositRequest());
  await waitForPayment(gateway, 'deposit', depositId, 'IN_RECONCILIATION');
  return depositId;
}

describe('open problems', () => {
  test('there are none while all is well', async () => {
    await eventually(codes).toEqual([]);
  });

  test('a provider that is closed is one problem for all kinds, until it is opened', async () => {
    await setAirtel('CLOSED');
    expect(await problems()).toMatchObject([
      {
        code: 'PROVIDER_CLOSED',
        severity: 'CRITICAL',
        fixedAt: 'PROVIDERS',
        parameters: { provider: 'AIRTEL_RWA', kinds: 'DEPOSIT,PAYOUT', setBy: 'HAND' },
      },
    ]);
    await setAirtel('OPERATIONAL');
    expect(await codes()).toEqual([]);
  });

  test('a merchant that sends out far more than ever is named', async () => {
    const { engine, merchantId } = gateway;
    await select(
      gateway,
      `insert into payment_hours select $1, date_trunc('hour', $2::timestamptz), 'PAYOUT', 'MTN_MOMO_RWA', 'RWF',
         'COMPLETED', '', 41, 4100, 0, 0, ${'0, '.repeat(13)}0`,
      [merchantId, nowOf(engine)],
    );
    await eventually(problems).toMatchObject([
      {
        code: 'PAYOUT_SPIKE',
        since: expect.any(String),
        fixedAt: 'MERCHANT',
        parameters: { merchantId, merchant: 'Demo Shop' },
      },
    ]);
    await select(gateway, 'delete from payment_hours where payment_count = 41');
    await eventually(codes).toEqual([]);
  });

  test('payments with unknown outcome are listed, the oldest first, five of them, and the others counted', async () => {
    const first = await startUnresolved();
    for (let count = 1; count < 6; count += 1) await startUnresolved();
    const { body } = await support.call('GET', 'api/host/problems');
    const ofCode = (wanted: string) => body.problems.filter(({ code }: Row) => code === wanted);
    expect([ofCode('PAYMENT_UNRESOLVED').length, ofCode('CASE_OPEN').length]).toEqual([5, 5]);
    expect(body.omitted).toHaveLength(2);
    expect(body.omitted).toContainEqual({ code: 'PAYMENT_UNRESOLVED', count: 1 });
    const [oldest] = ofCode('PAYMENT_UNRESOLVED');
    expect(oldest).toMatchObject({
      code: 'PAYMENT_UNRESOLVED',
      fixedAt: 'UNRESOLVED_PAYMENTS',
      parameters: {
        merchant: 'Demo Shop',
        paymentId: first,
        kind: 'DEPOSIT',
        amount: '100',
        currency: 'RWF',
      },
    });
    expect(Date.parse(body.now) - Date.parse(oldest.since)).toBeGreaterThan(0);
    expect((await support.call('GET', 'api/host/health')).body.problems).toEqual(body.problems);
  });

  test('an endpoint is a problem after three failed attempts, named without the path that may be a secret', async () => {
    gateway.receiver.answerWith({ status: 503 });
    for (let count = 0; count < 3; count += 1) await startCompleted(gateway, 'deposit', depositRequest());
    await eventually(async () => (await problems()).at(-1)).toMatchObject({
      code: 'ENDPOINT_FAILING',
      fixedAt: 'CALLBACK_ENDPOINTS',
      parameters: { merchant: 'Demo Shop', kind: 'DEPOSIT', host: new URL(gateway.receiver.url).host },
    });
    expect(JSON.stringify(await problems())).not.toContain('/callbacks');
  });
});

const badgesOf = async (person: TestPerson) => (await person.call('GET', at(gateway, 'badges'))).body as Row;

describe('badges', () => {
  test('the platform counts what waits for it', async () => {
    expect((await support.call('GET', 'api/host/badges')).body).toEqual({
      approvals: 0,
      cases: 6,
      payments: 6,
      endpoints: 1,
      settlements: 0,
    });
  });

  test('a merchant’s people see what their rights allow', async () => {
    const owner = await confirmed(await signedIn(gateway, 'OWNER'));
    await owner.call('POST', at(gateway, 'tokens'), PAYING);
    expect(await badgesOf(owner)).toEqual({
      approvals: 1,
      cases: null,
      payments: null,
      endpoints: 1,
      settlements: null,
    });
    const finance = await signedIn(gateway, 'FINANCE');
    expect(await badgesOf(finance)).toMatchObject({ approvals: 1, endpoints: null });
    const developer = await signedIn(gateway, 'DEVELOPER');
    expect(await badgesOf(developer)).toMatchObject({ endpoints: 1 });
    const readOnly = await signedIn(gateway, 'READ_ONLY');
    expect(await badgesOf(readOnly)).toMatchObject({ approvals: null, endpoints: null });
    // It is the merchant's to decide.
    expect((await support.call('GET', 'api/host/badges')).body.approvals).toBe(0);
  });
});

const dayOf = (time: Date) => time.toISOString().slice(0, 10);

async function readOverview(): Promise<Row> {
  const now = nowOf(gateway.engine);
  const from = dayOf(new Date(now.getTime() - 6 * DAY_MS));
  return (await support.call('GET', `api/host/overview?from=${from}&to=${dayOf(now)}`)).body as Row;
}

const totalOf = async (currency: string): Promise<Row> =>
  (await readOverview())['totals'].find((one: Row) => one['currency'] === currency);

describe('the overview of all merchants', () => {
  test('figures stand beside those of the days before, and percentiles from 20 payments on', async () => {
    const { engine } = gateway;
    const facts = { by: 'test', companyName: 'Kiosk', operations: OPERATIONS, walletPerProvider: false };
    const merchantId = await createMerchant(engine, facts);
    const now = nowOf(engine).getTime();
    const ended = { merchantId, provider: 'AIRTEL_OAPI_UGA', currency: 'UGX', amount: '500' };
    const [lately, before] = [new Date(now - 2 * DAY_MS), new Date(now - 9 * DAY_MS)];
    // At once: workers count what has ended while it is written.
    await inTransaction(engine.store.database, async (tx) => {
      for (let count = 0; count < 20; count += 1)
        await insertEnded(tx, { ...ended, finalAt: lately, tookMs: 3_000 });
      await insertEnded(tx, { ...ended, finalAt: before });
      await insertEnded(tx, { ...ended, finalAt: before, failureCode: 'PAYER_LIMIT_REACHED' });
    });
    await eventually(async () => totalOf('UGX')).toMatchObject({
      current: { completed: 20, failed: 0, completedAmount: '10000', fees: '0' },
      previous: { completed: 1, failed: 1, completedAmount: '500', p50Seconds: null, p90Seconds: null },
    });
    const { current } = await totalOf('UGX');
    expect(current.p50Seconds).toBeGreaterThan(2);
    const { providers, merchants, days } = await readOverview();
    expect(days.filter((one: Row) => one['currency'] === 'UGX')).toEqual([
      expect.objectContaining({
        at: `${dayOf(lately)}T00:00:00.000Z`,
        completed: 20,
        completedAmount: '10000',
      }),
    ]);
    expect(providers.find((one: Row) => one['currency'] === 'UGX')).toMatchObject({
      provider: 'AIRTEL_OAPI_UGA',
      current: { completed: 20 },
    });
    expect(merchants.find((one: Row) => one['currency'] === 'UGX')).toMatchObject({
      merchant: 'Kiosk',
      current: { completed: 20 },
    });
  });

  test('a day that has not passed is compared with as much of the day before', async () => {
    const { engine } = gateway;
    const facts = { by: 'test', companyName: 'Stall', operations: OPERATIONS, walletPerProvider: false };
    const merchantId = await createMerchant(engine, facts);
    const ended = { merchantId, provider: 'MTN_MOMO_ZMB', currency: 'ZMW', amount: '10', fee: '1' };
    const [from, until] = [new Date('2026-01-02T00:00:00Z'), new Date('2026-01-03T00:00:00Z')];
    await inTransaction(engine.store.database, async (tx) => {
      for (const time of ['01T09:59', '01T10:01', '02T00:00', '02T09:30'])
        await insertEnded(tx, { ...ended, finalAt: new Date(`2026-01-${time}:00Z`) });
    });
    const kwachaAt = async (now: Date) => {
      const { totals } = await readPlatformOverview(
        { ...engine, clock: clockAt(() => now) },
        { from, until },
      );
      return totals.find(({ currency }) => currency === 'ZMW');
    };
    const both = { completed: 2, completedAmount: 200_000n, fees: 20_000n };
    await eventually(() => kwachaAt(until)).toMatchObject({ current: both, previous: both });
    expect(await kwachaAt(new Date('2026-01-02T09:40:00Z'))).toMatchObject({
      current: both,
      previous: { completed: 1, completedAmount: 100_000n, fees: 10_000n },
    });
  });

  test('revenue is what merchants paid in fees', async () => {
    const { engine, merchantId } = gateway;
    const fee = { basisPoints: 100, fixed: 50_000n };
    const priced = { provider: 'MTN_MOMO_RWA', operation: 'DEPOSIT', currency: 'RWF' } as const;
    await changeFee(engine, { by: 'test', merchantId, ...priced, fee });
    await startCompleted(gateway, 'deposit', depositRequest({ amount: '1000' }));
    const revenue = { current: { fees: '15' }, previous: { fees: '0' } };
    await eventually(async () => totalOf('RWF')).toMatchObject(revenue);
    const { providers, merchants } = await readOverview();
    for (const rows of [providers, merchants]) {
      expect(rows.find((one: Row) => one['currency'] === 'RWF')).toMatchObject(revenue);
    }
  });
});
