// M1. What follows from a payment's change never keeps the change from being recorded: a hold, a risk event, a callback
// or a count that cannot be written is noted, shown as a problem, and made later. A trigger on each table plays the
// reason why it cannot be written.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advance } from '../src/core/payments/process/advance.ts';
import { measureFlow } from '../src/core/monitoring/measure-flow.ts';
import { referenceFor } from '../src/core/operators/reference.ts';
import { importReport } from '../src/core/reconciliation/import-report.ts';
import { beginRecovery } from '../src/core/recovery/recover.ts';
import { readTrialBalance } from '../src/core/ledger/read-ledger.ts';
import { readCases } from '../src/core/reconciliation/resolve-cases.ts';
import type { PaymentEvent } from '../src/domain/payments/lifecycle.ts';
import type { PaymentKey } from '../src/domain/payments/payment.ts';
import { listUnbalancedWallets } from '../src/store/ledger/ledger.ts';
import { listFollowUpsOf } from '../src/store/payments/missing-follow-ups.ts';
import { attempt, checkoutRequest, waitForCheckout } from './checkouts.ts';
import { call, depositRequest, eventually, openTestGateway, select, type TestGateway } from './gateway.ts';
import { countersOf, setLimits } from './limits/limited-merchants.ts';
import { callbacksAbout, start, startCompleted, topUp, waitForPayment } from './payments.ts';
import { whileRefused } from './refused-writes.ts';
import { payoutRequest, wallet } from './requests.ts';

const REVERSED = {
  type: 'OPERATOR_ANSWERED',
  outcome: { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' },
} as const;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ timing: { enquiryDelaysMs: [3_600_000] } });
  await topUp(gateway, gateway.merchantId, '100000');
});
afterAll(() => gateway.stop());

const keyOf = (kind: PaymentKey['kind'], paymentId: string): PaymentKey => ({
  merchantId: gateway.merchantId,
  kind,
  paymentId,
});

async function tell(key: PaymentKey, event: PaymentEvent) {
  const [answer] = await advance(gateway.engine, [{ key, event }]);
  return answer?.type;
}

const missing = async (key: PaymentKey) =>
  (await listFollowUpsOf(gateway.engine.store.database, key)).map(({ type, error }) => ({ type, error }));

/** What a trigger of this test answers. */
const REFUSED = '23514';

/** A minute later the worker tries again. */
async function waitForMaking(key: PaymentKey) {
  await gateway.gateway.movableClock!.move(61_000);
  await eventually(() => missing(key)).toEqual([]);
}

const heldFor = ({ paymentId }: PaymentKey) =>
  select(gateway, 'select amount::text from wallet_holds where payment_id = $1', [paymentId]);

const countRiskEvents = async () => {
  const rows = await select(
    gateway,
    `select coalesce(sum(event_count), 0)::int as count from risk_events where event = 'FUNDS_HELD'`,
  );
  return rows[0]!['count'] as number;
};

const measure = async () => {
  const samples = await measureFlow(gateway.engine, null);
  return samples.find(({ metric }) => metric === 'malipo_follow_ups_missing')?.value;
};

const complete = (amount: string) => startCompleted(gateway, 'deposit', depositRequest({ amount }));

describe('M1: a follow-up that cannot be written', () => {
  test('leaves a reversal recorded and owed without its hold, and the worker makes the hold later', async () => {
    const key = keyOf('DEPOSIT', await complete('500'));
    expect(
      await whileRefused(gateway, { table: 'wallet_holds', operation: 'insert' }, () => tell(key, REVERSED)),
    ).toBe('CONTRADICTION');
    const cases = await readCases(gateway.engine, { onlyOpen: true });
    expect(cases.filter(({ paymentId }) => paymentId === key.paymentId)).toHaveLength(1);
    expect(await heldFor(key)).toEqual([]);
    expect(await missing(key)).toEqual([{ type: 'HOLD', error: REFUSED }]);
    expect(await measure()).toBe(1);
    await waitForMaking(key);
    expect(await heldFor(key)).toEqual([{ amount: '500.0000' }]);
    expect(await measure()).toBe(0);
  });

  test('leaves the follow-ups of other payments in the batch as they are', async () => {
    const [one, other] = [await complete('300'), await complete('301')].map((id) => keyOf('DEPOSIT', id));
    const reverse = () =>
      advance(
        gateway.engine,
        [one!, other!].map((key) => ({ key, event: REVERSED })),
      );
    await whileRefused(
      gateway,
      { table: 'wallet_holds', operation: 'insert', when: 'new.amount = 300' },
      reverse,
    );
    expect(await heldFor(one!)).toEqual([]);
    expect(await heldFor(other!)).toEqual([{ amount: '301.0000' }]);
    await waitForMaking(one!);
    // Held, or paid already by what other holds have left.
    const uncovered = `select greatest(0, sum(d.amount - d.paid - d.forgiven) - coalesce((
        select sum(h.amount) from wallet_holds h where h.payment_id = $1), 0))::int as uncovered
      from payment_keys k join wallet_debts d on d.subject_id = k.payment_no where k.payment_id = $1`;
    expect(await select(gateway, uncovered, [one!.paymentId])).toEqual([{ uncovered: 0 }]);
  });

  test('leaves the hold as it is where only its risk event cannot be written, which is written later', async () => {
    const key = keyOf('DEPOSIT', await complete('400'));
    const before = await countRiskEvents();
    expect(
      await whileRefused(gateway, { table: 'risk_events', operation: 'insert' }, () => tell(key, REVERSED)),
    ).toBe('CONTRADICTION');
    expect(await heldFor(key)).toHaveLength(1);
    expect(await missing(key)).toEqual([]);
    await eventually(countRiskEvents).toBe(before + 1);
  });

  test('leaves a payment ended without its callback, which the merchant gets later', async () => {
    const id = await whileRefused(gateway, { table: 'callbacks', operation: 'insert' }, () =>
      complete('200'),
    );
    const key = keyOf('DEPOSIT', id);
    expect(await missing(key)).toEqual([{ type: 'CALLBACK', error: REFUSED }]);
    expect(callbacksAbout(gateway, 'deposit', id)).toEqual([]);
    await waitForMaking(key);
    await eventually(() => callbacksAbout(gateway, 'deposit', id)).toMatchObject([{ status: 'COMPLETED' }]);
  });

  test('leaves a payout failed and its money free, and its limit gets the count back later', async () => {
    const { merchantId } = gateway;
    await setLimits(gateway.engine, merchantId, [{ countMax: 5 }]);
    const used = async () => (await countersOf(gateway.engine, merchantId)).map(({ count }) => count);
    const request = payoutRequest({ recipient: wallet('MTN_MOMO_RWA', '250783456089') });
    const id = await whileRefused(gateway, { table: 'limit_counters', operation: 'update' }, async () => {
      const started = await start(gateway, 'payout', request);
      await waitForPayment(gateway, 'payout', started, 'FAILED');
      return started;
    });
    const key = keyOf('PAYOUT', id);
    expect(await missing(key)).toEqual([{ type: 'LIMITS', error: REFUSED }]);
    expect(await used()).toEqual([1]);
    await waitForMaking(key);
    expect(await used()).toEqual([0]);
  });

  test('leaves the late success of a payout recorded, and its limit counts it later', async () => {
    const { merchantId } = gateway;
    await setLimits(gateway.engine, merchantId, [{ countMax: 5 }]);
    const used = async () => (await countersOf(gateway.engine, merchantId)).map(({ count }) => count);
    const before = await used();
    const request = payoutRequest({ recipient: wallet('MTN_MOMO_RWA', '250783456089') });
    const key = keyOf('PAYOUT', await start(gateway, 'payout', request));
    await waitForPayment(gateway, 'payout', key.paymentId, 'FAILED');
    expect(await used()).toEqual(before);
    const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
    const paid = () => tell(key, { type: 'OPERATOR_ANSWERED', outcome });
    expect(await whileRefused(gateway, { table: 'limit_counters', operation: 'insert' }, paid)).toBe(
      'CONTRADICTION',
    );
    expect(await missing(key)).toEqual([{ type: 'LIMITS', error: REFUSED }]);
    expect(await used()).toEqual(before);
    await waitForMaking(key);
    expect(await used()).toEqual(before.map((count) => count + 1));
  });

  test('leaves a collection completed, and its split payment is paid out later', async () => {
    const [splitPaymentId, payoutId] = [randomUUID(), randomUUID()];
    const recipient = wallet('MTN_MOMO_RWA', '250783456789');
    const splits = [{ payoutId, amount: '60', recipient }];
    const split = { splitPaymentId, amount: '100', currency: 'RWF', payer: recipient, splits };
    const key = keyOf('DEPOSIT', splitPaymentId);
    const collect = async () => {
      const { body } = await call(gateway, 'POST', '/v2/split-payments', split);
      expect(body).toMatchObject({ status: 'ACCEPTED' });
      await waitForPayment(gateway, 'deposit', splitPaymentId, 'COMPLETED');
    };
    await whileRefused(
      gateway,
      { table: 'payments', operation: 'insert', when: `new.kind = 'PAYOUT'` },
      collect,
    );
    expect(await missing(key)).toEqual([{ type: 'SPLIT_PAYMENT', error: REFUSED }]);
    await waitForMaking(key);
    await waitForPayment(gateway, 'payout', payoutId, 'COMPLETED');
  });

  test('leaves an attempt ended, and its checkout ends later', async () => {
    const { checkoutId } = (
      await call(
        gateway,
        'POST',
        '/v2/checkouts',
        checkoutRequest({ amounts: [{ country: 'RWA', currency: 'RWF', amount: '100' }] }),
      )
    ).body;
    const pay = async () => {
      expect(await attempt(gateway, { checkoutId, attemptNo: 1 })).toMatchObject({ type: 'ACCEPTED' });
      const [row] = await select(gateway, 'select payment_id from payments where checkout_id = $1', [
        checkoutId,
      ]);
      const id = row!['payment_id'] as string;
      await waitForPayment(gateway, 'deposit', id, 'COMPLETED');
      return id;
    };
    const depositId = await whileRefused(
      gateway,
      { table: 'checkouts', operation: 'update', when: `new.status = 'COMPLETED'` },
      pay,
    );
    const key = keyOf('DEPOSIT', depositId);
    expect(await missing(key)).toEqual([{ type: 'CHECKOUT', error: REFUSED }]);
    await waitForMaking(key);
    await waitForCheckout(gateway, checkoutId, 'COMPLETED');
  });

  test('leaves the books balanced whatever was missing', async () => {
    expect(await listUnbalancedWallets(gateway.engine.store.database)).toEqual([]);
    const { unbalancedCurrencies } = await readTrialBalance(gateway.engine, { isAgain: true });
    expect(unbalancedCurrencies).toEqual([]);
  });
});

describe('M1: a report that names payments which a restore lost', () => {
  test('posts all of them but the one that cannot be posted, which is a problem until it is', async () => {
    const { engine, merchantId } = gateway;
    await beginRecovery(engine, { by: 'Ana', lostFrom: new Date('2026-01-01T00:00:00Z') });
    const amounts = [100_000n, 110_000n, 120_000n];
    const lines = amounts.map((amount) => {
      const key = { merchantId, kind: 'DEPOSIT', paymentId: randomUUID() } as const;
      const { referenceKey, home } = engine;
      return {
        occurredAt: new Date(engine.clock.now().getTime() - 60_000),
        direction: 'IN',
        status: 'COMPLETED',
        amount,
        currency: 'RWF',
        reference: referenceFor(referenceKey, { key, attemptNo: 1, home, shape: 'TOKEN' }),
      } as const;
    });
    async function* batches() {
      yield lines.map((line, index) => ({ lineNo: index + 2, line }));
    }
    const importFile = async (fileNo: number) =>
      importReport(engine, {
        by: 'Ana',
        secondApprover: 'OPTIONAL',
        provider: 'MTN_MOMO_RWA',
        fileHash: Buffer.alloc(32, fileNo),
        period: null,
        batches,
        onError: (error) => {
          throw error;
        },
      });
    const posted = async () => {
      const rows = await select(
        gateway,
        'select trim_scale(amount)::text as amount from unmatched_payments where posted_at is not null order by 1',
      );
      return rows.map(({ amount }) => amount as string);
    };
    await whileRefused(gateway, { table: 'transfers', operation: 'insert', when: 'new.amount = 11' }, () =>
      importFile(1),
    );
    expect(await posted()).toEqual(['10', '12']);
    expect(await measure()).toBe(1);
    await importFile(2);
    expect(await posted()).toEqual(['10', '11', '12']);
    expect(await measure()).toBe(0);
  });
});
