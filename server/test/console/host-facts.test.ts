// Fees, the audit log and the state of the system, as the host's people see and set them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import { OPERATIONS } from '../../src/domain/payments/payment.ts';
import { depositRequest, eventually, select, type TestGateway } from '../gateway.ts';
import { startCompleted } from '../payments.ts';
import { confirmed, openTestConsole, signedIn, type ConsoleAnswer, type TestPerson } from './people.ts';

let gateway: TestGateway;
let admin: TestPerson;
let support: TestPerson;
let owner: TestPerson;
let other: string;

beforeAll(async () => {
  gateway = await openTestConsole({
    monitor: { intervalMs: 1_000, floatIntervalMs: 1_000, booksIntervalMs: 1_000 },
  });
  admin = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  support = await confirmed(await signedIn(gateway, 'OPERATOR_SUPPORT'));
  owner = await confirmed(await signedIn(gateway, 'OWNER'));
  const facts = { by: 'test', companyName: 'Other', operations: OPERATIONS, walletPerProvider: false };
  other = await createMerchant(gateway.engine, facts);
});
afterAll(() => gateway.stop());

const codeOf = ({ status, body }: ConsoleAnswer) => [status, body?.failureReason?.failureCode ?? null];

const url = () => `api/host/merchants/${gateway.merchantId}/fees`;

describe('fees', () => {
  const fee = {
    provider: 'MTN_MOMO_RWA',
    operation: 'DEPOSIT',
    currency: 'RWF',
    basisPoints: 150,
    fixed: '10',
  };

  test('fees are set for a provider, an operation and a currency, and charged from then on', async () => {
    expect((await admin.call('PUT', url(), fee)).status).toBe(200);
    const { body } = await support.call('GET', url());
    expect(body.rows).toEqual([fee]);
    expect(body.offers).toContainEqual({ provider: 'AIRTEL_RWA', operation: 'PAYOUT', currency: 'RWF' });
    const depositId = await startCompleted(gateway, 'deposit', depositRequest({ amount: '1000' }));
    expect(
      await select(gateway, 'select fee::text from payments where payment_id = $1', [depositId]),
    ).toEqual([{ fee: '25.0000' }]);
  });

  test('fees are not set for what no one offers, nor in units that do not exist', async () => {
    for (const changes of [
      { provider: 'NO_ONE' },
      { currency: 'EUR' },
      { fixed: '0.5' },
      { basisPoints: 10_001 },
      { basisPoints: -1 },
    ]) {
      expect(codeOf(await admin.call('PUT', url(), { ...fee, ...changes }))).toEqual([400, 'INVALID_INPUT']);
    }
  });

  test('fees are set by anyone who may, and by no one else', async () => {
    expect(codeOf(await support.call('PUT', url(), fee))).toEqual([403, 'NOT_PERMITTED']);
    expect(codeOf(await owner.call('PUT', url(), fee))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner.call('GET', url()))).toEqual([404, 'NOT_FOUND']);
  });
});

type Row = Readonly<Record<string, any>>;

const rowsOf = async (person: TestPerson, path: string): Promise<readonly Row[]> =>
  (await person.call('GET', path)).body.rows;

const fits = (row: Row, [name, value]: readonly [string, string]) => row[name] === value;

describe('the audit log', () => {
  test('the audit log is filtered by merchant, actor and act, and by all of them together', async () => {
    const all = await rowsOf(support, 'api/host/audit?limit=100');
    expect(all.length).toBeGreaterThan(5);
    const filters = [
      ['merchantId', other],
      ['actor', admin.email],
      ['act', 'PERSON_INVITED'],
    ] as const;
    for (const [name, value] of filters) {
      const found = await rowsOf(support, `api/host/audit?limit=100&${name}=${encodeURIComponent(value)}`);
      expect(found.length).toBeGreaterThan(0);
      expect(found).toEqual(all.filter((row) => fits(row, [name, value])));
    }
    const both = `merchantId=${gateway.merchantId}&act=FEE_SET&actor=${encodeURIComponent(admin.email)}`;
    expect(await rowsOf(support, `api/host/audit?${both}`)).toMatchObject([
      {
        act: 'FEE_SET',
        merchant: 'Demo Shop',
        subject: 'MTN_MOMO_RWA DEPOSIT RWF',
        detail: [
          { name: 'fixed', value: '10' },
          { name: 'basisPoints', value: '150' },
        ],
      },
    ]);
  });

  test('the audit log goes on where a page ended', async () => {
    const first = (await support.call('GET', 'api/host/audit?limit=2')).body;
    const second = (await support.call('GET', `api/host/audit?limit=2&cursor=${first.next}`)).body;
    const four = await rowsOf(support, 'api/host/audit?limit=4');
    expect([...first.rows, ...second.rows]).toEqual(four);
  });

  test("the audit log is not for a merchant's people, who have their own", async () => {
    expect(codeOf(await owner.call('GET', 'api/host/audit'))).toEqual([404, 'NOT_FOUND']);
  });

  test('the audit log tells the words of people only to anyone who may read what names people', async () => {
    const order = {
      merchantId: gateway.merchantId,
      country: 'RWA',
      currency: 'RWF',
      type: 'TOP_UP',
      amount: '1',
    };
    await admin.call('POST', 'api/host/money-requests', { ...order, reason: 'brought by Grace Uwase' });
    const asked = 'api/host/audit?act=APPROVAL_REQUESTED';
    expect(await rowsOf(admin, asked)).toMatchObject([{ reason: 'brought by Grace Uwase' }]);
    expect(await rowsOf(support, asked)).toMatchObject([{ reason: null }]);
  });
});

const health = async () => (await support.call('GET', 'api/host/health')).body;

describe('the state of the system', () => {
  test('the state of the system is told by what monitors measured last', async () => {
    await eventually(async () => (await health()).problems).toEqual([]);
    const { monitors, cell, environment } = await health();
    expect([cell, environment]).toEqual(['0001', 'sandbox']);
    expect(monitors.map(({ part }: { readonly part: string }) => part)).toEqual(['flow', 'float', 'books']);
    const names = monitors.flatMap(({ samples }: any) => samples.map(({ metric }: any) => metric));
    expect(names).toContain('malipo_currencies_unbalanced');
    expect(names).toContain('malipo_endpoint_queues_pending');
  });

  test('the state of the system says so when something that must be zero is not, or no one measures', async () => {
    await select(gateway, 'update wallets set posted = posted + 1 where posted > 0');
    const codes = async () => (await health()).problems.map(({ code }: Row) => code);
    await eventually(codes).toEqual(['WALLETS_UNBALANCED']);
    const wrong = (await health()).monitors.flatMap(({ samples }: any) =>
      samples.filter(({ isWrong }: any) => isWrong).map(({ metric }: any) => metric),
    );
    expect(wrong).toEqual(['malipo_wallets_unbalanced']);
    const idle = await openTestConsole({ role: 'api' });
    try {
      const person = await signedIn(idle, 'OPERATOR_SUPPORT');
      const { body } = await person.call('GET', 'api/host/health');
      expect(body.problems.map(({ code }: Row) => code)).toEqual(Array(3).fill('MEASUREMENT_MISSING'));
      expect(body.monitors.every(({ isStale }: any) => isStale)).toBe(true);
    } finally {
      await idle.stop();
    }
  });
});

test('what is kept for how long is told to the host', async () => {
  const { notificationDays, callbackAttemptDays } = gateway.config.retention;
  expect((await support.call('GET', 'api/host/retention')).body).toEqual({
    notificationDays,
    callbackAttemptDays,
  });
});
