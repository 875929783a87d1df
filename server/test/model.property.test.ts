// Random lives of a merchant's money against a real database, compared with a model small enough to be read at once.
// The model knows nothing of the code: what must come out is told a second time, in other words.
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMerchant } from '../src/core/merchants/administer-merchants.ts';
import { topUpWallets } from '../src/core/ledger/administer-wallets.ts';
import { advance } from '../src/core/payments/process/advance.ts';
import { initiate } from '../src/core/payments/accept/initiate.ts';
import type { InitiationOrder } from '../src/core/payments/payment-request.ts';
import type { PaymentEvent } from '../src/domain/payments/lifecycle.ts';
import { renderAmount } from '../src/domain/money.ts';
import { OPERATIONS } from '../src/domain/payments/payment.ts';
import { listTrialBalance, listUnbalancedWallets, listWallets } from '../src/store/ledger/ledger.ts';
import { setFee } from '../src/store/merchants/merchants.ts';
import { openTestGateway, select, type TestGateway } from './gateway.ts';

const PROVIDER = 'MTN_MOMO_RWA';
const UNIT = 10_000n;
const KINDS = ['DEPOSIT', 'PAYOUT', 'REMITTANCE'] as const;
const EVENTS = ['claim', 'complete', 'fail', 'pend', 'delay', 'release', 'cancel', 'horizon'] as const;

type Action =
  | { do: 'initiate'; kind: (typeof KINDS)[number]; amount: number }
  | { do: 'refund'; of: number; amount: number | null }
  | { do: 'event'; on: number; event: (typeof EVENTS)[number] }
  | { do: 'fee'; kind: 'DEPOSIT' | 'PAYOUT' | 'REFUND'; basisPoints: number; fixed: number }
  | { do: 'topUp'; amount: number };

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('initiate' as const),
      kind: fc.constantFrom(...KINDS),
      amount: fc.integer({ min: 5, max: 400 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      of: fc.nat(),
      amount: fc.option(fc.integer({ min: 5, max: 400 })),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('event' as const),
      on: fc.nat(),
      event: fc.constantFrom(...EVENTS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('fee' as const),
      kind: fc.constantFrom('DEPOSIT' as const, 'PAYOUT' as const, 'REFUND' as const),
      basisPoints: fc.integer({ min: 0, max: 1_000 }),
      fixed: fc.integer({ min: 0, max: 30 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('topUp' as const), amount: fc.integer({ min: 1, max: 500 }) }),
  },
);

type ModelPayment = {
  kind: string;
  id: string;
  state: string;
  amount: number;
  fee: number;
  of?: ModelPayment;
};

/** Whole francs only; money is in the wallet, held, or gone. */
class Model {
  posted = 0;
  held = 0;
  readonly fees = new Map<string, { basisPoints: number; fixed: number }>();
  readonly payments: ModelPayment[] = [];

  feeFor(kind: string, amount: number): number {
    const { basisPoints, fixed } = this.fees.get(kind) ?? { basisPoints: 0, fixed: 0 };
    const exact = (amount * basisPoints) / 10_000;
    const below = Math.floor(exact);
    const rest = amount * basisPoints - below * 10_000;
    const rounded = rest * 2 === 10_000 ? below + (below % 2) : rest * 2 > 10_000 ? below + 1 : below;
    const fee = rounded + fixed;
    return kind === 'DEPOSIT' ? Math.min(fee, amount) : fee;
  }

  begin(kind: string, id: string, amount: number, of?: ModelPayment): string {
    const fee = this.feeFor(kind, amount);
    if (kind !== 'DEPOSIT') {
      if (this.posted - this.held < amount + fee) return 'WALLET_OUT_OF_FUNDS';
      this.held += amount + fee;
    }
    this.payments.push({ kind, id, state: 'ACCEPTED', amount, fee, ...(of && { of }) });
    return 'ACCEPTED';
  }

  refund(id: string, of: ModelPayment, wished: number | null): string {
    if (of.state !== 'COMPLETED') return 'INVALID_STATE';
    const refunds = this.payments.filter((payment) => payment.of === of && payment.state !== 'FAILED');
    if (refunds.some(({ state }) => state !== 'COMPLETED')) return 'REFUND_IN_PROGRESS';
    const remaining = of.amount - refunds.reduce((sum, { amount }) => sum + amount, 0);
    if (remaining === 0) return 'DEPOSIT_ALREADY_REFUNDED';
    const amount = wished ?? remaining;
    if (amount > remaining) return 'AMOUNT_TOO_LARGE';
    // The provider's smallest amount.
    if (amount < 5) return 'AMOUNT_OUT_OF_BOUNDS';
    return this.begin('REFUND', id, amount, of);
  }

  happen(payment: ModelPayment, event: string): void {
    const { state, kind } = payment;
    const isUnsent = state === 'ACCEPTED' || state === 'ENQUEUED';
    const isAtOperator = state === 'PROCESSING' || state === 'IN_RECONCILIATION';
    if (event === 'claim' && isUnsent) payment.state = 'PROCESSING';
    if (event === 'delay' && isUnsent && kind !== 'DEPOSIT') payment.state = 'ENQUEUED';
    if (event === 'horizon' && state === 'PROCESSING') payment.state = 'IN_RECONCILIATION';
    if (event === 'complete' && isAtOperator) this.#end(payment, 'COMPLETED');
    if (event === 'fail' && isAtOperator) this.#end(payment, 'FAILED');
    if (event === 'cancel' && state === 'ENQUEUED') this.#end(payment, 'FAILED');
  }

  #end(payment: ModelPayment, state: 'COMPLETED' | 'FAILED'): void {
    payment.state = state;
    const { kind, amount, fee } = payment;
    if (kind === 'DEPOSIT') {
      if (state === 'COMPLETED') this.posted += amount - fee;
      return;
    }
    this.held -= amount + fee;
    if (state === 'COMPLETED') this.posted -= amount + fee;
  }
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api', announces: false });
});
afterAll(() => gateway.stop());

const EVENT_OF: Record<(typeof EVENTS)[number], PaymentEvent> = {
  claim: { type: 'SUBMIT_CLAIMED' },
  complete: { type: 'OPERATOR_ANSWERED', outcome: { type: 'COMPLETED' } },
  fail: { type: 'OPERATOR_ANSWERED', outcome: { type: 'FAILED', code: 'OTHER_ERROR' } },
  pend: { type: 'OPERATOR_ANSWERED', outcome: { type: 'PENDING' } },
  delay: { type: 'PROVIDER_DELAYED' },
  release: { type: 'RELEASED' },
  cancel: { type: 'CANCELLED' },
  horizon: { type: 'HORIZON_PASSED' },
};

/** Plays actions on a merchant of its own, comparing each answer, and at the end every state and the wallet. */
async function play(actions: readonly Action[]): Promise<void> {
  const { engine } = gateway;
  const { database } = engine.store;
  const merchantId = await createMerchant(engine, {
    by: 'test',
    companyName: 'Model',
    operations: OPERATIONS,
    walletPerProvider: false,
    providers: [PROVIDER],
  });
  const model = new Model();
  for (const action of actions) {
    const merchant = (await engine.directory.merchant(merchantId))!;
    const base = { paymentNo: randomUUID(), merchant, apiVersion: 'v2', writtenId: randomUUID() } as const;
    if (action.do === 'topUp') {
      await topUpWallets(engine, [
        { by: 'test', merchantId, country: 'RWA', currency: 'RWF', amount: BigInt(action.amount) * UNIT },
      ]);
      model.posted += action.amount;
    } else if (action.do === 'fee') {
      const { basisPoints, fixed, kind } = action;
      const fee = { basisPoints, fixed: BigInt(fixed) * UNIT };
      await setFee(database, { merchantId, provider: PROVIDER, operation: kind, currency: 'RWF', fee });
      model.fees.set(kind, { basisPoints, fixed });
    } else if (action.do === 'initiate') {
      const { kind, amount } = action;
      const expected = model.begin(kind, base.writtenId, amount);
      const details = { phoneNumber: '250783456789', customerMessage: 'model' };
      const amountText = String(amount);
      const direct = {
        ...base,
        kind,
        amount: BigInt(amount) * UNIT,
        amountText,
        currency: 'RWF',
        provider: PROVIDER,
        details,
      };
      expect(await answerTo(direct)).toBe(expected);
    } else if (action.do === 'refund') {
      const deposits = model.payments.filter(({ kind }) => kind === 'DEPOSIT');
      const of = deposits[action.of % Math.max(deposits.length, 1)];
      if (of === undefined) continue;
      const expected = model.refund(base.writtenId, of, action.amount);
      const asked =
        action.amount === null
          ? {}
          : { amount: BigInt(action.amount) * UNIT, amountText: String(action.amount) };
      expect(await answerTo({ ...base, kind: 'REFUND', depositId: of.id, ...asked, details: {} })).toBe(
        expected,
      );
    } else {
      const payment = model.payments[action.on % Math.max(model.payments.length, 1)];
      if (payment === undefined) continue;
      const key = { merchantId, kind: payment.kind as 'DEPOSIT', paymentId: payment.id };
      const contradicts =
        ['COMPLETED', 'FAILED'].includes(payment.state) && ['complete', 'fail'].includes(action.event);
      if (contradicts) continue;
      const event = EVENT_OF[action.event];
      // A deposit goes on: its payer is there.
      const isDelayed = event.type === 'PROVIDER_DELAYED' && payment.kind === 'DEPOSIT';
      await advance(engine, [{ key, event: isDelayed ? { ...event, isDeposit: true } : event }]);
      model.happen(payment, action.event);
    }
  }
  await compare(merchantId, model);
}

async function answerTo(order: InitiationOrder): Promise<string> {
  const [answer] = await initiate(gateway.engine, [order]);
  return answer!.type === 'REJECTED' ? answer!.reason.failureCode : answer!.type;
}

async function compare(merchantId: string, model: Model): Promise<void> {
  const rows = await select(
    gateway,
    'select payment_id, state, fee::text from payments where merchant_id = $1',
    [merchantId],
  );
  const stored = new Map(rows.map((row) => [row['payment_id'], [row['state'], Number(row['fee'])]]));
  const expected = new Map(model.payments.map(({ id, state, fee }) => [id, [state, fee]]));
  expect(stored).toEqual(expected);
  const [wallet] = await listWallets(gateway.engine.store.database, merchantId);
  const balance = { posted: renderAmount(wallet?.posted ?? 0n), held: renderAmount(wallet?.held ?? 0n) };
  expect(balance).toEqual({ posted: String(model.posted), held: String(model.held) });
}

/** Several merchants at once, so that transactions of different lives run beside each other. */
const LIVES_AT_ONCE = 20;
const RUNS = 100;

test(`${LIVES_AT_ONCE * RUNS} random lives agree with the model on every answer, state, fee and balance`, async () => {
  const lives = fc.array(fc.array(anyAction, { minLength: 4, maxLength: 14 }), {
    minLength: LIVES_AT_ONCE,
    maxLength: LIVES_AT_ONCE,
  });
  await fc.assert(
    fc.asyncProperty(lives, async (several) => {
      await Promise.all(several.map(play));
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  const { database } = gateway.engine.store;
  const totals = (await listTrialBalance(database)).reduce((sum, { balance }) => sum + balance, 0n);
  expect(totals).toBe(0n);
  expect(await listUnbalancedWallets(database)).toEqual([]);
}, 900_000);
