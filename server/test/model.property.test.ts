// Random lives of a merchant's money against a real database, compared with a model small enough to be read at once.
// The model knows nothing of the code: what must come out is told a second time, in other words.
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMerchant } from '../src/core/merchants/administer-merchants.ts';
import { topUpWallets } from '../src/core/ledger/administer-wallets.ts';
import type { Effect } from '../src/core/approvals/executor.ts';
import { readApproval } from '../src/core/approvals/read.ts';
import { releaseDueFunds } from '../src/core/limits/wallet-holds.ts';
import { advance } from '../src/core/payments/process/advance.ts';
import { initiate } from '../src/core/payments/accept/initiate.ts';
import type { InitiationOrder } from '../src/core/payments/payment-request.ts';
import type { PaymentEvent } from '../src/domain/payments/lifecycle.ts';
import { renderAmount } from '../src/domain/money.ts';
import { OPERATIONS } from '../src/domain/payments/payment.ts';
import type { Resolution } from '../src/domain/reconciliation/cases.ts';
import { listTrialBalance, listUnbalancedWallets, listWallets } from '../src/store/ledger/ledger.ts';
import { setFee } from '../src/store/merchants/merchants.ts';
import { decideAs, requestAs } from './approvals.ts';
import { openTestGateway, select, type TestGateway } from './gateway.ts';

const PROVIDER = 'MTN_MOMO_RWA';
const UNIT = 10_000n;
const KINDS = ['DEPOSIT', 'PAYOUT', 'REMITTANCE'] as const;
const EVENTS = [
  'claim',
  'complete',
  'fail',
  'pend',
  'delay',
  'release',
  'cancel',
  'horizon',
  'end manually',
  'reverse',
  'differ',
] as const;
const WAYS = ['RECOVER_FROM_MERCHANT', 'WRITE_OFF', 'CREDIT_MERCHANT', 'REVERSE_EVIDENCE'] as const;

type Action =
  /** People resolve an open case of a payment that has ended; an amount is only for a discrepancy. */
  | { do: 'resolve'; case: number; way: (typeof WAYS)[number]; amount: number }
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
    weight: 3,
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
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('resolve' as const),
      case: fc.nat(),
      way: fc.constantFrom(...WAYS),
      amount: fc.integer({ min: 0, max: 400 }),
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

/** The payment that was begun last. */
const LAST = -1;

/** How a payment goes on once it has begun: a life of single steps seldom gets far. */
const COURSES: readonly (readonly (typeof EVENTS)[number][])[] = [
  [],
  [],
  ['claim', 'complete'],
  ['claim', 'complete', 'reverse'],
  ['claim', 'horizon', 'end manually'],
  ['claim', 'horizon', 'end manually', 'reverse'],
  ['claim', 'differ', 'complete'],
  ['claim', 'differ', 'fail'],
];

/** Single steps, and payments with their course. */
const anyActions = fc
  .array(fc.record({ action: anyAction, course: fc.constantFrom(...COURSES) }), {
    minLength: 4,
    maxLength: 12,
  })
  .map((steps) =>
    steps.flatMap(({ action, course }): readonly Action[] => {
      if (action.do !== 'initiate' && action.do !== 'refund') return [action];
      return [action, ...course.map((event) => ({ do: 'event' as const, on: LAST, event }))];
    }),
  );

type ModelPayment = {
  kind: string;
  id: string;
  state: string;
  amount: number;
  fee: number;
  of?: ModelPayment;
  /** What people ended as completed is held for a day; this much of it. */
  heldForADay: number;
};

type ModelCase = {
  readonly of: ModelPayment;
  readonly evidence: 'LATE_FAILURE' | 'DISCREPANCY';
  /** What is to be held for it, and what is. */
  wanted: number;
  held: number;
  /** Of a reversed deposit: what of the debt was paid, and what is owed still. */
  paid: number;
  unpaid: number;
  resolved: { readonly way: string; readonly amount: number } | null;
  /** Since when it is held for, as the number of its hold. */
  since: number;
};

/** What an operator says it moved where it moved another amount. */
const MOVED = 1;

/** Whole francs only; money is in the wallet, held, owed, or gone. */
class Model {
  posted = 0;
  held = 0;
  readonly cases: ModelCase[] = [];
  readonly fees = new Map<string, { basisPoints: number; fixed: number }>();
  readonly payments: ModelPayment[] = [];
  #holds = 0;

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
      if (this.#available - (amount + fee) < this.#staying) return 'WALLET_OUT_OF_FUNDS';
      this.held += amount + fee;
    }
    this.payments.push({ kind, id, state: 'ACCEPTED', amount, fee, heldForADay: 0, ...(of && { of }) });
    return 'ACCEPTED';
  }

  get owed(): number {
    return this.cases.reduce((sum, { unpaid }) => sum + unpaid, 0);
  }

  get #available(): number {
    return this.posted - this.held;
  }

  get #uncovered(): number {
    const covered = this.cases.filter(({ evidence }) => evidence === 'LATE_FAILURE');
    return Math.max(0, this.owed - covered.reduce((sum, { held }) => sum + held, 0));
  }

  /** What holds want beyond what they hold; what a reversal lacks is owed. */
  get #unheld(): number {
    const others = this.cases.filter(({ evidence }) => evidence !== 'LATE_FAILURE');
    return others.reduce((sum, { wanted, held }) => sum + wanted - held, 0);
  }

  /** What is owed and not held for, and what holds want, must stay. */
  get #staying(): number {
    return this.#uncovered + this.#unheld;
  }

  /** What is free pays what no hold covers, and then fills holds, the oldest first. */
  #serve(): void {
    this.#collect(Math.min(this.#available, this.#uncovered));
    for (const one of this.cases.toSorted((a, b) => a.since - b.since)) {
      if (one.evidence === 'LATE_FAILURE') continue;
      const more = Math.min(this.#available, one.wanted - one.held);
      one.held += more;
      this.held += more;
    }
  }

  #isReversed(of: ModelPayment): boolean {
    const reversals = this.cases.filter((one) => one.of === of && one.evidence === 'LATE_FAILURE');
    return reversals.some(({ resolved }) => resolved?.way !== 'REVERSE_EVIDENCE');
  }

  refund(id: string, of: ModelPayment, wished: number | null): string {
    if (of.state !== 'COMPLETED' || this.#isReversed(of)) return 'INVALID_STATE';
    const refunds = this.payments.filter((payment) => payment.of === of);
    const isOpen = (refund: ModelPayment) =>
      !isEnded(refund) || this.cases.some((one) => one.of === refund && one.resolved === null);
    if (refunds.some(isOpen)) return 'REFUND_IN_PROGRESS';
    const remaining = of.amount - refunds.reduce((sum, refund) => sum + this.#givenBack(refund), 0);
    if (remaining <= 0) return 'DEPOSIT_ALREADY_REFUNDED';
    const amount = wished ?? remaining;
    if (amount > remaining) return 'AMOUNT_TOO_LARGE';
    // The provider's smallest amount.
    if (amount < 5) return 'AMOUNT_OUT_OF_BOUNDS';
    return this.begin('REFUND', id, amount, of);
  }

  /** What people found out about it, as far as that is more or less than it says itself. */
  #givenBack(refund: ModelPayment): number {
    const own = refund.state === 'COMPLETED' ? refund.amount : 0;
    const found = this.cases.flatMap(({ of, resolved }) =>
      of === refund && resolved !== null ? resolved : [],
    );
    const signs: Readonly<Record<string, number>> = {
      RECOVER_FROM_MERCHANT: 1,
      WRITE_OFF: 1,
      CREDIT_MERCHANT: -1,
    };
    return Math.max(
      0,
      found.reduce((sum, { way, amount }) => sum + (signs[way] ?? 0) * amount, own),
    );
  }

  happen(payment: ModelPayment, event: string): void {
    const { state, kind } = payment;
    const isUnsent = state === 'ACCEPTED' || state === 'ENQUEUED';
    const isAtOperator = state === 'PROCESSING' || state === 'IN_RECONCILIATION';
    if (event === 'claim' && isUnsent) this.#claim(payment);
    if (event === 'end manually' && state === 'IN_RECONCILIATION') {
      this.#end(payment, 'COMPLETED', { isManual: true });
    }
    if (event === 'reverse' && state === 'COMPLETED' && kind === 'DEPOSIT') this.#reverse(payment);
    if (event === 'differ' && kind === 'REFUND' && isAtOperator) this.#differ(payment);
    if (event === 'delay' && isUnsent && kind !== 'DEPOSIT') payment.state = 'ENQUEUED';
    if (event === 'horizon' && state === 'PROCESSING') payment.state = 'IN_RECONCILIATION';
    if (event === 'complete' && isAtOperator) this.#end(payment, 'COMPLETED');
    if (event === 'fail' && isAtOperator) this.#end(payment, 'FAILED');
    if (event === 'cancel' && state === 'ENQUEUED') this.#end(payment, 'FAILED');
  }

  #claim(payment: ModelPayment): void {
    const { kind, of } = payment;
    const isOwing = kind !== 'DEPOSIT' && this.#available < this.#staying;
    if (of !== undefined && this.#isReversed(of)) this.#end(payment, 'FAILED');
    else payment.state = isOwing ? 'ENQUEUED' : 'PROCESSING';
  }

  #end(payment: ModelPayment, state: 'COMPLETED' | 'FAILED', { isManual = false } = {}): void {
    payment.state = state;
    const { kind, amount, fee } = payment;
    if (kind !== 'DEPOSIT') {
      this.held -= amount + fee;
      if (state === 'COMPLETED') this.posted -= amount + fee;
    } else if (state === 'COMPLETED' && isManual) {
      this.posted += amount - fee;
      payment.heldForADay = amount - fee;
      this.held += payment.heldForADay;
    } else if (state === 'COMPLETED') this.credit(amount - fee);
    // What a difference can cost is held from the end on: what left although the refund FAILED.
    for (const one of this.cases) if (one.of === payment) this.#hold(one, state === 'FAILED' ? MOVED : 0);
    this.#serve();
  }

  /** Pays what is owed from what comes in, the oldest debt first. */
  credit(amount: number): void {
    this.posted += amount;
    this.#collect(amount);
    this.#serve();
  }

  #collect(amount: number): void {
    let left = Math.min(amount, this.#available);
    for (const one of this.cases) {
      const paid = Math.min(left, one.unpaid);
      one.unpaid -= paid;
      one.paid += paid;
      this.posted -= paid;
      left -= paid;
    }
  }

  #hold(one: ModelCase, amount: number): void {
    one.wanted = amount;
    one.since = this.#holds += 1;
    one.held = Math.min(amount, this.#available);
    this.held += one.held;
  }

  #reverse(of: ModelPayment): void {
    if (this.#isReversed(of)) return;
    const reversal: ModelCase = {
      of,
      evidence: 'LATE_FAILURE',
      wanted: 0,
      held: 0,
      paid: 0,
      unpaid: of.amount,
      resolved: null,
      since: 0,
    };
    this.cases.push(reversal);
    this.#hold(reversal, of.amount);
    // What waits to be given back of it never is.
    for (const refund of this.payments) {
      const isUnsent = refund.state === 'ACCEPTED' || refund.state === 'ENQUEUED';
      if (refund.of === of && isUnsent) this.#end(refund, 'FAILED');
    }
  }

  #differ(of: ModelPayment): void {
    of.state = 'IN_RECONCILIATION';
    if (this.cases.some((one) => one.of === of && one.resolved === null)) return;
    const nothing = { wanted: 0, held: 0, paid: 0, unpaid: 0, since: 0 };
    this.cases.push({ of, evidence: 'DISCREPANCY', ...nothing, resolved: null });
  }

  /** What people may do about it. */
  waysOf({ evidence }: ModelCase): readonly string[] {
    return evidence === 'DISCREPANCY'
      ? ['RECOVER_FROM_MERCHANT', 'WRITE_OFF', 'CREDIT_MERCHANT']
      : ['RECOVER_FROM_MERCHANT', 'WRITE_OFF', 'REVERSE_EVIDENCE'];
  }

  resolve(one: ModelCase, way: string, found: number): void {
    const { of, evidence } = one;
    const amount = evidence === 'DISCREPANCY' ? found : of.amount;
    one.resolved = { way, amount };
    this.held -= one.held;
    one.held = 0;
    one.wanted = 0;
    if (way === 'RECOVER_FROM_MERCHANT') this.#recover(one, amount);
    else if (way === 'CREDIT_MERCHANT') this.credit(amount);
    else {
      // Nobody owes it any more, so nothing should have been paid for it.
      const { paid } = one;
      one.paid = 0;
      one.unpaid = 0;
      if (paid > 0) this.credit(paid);
    }
    this.#serve();
  }

  #recover(one: ModelCase, amount: number): void {
    const { of, evidence } = one;
    this.held -= of.heldForADay;
    const wanted = evidence === 'DISCREPANCY' ? amount : one.unpaid;
    const paid = Math.min(this.#available, wanted);
    this.posted -= paid;
    one.paid += paid;
    one.unpaid = wanted - paid;
    of.heldForADay = Math.min(Math.max(0, of.heldForADay - paid), this.#available);
    this.held += of.heldForADay;
  }

  /** A day later what was held for a day pays what is owed, and what is paid needs no hold. */
  passDay(): void {
    for (const payment of this.payments) {
      this.held -= payment.heldForADay;
      this.#collect(payment.heldForADay);
      payment.heldForADay = 0;
      this.#serve();
    }
    for (const one of this.cases) {
      if (one.evidence !== 'LATE_FAILURE' || one.unpaid > 0) continue;
      this.held -= one.held;
      one.held = 0;
      this.#serve();
    }
  }
}

function isEnded({ state }: ModelPayment): boolean {
  return state === 'COMPLETED' || state === 'FAILED';
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api', announces: false, backlogMs: 10_000 * 24 * 3_600_000 });
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
  'end manually': { type: 'ENDED_MANUALLY', outcome: { type: 'COMPLETED' } },
  reverse: { type: 'OPERATOR_ANSWERED', outcome: { type: 'FAILED', code: 'OTHER_ERROR' } },
  differ: {
    type: 'OPERATOR_ANSWERED',
    outcome: { type: 'COMPLETED', moved: { amount: BigInt(MOVED) * UNIT } },
  },
};

/** Of whom a merchant's money is spoken: the life it has led, and what the model says of it. */
type Life = { readonly merchantId: string; readonly model: Model };

/** Plays actions on a merchant of its own, comparing each answer, and at the end every state and the wallet. */
async function play(actions: readonly Action[]): Promise<Life> {
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
      model.credit(action.amount);
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
    } else if (action.do === 'resolve') {
      const open = model.cases.filter(({ of, resolved }) => resolved === null && isEnded(of));
      const chosen = open[action.case % Math.max(open.length, 1)];
      if (chosen === undefined || !model.waysOf(chosen).includes(action.way)) continue;
      await resolve(merchantId, chosen, action);
      model.resolve(chosen, action.way, action.amount);
    } else {
      const payment = model.payments.at(
        action.on === LAST ? LAST : action.on % Math.max(model.payments.length, 1),
      );
      if (payment === undefined) continue;
      const key = { merchantId, kind: payment.kind as 'DEPOSIT', paymentId: payment.id };
      if (isEnded(payment) && ['complete', 'fail'].includes(action.event)) continue;
      const [isReversal, isDifference] = [action.event === 'reverse', action.event === 'differ'];
      if (isReversal && !(payment.state === 'COMPLETED' && payment.kind === 'DEPOSIT')) continue;
      if (isDifference && (payment.kind !== 'REFUND' || isEnded(payment))) continue;
      const event = EVENT_OF[action.event];
      // A deposit goes on: its payer is there.
      const isDelayed = event.type === 'PROVIDER_DELAYED' && payment.kind === 'DEPOSIT';
      await advance(engine, [{ key, event: isDelayed ? { ...event, isDeposit: true } : event }]);
      model.happen(payment, action.event);
    }
  }
  await compare({ merchantId, model });
  return { merchantId, model };
}

/** Two people resolve the case that the model has chosen. */
async function resolve(
  merchantId: string,
  { of, evidence }: ModelCase,
  { way, amount }: { way: Resolution; amount: number },
): Promise<void> {
  const { engine } = gateway;
  const [row] = await select(
    gateway,
    `select case_id as "caseId" from cases
     where merchant_id = $1 and payment_id = $2 and evidence = $3 and resolved_at is null`,
    [merchantId, of.id, evidence],
  );
  const found = evidence === 'DISCREPANCY' ? BigInt(amount) * UNIT : null;
  const caseId = row!['caseId'] as string;
  const requested = await requestAs(engine, 'Ana', { caseId, resolution: way, amount: found });
  const approvalId = requested.type === 'REQUESTED' ? requested.approvalId : expect.fail(requested.type);
  const shown = (await readApproval(engine, { approvalId, whose: 'ALL' }))!.effect!;
  expect(await decideAs(engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
  await expectAsShown(merchantId, caseId, shown);
}

/** What the approver saw is what was posted, and what the wallet has and owes now. */
async function expectAsShown(merchantId: string, caseId: string, shown: Effect): Promise<void> {
  const [posted] = await select(
    gateway,
    `select detail ->> 'postings' as postings, (posted - w.held)::text as available, owed::text
     from audit_log a join wallets w using (merchant_id)
     where a.merchant_id = $1 and act = 'CASE_RESOLVED' and a.subject = $2`,
    [merchantId, caseId],
  );
  const { legs, available, owed } = shown;
  const text = legs.map(
    ({ debit, credit, amount }) => `${debit.type} > ${credit.type} ${renderAmount(amount)}`,
  );
  expect(posted).toEqual({
    postings: text.join(', '),
    available: `${renderAmount(available)}.0000`,
    owed: `${renderAmount(owed)}.0000`,
  });
}

async function answerTo(order: InitiationOrder): Promise<string> {
  const [answer] = await initiate(gateway.engine, [order]);
  return answer!.type === 'REJECTED' ? answer!.reason.failureCode : answer!.type;
}

async function compare({ merchantId, model }: Life): Promise<void> {
  const rows = await select(
    gateway,
    'select payment_id, state, fee::text from payments where merchant_id = $1',
    [merchantId],
  );
  const stored = new Map(rows.map((row) => [row['payment_id'], [row['state'], Number(row['fee'])]]));
  const expected = new Map(model.payments.map(({ id, state, fee }) => [id, [state, fee]]));
  expect(stored).toEqual(expected);
  const [wallet] = await listWallets(gateway.engine.store.database, merchantId);
  const [debts] = await select(
    gateway,
    'select coalesce(sum(amount - paid - forgiven), 0)::float8 as owed from wallet_debts where merchant_id = $1',
    [merchantId],
  );
  const balance = { posted: renderAmount(wallet?.posted ?? 0n), held: renderAmount(wallet?.held ?? 0n) };
  const { posted, held, owed } = model;
  expect({ ...balance, ...debts }).toEqual({ posted: String(posted), held: String(held), owed });
}

const onError = (error: unknown) => expect(error).toBe(null);

/** A day passes for all of them: what was held for a day is released, and pays what is owed. */
async function passDay(lives: readonly Life[]): Promise<void> {
  const { engine } = gateway;
  await gateway.gateway.movableClock!.move(25 * 3_600_000);
  while ((await releaseDueFunds(engine, { countMax: 1_000, onError })) > 0);
  for (const { model } of lives) model.passDay();
  await Promise.all(lives.map(compare));
}

/** Several merchants at once, so that transactions of different lives run beside each other. */
const LIVES_AT_ONCE = 20;
const RUNS = 100;

test(`${LIVES_AT_ONCE * RUNS} random lives agree with the model on every answer, state, fee and balance`, async () => {
  const lives = fc.array(anyActions, {
    minLength: LIVES_AT_ONCE,
    maxLength: LIVES_AT_ONCE,
  });
  await fc.assert(
    fc.asyncProperty(lives, async (several) => {
      await passDay(await Promise.all(several.map(play)));
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  const { database } = gateway.engine.store;
  const totals = (await listTrialBalance(database)).reduce((sum, { balance }) => sum + balance, 0n);
  expect(totals).toBe(0n);
  expect(await listUnbalancedWallets(database)).toEqual([]);
}, 900_000);
