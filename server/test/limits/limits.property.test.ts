// Random requests of several API processes at once, against a model that is small enough to be read: no limit is ever
// exceeded, and nothing is refused that fits. One gateway object has what one process has: its own pool and batches.
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGateway, type Gateway } from '../../src/commands/serve/compose.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import type { DirectOrder } from '../../src/core/payments/payment-request.ts';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';
import { beginHour, limitedMerchant, orderOf, UNIT } from './limited-merchants.ts';

let gateway: TestGateway;
let processes: readonly Gateway[];
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
  await beginHour(gateway);
  const others = await Promise.all([1, 2].map(() => openGateway(gateway.config, { role: 'api', logTo: 2 })));
  processes = [gateway.gateway, ...others];
});
afterAll(async () => {
  for (const one of processes.slice(1)) await one.stop();
  await gateway.stop();
});

const NUMBERS = ['250783000001', '250783000002', '250783000003'];
const TOKENS = ['one', 'two'];

/** Of each scope, so that a payment counts in several at once. */
const LIMITS = [
  { scope: 'MERCHANT', countMax: 12, amountMax: 2_000n * UNIT },
  { scope: 'NUMBER', countMax: 6, amountMax: null },
  { scope: 'TOKEN', countMax: null, amountMax: 1_200n * UNIT },
] as const;

type Wanted = { readonly amount: number; readonly number: number; readonly token: number };

const anyWanted: fc.Arbitrary<Wanted> = fc.record({
  amount: fc.integer({ min: 100, max: 500 }),
  number: fc.nat({ max: NUMBERS.length - 1 }),
  token: fc.nat({ max: TOKENS.length - 1 }),
});

/** Rounds of requests that are sent at once, by each process; after each some of the accepted ones fail. */
const anyRounds = fc.array(
  fc.record({
    batches: fc.array(fc.array(anyWanted, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
    failed: fc.array(fc.nat(), { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** What a limit has counted of these payments, told a second time. */
function usedOf(accepted: readonly Wanted[], limit: (typeof LIMITS)[number], like: Wanted) {
  const same = accepted.filter(
    (one) =>
      limit.scope === 'MERCHANT' ||
      (limit.scope === 'NUMBER' ? one.number === like.number : one.token === like.token),
  );
  return { count: same.length, amount: same.reduce((sum, { amount }) => sum + BigInt(amount) * UNIT, 0n) };
}

function exceeds(accepted: readonly Wanted[], more: Wanted | null, like: Wanted): boolean {
  return LIMITS.some((limit) => {
    const used = usedOf(accepted, limit, like);
    const count = used.count + (more === null ? 0 : 1);
    const amount = used.amount + (more === null ? 0n : BigInt(more.amount) * UNIT);
    return count > (limit.countMax ?? Infinity) || (limit.amountMax !== null && amount > limit.amountMax);
  });
}

type Started = { readonly wanted: Wanted; readonly order: DirectOrder };

async function startOne(process: Gateway, merchantId: string, batch: readonly Wanted[]) {
  const started: Started[] = [];
  for (const wanted of batch) {
    const order = await orderOf(process.engine, merchantId, {
      amount: BigInt(wanted.amount) * UNIT,
      details: { phoneNumber: NUMBERS[wanted.number]! },
      tokenId: TOKENS[wanted.token]!,
    });
    started.push({ wanted, order });
  }
  // A repeat in the same batch must not count.
  const orders = started.map(({ order }) => order);
  const repeat = { ...orders[0]!, paymentNo: randomUUID() };
  const answers = await initiate(process.engine, [...orders, repeat]);
  return started.map((one, index) => ({ ...one, type: answers[index]!.type }));
}

async function fail({ order }: Started): Promise<void> {
  const { merchant, kind, writtenId: paymentId } = order;
  const key = { merchantId: merchant.merchantId, kind, paymentId };
  await advance(gateway.engine, [{ key, event: { type: 'CANCELLED', unsentAs: 'OTHER_ERROR' } }]);
}

test('concurrent requests of several processes exceed no limit, and what is refused did not fit', async () => {
  await fc.assert(
    fc.asyncProperty(anyRounds, async (rounds) => {
      const merchantId = await limitedMerchant(gateway.engine, LIMITS);
      let accepted: readonly Started[] = [];
      for (const { batches, failed } of rounds) {
        const answers = await Promise.all(
          batches.map((batch, index) => startOne(processes[index % processes.length]!, merchantId, batch)),
        );
        const all = answers.flat();
        accepted = [...accepted, ...all.filter(({ type }) => type === 'ACCEPTED')];
        const counted = accepted.map(({ wanted }) => wanted);
        for (const one of counted) expect(exceeds(counted, null, one)).toBe(false);
        // In a round counts only grow: what did not fit then does not fit at its end.
        for (const { wanted, type } of all) {
          expect(['ACCEPTED', 'NOT_ALLOWED']).toContain(type);
          if (type === 'NOT_ALLOWED') expect(exceeds(counted, wanted, wanted)).toBe(true);
        }
        const ended = new Set(
          failed.flatMap((index) => accepted[index % Math.max(accepted.length, 1)] ?? []),
        );
        for (const one of ended) await fail(one);
        accepted = accepted.filter((one) => !ended.has(one));
      }
      await expectCounters(merchantId, accepted);
    }),
    { numRuns: 12 },
  );
});

function inOrder(all: Iterable<{ count: number; amount: string }>): readonly string[] {
  return [...all].map(({ count, amount }) => `${count} ${amount}`).toSorted();
}

/** What the counters say is what the payments say. */
async function expectCounters(merchantId: string, accepted: readonly Started[]): Promise<void> {
  const rows = await select(
    gateway,
    `select used_count::int as count, trim_scale(used_amount)::text as amount from limit_counters
     where merchant_id = $1 and used_count > 0`,
    [merchantId],
  );
  const wanted = accepted.map((one) => one.wanted);
  const expected = new Map<string, { count: number; amount: string }>();
  for (const limit of LIMITS) {
    for (const like of wanted) {
      const { count, amount } = usedOf(wanted, limit, like);
      const name = limit.scope === 'MERCHANT' ? '' : limit.scope === 'NUMBER' ? like.number : like.token;
      expected.set(`${limit.scope} ${name}`, { count, amount: String(amount / UNIT) });
    }
  }
  expect(inOrder(rows as { count: number; amount: string }[])).toEqual(inOrder(expected.values()));
}
