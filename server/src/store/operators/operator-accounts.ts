// Under which accounts a cell is at its operators, as keyed hashes: all that is set for a connector together, which a
// move compares, and each account by what identifies it there, which says whether cells share it.
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { replacedOn, rowInserter } from '../rows.ts';

const accounts = columns({ connector: 'text', accountHash: 'bytea', notedAt: 'timestamptz' });

export type OperatorAccount = Row<typeof accounts>;

/** The last worker to start is believed. */
export const noteOperatorAccounts = rowInserter(
  'operator_accounts',
  accounts.cells,
  replacedOn('connector', accounts.cells),
);

/** The hash of each connector's account, in hexadecimal digits. */
export async function listOperatorAccounts(tx: Tx): Promise<ReadonlyMap<string, string>> {
  const { rows } = await tx.query<{ connector: string; hash: string }>(
    `select connector, encode(account_hash, 'hex') as hash from operator_accounts`,
  );
  return new Map(rows.map(({ connector, hash }) => [connector, hash]));
}

const ids = columns({
  connector: 'text',
  account: 'text',
  product: 'text',
  accountId: 'text',
  notedAt: 'timestamptz',
});

/** An account that a cell has or has had at an operator, by what identifies it there. */
export type NotedAccount = Row<typeof ids>;

/** They are never deleted: transactions of an account that was replaced come late. */
export const noteAccountIds = rowInserter('operator_account_ids', ids.cells, 'on conflict do nothing');

export async function listNotedAccounts(
  tx: Tx,
  connectors: readonly string[],
): Promise<readonly NotedAccount[]> {
  return ids.select(tx, 'from operator_account_ids where connector = any($1) order by noted_at, account_id', [
    connectors,
  ]);
}

/** The connectors that a merchant's open payments are at: what they are enquired about through. */
export async function listConnectorsInUse(tx: Tx, merchantId: string): Promise<readonly string[]> {
  const { rows } = await tx.query<{ connector: string }>(
    `select distinct connector from payments where merchant_id = $1 and state not in ('COMPLETED', 'FAILED')`,
    [merchantId],
  );
  return rows.map(({ connector }) => connector);
}
