// Accounts with operators: keys and passwords, encrypted.
import type { Tx } from '../database.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';

export type CredentialsKey = {
  readonly connector: string;
  readonly account: string;
  readonly product: string;
};

export type CredentialValues = Readonly<Record<string, string>>;

export type NewCredentials = CredentialsKey & {
  readonly values: CredentialValues;
  readonly now: Date;
  /** The secrets that end by themselves are those of before. */
  readonly keepsExpiring?: boolean;
};

export async function setCredentials(tx: Tx, keyring: Keyring, order: NewCredentials): Promise<void> {
  await tx.query(
    `insert into operator_credentials as c (connector, account, product, encrypted_values, set_at, secret_changed_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (connector, account, product) do update set
       encrypted_values = excluded.encrypted_values, set_at = excluded.set_at, secret_changed_at =
         case when $6 then coalesce(c.secret_changed_at, c.set_at) else excluded.secret_changed_at end`,
    [
      order.connector,
      order.account,
      order.product,
      keyring.encrypt(identityOfSet(order), JSON.stringify(order.values)),
      order.now,
      order.keepsExpiring === true,
    ],
  );
}

/** Answers whether there were any. */
export async function deleteCredentials(tx: Tx, key: CredentialsKey): Promise<boolean> {
  const { rowCount } = await tx.query(
    'delete from operator_credentials where connector = $1 and account = $2 and product = $3',
    [key.connector, key.account, key.product],
  );
  return rowCount === 1;
}

/** Until the transaction ends no one else changes credentials, so that none can be replaced unseen. */
export async function lockCredentials(tx: Tx): Promise<void> {
  await tx.query('lock table operator_credentials in share row exclusive mode');
}

export async function findCredentials(
  tx: Tx,
  keyring: Keyring,
  key: CredentialsKey,
): Promise<CredentialValues | null> {
  const { rows } = await tx.query<{ encrypted_values: Buffer }>(
    `select encrypted_values from operator_credentials
     where connector = $1 and account = $2 and product = $3`,
    [key.connector, key.account, key.product],
  );
  if (rows[0] === undefined) return null;
  return JSON.parse(
    keyring.open(identityOfSet(key), rows[0].encrypted_values).toString(),
  ) as CredentialValues;
}

export type SetCredentials = CredentialsKey & {
  readonly values: CredentialValues;
  /** Since when the secrets that end by themselves are what they are. */
  readonly secretChangedAt: Date;
};

/** All that are set for connectors, with their values. */
export async function listCredentialValues(
  tx: Tx,
  keyring: Keyring,
  connectors: readonly string[],
): Promise<readonly SetCredentials[]> {
  const { rows } = await tx.query<CredentialsKey & { encrypted_values: Buffer; secret_changed_at: Date }>(
    `select connector, account, product, encrypted_values, coalesce(secret_changed_at, set_at) as secret_changed_at
     from operator_credentials where connector = any($1) order by connector, account, product`,
    [connectors],
  );
  return rows.map(({ encrypted_values: encrypted, secret_changed_at: secretChangedAt, ...key }) => {
    const values = JSON.parse(keyring.open(identityOfSet(key), encrypted).toString()) as CredentialValues;
    return { ...key, values, secretChangedAt };
  });
}

export async function listCredentials(
  tx: Tx,
): Promise<readonly (CredentialsKey & { readonly setAt: Date })[]> {
  const { rows } = await tx.query<CredentialsKey & { set_at: Date }>(
    'select connector, account, product, set_at from operator_credentials order by connector, account, product',
  );
  return rows.map(({ set_at: setAt, ...key }) => ({ ...key, setAt }));
}

/** What the values are encrypted for. */
export function identityOfSet({ connector, account, product }: CredentialsKey) {
  return { merchantId: PLATFORM, row: `operator_credentials/${connector}/${account}/${product}` };
}
