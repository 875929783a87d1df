// Operators' access tokens, one for each account and shared by all workers, encrypted.
import type { KeptToken } from '../../connectors/token-source.ts';
import { columns } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged } from '../rows.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';

const tokens = columns({
  issueNo: 'bigint',
  encryptedToken: 'bytea',
  renewAt: 'timestamptz',
  expiresAt: 'timestamptz',
});

/** Null when there is none that holds. */
export async function findOperatorToken(
  tx: Tx,
  keyring: Keyring,
  account: string,
): Promise<KeptToken | null> {
  const tail = 'from operator_tokens where account = $1 and encrypted_token is not null';
  const found = await tokens.find(tx, tail, [account]);
  if (found === null) return null;
  const { encryptedToken, ...kept } = found;
  return { ...kept, token: keyring.openText(identityOf(account), encryptedToken) };
}

/** Whether no one else may renew the account's token until then. One that somebody has just renewed is left alone. */
export async function leaseOperatorToken(
  tx: Tx,
  { account, now, until }: { readonly account: string; readonly now: Date; readonly until: Date },
): Promise<boolean> {
  return isChanged(
    tx,
    `insert into operator_tokens (account, leased_until) values ($1, $3)
     on conflict (account) do update set leased_until = excluded.leased_until
     where (operator_tokens.leased_until is null or operator_tokens.leased_until <= $2)
       and (operator_tokens.renew_at is null or operator_tokens.renew_at <= $2)`,
    [account, now, until],
  );
}

export async function releaseOperatorToken(tx: Tx, account: string): Promise<void> {
  await tx.query('update operator_tokens set leased_until = null where account = $1', [account]);
}

export async function keepOperatorToken(
  tx: Tx,
  keyring: Keyring,
  { account, token, renewAt, expiresAt }: Omit<KeptToken, 'issueNo'> & { readonly account: string },
): Promise<KeptToken> {
  const { rows } = await tx.query<{ issue_no: string }>(
    `insert into operator_tokens (account, issue_no, encrypted_token, renew_at, expires_at)
     values ($1, 1, $2, $3, $4)
     on conflict (account) do update set
       issue_no = operator_tokens.issue_no + 1, encrypted_token = excluded.encrypted_token,
       renew_at = excluded.renew_at, expires_at = excluded.expires_at, leased_until = null
     returning issue_no`,
    [account, keyring.encrypt(identityOf(account), token), renewAt, expiresAt],
  );
  return { token, renewAt, expiresAt, issueNo: Number(rows[0]?.issue_no) };
}

/** The operator refused this token. A newer one stays. */
export async function withdrawOperatorToken(tx: Tx, account: string, issueNo: number): Promise<void> {
  await tx.query(
    `update operator_tokens set encrypted_token = null, renew_at = null, expires_at = null
     where account = $1 and issue_no = $2`,
    [account, issueNo],
  );
}

/** Whatever token the account has is worth nothing from now on. */
export async function forgetOperatorToken(tx: Tx, account: string): Promise<void> {
  await tx.query(
    'update operator_tokens set encrypted_token = null, renew_at = null, expires_at = null where account = $1',
    [account],
  );
}

function identityOf(account: string) {
  return { merchantId: PLATFORM, row: `operator_tokens/${account}` };
}
