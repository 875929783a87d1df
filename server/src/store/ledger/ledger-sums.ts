// Accounts of the platform, for monitors: which there are, and since when one has not been zero.
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric, column, columns, type Row } from '../columns.ts';

/** From here on the transaction sees the books as they are now, whatever is posted meanwhile. */
export async function freezeBooks(tx: Tx): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only');
}

/** The accounts of the platform that should not hold money for long, or that stand for money at an operator. */
export type PlatformType = 'CLEARING' | 'SUSPENSE' | 'FLOAT';

const platform = columns({
  accountId: 'uuid',
  type: column<PlatformType>('text'),
  country: 'text',
  currency: 'text',
  provider: 'text',
});

export type PlatformRow = Row<typeof platform>;

/** A few for each provider; accounts of merchants are not read. */
export async function listPlatformAccounts(tx: Tx): Promise<readonly PlatformRow[]> {
  const tail = `from accounts where merchant_id is null and type in ('CLEARING', 'SUSPENSE', 'FLOAT')`;
  return platform.select(tx, tail);
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
