// What a cell still has that belongs to it alone: its own accounts, and what waits for somebody there.
import type { PlatformBalance } from '../../domain/ledger/postings.ts';
import { column, columns } from '../columns.ts';
import type { Tx } from '../database.ts';
import { readBalances } from '../ledger/ledger.ts';
import { IS_LIVE } from '../recovery/unmatched-payments.ts';
import { livesHere } from './migration-locks.ts';

const platform = columns({
  accountId: 'uuid',
  type: column<PlatformBalance['account']['type']>('text'),
  country: 'text',
  currency: 'text',
  provider: 'text',
});

/** Every account of the platform that is not at zero, but for what is between cells. In the order of their names. */
export async function listPlatformBalances(tx: Tx): Promise<readonly PlatformBalance[]> {
  const rows = await platform.select(
    tx,
    `from accounts where merchant_id is null and type <> 'BETWEEN_CELLS' order by currency, type, country, provider`,
  );
  const balances = await readBalances(
    tx,
    rows.map(({ accountId }) => accountId),
  );
  return rows.flatMap(({ accountId, ...account }) => {
    const balance = balances.get(accountId) ?? 0n;
    return balance === 0n ? [] : [{ account, balance }];
  });
}

/** What has to be done in a cell before it can end. */
export type Waiting = {
  readonly cases: number;
  readonly unmatchedPayments: number;
  readonly notifications: number;
  readonly approvals: number;
  readonly uploads: number;
  readonly reportLines: number;
  readonly followUps: number;
  readonly conflicts: number;
};

const waiting = columns({
  cases: 'int',
  unmatchedPayments: 'int',
  notifications: 'int',
  approvals: 'int',
  uploads: 'int',
  reportLines: 'int',
  followUps: 'int',
  conflicts: 'int',
});

const COUNTS: Readonly<Record<keyof Waiting, string>> = {
  cases: `cases where resolved_at is null and ${livesHere('cases')}`,
  unmatchedPayments: `unmatched_payments where ${IS_LIVE}`,
  notifications: 'operator_notifications where applied_at is null',
  // The request to end the cell itself is one of them while it is approved.
  approvals: `approvals where status = 'PENDING' and kind <> 'CELL_END' and ${livesHere('approvals')}`,
  uploads: `report_uploads where status = 'RUNNING'`,
  reportLines: `operator_report_lines where finding is null or finding = 'TO_APPROVE'`,
  followUps: `missing_follow_ups where ${livesHere('missing_follow_ups')}`,
  conflicts: 'transaction_conflicts',
};

export async function countWaiting(tx: Tx): Promise<Waiting> {
  const counts = Object.entries(COUNTS).map(
    ([name, rows]) => `(select count(*)::int from ${rows}) as "${name}"`,
  );
  const [row] = await waiting.query(tx, `select ${counts.join(', ')}`);
  if (row === undefined) throw new Error('a count has a row');
  return row;
}

/** Merchants that were made in this cell, wherever they live: their tokens, pages and references carry its name. */
export async function countMerchantsMade(tx: Tx, home: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::int as count from merchants where home = $1',
    [home],
  );
  return rows[0]?.count ?? 0;
}
