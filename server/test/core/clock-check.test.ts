// What a process does whose clock differs from the database's.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClockCheck } from '../../src/commands/serve/clock.ts';
import { CONNECTOR_NAMES } from '../../src/connectors/registry.ts';
import { factsOf } from '../../src/connectors/port.ts';
import { CALLBACKS_WITHIN_MS } from '../../src/connectors/timing.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import { CLOCK_DIFFERENCE_MAX_MS, ClockCheck } from '../../src/core/operators/clock-check.ts';
import { enquire, readEnquiries, takeEnquiries } from '../../src/core/payments/process/enquire.ts';
import type { Engine } from '../../src/core/engine.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import { permissionFor } from '../../src/core/operators/operator-calls.ts';
import { readRecovery } from '../../src/core/recovery/recover.ts';
import { claimSubmits } from '../../src/core/payments/process/submit.ts';
import { PAYMENT_KINDS, type PaymentKey } from '../../src/domain/payments/payment.ts';
import { listLatestAttempts } from '../../src/store/payments/attempts.ts';
import type { Tx } from '../../src/store/database.ts';
import { listPayments } from '../../src/store/payments/payments.ts';
import { addMs } from '../../src/domain/time.ts';
import type { EngineClock } from '../../src/core/engine.ts';
import { runCommand } from '../command-process.ts';
import { eventually, openTestGateway, type TestGateway } from '../gateway.ts';
import { start } from '../payments.ts';
import { payoutRequest } from '../requests.ts';
import { serverEnvironment, startServerProcess } from '../server-process.ts';

const NODE_OPTIONS = `--import ${new URL('../../../drills/kit/skewed-clock.mjs', import.meta.url).href}`;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

/** The same process with a clock that is wrong, in real time and in the time of payments. */
function withClockOffBy(byMs: number, basis: Engine = gateway.engine): Engine {
  const shifted = (clock: EngineClock) => ({ ...clock, now: () => addMs(clock.now(), byMs) });
  const wallClock = shifted(basis.wallClock);
  const realClock = { now: () => new Date(wallClock.now().getTime()) };
  const clockCheck = new ClockCheck({ realClock, onCompared: () => undefined });
  return { ...basis, clock: shifted(basis.clock), wallClock, clockCheck };
}

async function accepted(): Promise<PaymentKey> {
  const { engine, merchantId } = gateway;
  const paymentId = randomUUID();
  const merchant = (await engine.directory.merchant(merchantId))!;
  const kind = 'PAYOUT';
  const [answer] = await initiate(engine, [
    {
      paymentNo: randomUUID(),
      merchant,
      apiVersion: 'v2',
      writtenId: paymentId,
      kind,
      amount: 1_000_000n,
      amountText: '100',
      currency: 'RWF',
      provider: 'MTN_MOMO_RWA',
      details: { phoneNumber: '250783456789' },
    },
  ]);
  expect(answer!.type).toBe('ACCEPTED');
  return { merchantId, kind, paymentId };
}

async function read(key: PaymentKey) {
  const { database, keyring } = gateway.engine.store;
  const [payment] = await listPayments(database, keyring, [key]);
  const [attempt] = await listLatestAttempts(database, [key]);
  return { payment: payment!, attempt };
}

describe('A4: a process whose clock differs from the database', () => {
  test('a worker whose clock is 65 s behind sends nothing, says so, and goes on when its clock is right', async () => {
    const worker = await startServerProcess(gateway, 'worker', {
      NODE_OPTIONS,
      CLOCK_SKEW_MS: '-65000',
    });
    try {
      const ready = async () => {
        const answer = await fetch(`${worker.url}/ready`);
        return { status: answer.status, body: await answer.json() };
      };
      const difference = async () => {
        const text = await (await fetch(`${worker.url}/metrics`)).text();
        return Number(/^malipo_clock_difference_seconds (.+)$/m.exec(text)?.[1]);
      };
      const paymentId = await start(gateway, 'payout', payoutRequest());
      const key = { merchantId: gateway.merchantId, kind: 'PAYOUT', paymentId } as const;
      // Its clock is behind, so that the step is due for it only later: it is due for everybody then.
      const { database } = gateway.engine.store;
      await database.query("update payments set next_action_at = created_at - interval '2 minutes'");
      await eventually(ready).toEqual({
        status: 503,
        body: { status: 'NOT_READY', reason: 'CLOCK_DIFFERS' },
      });
      await eventually(worker.output).toContain(
        "the difference to the database's clock, or how far its time is ahead, crossed its limit",
      );
      await sleep(1_500);
      expect((await read(key)).payment.state).toBe('ACCEPTED');
      expect((await read(key)).attempt).toBeUndefined();
      expect(Math.abs((await difference()) + 65)).toBeLessThan(2);

      worker.signal();
      await eventually(async () => (await read(key)).payment.state).toBe('COMPLETED');
      await eventually(ready).toEqual({ status: 200, body: { status: 'READY' } });
      expect(Math.abs(await difference())).toBeLessThan(2);

      worker.signal();
      await eventually(ready).toMatchObject({ status: 503 });
    } finally {
      await worker.terminate();
    }
  });

  test.each([-65_000, -3_000, 3_000, 65_000])(
    'A4: a process whose clock differs from the database claims nothing when its clock is off by %i ms',
    async (byMs) => {
      const key = await accepted();
      await gateway.engine.store.database.query(
        "update payments set next_action_at = created_at - interval '2 minutes' where payment_id = $1",
        [key.paymentId],
      );
      const off = withClockOffBy(byMs);
      expect((await claimSubmits(off, { countMax: 10 })).claimed).toEqual([]);
      const [alone] = await advance(off, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
      expect(alone!.type).toBe('NOTHING');
      expect(await read(key)).toMatchObject({ payment: { state: 'ACCEPTED' }, attempt: undefined });
      const { claimed } = await claimSubmits(gateway.engine, { countMax: 10 });
      expect(claimed.map(({ payment }) => payment.paymentId)).toEqual([key.paymentId]);
    },
  );

  test('A4: a process whose clock differs from the database claims when its clock is off by less than 2 s, because "not found" waits longer than that', async () => {
    const key = await accepted();
    for (const byMs of [-1_200, 1_200]) {
      const { clockCheck, store } = withClockOffBy(byMs);
      expect(await clockCheck.agrees(store.database)).toBe(true);
    }
    const { claimed } = await claimSubmits(withClockOffBy(1_200), { countMax: 10 });
    expect(claimed.map(({ payment }) => payment.paymentId)).toEqual([key.paymentId]);
  });

  test('A4: a process whose clock differs from the database subtracts half the round trip, so that a slow answer is not taken for a difference', async () => {
    const { database } = gateway.engine.store;
    const slow: Tx = {
      query: async (text, values) => {
        await sleep(900);
        const answer = await database.query(text, values as unknown[]);
        await sleep(900);
        return answer as never;
      },
    };
    // 1.2 s of difference and 0.9 s on the way back are more than 2 s.
    const { clockCheck } = withClockOffBy(1_200);
    expect(await clockCheck.agrees(slow)).toBe(true);
    expect(await withClockOffBy(3_500).clockCheck.agrees(slow)).toBe(false);
  });

  test('A4: a process whose clock differs from the database is not stopped by the shift of a sandbox, which moves the time of payments only', async () => {
    const key = await accepted();
    await gateway.gateway.movableClock!.move(3_600_000);
    const { claimed } = await claimSubmits(gateway.engine, { countMax: 10 });
    expect(claimed.map(({ payment }) => payment.paymentId)).toEqual([key.paymentId]);
  });

  test('A4: a process whose clock differs from the database asks no operator, and what it asked before proves nothing', async () => {
    const key = await accepted();
    await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
    const { payment, attempt } = await read(key);
    const ahead = withClockOffBy(65_000);
    expect(await takeEnquiries(ahead, { countMax: 10, leaseMs: 1_000 })).toEqual([]);
    // By the right clock the attempt may still be sent; by the clock ahead "not found" would be proof.
    expect(permissionFor(gateway.engine, attempt!).isOpen()).toBe(true);
    const [due] = await readEnquiries(ahead, [{ key, lease: payment.nextActionAt! }]);
    expect(await enquire(ahead, due!)).toEqual({ advances: [], resubmits: false });
    const later = await enquire(gateway.engine, due!);
    expect(later.advances.map(({ event }) => event)).toEqual([
      { type: 'OPERATOR_ANSWERED', outcome: { type: 'NOT_SEEN' } },
    ]);
  });

  test('A4: a process whose clock differs from the database may not claim a second send either', async () => {
    const key = await accepted();
    await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
    const again = { key, event: { type: 'RESUBMIT_CLAIMED', sendCount: 1 } } as const;
    expect((await advance(withClockOffBy(-65_000), [again]))[0]!.type).toBe('NOTHING');
    expect((await read(key)).attempt!.sendCount).toBe(1);
  });

  test('A4: a process whose clock differs from the database loses the permission to send that it had, from the comparison on that finds the difference', async () => {
    const key = await accepted();
    await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
    let byMs = 0;
    const realClock = { now: () => new Date(Date.now() + byMs) };
    const clockCheck = new ClockCheck({ realClock, onCompared: () => undefined });
    const engine = { ...gateway.engine, clockCheck };
    expect(await clockCheck.agrees(engine.store.database)).toBe(true);
    const permission = permissionFor(engine, (await read(key)).attempt!);
    expect(permission.isOpen()).toBe(true);
    byMs = 65_000;
    await clockCheck.agrees(engine.store.database);
    expect(permission.isOpen()).toBe(false);
  });

  test('A4: a process whose clock differs from the database may not begin a recovery, which divides payments by the time it begins', async () => {
    const environment = { ...serverEnvironment(gateway), NODE_OPTIONS, CLOCK_SKEW_MS: '-65000' };
    const lostFrom = new Date(Date.now() - 600_000).toISOString();
    const { code, errors } = await runCommand(environment, [
      'recovery',
      'begin',
      '--lost-from',
      lostFrom,
      '--by',
      'Ana',
    ]);
    expect(errors).toContain("The clock of this machine differs from the database's");
    expect(code).toBe(1);
    expect(await readRecovery(gateway.engine)).toBe(null);
  });

  test('A4: a process whose clock differs from the database tells metrics of every comparison, and the log only when the limit is crossed', async () => {
    const seconds: number[] = [];
    const logged: unknown[] = [];
    const observer = { clockCompared: (one: number) => void seconds.push(one) };
    const clockCheck = createClockCheck(observer, { error: (...told: unknown[]) => void logged.push(told) });
    await clockCheck.agrees(gateway.engine.store.database);
    await clockCheck.agrees(gateway.engine.store.database);
    expect(seconds.length).toBe(2);
    expect(Math.max(...seconds.map(Math.abs))).toBeLessThan(1);
    expect(logged).toEqual([]);
  });
});

describe('A4: every connector', () => {
  test('A4: every connector takes "not found" for proof only after two clocks that each differ by the limit can no longer matter', () => {
    const { connectors } = gateway.engine;
    expect([...connectors.keys()].toSorted()).toEqual(CONNECTOR_NAMES.toSorted());
    for (const connector of connectors.values()) {
      for (const kind of PAYMENT_KINDS) {
        const { sendDeadlineMs, timeoutMs, notSeenAfterMs } = factsOf(connector, kind).timing;
        const leftMs = notSeenAfterMs - sendDeadlineMs - timeoutMs;
        expect(leftMs, `${connector.name} ${kind}`).toBeGreaterThanOrEqual(2 * CLOCK_DIFFERENCE_MAX_MS);
      }
    }
  });

  test('every connector has its callbacks before operators are no longer heard after a denial of the keys', () => {
    for (const connector of gateway.engine.connectors.values()) {
      for (const kind of PAYMENT_KINDS) {
        const { sendDeadlineMs, timeoutMs, approvalMs = 0, notSeenAfterMs } = factsOf(connector, kind).timing;
        const longestMs = Math.max(sendDeadlineMs + timeoutMs + approvalMs, notSeenAfterMs);
        expect(longestMs, `${connector.name} ${kind}`).toBeLessThan(CALLBACKS_WITHIN_MS);
      }
    }
  });
});
