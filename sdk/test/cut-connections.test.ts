// Connections that break during requests. Whatever is cut, no request is carried out twice, and the gateway
// holds nothing that the client does not know of.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Malipo, type PayoutRequest, type RemittanceRequest, type StatementRequest } from '@malipo/sdk';
import { streamOf, type Random } from '../../drills/kit/random.ts';
import { call, depositRequest, openTestGateway, select, waitUntil } from '../../server/test/gateway.ts';
import type { TestGateway } from '../../server/test/gateway.ts';
import { startCompleted } from '../../server/test/payments.ts';
import { remittanceRequest } from '../../server/test/requests.ts';
import { statementRequest } from '../../server/test/statement-files.ts';
import { startCuttingWire, type Cut, type CuttingWire } from './cutting-wire.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ announces: false });
});
afterAll(() => gateway.stop());

const WALLET = {
  type: 'MMO',
  accountDetails: { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' },
} as const;
const FRANCS = { amount: '100', currency: 'RWF' } as const;
const PAYOUT: PayoutRequest = { ...FRANCS, recipient: WALLET };
const { remittanceId: _, ...remittance } = remittanceRequest();
const REMITTANCE = remittance as RemittanceRequest;
const RETURN = { returnUrl: 'https://shop.example/' };

type Ordered = { readonly outcome: string; readonly id?: string };

/** Every kind of request. `depositId` is of a deposit that can be refunded. */
const ORDERS: Readonly<Record<string, (malipo: Malipo, depositId: string) => Promise<readonly Ordered[]>>> = {
  deposit: async (malipo) => [await malipo.deposits.create({ ...FRANCS, payer: WALLET })],
  payout: async (malipo) => [await malipo.payouts.create(PAYOUT)],
  refund: async (malipo, depositId) => [await malipo.refunds.create({ depositId })],
  remittance: async (malipo) => [await malipo.remittances.create(REMITTANCE)],
  'split payment': async (malipo) => {
    const splits = [{ amount: '40', recipient: WALLET }];
    return [await malipo.splitPayments.create({ ...FRANCS, payer: WALLET, splits })];
  },
  'list of payouts': (malipo) => malipo.payouts.createMany([PAYOUT, PAYOUT, PAYOUT]),
  'list of remittances': (malipo) => malipo.remittances.createMany([REMITTANCE, REMITTANCE]),
  checkout: async (malipo) => [await malipo.checkouts.create(RETURN)],
  'payment page': async (malipo) => [await malipo.paymentPages.create(RETURN)],
};

const CUTS: Readonly<Record<string, readonly Cut[]>> = {
  'before the request is forwarded': [{ of: 'request', afterBytes: 0 }],
  'in the middle of the request': [{ of: 'request', afterBytes: 300 }],
  'after the request was forwarded, before its answer': [{ of: 'answer', afterBytes: 0 }],
  'in the middle of the answer': [{ of: 'answer', afterBytes: 180 }],
  'before the answer, and that to the status check too': [
    { of: 'answer', afterBytes: 0 },
    { of: 'answer', afterBytes: 180 },
  ],
};

for (const [moment, cuts] of Object.entries(CUTS)) {
  test(`cut ${moment}, a request of any kind is carried out once`, async () => {
    const depositId = await startCompleted(gateway, 'deposit', depositRequest());
    const before = await countHeld();
    const told = await Promise.all(
      Object.values(ORDERS).map((request) =>
        withCuts([...cuts], async (malipo, wire) => {
          const ordered = await request(malipo, depositId);
          expect(wire.cutCount(), 'cuts').toBe(cuts.length);
          return ordered;
        }),
      ),
    );
    const outcomes = Object.keys(ORDERS).map((kind, index) => [kind, ...told[index]!.map(outcomeOf)]);
    expect(outcomes).toEqual(outcomes.map(([kind, ...all]) => [kind, ...all.map(() => 'accepted')]));
    expect(difference(await countHeld(), before)).toEqual(ONE_OF_EACH);
    expect(await listMissing(told.flat())).toEqual([]);
  });
}

const outcomeOf = ({ outcome }: Ordered) => outcome;

test('a statement is requested again, and moves no money', async () => {
  const before = await countHeld();
  const request = statementRequest() as StatementRequest;
  const asked = await withCuts([...CUTS['in the middle of the answer']!], (malipo) =>
    malipo.statements.create(request),
  );
  expect(asked).toMatchObject({ outcome: 'accepted', id: expect.any(String) });
  expect(difference(await countHeld(), before)).toEqual({});
});

test('a client that sends a new identifier after a cut pays twice, so the test can fail', async () => {
  const before = await countHeld();
  await withCuts([{ of: 'answer', afterBytes: 0 }], async (_malipo, { url }) => {
    const orderAgain = () =>
      call({ url, apiToken: gateway.apiToken }, 'POST', '/v2/payouts', { ...PAYOUT, payoutId: randomUUID() });
    await orderAgain().catch(orderAgain);
  });
  expect(difference(await countHeld(), before)).toEqual({ PAYOUT: 2 });
});

test('a wire that breaks in one of two exchanges, anywhere, lets 100 payouts be paid once each', async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  const random = streamOf(seed, 'cuts');
  const [before, balanceBefore] = [await countHeld(), await balance()];
  const wire = await startCuttingWire(gateway.url, () => randomCut(random));
  const malipo = new Malipo({ baseUrl: wire.url, token: gateway.apiToken, retryForMs: 20_000 });
  try {
    const many = Array.from({ length: 100 }, () => malipo.payouts.create(PAYOUT));
    const outcomes = (await Promise.all(many)).map(outcomeOf);
    expect(outcomes, `SEED=${seed}`).toEqual(outcomes.map(() => 'accepted'));
    expect(wire.cutCount(), 'cuts').toBeGreaterThan(40);
  } finally {
    await wire.stop();
  }
  expect(difference(await countHeld(), before), `SEED=${seed}`).toEqual({ PAYOUT: 100 });
  expect(balanceBefore - (await balance()), `SEED=${seed}`).toBe(10_000);
});

/** A request is about 500 bytes long, and an answer about 400. */
function randomCut(random: Random): Cut | null {
  if (random.chance(0.5)) return null;
  return { of: random.chance(0.4) ? 'request' : 'answer', afterBytes: random.between(0, 450) };
}

/** What `ORDERS` makes in the gateway; a split payment is a deposit and, later, a payout. */
const ONE_OF_EACH = { DEPOSIT: 2, PAYOUT: 5, REFUND: 1, REMITTANCE: 3, CHECKOUT: 1, PAGE: 1 };

type Counts = Readonly<Record<string, number>>;

/** What the gateway holds, once all of it is final. */
async function countHeld(): Promise<Counts> {
  await waitUntil(async () => (await countRows(OPEN_ROWS))['OPEN'] === undefined);
  return countRows(ALL_ROWS);
}

const OPEN_ROWS = `select 'OPEN' as kind from payments where state not in ('COMPLETED', 'FAILED')
  union all select 'OPEN' from split_payments where announced_at is null`;
const ALL_ROWS = `select kind::text from payments
  union all select 'CHECKOUT' from checkouts union all select 'PAGE' from payment_pages`;

async function countRows(rows: string): Promise<Counts> {
  const counted = await select<{ kind: string; count: number }>(
    gateway,
    `select kind, count(*)::int as count from (${rows}) as rows group by kind`,
  );
  return Object.fromEntries(counted.map(({ kind, count }) => [kind, count]));
}

function difference(after: Counts, before: Counts): Counts {
  const kinds = Object.keys(after).filter((kind) => after[kind] !== before[kind]);
  return Object.fromEntries(kinds.map((kind) => [kind, after[kind]! - (before[kind] ?? 0)]));
}

/** Identifiers the client was told of, and the gateway does not hold. */
async function listMissing(told: readonly Ordered[]): Promise<readonly string[]> {
  const rows = await select<{ id: string }>(
    gateway,
    `select payment_id::text as id from payments union all select checkout_id::text from checkouts
     union all select deposit_id::text from payment_pages`,
  );
  const held = new Set(rows.map(({ id }) => id));
  return told.flatMap(({ id = '' }) => (held.has(id) ? [] : id));
}

async function balance(): Promise<number> {
  const malipo = new Malipo({ baseUrl: gateway.url, token: gateway.apiToken });
  const [wallet] = await malipo.wallets.balances({ country: 'RWA' });
  return Number(wallet!.balance);
}

/** A client behind a wire of its own, whose first exchanges are cut as said. */
async function withCuts<Result>(
  cuts: Cut[],
  use: (malipo: Malipo, wire: CuttingWire) => Promise<Result>,
): Promise<Result> {
  const wire = await startCuttingWire(gateway.url, () => cuts.shift() ?? null);
  try {
    return await use(new Malipo({ baseUrl: wire.url, token: gateway.apiToken, retryForMs: 10_000 }), wire);
  } finally {
    await wire.stop();
  }
}
