// The verdict on a drained cell: the history is the same row for row, the load's payments are in the new cell only and
// checked like those of a chaos run, and wallets and sums are what the transfers come to.
import type { Database } from '../../server/src/store/database.ts';
import { balancesOf } from '../../server/src/store/ledger/ledger-rollups.ts';
import { inDatabase } from '../kit/database.ts';
import type { Acknowledged } from '../kit/load/load.ts';
import { readOperatorBooks } from '../kit/verdict/operator-books.ts';
import { checkPayments, type Finding } from '../kit/verdict/verdict.ts';
import { readPayments } from '../kit/verdict/payment-rows.ts';
import { findInBoth } from './verdict.ts';
import type { Setup } from './setup.ts';

export type DrainVerdict = {
  readonly payments: number;
  readonly findings: readonly Finding[];
  /** Tables whose history differs. */
  readonly unequal: readonly string[];
  /** Payments that are still in the old cell. */
  readonly leftBehind: number;
};

const OF_HISTORY = `payment_no in (
  select payment_no from payments where created_at < $1 and final_at < $1)`;

/** Rows of the history, by table. Computed in another way than a move does. */
const HISTORY: Readonly<Record<string, string>> = {
  payment_keys: OF_HISTORY,
  payments: OF_HISTORY,
  payment_events: OF_HISTORY,
  payment_attempts: OF_HISTORY,
  transfers: OF_HISTORY.replace('payment_no', 'subject_id'),
  callbacks: OF_HISTORY.replace('payment_no', 'subject_id'),
  callback_attempts: `callback_id in (
    select callback_id from callbacks where ${OF_HISTORY.replace('payment_no', 'subject_id')})`,
  payment_search: OF_HISTORY,
  provider_transactions: `(merchant_id, kind, payment_id) in (
    select merchant_id, kind, payment_id from payment_keys where ${OF_HISTORY})`,
};

/** How many rows, and a digest of all of them in the order of their text. */
export async function hashRows(
  setup: Setup,
  cell: number,
  until: Date,
): Promise<Readonly<Record<string, string>>> {
  return withPatience(setup, cell, async (client) => {
    const hashes: [string, string][] = [];
    for (const [table, where] of Object.entries(HISTORY)) {
      const { rows } = await client.query<{ hash: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(row, '' order by row)), '') as hash
         from (select md5(t::text) as row from ${table} t where ${where}) hashed`,
        [until],
      );
      hashes.push([table, rows[0]?.hash ?? '']);
    }
    return Object.fromEntries(hashes);
  });
}

/** Without the time limits of a process, and with plans that read whole tables. */
async function withPatience<Result>(
  { environments }: Setup,
  cell: number,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  return inDatabase(environments[cell]?.['DATABASE_URL'] ?? '', async (database) => {
    await database.query('set enable_seqscan to on');
    await database.query('analyze');
    return work(database);
  });
}

export async function checkDrain(
  setup: Setup,
  {
    acknowledged,
    before,
    until,
  }: {
    readonly acknowledged: readonly Acknowledged[];
    readonly before: Readonly<Record<string, string>>;
    readonly until: Date;
  },
): Promise<DrainVerdict> {
  const after = await hashRows(setup, 1, until);
  const rows = await Promise.all(
    setup.admins.map((_, cell) => withPatience(setup, cell, (one) => readPayments(one))),
  );
  // The newest payments of the history are open: they are sent or asked about beside those of the load.
  const all = rows[1] ?? [];
  const played = all.filter(({ final_at: finalAt }) => finalAt === null || finalAt >= until);
  const evidence = { acknowledged, charges: readOperatorBooks(setup.scratch), merchants: setup.merchants };
  return {
    payments: all.length,
    findings: [
      ...(await withPatience(setup, 1, (database) => checkPayments({ ...evidence, database }, played, all))),
      ...findInBoth(rows),
      ...(await findUnbalanced(setup)),
    ],
    unequal: Object.keys(before).filter((table) => before[table] !== after[table]),
    leftBehind: rows[0]?.length ?? 0,
  };
}

async function findUnbalanced(setup: Setup): Promise<readonly Finding[]> {
  return withPatience(setup, 1, async (client) => {
    const { rows } = await client.query<{ subject: string; what: string }>(
      `with ${balancesOf('ALL')},
         legs as (
           select credit_account_id as account_id, amount from transfers where state = 'POSTED'
           union all
           select debit_account_id, -amount from transfers where state = 'POSTED'),
         booked as (select account_id, sum(amount) as amount from legs group by 1),
         summed as (select account_id, credits - debits as amount from balances)
       select account_id as subject,
         format('transfers %s, sums %s, wallet %s', booked.amount, summed.amount, wallets.posted) as what
       from booked full join summed using (account_id) left join wallets using (account_id)
       where coalesce(booked.amount, 0) <> coalesce(summed.amount, 0)
         or wallets.posted <> coalesce(booked.amount, 0)`,
    );
    return rows.map((row) => ({ type: 'UNBALANCED', ...row }));
  });
}
