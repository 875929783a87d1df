// Under which accounts the workers of a cell are at their operators, as keyed hashes.
import type { Tx } from '../database.ts';
import { rowInserter } from '../rows.ts';

export type OperatorAccount = {
  readonly connector: string;
  readonly accountHash: Buffer;
  readonly notedAt: Date;
};

/** The last worker to start is believed. */
export const noteOperatorAccounts = rowInserter<OperatorAccount>(
  'operator_accounts',
  [
    ['connector', 'text', (account) => account.connector],
    ['account_hash', 'bytea', (account) => account.accountHash],
    ['noted_at', 'timestamptz', (account) => account.notedAt],
  ],
  'on conflict (connector) do update set account_hash = excluded.account_hash, noted_at = excluded.noted_at',
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
