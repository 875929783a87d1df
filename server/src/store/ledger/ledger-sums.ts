// The books added up, for monitors: everything once in a while, and in between only what happened since.
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric, column, columns, type Row } from '../columns.ts';

/** From here on the transaction sees the books as they are now, whatever is posted meanwhile. */
export async function freezeBooks(tx: Tx): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only');
}

/** The accounts of the platform that should not hold money for long, or that stand for money at an operator. */
export type PlatformType = 'CLEARING' | 'SUSPENSE' | 'FLOAT';

const names = columns({
  accountId: 'uuid',
  type: 'text',
  country: 'text',
  currency: 'text',
  provider: 'text',
});
const platform = columns({ ...names.defs, type: column<PlatformType>('text') });

export type PlatformRow = Row<typeof platform>;

/** A few for each provider; accounts of merchants are not read. */
export async function listPlatformAccounts(tx: Tx): Promise<readonly PlatformRow[]> {
  const tail = `from accounts where merchant_id is null and type in ('CLEARING', 'SUSPENSE', 'FLOAT')`;
  return platform.select(tx, tail);
}

/** How many blocks the transfers fill: the measure of a full look. */
export async function countTransferBlocks(tx: Tx): Promise<number> {
  const { rows } = await tx.query<{ blocks: number }>(
    `select (pg_relation_size('transfers') / current_setting('block_size')::int)::int as blocks`,
  );
  return rows[0]?.blocks ?? 0;
}

const sums = columns({
  ...names.defs,
  /** Credits less debits of what is posted. */
  posted: column<Amount>('numeric', 'sum(posted)'),
  /** The same of what was posted before the time given. */
  postedBefore: column<Amount>('numeric', 'sum(posted_before)'),
  /** What is pending, as a debit of the account. */
  pending: column<Amount>('numeric', 'sum(pending)'),
});

export type AccountSum = Row<typeof sums>;

/** Adds up the transfers of a range of blocks, by account: the table in slices, so that no statement takes long. */
export async function sumTransfers(
  tx: Tx,
  slice: { readonly fromBlock: number; readonly untilBlock: number; readonly before: Date },
): Promise<readonly AccountSum[]> {
  return sums.query(
    tx,
    `with slice as materialized (
       select debit_account_id, credit_account_id,
         coalesce(sum(amount) filter (where state = 'POSTED'), 0) as posted,
         coalesce(sum(amount) filter (where state = 'POSTED' and coalesce(settled_at, created_at) < $3), 0)
           as posted_before,
         coalesce(sum(amount) filter (where state = 'PENDING'), 0) as pending
       from transfers where ctid >= $1::tid and ctid < $2::tid group by 1, 2)
     select ${sums.names} from (
       select credit_account_id as account_id, posted, posted_before, 0 as pending from slice
       union all
       select debit_account_id, -posted, -posted_before, pending from slice) changes
     join accounts using (account_id) group by 1, 2, 3, 4, 5`,
    [`(${slice.fromBlock},0)`, `(${slice.untilBlock},0)`, slice.before],
  );
}

const wallets = columns({ accountId: 'uuid', posted: 'numeric', held: 'numeric' });

export type WalletRow = Row<typeof wallets>;

export async function listAllWallets(tx: Tx): Promise<readonly WalletRow[]> {
  return wallets.select(tx, 'from wallets');
}

/**
 * What accounts gained since a time: credits less debits. Reads only the transfers made or settled since: 20 ms for the
 * 3,000 of 70 minutes out of 10 million, by `transfers_by_…_account` and `transfers_by_settlement`.
 */
export async function sumSince(
  tx: Tx,
  { accountIds, since }: { readonly accountIds: readonly string[]; readonly since: Date },
): Promise<ReadonlyMap<string, Amount>> {
  const { rows } = await tx.query<{ account_id: string; change: string }>(
    `select account_id, sum(change) as change from (
       select credit_account_id as account_id, amount as change from transfers
       where credit_account_id = any($1) and created_at >= $2 and state = 'POSTED' and settled_at is null
       union all
       select debit_account_id, -amount from transfers
       where debit_account_id = any($1) and created_at >= $2 and state = 'POSTED' and settled_at is null
       union all
       select credit_account_id, amount from transfers where settled_at >= $2 and state = 'POSTED'
       union all
       select debit_account_id, -amount from transfers where settled_at >= $2 and state = 'POSTED') changes
     where account_id = any($1) group by 1`,
    [accountIds, since],
  );
  return new Map(rows.map((row) => [row.account_id, amountOfNumeric(row.change)]));
}

/** What an account holds, and since when it has not been zero. */
export type Standing = {
  readonly accountId: string;
  /** Credits less debits. */
  readonly balance: Amount;
  /** Null while it is zero. */
  readonly since: Date | null;
};

/**
 * Follows accounts from where they stood through what happened between two times, in the order in which it was
 * posted. For CLEARING and SUSPENSE only, where nothing is ever pending. Accounts without a change are left out.
 */
export async function followStandings(
  tx: Tx,
  {
    standings,
    from,
    until,
  }: { readonly standings: readonly Standing[]; readonly from: Date; readonly until: Date },
): Promise<readonly Standing[]> {
  const { rows } = await tx.query<{ account_id: string; balance: string; left_zero_at: Date | null }>(
    `with stood as (select * from unnest($1::uuid[], $2::numeric[]) as s (account_id, balance)),
     changes as (
       select account_id, at, sum(change) as change from (
         select credit_account_id as account_id, created_at as at, amount as change from transfers
         where credit_account_id = any($1) and created_at >= $3 and created_at < $4 and state = 'POSTED'
         union all
         select debit_account_id, created_at, -amount from transfers
         where debit_account_id = any($1) and created_at >= $3 and created_at < $4 and state = 'POSTED') each
       group by 1, 2),
     running as (
       select account_id, at, change,
         s.balance + sum(change) over (partition by account_id order by at) as after
       from changes join stood s using (account_id))
     select account_id, max(at) filter (where after - change = 0 and change <> 0) as left_zero_at,
       (array_agg(after order by at desc))[1] as balance
     from running group by 1`,
    [
      standings.map(({ accountId }) => accountId),
      standings.map(({ balance }) => renderAmount(balance)),
      from,
      until,
    ],
  );
  const stood = new Map(standings.map((standing) => [standing.accountId, standing]));
  return rows.map((row) => {
    const balance = amountOfNumeric(row.balance);
    const since = row.left_zero_at ?? stood.get(row.account_id)?.since ?? null;
    return { accountId: row.account_id, balance, since: balance === 0n ? null : since };
  });
}
