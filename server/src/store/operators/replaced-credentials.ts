// Credentials of operator accounts that new payments are no longer sent with, encrypted.
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { oneRowInserter, replacedOn } from '../rows.ts';
import { identityOfSet, type CredentialsKey, type CredentialValues } from './operator-credentials.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';

export type AccountKey = { readonly connector: string; readonly accountId: string };

const replaced = columns({
  connector: 'text',
  accountId: 'text',
  account: 'text',
  product: 'text',
  replacedAt: 'timestamptz',
  /** From then on its credentials are gone. */
  retiredAt: 'timestamptz null',
});

export type ReplacedAccount = Row<typeof replaced>;

const kept = columns({ ...replaced.defs, encryptedValues: 'bytea' }).cells;
const upsertEncrypted = oneRowInserter(
  'replaced_credentials',
  kept,
  replacedOn('connector, account_id', kept),
);

/** Keeps credentials that are about to be replaced. An account that comes back later has its newest ones here. */
export async function keepReplacedCredentials(
  tx: Tx,
  keyring: Keyring,
  replacement: AccountKey & CredentialsKey & { readonly values: CredentialValues; readonly now: Date },
): Promise<void> {
  const { values, now, ...account } = replacement;
  const encryptedValues = keyring.encrypt(identityOf(account), JSON.stringify(values));
  await upsertEncrypted(tx, { ...account, encryptedValues, replacedAt: now, retiredAt: null });
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
    return { ...key, accountId, values: keyring.openJson(identity, encrypted) as CredentialValues };
  });
}

export async function listReplacedAccounts(tx: Tx): Promise<readonly ReplacedAccount[]> {
  return replaced.select(tx, 'from replaced_credentials order by connector, account, product, replaced_at');
}

/** For the person who decides about it; null where there is none. */
export async function lockReplacedAccount(tx: Tx, key: AccountKey): Promise<ReplacedAccount | null> {
  const tail = 'from replaced_credentials where connector = $1 and account_id = $2 for update';
  return replaced.find(tx, tail, [key.connector, key.accountId]);
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
       exists (select 1 from payment_attempts a where a.payment_no = p.payment_no and a.operator_account = $2)
       or exists (select 1 from payment_keys k join payment_attempts a using (payment_no)
         where (k.merchant_id, k.kind, k.payment_id) = (p.merchant_id, 'DEPOSIT'::payment_kind, p.deposit_id)
           and $2 in (a.operator_account, a.refund_account)))`,
    [connector, accountId],
  );
  return rows[0]?.count ?? 0;
}

/** The accounts that a merchant's payments were sent with. */
export async function listAccountsOfMerchant(tx: Tx, merchantId: string): Promise<readonly AccountKey[]> {
  const { rows } = await tx.query<AccountKey>(
    `select distinct p.connector, x.account_id as "accountId"
     from payments p join payment_attempts a using (payment_no)
       cross join lateral (values (a.operator_account), (a.refund_account)) x (account_id)
     where p.merchant_id = $1 and x.account_id is not null`,
    [merchantId],
  );
  return rows;
}

function identityOf({ connector, accountId }: AccountKey) {
  return { merchantId: PLATFORM, row: `replaced_credentials/${connector}/${accountId}` };
}
