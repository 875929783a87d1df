// Random limits, and random requests of several API processes at once, while payments fail and time moves, against a
// model that is small enough to be read. Counters show in which order transactions were committed, and identifiers at
// what time each request was decided; in this order and at these times each request must have been answered as the
// model answers it. So no limit is ever exceeded, and nothing is refused that fits.
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { topUpWallets } from '../../src/core/ledger/administer-wallets.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import { limitName } from '../../src/domain/limits/limit.ts';
import type { PaymentEvent } from '../../src/domain/payments/lifecycle.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { BASE_ENVIRONMENT } from '../base-environment.ts';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';
import { serverEnvironment } from '../server-process.ts';
import {
  anyLimits,
  anyRounds,
  COUNTRIES,
  CURRENCY,
  MOST,
  type Batch,
  type Failing,
  type Round,
} from './any-limits.ts';
import type { IntakeAnswer, IntakePayment, IntakeRequest } from './intake-process.ts';
import { LimitsModel, type Counting } from './limits-model.ts';
import {
  limitedMerchant,
  listDecisions,
  orderOf,
  recordDecisions,
  setLimits,
  UNIT,
} from './limited-merchants.ts';

let gateway: TestGateway;
let processes: readonly ChildProcess[];
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api', announces: false });
  await recordDecisions(gateway);
  processes = await Promise.all([1, 2].map(startProcess));
});
afterAll(async () => {
  for (const one of processes) {
    const ended = once(one, 'exit');
    one.disconnect();
    await ended;
  }
  await gateway.stop();
});

async function startProcess(): Promise<ChildProcess> {
  const env = {
    ...BASE_ENVIRONMENT,
    ...serverEnvironment(gateway),
    MALIPO_LOG_LEVEL: 'silent',
    MALIPO_MOVABLE_CLOCK: 'on',
    MALIPO_DIRECTORY_REMEMBER_MS: '0',
  };
  const path = fileURLToPath(new URL('./intake-process.ts', import.meta.url));
  const child = fork(path, { env, serialization: 'advanced', execArgv: [] });
  await Promise.race([once(child, 'message'), once(child, 'exit').then(() => expect.unreachable())]);
  return child;
}

/** A payment or a split payment that was requested. */
type Started = {
  readonly ordinal: number;
  /** As identifiers are taken: its kind and its identifier. */
  readonly name: string;
  readonly sent: IntakePayment;
  /** What counts: of a split payment its collection and its parts. */
  readonly counting: readonly Counting[];
  /** That of its repeat too, where it was refused: then the repeat is decided on its own. */
  readonly answers: string[];
};

class Run {
  readonly #merchantId: string;
  readonly #deposits: DepositsToRefund;
  readonly #started: Started[] = [];
  readonly #ended = new Set<Started>();
  readonly #failed = new Set<string>();
  #batchCount = 0;

  constructor(merchantId: string, deposits: DepositsToRefund) {
    this.#merchantId = merchantId;
    this.#deposits = deposits;
  }

  async play({ batches, movedMs, failing }: Round) {
    const open = this.#started.filter((one) => one.answers.includes('ACCEPTED') && !this.#ended.has(one));
    const chosen = new Map(
      failing.flatMap((how) => {
        const one = open[how.index % Math.max(open.length, 1)];
        return one === undefined ? [] : [[one, how] as const];
      }),
    );
    for (const one of chosen.keys()) this.#ended.add(one);
    await Promise.all([
      ...batches.map((batch, index) => this.#send(batch, index === 0 ? movedMs : 0)),
      ...[...chosen].map(([one, how]) => this.#fail(one, how)),
    ]);
  }

  async #send({ type, wanted }: Batch, movedMs: number): Promise<void> {
    const payments = wanted.map((one) => ({ ...one, paymentId: randomUUID() }));
    const sent =
      type === 'SPLIT' ? [splitOf(payments)] : payments.map((one) => this.#deposits.refunding(one));
    const started = sent.map((one, index): Started => {
      const { parts, depositId: _, ...first } = one;
      const kind = parts === undefined ? one.kind : 'SPLIT_PAYMENT';
      return {
        ordinal: this.#started.length + index,
        name: `${kind} ${one.paymentId}`,
        sent: one,
        counting: [first, ...(parts ?? [])],
        answers: [],
      };
    });
    this.#started.push(...started);
    const types = await this.#ask(sent, movedMs);
    expect(types).toHaveLength(started.length + 1);
    for (const [index, one] of [...started, ...started.slice(0, 1)].entries())
      if (types[index] !== 'DUPLICATE_IGNORED') one.answers.push(types[index]!);
  }

  #ask(payments: readonly IntakePayment[], movedMs: number): Promise<readonly string[]> {
    const batchNo = (this.#batchCount += 1);
    const child = processes[batchNo % processes.length]!;
    return new Promise((resolve) => {
      const hear = (answer: IntakeAnswer) => {
        if (answer.batchNo !== batchNo) return;
        child.off('message', hear);
        resolve(answer.types);
      };
      child.on('message', hear);
      child.send({ batchNo, merchantId: this.#merchantId, movedMs, payments } satisfies IntakeRequest);
    });
  }

  /** Before it was sent, or because the operator says so. Of a split payment that was sent, only one part fails. */
  async #fail({ sent, counting }: Started, { isSent, isPaid }: Failing): Promise<void> {
    const failed = await this.#firstFailed(sent, isSent);
    for (const { paymentId } of failed === sent ? counting : [failed]) this.#failed.add(paymentId);
    if (!isPaid) return;
    await this.#advance(failed, COMPLETED, 'CONTRADICTION');
    // The late success of a deposit counts nothing.
    if (failed.kind !== 'DEPOSIT') this.#failed.delete(failed.paymentId);
  }

  async #firstFailed(sent: IntakePayment, isSent: boolean): Promise<Counting> {
    // Time may have moved so far that it is too old to be sent: then it fails.
    const state = await this.#advance(sent, isSent ? { type: 'SUBMIT_CLAIMED' } : UNSENT);
    if (state === 'FAILED') return sent;
    const [part] = sent.parts ?? [];
    await this.#advance(sent, part === undefined ? REJECTED : COMPLETED);
    if (part === undefined) return sent;
    await this.#advance(part, UNSENT);
    return part;
  }

  async #advance(
    { kind, paymentId }: Counting,
    event: PaymentEvent,
    expected: 'MOVE' | 'CONTRADICTION' = 'MOVE',
  ): Promise<string> {
    const key = { merchantId: this.#merchantId, kind, paymentId };
    const [advanced] = await advance(gateway.engine, [{ key, event }]);
    if (advanced?.type !== expected || !('payment' in advanced))
      expect.unreachable(`${event.type} is no ${expected}`);
    return advanced.payment.state;
  }

  /** Every answer is what the model says in the order of the commits. Counters have what it counts at the end. */
  async expectAnswersOf(model: LimitsModel): Promise<void> {
    const byName = new Map(this.#started.map((one) => [one.name, one]));
    const counted = new Map(
      this.#started.flatMap(({ counting }) => counting.map((one) => [one.paymentId, one])),
    );
    const decided = new Map<Started, number>();
    for (const decisions of byTransaction(await listDecisions(gateway, this.#merchantId))) {
      const requests = decisions.flatMap(({ what, kind, paymentId, decidedAt }) => {
        const one = byName.get(`${kind} ${paymentId}`);
        return one === undefined || what !== 'REQUESTED' ? [] : { one, decidedAt };
      });
      // Who of a batch gets the space that is left is decided in its order.
      for (const { one, decidedAt } of requests.toSorted((a, b) => a.one.ordinal - b.one.ordinal)) {
        const full = model.accept(one.counting, decidedAt);
        const answer = one.answers[decided.get(one) ?? 0];
        const expected = full.length === 0 ? 'ACCEPTED' : 'NOT_ALLOWED';
        expect({ one, decidedAt, full: full.map(limitName), answer }).toMatchObject({ answer: expected });
        decided.set(one, (decided.get(one) ?? 0) + 1);
      }
      for (const { what, kind, paymentId, decidedAt } of decisions) {
        if (what === 'FAILED') model.fail({ kind: kind as PaymentKind, paymentId });
        const paid = what === 'PAID_AFTER_ALL' && kind !== 'DEPOSIT' ? counted.get(paymentId) : undefined;
        if (paid !== undefined) model.payAfterAll(paid, decidedAt);
      }
    }
    for (const one of this.#started) expect([one, decided.get(one)]).toEqual([one, one.answers.length]);
    const left = this.#started
      .filter(({ answers }) => answers.includes('ACCEPTED'))
      .flatMap(({ counting }) => counting.map(({ paymentId }) => paymentId))
      .filter((paymentId) => !this.#failed.has(paymentId));
    expect(model.counted.map(({ paymentId }) => paymentId).toSorted()).toEqual(left.toSorted());
    await expectCounters(this.#merchantId, model);
  }
}

const UNSENT = { type: 'CANCELLED', unsentAs: 'OTHER_ERROR' } as const;
const COMPLETED = { type: 'OPERATOR_ANSWERED', outcome: { type: 'COMPLETED' } } as const;
const REJECTED = {
  type: 'OPERATOR_ANSWERED',
  outcome: { type: 'FAILED', code: 'OTHER_ERROR' },
} as const;

/** The first one's number and token are those of the whole. */
function splitOf(shares: readonly Counting[]): IntakePayment {
  const payer = shares[0]!;
  const { tokenId } = payer;
  const collectionId = randomUUID();
  const amount = shares.reduce((sum, share) => sum + share.amount, 0n);
  const parts = shares.map((share) => ({ ...share, tokenId, collectionId }));
  return { ...payer, kind: 'DEPOSIT', paymentId: collectionId, amount, parts };
}

function byTransaction<One extends { readonly transaction: string }>(all: readonly One[]) {
  return Map.groupBy(all, ({ transaction }) => transaction).values();
}

/** Completed deposits, of each wallet as many as may be refunded. */
class DepositsToRefund {
  readonly #idsOf = new Map<string, string[]>();

  async prepare(merchantId: string, rounds: readonly Round[]): Promise<void> {
    const { engine } = gateway;
    const refunds = rounds
      .flatMap(({ batches }) => batches.flatMap(({ wanted }) => wanted))
      .filter(({ kind }) => kind === 'REFUND');
    const orders = await Promise.all(
      refunds.map(({ provider, phoneNumber }) =>
        orderOf(engine, merchantId, {
          kind: 'DEPOSIT',
          amount: MOST,
          currency: CURRENCY,
          provider,
          details: { phoneNumber },
        }),
      ),
    );
    await initiate(engine, orders);
    const keys = orders.map(({ writtenId }) => ({
      merchantId,
      kind: 'DEPOSIT' as const,
      paymentId: writtenId,
    }));
    const completed = ['PROCESSING', 'COMPLETED'];
    for (const [index, event] of ([{ type: 'SUBMIT_CLAIMED' }, COMPLETED] as const).entries())
      for (const one of await advance(
        engine,
        keys.map((key) => ({ key, event })),
      ))
        expect(one).toMatchObject({ payment: { state: completed[index] } });
    for (const { provider, details, writtenId } of orders) {
      const name = `${provider} ${details.phoneNumber}`;
      this.#idsOf.set(name, [...(this.#idsOf.get(name) ?? []), writtenId]);
    }
  }

  /** A refund names a deposit of its wallet. */
  refunding(payment: Counting): IntakePayment {
    if (payment.kind !== 'REFUND') return payment;
    const depositId = this.#idsOf.get(`${payment.provider} ${payment.phoneNumber}`)?.pop() ?? '';
    return { ...payment, depositId };
  }
}

/** What the counters say is what the payments say. */
async function expectCounters(merchantId: string, model: LimitsModel): Promise<void> {
  const rows = await select<{ used: string }>(
    gateway,
    `select concat_ws(' ', used_count, trim_scale(used_amount * ${UNIT})) as used from limit_counters
     where merchant_id = $1 and used_count > 0`,
    [merchantId],
  );
  const wanted = model.counters().map(({ count, amount }) => `${count} ${amount}`);
  expect(rows.map(({ used }) => used).toSorted()).toEqual(wanted.toSorted());
}

/** More than can leave: only limits refuse. */
async function fillWallets(merchantId: string): Promise<void> {
  const amount = 10_000n * MOST;
  const wallets = COUNTRIES.map((country) => ({
    by: 'test',
    merchantId,
    country,
    currency: CURRENCY,
    amount,
  }));
  await topUpWallets(gateway.engine, wallets);
}

test('concurrent requests of several processes are answered as if they had come one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(anyLimits, anyRounds, async (limits, rounds) => {
      // Here too it is as late as the processes have made it.
      await gateway.gateway.movableClock!.move(0);
      const merchantId = await limitedMerchant(gateway.engine, []);
      await fillWallets(merchantId);
      const deposits = new DepositsToRefund();
      await deposits.prepare(merchantId, rounds);
      await setLimits(gateway.engine, merchantId, limits);
      const run = new Run(merchantId, deposits);
      for (const round of rounds) await run.play(round);
      await run.expectAnswersOf(new LimitsModel(limits));
    }),
    { numRuns: 12 },
  );
});
