// What the books cost to read when there are many transfers: trial balance, wallets against transfers, and floats.
// Loads transfers of many merchants over some days, as their payments would have made them, and sums them up.
import { sumLedger } from '../../server/src/core/monitoring/sum-ledger.ts';
import type { Account } from '../../server/src/domain/ledger/postings.ts';
import { inTransaction, type Database } from '../../server/src/store/database.ts';
import { listPlatformAccounts } from '../../server/src/store/ledger/ledger-sums.ts';
import {
  ensureAccounts,
  listTrialBalance,
  listUnbalancedWallets,
  readBalances,
} from '../../server/src/store/ledger/ledger.ts';
import { accountId } from '../../server/src/store/ledger/wallet-funds.ts';

export type BooksLoad = {
  readonly database: Database;
  /** Of merchants that are there. */
  readonly merchantIds: readonly string[];
  readonly transferCount: number;
  /** Over as many days, the last of them ending now. */
  readonly days: number;
};

const PLACE = { country: 'RWA', currency: 'RWF', provider: '' };
const [FLOAT, FEE]: readonly Account[] = (['FLOAT', 'FEE'] as const).map((type) => ({
  type,
  ...PLACE,
  provider: 'MTN_MOMO_RWA',
}));
const DAY_MS = 86_400_000;
/** In one statement. */
const SLICE = 500_000;

/** Half are deposits, half are fees of payouts that were held first. Needs the right to switch triggers off. */
export async function loadTransfers({
  database,
  merchantIds,
  transferCount,
  days,
}: BooksLoad): Promise<void> {
  if (FLOAT === undefined || FEE === undefined) return;
  const wallets = merchantIds.map((merchantId): Account => ({ type: 'WALLET', merchantId, ...PLACE }));
  const until = Date.now();
  const stepMs = (days * DAY_MS) / transferCount;
  await inTransaction(database, (tx) => ensureAccounts(tx, [FLOAT, FEE, ...wallets]));
  for (let from = 0; from < transferCount; from += SLICE) {
    await inTransaction(database, async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query(
        `insert into transfers (merchant_id, subject_kind, subject_id, leg_no, template, debit_account_id,
           credit_account_id, amount, state, created_at, settled_at)
         select ($1::uuid[])[1 + (n / 2) % $9::int], case n % 2 when 0 then 'DEPOSIT' else 'PAYOUT' end,
           (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8'
             || substr(md5(n::text), 5, 15))::uuid, 0, 'LOADED',
           case n % 2 when 0 then $3::uuid else ($2::uuid[])[1 + (n / 2) % $9::int] end,
           case n % 2 when 0 then ($2::uuid[])[1 + (n / 2) % $9::int] else $4::uuid end,
           case n % 2 when 0 then 100 else 1 end, 'POSTED', at,
           case n % 2 when 0 then null else at + interval '30 seconds' end
         from (select n, to_timestamp(($5::float8 + n * $6::float8) / 1000) as at
           from generate_series($7::int, $8::int) n) made`,
        [
          merchantIds,
          wallets.map(accountId),
          accountId(FLOAT),
          accountId(FEE),
          until - days * DAY_MS,
          stepMs,
          from,
          Math.min(from + SLICE, transferCount) - 1,
          merchantIds.length,
        ],
      );
    });
  }
  await database.query(
    `update wallets w set posted =
       coalesce((select sum(amount) from transfers where credit_account_id = w.account_id), 0)
       - coalesce((select sum(amount) from transfers where debit_account_id = w.account_id), 0)`,
  );
  await database.query('vacuum (analyze) transfers');
}

export type BooksFigures = {
  readonly sumSeconds: number;
  readonly trialBalanceMs: number;
  readonly walletsMs: number;
  readonly floatsMs: number;
  readonly unbalanced: number;
};

/** The best of some rounds, after everything was summed up. */
export async function measureBookReads(database: Database, rounds = 5): Promise<BooksFigures> {
  const since = performance.now();
  const store = { database } as Parameters<typeof sumLedger>[0]['store'];
  await sumLedger({ store, clock: { now: () => new Date() } });
  const sumSeconds = Math.round((performance.now() - since) / 100) / 10;
  await database.query('vacuum (analyze) ledger_days, ledger_totals');
  const totals = new Map<string, bigint>();
  const trialBalanceMs = await best(rounds, async () => {
    totals.clear();
    for (const { currency, balance } of await listTrialBalance(database))
      totals.set(currency, (totals.get(currency) ?? 0n) + balance);
  });
  let wrong = 0;
  const walletsMs = await best(rounds, async () => {
    wrong = (await listUnbalancedWallets(database)).length;
  });
  const floatsMs = await best(rounds, async () => {
    const floats = (await listPlatformAccounts(database)).filter(({ type }) => type === 'FLOAT');
    await readBalances(
      database,
      floats.map(({ accountId: id }) => id),
    );
  });
  const unbalanced = wrong + [...totals.values()].filter((total) => total !== 0n).length;
  return { sumSeconds, trialBalanceMs, walletsMs, floatsMs, unbalanced };
}

async function best(rounds: number, work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const since = performance.now();
    await work();
    times.push(performance.now() - since);
  }
  return Math.round(Math.min(...times) * 10) / 10;
}
