// Which account credentials belong to. Pure.
import { createHmac } from 'node:crypto';
import type { CredentialForm } from './operator.ts';

export type Identified = {
  readonly connector: string;
  readonly product: string;
  readonly form: CredentialForm;
  readonly values: Readonly<Record<string, string>>;
};

/**
 * A keyed hash of the fields that identify the account: the same for every secret of it and in every cell. Keyed,
 * because some of these fields are secrets.
 */
export function accountIdOf(key: Buffer, { connector, product, form, values }: Identified): string {
  const identity = Object.entries(form)
    .filter(([name, { identifiesAccount }]) => identifiesAccount === true && (values[name] ?? '') !== '')
    .map(([name]) => [name, values[name]])
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  const text = JSON.stringify(['operator-account-id', connector, product, identity]);
  return createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
}

export type NamedAccount = {
  readonly connector: string;
  readonly account: string;
  readonly product: string;
  readonly accountId: string;
};

/** Tokens and budgets are kept under it: those of an account must not serve the one that replaces it. */
export function accountNameOf({ connector, account, product, accountId }: NamedAccount): string {
  return `${connector}/${account}/${product}/${accountId}`;
}
