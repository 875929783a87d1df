// Sums of transfers, made in the background: with the transfers since, they must come to what every transfer comes to,
// at any moment.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recountLedger } from '../src/core/monitoring/recount-ledger.ts';
import { sumLedger } from '../src/core/monitoring/sum-ledger.ts';
import { inTransaction } from '../src/store/database.ts';
import { takeSummingTurn } from '../src/store/ledger/ledger-rollups.ts';
import { book, listUnbalancedWallets, readBalances, type Posting } from '../src/store/ledger/ledger.ts';
import { accountId } from '../src/store/ledger/wallet-funds.ts';
import { addMerchant, NOON, openTestStore, type TestStore } from './store/open-store.ts';
import {
  after,
  bookAt,
  CLEARING,
  DAY_MS,
  engineAt,
  FEE,
  FLOAT,
  MINUTE_MS,
  posting,
  readPlainSums,
  readSums,
  wallet,
} from './summed-books.ts';

async function summedUntil({ database }: TestStore): Promise<Date | undefined> {
  const { rows } = await database.query<{ summed_until: Date }>(
    'select summed_until from ledger_progress where merchant_id is null',
  );
  return rows[0]?.summed_until;
}

describe('sums and the transfers since', () => {
  let store: TestStore;
  let now = NOON;
  beforeAll(async () => {
    store = await openTestStore();
  });
  afterAll(() => store.stop());

  type Run = {
    readonly merchants: readonly string[];
    readonly held: Posting[];
    late: (() => Promise<void>) | null;
  };
  type Step = { readonly what: string; readonly run: (run: Run) => Promise<void> };
  const merchantOf = ({ merchants }: Run, no: number) => merchants[no]!;

  const steps: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ no: fc.nat(1), amount: fc.integer({ min: 1, max: 50 }) }).map(({ no, amount }) => ({
      what: `deposit ${no} ${amount}`,
      run: async (run: Run) => {
        const merchant = merchantOf(run, no);
        const legs = [
          [FLOAT, wallet(merchant), amount * 2] as const,
          [wallet(merchant), FEE, amount] as const,
        ];
        await bookAt(store, now, { posted: [posting(merchant, legs)] });
      },
    })),
    fc.record({ no: fc.nat(1), amount: fc.integer({ min: 1, max: 50 }) }).map(({ no, amount }) => ({
      what: `hold ${no} ${amount}`,
      run: async (run: Run) => {
        const merchant = merchantOf(run, no);
        const held = posting(merchant, [[wallet(merchant), FLOAT, amount]]);
        await bookAt(store, now, { held: [held] });
        run.held.push(held);
      },
    })),
    fc.constantFrom('POSTED' as const, 'VOIDED' as const).map((state) => ({
      what: `a hold is ${state}`,
      run: async (run: Run) => {
        const ended = run.held.shift();
        if (ended !== undefined) await bookAt(store, now, { ended: [{ subject: ended.subject, state }] });
      },
    })),
    fc.constant({
      what: 'a transaction that commits late',
      run: async (run: Run) => {
        await run.late?.();
        const [merchant] = run.merchants;
        const database = await store.database.connect();
        await database.query('begin');
        await book(database, { posted: [posting(merchant!, [[FLOAT, FEE, 3]])] }, now);
        run.late = async () => {
          run.late = null;
          await database.query('commit');
          database.release();
        };
      },
    }),
    fc.integer({ min: 1, max: 3_000 }).map((minutes) => ({
      what: `${minutes} minutes pass`,
      run: async (run: Run) => {
        if (minutes > 9) await run.late?.();
        now = after(now, minutes * MINUTE_MS);
      },
    })),
    fc.integer({ min: 1, max: 5 }).map((transfersAtOnce) => ({
      what: `summed up, ${transfersAtOnce} at once`,
      run: () => sumLedger(engineAt(store, now), { transfersAtOnce }),
    })),
  );

  test('sums and the transfers since come to what all transfers come to, at any moment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 25 }), async (order) => {
        const merchants = [await addMerchant(store), await addMerchant(store)];
        const run: Run = { merchants, held: [], late: null };
        for (const merchant of merchants) {
          const opened = posting(merchant, [
            [CLEARING, wallet(merchant), 10_000],
            // So that a late transaction makes no account.
            [FLOAT, FEE, 1],
          ]);
          await bookAt(store, now, { posted: [opened] });
        }
        try {
          for (const step of order) {
            await step.run(run);
            expect(await readSums(store), step.what).toEqual(await readPlainSums(store));
            expect(await listUnbalancedWallets(store.database)).toEqual([]);
          }
        } finally {
          // What fails is tried again with fewer steps; an open transaction would stop that.
          await run.late?.();
        }
        now = after(now, 20 * MINUTE_MS);
        await sumLedger(engineAt(store, now));
        expect(await summedUntil(store)).toEqual(after(now, -10 * MINUTE_MS));
        expect(await recountLedger(engineAt(store, now))).toEqual({ changedAccountIds: [], next: null });
      }),
      { numRuns: 15 },
    );
    const ids = [FLOAT, FEE].map(accountId);
    const plain = await readPlainSums(store);
    for (const [id, balance] of await readBalances(store.database, ids)) {
      expect(Number(balance) / 10_000).toBe(Number(plain[id]!.split(' ')[0]));
    }
  });

  test('where nothing is summed up, nothing is compared', async () => {
    const other = await openTestStore();
    try {
      const { merchantId } = other;
      await bookAt(other, NOON, { posted: [posting(merchantId, [[FLOAT, wallet(merchantId), 5]])] });
      for (const at of [NOON, after(NOON, 5 * DAY_MS)]) {
        expect(await recountLedger(engineAt(other, at))).toEqual({ changedAccountIds: [], next: null });
        expect(await readSums(other)).toEqual(await readPlainSums(other));
      }
    } finally {
      await other.stop();
    }
  });

  test('one worker sums up at a time, and none whose clock is ahead', async () => {
    now = after(now, DAY_MS);
    const before = await summedUntil(store);
    await inTransaction(store.database, async (tx) => {
      expect(await takeSummingTurn(tx)).toBe(true);
      await sumLedger(engineAt(store, now));
      expect(await summedUntil(store)).toEqual(before);
    });
    await sumLedger(engineAt(store, now), { isStopping: () => true });
    expect(await summedUntil(store)).toEqual(before);
    // What others write in that hour would have an older time than the sums.
    await sumLedger(engineAt(store, now, 60 * MINUTE_MS));
    expect(await summedUntil(store)).toEqual(before);
    await sumLedger(engineAt(store, now));
    expect(await summedUntil(store)).toEqual(after(now, -10 * MINUTE_MS));
  });
});
