// Credentials of operator accounts that new payments are no longer sent with, encrypted.
import type { Tx } from '../database.ts';
import { identityOfSet, type CredentialsKey, type CredentialValues } from './operator-credentials.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';

export type AccountKey = { readonly connector: string; readonly accountId: string };

export type ReplacedAccount = AccountKey &
  CredentialsKey & {
    readonly replacedAt: Date;
    /** From then on its credentials are gone. */
    readonly retiredAt: Date | null;
  };

/** Keeps credentials that are about to be replaced. An account that comes back later has its newest ones here. */
export async function keepReplacedCredentials(
  tx: Tx,
  keyring: Keyring,
  order: AccountKey & CredentialsKey & { readonly values: CredentialValues; readonly now: Date },
): Promise<void> {
  await tx.query(
    `insert into replaced_credentials (connector, account_id, account, product, encrypted_values, replaced_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (connector, account_id) do update set account = excluded.account, product = excluded.product,
       encrypted_values = excluded.encrypted_values, replaced_at = excluded.replaced_at, retired_at = null`,
    [
      order.connector,
      order.accountId,
      order.account,
      order.product,
      keyring.encrypt(identityOf(order), JSON.stringify(order.values)),
      order.now,
    ],
  );
}

/** New payments are sent with the account again, so its credentials are no longer replaced ones. */
export async function forgetReplacedCredentials(tx: Tx, key: AccountKey): Promise<void> {
  await tx.query('delete from replaced_credentials where connector = $1 and account_id = $2', [
    key.connector,
    key.accountId,
  ]);
}

type Kept = CredentialsKey & {
  readonly values: CredentialValues;
  /** Null for credentials that are set now. */
  readonly accountId: string | null;
};

/**
 * The credentials that are set, and those that were replaced and not retired. In one statement: an account that is
 * exchanged for another meanwhile is in the one or the other, and between two statements it would be in neither.
 */
export async function listKeptCredentials(
  tx: Tx,
  keyring: Keyring,
  connectors: readonly string[],
): Promise<readonly Kept[]> {
  const { rows } = await tx.query<CredentialsKey & { accountId: string | null; encrypted: Buffer }>(
    `select connector, account, product, null as "accountId", encrypted_values as encrypted
     from operator_credentials where connector = any($1)
     union all
     select connector, account, product, account_id, encrypted_values
     from replaced_credentials where connector = any($1) and retired_at is null
     order by "accountId" nulls first, connector, account, product`,
    [connectors],
  );
  return rows.map(({ encrypted, accountId, ...key }) => {
    const identity = accountId === null ? identityOfSet(key) : identityOf({ ...key, accountId });
    const values = JSON.parse(keyring.open(identity, encrypted).toString()) as CredentialValues;
    return { ...key, accountId, values };
  });
}

export async function listReplacedAccounts(tx: Tx): Promise<readonly ReplacedAccount[]> {
  const { rows } = await tx.query<ReplacedAccount>(
    `select connector, account_id as "accountId", account, product, replaced_at as "replacedAt",
       retired_at as "retiredAt"
     from replaced_credentials order by connector, account, product, replaced_at`,
  );
  return rows;
}

/** For the person who decides about it; null where there is none. */
export async function lockReplacedAccount(tx: Tx, key: AccountKey): Promise<ReplacedAccount | null> {
  const { rows } = await tx.query<ReplacedAccount>(
    `select connector, account_id as "accountId", account, product, replaced_at as "replacedAt",
       retired_at as "retiredAt"
     from replaced_credentials where connector = $1 and account_id = $2 for update`,
    [key.connector, key.accountId],
  );
  return rows[0] ?? null;
}

/** Deletes the credentials. That the account was there stays known. */
export async function retireReplacedAccount(tx: Tx, key: AccountKey, now: Date): Promise<void> {
  await tx.query(
    `update replaced_credentials set encrypted_values = null, retired_at = $3
     where connector = $1 and account_id = $2`,
    [key.connector, key.accountId, now],
  );
}

/** Of payments that are open: those sent with an account, and refunds that only it can send. */
export async function countOpenPaymentsOf(tx: Tx, { connector, accountId }: AccountKey): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::int as count from merchants m cross join lateral (
       select * from payments p
       where p.merchant_id = m.merchant_id and p.state not in ('COMPLETED', 'FAILED')) p
     where p.connector = $1 and (
       exists (select 1 from payment_attempts a where (a.merchant_id, a.kind, a.payment_id)
         = (p.merchant_id, p.kind, p.payment_id) and a.operator_account = $2)
       or exists (select 1 from payment_attempts a where (a.merchant_id, a.kind, a.payment_id)
         = (p.merchant_id, 'DEPOSIT'::payment_kind, p.deposit_id) and $2 in (a.operator_account, a.refund_account)))`,
    [connector, accountId],
  );
  return rows[0]?.count ?? 0;
}

/** The accounts that a merchant's payments were sent with. */
export async function listAccountsOfMerchant(tx: Tx, merchantId: string): Promise<readonly AccountKey[]> {
  const { rows } = await tx.query<AccountKey>(
    `select distinct p.connector, x.account_id as "accountId"
     from payments p join payment_attempts a using (merchant_id, kind, payment_id)
       cross join lateral (values (a.operator_account), (a.refund_account)) x (account_id)
     where p.merchant_id = $1 and x.account_id is not null`,
    [merchantId],
  );
  return rows;
}

function identityOf({ connector, accountId }: AccountKey) {
  return { merchantId: PLATFORM, row: `replaced_credentials/${connector}/${accountId}` };
}
