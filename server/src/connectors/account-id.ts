// Identifies the operator account that a set of credentials belongs to. Pure.
import { createHmac } from 'node:crypto';
import type { CredentialForm } from './operator.ts';

export type Identified = {
  readonly connector: string;
  readonly product: string;
  readonly form: CredentialForm;
  readonly values: Readonly<Record<string, string>>;
};

/**
 * A keyed hash of the fields that identify the account. It stays the same when a secret changes, and in every cell. It
 * is keyed because some of these fields are secrets.
 */
export function accountIdOf(key: Buffer, { connector, product, form, values }: Identified): string {
  const identity = Object.entries(form)
    .filter(([name, { identifiesAccount }]) => identifiesAccount === true && (values[name] ?? '') !== '')
    .map(([name]) => [name, asWritten(values[name] ?? '')])
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  const text = JSON.stringify(['operator-account-id', connector, product, identity]);
  return createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
}

/** People write one address with and without a slash at its end, and copy spaces with it. */
function asWritten(value: string): string {
  const text = value.trim();
  if (!/^https?:/iu.test(text) || !URL.canParse(text)) return text;
  const { href } = new URL(text);
  return href.endsWith('/') ? href.slice(0, -1) : href;
}

export type NamedAccount = {
  readonly connector: string;
  readonly account: string;
  readonly product: string;
  readonly accountId: string;
};

/** Tokens and rate budgets are stored under this name, so a replaced account never shares them with its successor. */
export function accountNameOf({ connector, account, product, accountId }: NamedAccount): string {
  return `${connector}/${account}/${product}/${accountId}`;
}
