// Fills a gateway's database with the past of one merchant: payments of all kinds and outcomes, with consistent events,
// evidence, attempts, search entries, transfers and callbacks. Every batch is one transaction that leaves the books in
// order.
import { createMerchant, setCallbackUrl } from '../../server/src/core/merchants/administer-merchants.ts';
import { topUpWallets } from '../../server/src/core/ledger/administer-wallets.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import { renderAmount, type Amount } from '../../server/src/domain/money.ts';
import { OPERATIONS } from '../../server/src/domain/payments/payment.ts';
import { loadDataKeys } from '../../server/src/store/encryption/data-keys.ts';
import { inTransaction, type Tx } from '../../server/src/store/database.ts';
import { forgetSums } from '../../server/src/store/cells/moving/ledger-sums.ts';
import { ensureAccounts } from '../../server/src/store/ledger/ledger.ts';
import { accountId } from '../../server/src/store/ledger/wallet-funds.ts';
import { forgetHours } from '../../server/src/store/payments/payment-hours.ts';
import type { StoredPayment } from '../../server/src/store/payments/payments.ts';
import { clockAt } from '../../server/test/clocks.ts';
import { randomPayment, type Past } from './random-payment.ts';
import { insertLives, transfersOf, type SeedContext } from './rows.ts';

export type SeedOptions = Omit<Past, 'merchantId'> & {
  /** Null: a new one is created. */
  readonly merchantId: string | null;
  readonly say: (text: string) => void;
};

const BY = 'seed-payments';
const BATCH = 1_000;
/** While one commits, the next is built. */
const WRITERS = 2;
/** Enough for all payouts. */
const OPENING_BALANCE: Amount = 10_000_000_000n * 10_000n;
const TABLES = [
  'payment_keys',
  'payments',
  'payment_events',
  'payment_attempts',
  'provider_transactions',
  'payment_search',
  'transfers',
  'callbacks',
  'callback_attempts',
];

export async function seedPayments(engine: Engine, order: SeedOptions): Promise<Past> {
  const merchantId = order.merchantId ?? (await createShop(engine));
  const { count, until, days, seed, say } = order;
  const past = { merchantId, count, until, days, seed };
  await openWallets(engine, past);
  await loadDataKeys(engine.store, [merchantId]);
  const endpoints = await readEndpoints(engine, merchantId);
  const context = { keyring: engine.store.keyring, endpoints };
  let next = 1;
  const write = async () => {
    for (let from = next; from <= count; from = next) {
      next += BATCH;
      await insertBatch(engine, context, past, from);
      if ((from - 1) % Math.max(BATCH, Math.ceil(count / 10 / BATCH) * BATCH) === 0) say(`from ${from}`);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  // A worker may already have counted the hours, and summed up the days, that are filled here.
  await forgetHours(engine.store.database, merchantId);
  await inTransaction(engine.store.database, (tx) => forgetSums(tx, merchantId));
  say('vacuum and statistics');
  await vacuumPast(engine);
  return past;
}

/** As autovacuum would do some time later. */
export async function vacuumPast(engine: Engine): Promise<void> {
  for (const table of TABLES) await runPatiently(engine, `vacuum (analyze) ${table}`);
}

async function createShop(engine: Engine): Promise<string> {
  const order = { by: BY, companyName: 'Seeded Shop', operations: OPERATIONS, walletPerProvider: false };
  const merchantId = await createMerchant(engine, order);
  await setCallbackUrl(engine, { by: BY, merchantId, url: 'https://shop.example/callbacks' });
  return merchantId;
}

async function readEndpoints(engine: Engine, merchantId: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await engine.store.database.query<{ kind: string; endpoint_id: string }>(
    'select kind, endpoint_id from callback_endpoints where merchant_id = $1',
    [merchantId],
  );
  return new Map(rows.map((row) => [row.kind, row.endpoint_id]));
}

/** Before the first payment, as the merchant would have done. */
async function openWallets(engine: Engine, past: Past): Promise<void> {
  const begin = new Date(past.until.getTime() - (past.days + 1) * 86_400_000);
  const sample = Array.from({ length: Math.min(past.count, 5_000) }, (_, index) =>
    randomPayment(index + 1, past),
  );
  const places = new Map(
    sample.map(({ country, currency }) => [`${country} ${currency}`, { country, currency }]),
  );
  const orders = [...places.values()].map((place) => ({
    ...place,
    by: BY,
    merchantId: past.merchantId,
    amount: OPENING_BALANCE,
  }));
  await topUpWallets({ ...engine, clock: clockAt(() => begin) }, orders);
}

async function insertBatch(engine: Engine, context: SeedContext, past: Past, from: number): Promise<void> {
  const length = Math.min(BATCH, past.count - from + 1);
  const payments = Array.from({ length }, (_, index) => randomPayment(from + index, past));
  await insertWithBooks(engine, context, payments);
}

/** Payments with everything that belongs to them, in one transaction that leaves the books in order. */
export async function insertWithBooks(
  engine: Engine,
  context: SeedContext,
  payments: readonly StoredPayment[],
): Promise<void> {
  await inTransaction(engine.store.database, async (tx) => {
    const transfers = payments.flatMap(transfersOf);
    await ensureAccounts(
      tx,
      transfers.flatMap(({ debit, credit }) => [debit, credit]),
    );
    await insertLives(tx, context, payments);
    await changeWallets(tx, payments);
  });
}

async function changeWallets(tx: Tx, payments: readonly StoredPayment[]): Promise<void> {
  const changes = new Map<string, { posted: Amount; held: Amount }>();
  const add = (id: string, posted: Amount, held: Amount) => {
    const before = changes.get(id) ?? { posted: 0n, held: 0n };
    changes.set(id, { posted: before.posted + posted, held: before.held + held });
  };
  for (const { debit, credit, amount, state } of payments.flatMap(transfersOf)) {
    if (credit.type === 'WALLET') add(accountId(credit), amount, 0n);
    if (debit.type === 'WALLET' && state === 'POSTED') add(accountId(debit), -amount, 0n);
    if (debit.type === 'WALLET' && state === 'PENDING') add(accountId(debit), 0n, amount);
  }
  const inOrder = [...changes].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [id, { posted, held }] of inOrder) {
    await tx.query('update wallets set posted = posted + $2, held = held + $3 where account_id = $1', [
      id,
      renderAmount(posted),
      renderAmount(held),
    ]);
  }
}

async function runPatiently({ store }: Engine, statement: string): Promise<void> {
  const client = await store.database.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query({ text: statement, query_timeout: 0 } as { text: string });
  } finally {
    client.release(true);
  }
}
