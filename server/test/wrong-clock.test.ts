// Processes and databases whose clocks are wrong: what is written carries the time of its transaction, and what is
// timed is judged by it.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDemoMerchant } from '../src/commands/sandbox/demo-merchant.ts';
import { startCloses } from '../src/core/daily-close/accounts.ts';
import type { Engine } from '../src/core/engine.ts';
import { freeze } from '../src/core/limits/freeze.ts';
import { releaseDueFunds } from '../src/core/limits/wallet-holds.ts';
import { setCallbackUrl } from '../src/core/merchants/administer-merchants.ts';
import { recountLedger } from '../src/core/monitoring/recount-ledger.ts';
import { setTimeBack } from '../src/core/monitoring/set-time-back.ts';
import { sumLedger } from '../src/core/monitoring/sum-ledger.ts';
import { ClockCheck, type Compared } from '../src/core/operators/clock-check.ts';
import { initiate } from '../src/core/payments/accept/initiate.ts';
import { advance } from '../src/core/payments/process/advance.ts';
import { release } from '../src/core/payments/process/release.ts';
import { endCoolingOffs } from '../src/core/reviews/screen-payments.ts';
import { requestBankAccount } from '../src/core/settlements/bank-accounts.ts';
import { requestSettlement } from '../src/core/settlements/request-settlement.ts';
import { renderAmount } from '../src/domain/money.ts';
import { inTransaction, openDatabase, timeOfWriting } from '../src/store/database.ts';
import { listTrialBalance, listUnbalancedWallets, listWallets } from '../src/store/ledger/ledger.ts';
import { readDatabaseTimes } from '../src/store/monitoring/database-time.ts';
import { actorNamed, decideAs } from './approvals.ts';
import { checkoutRequest } from './checkouts.ts';
import { inProcessOff, nowOf } from './clocks.ts';
import { openCloseWorld } from './daily-close/close-world.ts';
import { openAccount, openToken } from './edge/accounts.ts';
import {
  call,
  depositRequest,
  eventually,
  openTestGateway,
  select,
  waitUntil,
  type TestGateway,
} from './gateway.ts';
import { beginHour, limitedMerchant, orderOf, UNIT } from './limits/limited-merchants.ts';
import { accepted, claimedNow, read, reviewedMerchant, reviewOf } from './limits/reviewed-merchants.ts';
import { start, topUp, waitForPayment } from './payments.ts';
import { withDatabase } from './lesser-roles.ts';
import { payoutRequest, refundRequest } from './requests.ts';
import { statementRequest } from './statement-files.ts';
import { tamper } from './summed-books.ts';

const HOUR_MS = 3_600_000;
const onError = (error: unknown) => {
  throw error;
};

const ahead = (engine: Engine, hours: number) => inProcessOff(engine, hours * HOUR_MS);

async function totals({ engine }: TestGateway): Promise<readonly bigint[]> {
  const sums = new Map<string, bigint>();
  for (const { currency, balance } of await listTrialBalance(engine.store.database))
    sums.set(currency, (sums.get(currency) ?? 0n) + balance);
  return [...new Set(sums.values())];
}

async function heldFrancs(engine: Engine, merchantId: string): Promise<string> {
  const wallets = await listWallets(engine.store.database, merchantId);
  return renderAmount(wallets.find(({ currency }) => currency === 'RWF')?.held ?? 0n);
}

describe('M4: a process whose clock is wrong', () => {
  describe('by twelve hours, behind', () => {
    let gateway: TestGateway;
    beforeAll(async () => {
      gateway = await openTestGateway({ timing: { enquiryDelaysMs: [HOUR_MS] } });
    });
    afterAll(() => gateway.stop());

    test('stores an answer without changing a signed day or the sums', async () => {
      const world = await openCloseWorld(gateway);
      const { engine } = gateway;
      const [first] = [world.today()];
      await world.pay(4);
      await world.sleep();
      await world.report(first, world.takeLines());
      expect(await world.sign(first)).toMatchObject({ type: 'DONE' });
      const signed = await world.read(first);
      gateway.simulator.addFault({ type: 'OUTCOME', status: 'PENDING' });
      const id = await start(gateway, 'deposit', depositRequest({ amount: '777' }));
      await waitForPayment(gateway, 'deposit', id, 'PROCESSING');
      await sumLedger(engine);

      const before = nowOf(engine);
      const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: id } as const;
      const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
      const event = { type: 'OPERATOR_ANSWERED', outcome } as const;
      const [stored] = await advance(inProcessOff(engine, -12 * HOUR_MS), [{ key, event }]);

      expect(stored?.type).toBe('MOVE');
      expect((await read(engine, key)).finalAt?.getTime()).toBeGreaterThanOrEqual(before.getTime());
      expect(await listUnbalancedWallets(engine.store.database)).toEqual([]);
      expect(await totals(gateway)).toEqual([0n]);
      expect(await recountLedger(engine)).toEqual({ changedAccountIds: [], next: null });
      const second = world.today();
      await world.sleep();
      await world.report(second, []);
      const { figures, obstacles } = await world.read(second);
      expect((await world.read(first)).figures).toEqual(signed.figures);
      expect(figures.opening).toBe(signed.figures.closing);
      expect(renderAmount(figures.closing - figures.opening)).toBe('777');
      expect(obstacles).toEqual([]);
    });
  });

  describe('ahead', () => {
    let gateway: TestGateway;
    let engine: Engine;
    beforeAll(async () => {
      gateway = await openTestGateway({ role: 'api' });
      engine = gateway.engine;
    });
    afterAll(() => gateway.stop());

    test('releases no hold of a manually completed deposit', async () => {
      const { merchantId } = gateway;
      const order = await orderOf(engine, merchantId, { kind: 'DEPOSIT' });
      await initiate(engine, [order]);
      const key = { merchantId, kind: 'DEPOSIT', paymentId: order.writtenId } as const;
      await advance(engine, [
        { key, event: { type: 'SUBMIT_CLAIMED' } },
        { key, event: { type: 'HORIZON_PASSED' } },
      ]);
      const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
      await advance(engine, [{ key, event: { type: 'ENDED_MANUALLY', outcome } }]);
      const held = await heldFrancs(engine, merchantId);
      expect(held).not.toBe('0');
      expect(await releaseDueFunds(ahead(engine, 25), { countMax: 9, onError })).toBe(0);
      expect(await heldFrancs(engine, merchantId)).toBe(held);
    });

    test('ends no cooling-off of a review', async () => {
      const rule = { rule: 'COOLING_OFF', subject: 'RWF', amountAbove: 1_000n * UNIT, hours: 24 } as const;
      const merchantId = await reviewedMerchant(engine, [rule]);
      await setCallbackUrl(engine, { by: 'Ana', merchantId, url: gateway.receiver.url });
      const payout = await accepted(engine, merchantId, { amount: 2_000n * UNIT });
      expect(await claimedNow(engine)).toEqual([]);
      expect(await endCoolingOffs(ahead(engine, 25), { countMax: 9, onError })).toBe(0);
      expect(await reviewOf(engine, payout)).toMatchObject({ status: 'HELD' });
      expect(await read(engine, payout)).toMatchObject({ held: 'REVIEW', nextAction: null });
      expect(await claimedNow(engine)).toEqual([]);
    });

    test('begins no new window of a limit', async () => {
      await beginHour(gateway);
      const merchantId = await limitedMerchant(engine, [{ countMax: 1 }]);
      const payoutBy = async (process: Engine) =>
        (await initiate(process, [await orderOf(process, merchantId)]))[0]?.type;
      expect(await payoutBy(engine)).toBe('ACCEPTED');
      expect(await payoutBy(ahead(engine, 25))).toBe('NOT_ALLOWED');
    });

    test('settles nothing in the cooling-off of a bank account', async () => {
      const { merchantId } = await openAccount(gateway, { operations: ['PAYOUT'] });
      await topUp(gateway, merchantId, '1000');
      const account = { bank: 'Bank of Kigali', holder: 'Grace Uwase', number: '00040123456789' };
      const order = { actor: actorNamed('Ana'), merchantId, currency: 'RWF', account };
      await decideAs(engine, 'Ben', (await requestBankAccount(engine, order)) ?? '');
      const place = { merchantId, country: 'RWA', currency: 'RWF', provider: '' };
      const settlement = { by: 'Ana', requestId: randomUUID(), ...place, amount: 10n * UNIT };
      expect(await requestSettlement(ahead(engine, 49), settlement)).toMatchObject({ type: 'COOLING_OFF' });
      expect(await heldFrancs(engine, merchantId)).toBe('0');
    });

    test('ends no freeze', async () => {
      const merchantId = await limitedMerchant(engine, []);
      const target = { scope: 'MERCHANT', subject: merchantId } as const;
      const expiresAt = new Date(nowOf(engine).getTime() + HOUR_MS);
      await freeze(engine, { by: 'Ana', target, reason: 'stolen', expiresAt });
      const payout = await accepted(engine, merchantId);
      expect(await claimedNow(ahead(engine, 25))).not.toContain(payout.paymentId);
      const held = await read(engine, payout);
      expect(held).toMatchObject({ state: 'ENQUEUED', nextAction: null });
      await release(ahead(engine, 25), { countMax: 9, onError });
      expect(await read(engine, payout)).toEqual(held);
    });
  });
});

/** Far more than anything is dated ahead or looks back. */
const OFF_DAYS = 10_000;

/** What is dated by more than half of that. */
async function listFarTimes(gateway: TestGateway): Promise<readonly string[]> {
  const columns = await select(
    gateway,
    `select c.table_name, c.column_name from information_schema.columns c join information_schema.tables t
       using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and data_type like 'timestamp%' order by 1, 2`,
  );
  const far: string[] = [];
  for (const { table_name: table, column_name: column } of columns) {
    const rows = await select(
      gateway,
      `select 1 from ${table} where isfinite(${column})
         and abs(extract(epoch from ${column} - clock_timestamp())) > $1 limit 1`,
      [(OFF_DAYS / 2) * 86_400],
    );
    if (rows.length > 0) far.push(`${table}.${column}`);
  }
  expect(columns.length).toBeGreaterThan(100);
  return far;
}

describe.each([
  ['ahead', OFF_DAYS],
  ['behind', -OFF_DAYS],
])('M4: a gateway whose own clock is far %s', (_, days) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    const simulator = { clock: { now: () => new Date() } };
    gateway = await openTestGateway({ backlogMs: 1e15, processOffByMs: days * 86_400_000, simulator });
  });
  afterAll(() => gateway.stop());

  test('leaves no time of its own in any table', async () => {
    const { engine, merchantId } = gateway;
    const depositId = await start(gateway, 'deposit', depositRequest());
    const payoutId = await start(gateway, 'payout', payoutRequest());
    const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
    for (const [kind, paymentId] of [
      ['DEPOSIT', depositId],
      ['PAYOUT', payoutId],
    ] as const) {
      const key = { merchantId, kind, paymentId };
      await waitUntil(async () => {
        const event = { type: 'OPERATOR_ANSWERED', outcome } as const;
        await advance(engine, [
          { key, event: { type: 'SUBMIT_CLAIMED' } },
          { key, event: { ...event, outcome: { ...outcome, providerTransactionId: paymentId } } },
        ]);
        return (await read(engine, key)).state === 'COMPLETED';
      });
    }
    await start(gateway, 'refund', refundRequest(depositId));
    await call(gateway, 'POST', '/v2/checkouts', checkoutRequest());
    await call(gateway, 'POST', '/v2/statements', statementRequest());
    await freeze(engine, {
      by: 'Ana',
      target: { scope: 'PROVIDER', subject: 'AIRTEL_RWA' },
      reason: 'stolen',
      expiresAt: null,
    });
    await limitedMerchant(engine, [{ countMax: 1 }]);
    await reviewedMerchant(engine, [{ rule: 'COOLING_OFF', subject: 'RWF', amountAbove: UNIT, hours: 24 }]);
    await openToken(gateway, merchantId);
    const account = { bank: 'Bank of Kigali', holder: 'Grace Uwase', number: '00040123456789' };
    const bank = { actor: actorNamed('Ana'), merchantId, currency: 'RWF', account };
    await decideAs(engine, 'Ben', (await requestBankAccount(engine, bank)) ?? '');
    const world = { by: 'Ana', provider: 'MTN_MOMO_RWA', currency: 'RWF', timeZone: null, dueHours: 36 };
    await startCloses(engine, { ...world, firstDay: '2026-01-01' });
    await engine.riskLog.flush(engine.store.database);
    await waitUntil(async () => {
      const written = await select(
        gateway,
        // By a clock that is behind no callback is due.
        `select ${days < 0 ? '1' : '(select count(*) from callback_attempts)::int'} as calls,
           (select count(*) from audit_chain)::int as links,
           (select count(*) from monitor_readings where measured_at is not null)::int as readings,
           (select count(*) from merchant_events)::int as events, (select count(*) from payment_hours)::int as hours`,
      );
      return Object.values(written[0]!).every((count) => count > 0);
    });
    expect(await listFarTimes(gateway)).toEqual([]);
  });
});

describe('M4: a database whose clock is behind what is summed up', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await openTestGateway({ role: 'api' });
  });
  afterAll(() => gateway.stop());

  async function summedUntil(): Promise<Date> {
    const [row] = await select(gateway, 'select max(summed_until) as until from ledger_progress');
    return row!['until'];
  }

  test('writes nothing before that, and its books stay balanced', async () => {
    const { engine } = gateway;
    const { database } = engine.store;
    const key = await accepted(engine, gateway.merchantId, { kind: 'DEPOSIT' });
    await advance(engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
    await gateway.gateway.movableClock!.move(24 * HOUR_MS);
    await sumLedger(engine);
    const until = await summedUntil();
    await gateway.gateway.movableClock!.move(-6 * HOUR_MS);

    const [first] = await select(gateway, 'select max(created_at) as at from transfers');
    const times = await inTransaction(database, async (tx) => [
      await timeOfWriting(tx),
      await timeOfWriting(tx),
    ]);
    expect(times).toEqual([until, until]);
    // Nothing is claimed while time stands still.
    const late = await accepted(engine, gateway.merchantId, { kind: 'DEPOSIT' });
    await advance(engine, [{ key: late, event: { type: 'SUBMIT_CLAIMED' } }]);
    expect(await read(engine, late)).toMatchObject({ state: 'ACCEPTED', createdAt: until });
    const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
    await advance(engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);

    expect(await read(engine, key)).toMatchObject({ state: 'COMPLETED', finalAt: until });
    const written = await select(
      gateway,
      'select distinct created_at as at from transfers where created_at > $1',
      [first!['at']],
    );
    expect(written).toEqual([{ at: until }]);
    await sumLedger(engine);
    expect(await summedUntil()).toEqual(until);
    expect(await listUnbalancedWallets(database)).toEqual([]);
    expect(await totals(gateway)).toEqual([0n]);

    await gateway.gateway.movableClock!.move(12 * HOUR_MS);
    await sumLedger(engine);
    expect((await summedUntil()).getTime()).toBeGreaterThan(until.getTime());
    expect(await listUnbalancedWallets(database)).toEqual([]);
    expect(await totals(gateway)).toEqual([0n]);
    expect(await recountLedger(engine)).toEqual({ changedAccountIds: [], next: null });
  });
});

describe('O3: a clock that was set ahead and is right again', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await openTestGateway({ role: 'api', environment: 'production' });
  });
  afterEach(() => gateway.stop());

  /** As the clock of the server that the database and all processes share. */
  const setClock = (by: string) =>
    select(
      gateway,
      `create or replace function time_shift() returns interval language sql stable as $$ select interval '${by}' $$`,
    );

  async function ready(): Promise<unknown> {
    const answer = await fetch(`${gateway.url}/ready`);
    return { status: answer.status, body: await answer.json() };
  }

  const AHEAD = { status: 503, body: { status: 'NOT_READY', reason: 'TIME_AHEAD' } };
  const READY = { status: 200, body: { status: 'READY' } };

  async function aheadMs(): Promise<number> {
    const { real, writing } = await readDatabaseTimes(gateway.engine.store.database);
    return writing.getTime() - real.getTime();
  }

  test('O3: a process that runs while the clock jumps ahead sums up nothing by it, and time does not stand in the future afterwards', async () => {
    const { engine, merchantId } = gateway;
    expect(await engine.clockCheck.agrees(engine.store.database)).toBe(true);
    await topUp(gateway, merchantId, '5');
    await setClock('10 years');
    await topUp(gateway, merchantId, '5');
    await sumLedger(engine);
    expect(engine.clockCheck.isAhead).toBe(true);
    expect(await select(gateway, 'select 1 from ledger_progress')).toEqual([]);
    await eventually(ready).toEqual(AHEAD);
    await setClock('0');
    expect(Math.abs(await aheadMs())).toBeLessThan(1_000);
    await eventually(ready).toEqual(READY);
    await sumLedger(engine);
    expect(await listUnbalancedWallets(engine.store.database)).toEqual([]);
  });

  test('O3: where a clock carried the sums ahead, no process claims, sends or is ready, and each says so', async () => {
    const { engine, merchantId } = gateway;
    await topUp(gateway, merchantId, '5');
    await setClock('2 days');
    await topUp(gateway, merchantId, '5');
    // It was started when the clock was wrong.
    await sumLedger(engine);
    await setClock('0');
    expect(await aheadMs()).toBeGreaterThan(24 * HOUR_MS);
    await eventually(ready).toEqual(AHEAD);
    const compared: Compared[] = [];
    const realClock = { now: () => new Date() };
    const clockCheck = new ClockCheck({ realClock, onCompared: (one) => void compared.push(one) });
    expect(await clockCheck.agrees(engine.store.database)).toBe(false);
    expect(compared[0]!.aheadMs).toBeGreaterThan(24 * HOUR_MS);
    expect(engine.clockCheck.isOff).toBe(true);
  });
});

describe('the time of a ledger that a clock carried ahead', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await openTestGateway({ role: 'api' });
  });
  afterEach(() => gateway.stop());

  const move = (days: number) => gateway.gateway.movableClock!.move(days * 24 * HOUR_MS);

  async function aheadMs(): Promise<number> {
    const { shown, writing } = await readDatabaseTimes(gateway.engine.store.database);
    return writing.getTime() - shown.getTime();
  }

  const isReady = async () => (await fetch(`${gateway.url}/ready`)).status;

  /** As the database was when the clock of its server had been ahead while a worker summed up. */
  async function carryAway(days: number, merchantId = gateway.merchantId): Promise<void> {
    await topUp(gateway, merchantId, '5000');
    await move(days);
    await topUp(gateway, merchantId, '300');
    await sumLedger(gateway.engine);
    await move(-days);
  }

  const books = async () => {
    const rows = await listTrialBalance(gateway.engine.store.database);
    return rows.map(({ type, balance }) => `${type} ${balance}`).toSorted();
  };

  /** As the owner of the tables. */
  const setBack = async (options: { readonly isConfirmed: boolean; readonly rightTime?: Date }) => {
    const { engine } = gateway;
    const owner = openDatabase({ url: gateway.databaseUrl, connectionsMax: 1, applicationName: 'owner' });
    try {
      const processTime = new Date();
      const order = { by: 'Ana', rightTime: processTime, processTime, ...options };
      return await setTimeBack(withDatabase(engine, owner), order);
    } finally {
      await owner.end();
    }
  };

  test.each([2, 90])(
    'is set back by a person where the sums went %i days ahead, and every balance stays as it is',
    async (days) => {
      const { engine } = gateway;
      const { database } = engine.store;
      const { merchantId } = await createDemoMerchant(engine, null);
      await carryAway(days, merchantId);
      // What is written now has the time of the future: a payout holds its amount.
      const key = await accepted(engine, merchantId, { kind: 'PAYOUT' });
      await eventually(isReady).toBe(503);
      const before = await books();
      const early = new Date(Date.now() - 600_000);
      expect(await setBack({ isConfirmed: true, rightTime: early })).toMatchObject({ type: 'CLOCK_WRONG' });
      const shown = await setBack({ isConfirmed: false });
      expect(shown).toMatchObject({ type: 'SHOWN' });
      expect('transferCount' in shown ? shown.transferCount : 0).toBeGreaterThan(1);
      await eventually(isReady).toBe(503);
      const written =
        'select subject_id, created_at, amount, state from transfers order by subject_id, leg_no';
      const transfers = await select(gateway, written);

      expect(await setBack({ isConfirmed: true })).toMatchObject({ type: 'DONE' });
      expect(await select(gateway, written)).toEqual(transfers);
      expect(Math.abs(await aheadMs())).toBeLessThan(1_000);
      await eventually(isReady).toBe(200);
      expect(await books()).toEqual(before);
      expect(await listUnbalancedWallets(database)).toEqual([]);
      expect(await setBack({ isConfirmed: true })).toEqual({ type: 'NOT_AHEAD' });
      const noted = `select actor from audit_log where act = 'TIME_SET_BACK'`;
      expect(await select(gateway, noted)).toEqual([{ actor: 'Ana' }]);

      // The payout is due now, and ends by the right time: before the time that its hold is dated with.
      expect(await claimedNow(engine)).toContain(key.paymentId);
      const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
      await advance(engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
      expect(await read(engine, key)).toMatchObject({ state: 'COMPLETED' });
      await topUp(gateway, merchantId, '7');
      const after = await books();
      // Time reaches what is right, and much later what was dated ahead: each is summed up once.
      for (const later of [1, 90]) {
        await move(later);
        const clockCheck = new ClockCheck({
          realClock: { now: () => new Date() },
          onCompared: () => undefined,
        });
        await sumLedger(Object.create(engine, { clockCheck: { value: clockCheck } }));
        expect(await books()).toEqual(after);
        expect(await listUnbalancedWallets(database)).toEqual([]);
        expect(await recountLedger(engine)).toEqual({ changedAccountIds: [], next: null });
      }
    },
  );

  test('is not set back while a day that is not over is signed', async () => {
    await carryAway(2);
    await tamper(
      { url: gateway.databaseUrl },
      `insert into day_closes (close_id, provider, currency, day, status, figures, content_hash, begins_at, ends_at,
         lines_through, bank_lines_through, lines_digest, movements_digest, file_ids,
         made_at, closed_at)
       values (gen_random_uuid(), 'MTN_MOMO_RWA', 'RWF', '2099-01-01', 'CLOSED', '{}', 'x', now(),
         now() + interval '1 day', 0, 0, 'x', '', '{}', now(), now())`,
    );
    expect(await setBack({ isConfirmed: true })).toEqual({
      type: 'DAYS_SIGNED',
      days: [{ provider: 'MTN_MOMO_RWA', currency: 'RWF', day: '2099-01-01' }],
    });
    expect(await aheadMs()).toBeGreaterThan(24 * HOUR_MS);
  });
});
