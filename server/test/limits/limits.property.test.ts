// Random requests of several API processes at once, while payments fail, against a model that is small enough to be
// read. A counter shows in which order the batches were committed; in this order each request must have been answered
// as the model answers it. So no limit is ever exceeded, and nothing is refused that fits.
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { counterOf } from '../../src/core/limits/count-payments.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import { BASE_ENVIRONMENT } from '../base-environment.ts';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';
import { serverEnvironment } from '../server-process.ts';
import type { IntakeAnswer, IntakeRequest } from './intake-process.ts';
import {
  beginHour,
  counterChanges,
  limitedMerchant,
  limitOf,
  recordCounters,
  UNIT,
  type CounterChange,
} from './limited-merchants.ts';

let gateway: TestGateway;
let processes: readonly ChildProcess[];
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
  await beginHour(gateway);
  await recordCounters(gateway);
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

/** Francs: payments have no decimals. */
const THOUSAND = 1_000n * UNIT;
const NUMBERS = ['250783000001', '250783000002', '250783000003'];
const TOKENS = ['one', 'two'];
const KINDS = ['PAYOUT', 'DEPOSIT'] as const;
type Kind = (typeof KINDS)[number];

/** Of each scope, so that a payment counts in several at once. The first counts every payment of its kind. */
const LIMITS = [
  { scope: 'MERCHANT', countMax: 8, amountMax: 200n * THOUSAND },
  { scope: 'NUMBER', countMax: 4, amountMax: null },
  { scope: 'TOKEN', countMax: null, amountMax: 120n * THOUSAND },
] as const;
const WHOLE = limitOf(LIMITS[0]);

type Wanted = {
  readonly kind: Kind;
  /** In thousands. */
  readonly amount: number;
  readonly phoneNumber: string;
  readonly tokenId: string;
};

const anyWanted: fc.Arbitrary<Wanted> = fc.record({
  kind: fc.constantFrom(...KINDS),
  amount: fc.integer({ min: 10, max: 50 }),
  phoneNumber: fc.constantFrom(...NUMBERS),
  tokenId: fc.constantFrom(...TOKENS),
});

/** Rounds of requests that are sent at once; meanwhile some of those that were accepted before fail. */
const anyRounds = fc.array(
  fc.record({
    batches: fc.array(fc.array(anyWanted, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
    failed: fc.array(fc.nat(), { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** `ordinal`, of its kind, stands behind the thousands of the amount: by it a change of a counter is known again. */
type Started = Omit<Wanted, 'amount'> & {
  readonly ordinal: number;
  readonly paymentId: string;
  readonly amount: bigint;
  /** That of its repeat too, where it was refused: then the repeat is decided on its own. */
  readonly answers: string[];
};

const isAccepted = ({ answers }: Started) => answers.includes('ACCEPTED');

class Run {
  readonly #merchantId: string;
  readonly #started: Readonly<Record<Kind, Started[]>> = { PAYOUT: [], DEPOSIT: [] };
  readonly #failed = new Set<Started>();
  #batchCount = 0;

  constructor(merchantId: string) {
    this.#merchantId = merchantId;
  }

  async play({
    batches,
    failed,
  }: {
    readonly batches: readonly Wanted[][];
    readonly failed: readonly number[];
  }) {
    const accepted = KINDS.flatMap((kind) => this.#started[kind]).filter(
      (one) => isAccepted(one) && !this.#failed.has(one),
    );
    const failing = new Set(failed.flatMap((index) => accepted[index % Math.max(accepted.length, 1)] ?? []));
    for (const one of failing) this.#failed.add(one);
    await Promise.all([
      ...batches.map((batch) => this.#send(batch)),
      ...[...failing].map((one) => this.#fail(one)),
    ]);
  }

  async #send(batch: readonly Wanted[]): Promise<void> {
    const started = batch.map((wanted): Started => {
      const all = this.#started[wanted.kind];
      const ordinal = all.length;
      const amount = BigInt(wanted.amount) * THOUSAND + BigInt(ordinal) * UNIT;
      const one = { ...wanted, amount, ordinal, paymentId: randomUUID(), answers: [] };
      all.push(one);
      return one;
    });
    const types = await this.#ask(started);
    expect(types).toHaveLength(started.length + 1);
    for (const [index, one] of [...started, ...started.slice(0, 1)].entries())
      if (types[index] !== 'DUPLICATE_IGNORED') one.answers.push(types[index]!);
  }

  #ask(started: readonly Started[]): Promise<readonly string[]> {
    const batchNo = (this.#batchCount += 1);
    const child = processes[batchNo % processes.length]!;
    return new Promise((resolve) => {
      const hear = (answer: IntakeAnswer) => {
        if (answer.batchNo !== batchNo) return;
        child.off('message', hear);
        resolve(answer.types);
      };
      child.on('message', hear);
      const payments = started.map((one) => {
        const { answers: _, ...payment } = one;
        return payment;
      });
      child.send({ batchNo, merchantId: this.#merchantId, payments } satisfies IntakeRequest);
    });
  }

  async #fail({ kind, paymentId }: Started): Promise<void> {
    const key = { merchantId: this.#merchantId, kind, paymentId };
    const event = { type: 'CANCELLED', unsentAs: 'OTHER_ERROR' } as const;
    expect(await advance(gateway.engine, [{ key, event }])).toMatchObject([{ type: 'MOVE' }]);
  }

  /** Every answer is what the model says in the order of the commits. Answers what counts at the end. */
  replay(kind: Kind, changes: readonly CounterChange[]): readonly Started[] {
    const started = this.#started[kind];
    const decided = new Map<Started, number>();
    let counted: readonly Started[] = [];
    let before = { count: 0, amount: 0n };
    for (const { first, last } of byTransaction(changes)) {
      const count = first.count - before.count;
      const ordinals = Number(((first.amount - before.amount) % THOUSAND) / UNIT);
      if (count > 0) {
        const from = (ordinals - (count * (count - 1)) / 2) / count;
        for (const one of started.slice(from, from + count)) {
          const isFitting = fits(counted, one);
          const answer = one.answers[decided.get(one) ?? 0];
          expect([one, answer]).toEqual([one, isFitting ? 'ACCEPTED' : 'NOT_ALLOWED']);
          decided.set(one, (decided.get(one) ?? 0) + 1);
          if (isFitting) counted = [...counted, one];
        }
      } else counted = counted.filter(({ ordinal }) => ordinal !== -ordinals);
      const amount = counted.reduce((sum, one) => sum + one.amount, 0n);
      expect(last).toMatchObject({ count: counted.length, amount });
      before = last;
    }
    for (const one of started) expect(decided.get(one)).toBe(one.answers.length);
    const isLeft = (one: Started) => isAccepted(one) && !this.#failed.has(one);
    expect(counted.toSorted(inOrder)).toEqual(started.filter(isLeft));
    return counted;
  }
}

const inOrder = (one: Started, other: Started) => one.ordinal - other.ordinal;

/** What each transaction did first, and what it left. */
function byTransaction(changes: readonly CounterChange[]) {
  const found = new Map<string, { first: CounterChange; last: CounterChange }>();
  for (const change of changes)
    found.set(change.transaction, { first: found.get(change.transaction)?.first ?? change, last: change });
  return found.values();
}

function fits(counted: readonly Started[], one: Started): boolean {
  return LIMITS.every(({ scope, countMax, amountMax }) => {
    const same = counted.filter((other) => subjectOf(scope, other) === subjectOf(scope, one));
    const amount = same.reduce((sum, other) => sum + other.amount, one.amount);
    return same.length < (countMax ?? Infinity) && (amountMax === null || amount <= amountMax);
  });
}

function subjectOf(scope: (typeof LIMITS)[number]['scope'], { phoneNumber, tokenId }: Started): string {
  return scope === 'MERCHANT' ? '' : scope === 'NUMBER' ? phoneNumber : tokenId;
}

test('concurrent requests of several processes are answered as if they had come one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(anyRounds, async (rounds) => {
      const limits = KINDS.flatMap((kind) => LIMITS.map((limit) => ({ ...limit, kind })));
      const merchantId = await limitedMerchant(gateway.engine, limits);
      const now = gateway.engine.clock.now();
      const run = new Run(merchantId);
      for (const round of rounds) await run.play(round);
      const changes = await counterChanges(gateway, merchantId);
      const counted = KINDS.flatMap((kind) => {
        const whole = counterOf(merchantId, { ...WHOLE, kind }, { subject: '', now });
        return run.replay(
          kind,
          changes.filter(({ counterId }) => counterId === whole),
        );
      });
      await expectCounters(merchantId, counted);
    }),
    { numRuns: 12 },
  );
});

/** What the counters say is what the payments say. */
async function expectCounters(merchantId: string, counted: readonly Started[]): Promise<void> {
  const rows = await select<{ used: string }>(
    gateway,
    `select concat_ws(' ', used_count, trim_scale(used_amount * ${UNIT})) as used from limit_counters
     where merchant_id = $1 and used_count > 0`,
    [merchantId],
  );
  const expected = new Map<string, { count: number; amount: bigint }>();
  for (const one of counted)
    for (const { scope } of LIMITS) {
      const name = `${one.kind} ${scope} ${subjectOf(scope, one)}`;
      const { count, amount } = expected.get(name) ?? { count: 0, amount: 0n };
      expected.set(name, { count: count + 1, amount: amount + one.amount });
    }
  const wanted = [...expected.values()].map(({ count, amount }) => `${count} ${amount}`);
  expect(rows.map(({ used }) => used).toSorted()).toEqual(wanted.toSorted());
}
