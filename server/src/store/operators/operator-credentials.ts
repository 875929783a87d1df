// Accounts with operators: keys and passwords, encrypted.
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged } from '../rows.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';

const keys = columns({ connector: 'text', account: 'text', product: 'text' });

export type CredentialsKey = Row<typeof keys>;

export type CredentialValues = Readonly<Record<string, string>>;

export type NewCredentials = CredentialsKey & {
  readonly values: CredentialValues;
  readonly now: Date;
  /** The secrets that end by themselves are those of before. */
  readonly keepsExpiring?: boolean;
};

export async function setCredentials(tx: Tx, keyring: Keyring, set: NewCredentials): Promise<void> {
  await tx.query(
    `insert into operator_credentials as c (connector, account, product, encrypted_values, set_at, secret_changed_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (connector, account, product) do update set
       encrypted_values = excluded.encrypted_values, set_at = excluded.set_at, secret_changed_at =
         case when $6 then coalesce(c.secret_changed_at, c.set_at) else excluded.secret_changed_at end`,
    [
      set.connector,
      set.account,
      set.product,
      keyring.encrypt(identityOfSet(set), JSON.stringify(set.values)),
      set.now,
      set.keepsExpiring === true,
    ],
  );
}

/** Answers whether there were any. */
export async function deleteCredentials(tx: Tx, key: CredentialsKey): Promise<boolean> {
  const text = 'delete from operator_credentials where connector = $1 and account = $2 and product = $3';
  return isChanged(tx, text, [key.connector, key.account, key.product]);
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
  const tail = 'from operator_credentials where connector = $1 and account = $2 and product = $3';
  const found = await credentials.find(tx, tail, [key.connector, key.account, key.product]);
  return found === null
    ? null
    : (keyring.openJson(identityOfSet(key), found.encryptedValues) as CredentialValues);
}

const credentials = columns({
  ...keys.defs,
  encryptedValues: 'bytea',
  /** Since when the secrets that end by themselves are what they are. */
  secretChangedAt: column<Date>('timestamptz', 'coalesce(secret_changed_at, set_at)'),
});

export type SetCredentials = Omit<Row<typeof credentials>, 'encryptedValues'> & {
  readonly values: CredentialValues;
};

/** All that are set for connectors, with their values. */
export async function listCredentialValues(
  tx: Tx,
  keyring: Keyring,
  connectors: readonly string[],
): Promise<readonly SetCredentials[]> {
  const tail = 'from operator_credentials where connector = any($1) order by connector, account, product';
  const rows = await credentials.select(tx, tail, [connectors]);
  return rows.map(({ encryptedValues, ...set }) => ({
    ...set,
    values: keyring.openJson(identityOfSet(set), encryptedValues) as CredentialValues,
  }));
}

const listed = columns({ ...keys.defs, setAt: 'timestamptz' });

export async function listCredentials(tx: Tx): Promise<readonly Row<typeof listed>[]> {
  return listed.select(tx, 'from operator_credentials order by connector, account, product');
}

/** What the values are encrypted for. */
export function identityOfSet({ connector, account, product }: CredentialsKey) {
  return { merchantId: PLATFORM, row: `operator_credentials/${connector}/${account}/${product}` };
}
