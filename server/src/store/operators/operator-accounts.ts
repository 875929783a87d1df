// Under which accounts the workers of a cell are at their operators, as keyed hashes.
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

/** The connectors that a merchant's open payments are at: what they are enquired about through. */
export async function listConnectorsInUse(tx: Tx, merchantId: string): Promise<readonly string[]> {
  const { rows } = await tx.query<{ connector: string }>(
    `select distinct connector from payments where merchant_id = $1 and state not in ('COMPLETED', 'FAILED')`,
    [merchantId],
  );
  return rows.map(({ connector }) => connector);
}
