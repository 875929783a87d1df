// The sums of transfers, set back to a time before: after a clock that was ahead carried them along. No transfer is
// touched. What lies behind the new end of the sums is read from the transfers, whenever it is dated, until time
// reaches it and it is summed up as ever.
import { renderAmount } from '../../domain/money.ts';
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { balancesOf, SUMMED, SUMS, waitForSummingTurn } from './ledger-rollups.ts';

const balances = columns({ accountId: 'uuid', posted: 'numeric', held: 'numeric' });

/** Every account that does not stand at zero, from the sums and the transfers since. */
export async function listAllBalances(tx: Tx): Promise<readonly string[]> {
  const rows: readonly Row<typeof balances>[] = await balances.query(
    tx,
    `with ${balancesOf('ALL')}
     select account_id as "accountId", credits - debits as posted, held - released as held from balances
     where credits <> debits or held <> released order by account_id`,
    [],
  );
  return rows.map(({ accountId, posted, held }) =>
    [accountId, renderAmount(posted), renderAmount(held)].join(' '),
  );
}

/**
 * Sums end at the beginning of this day, in UTC, where they went further. Nobody may be on the way to another cell.
 * Until the transaction ends no worker sums up.
 */
export async function setSumsBack(tx: Tx, dayAt: Date): Promise<void> {
  await waitForSummingTurn(tx);
  await tx.query('delete from ledger_days where day_at >= $1', [dayAt]);
  await tx.query('delete from ledger_totals');
  await tx.query(
    `insert into ledger_totals (account_id, merchant_id, ${SUMS.join(', ')})
     select account_id, merchant_id, ${SUMMED} from ledger_days group by 1, 2`,
  );
  await tx.query('update ledger_progress set summed_until = $1 where summed_until > $1', [dayAt]);
}

/** How many transfers are dated after this time. */
export async function countTransfersAfter(tx: Tx, at: Date): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select coalesce(sum(each.count), 0)::int as count from accounts a cross join lateral (
       select count(*) from transfers t where t.debit_account_id = a.account_id and t.created_at > $1) each`,
    [at],
  );
  return rows[0]?.count ?? 0;
}
