// Which operator accounts this cell knows, and under which ids. Ids are always made from the credentials themselves, so
// that nothing can name another account than the one that is used.
import { accountIdOf } from '../../connectors/account-id.ts';
import { findBinding, type Binding } from '../../connectors/bindings.ts';
import { ONLY_PRODUCT } from '../../connectors/operator.ts';
import { OPERATORS } from '../../connectors/registry.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { Tx } from '../../store/database.ts';
import {
  findCredentials,
  lockCredentials,
  setCredentials,
  type CredentialsKey,
  type CredentialValues,
} from '../../store/operators/operator-credentials.ts';
import {
  forgetReplacedCredentials,
  keepReplacedCredentials,
  listKeptCredentials,
} from '../../store/operators/replaced-credentials.ts';
import type { Keyring } from '../../store/encryption/encryption.ts';
import type { Engine } from '../engine.ts';
import { keepsExpiring } from './expiring-secrets.ts';

export type KnownAccount = CredentialsKey & {
  readonly accountId: string;
  readonly values: CredentialValues;
  /** New payments are sent with another one. */
  readonly isReplaced: boolean;
};

/** What is needed to read the accounts of a cell. */
export type AccountReader = { readonly keyring: Keyring; readonly referenceKey: Buffer };

export function readerOf({ store, referenceKey }: Pick<Engine, 'store' | 'referenceKey'>): AccountReader {
  return { keyring: store.keyring, referenceKey };
}

/** Whether a connector has accounts: the simulator has none, and its payments name none. */
export function hasAccounts(connector: string): boolean {
  return Object.hasOwn(OPERATORS, connector);
}

/** All whose credentials are there. Those that new payments are sent with come first. */
export async function listKnownAccounts(
  tx: Tx,
  { keyring, referenceKey }: AccountReader,
  connectors: readonly string[],
): Promise<readonly KnownAccount[]> {
  const kept = await listKeptCredentials(tx, keyring, connectors);
  return kept.map(({ accountId, ...one }) => ({
    ...one,
    accountId: accountId ?? accountIdIn(referenceKey, one),
    isReplaced: accountId !== null,
  }));
}

export type Replacing = CredentialsKey & { readonly values: CredentialValues; readonly now: Date };

/** From now on new payments are sent with these. Those of another account are kept for the payments sent with it. */
export async function replaceCredentials(tx: Tx, reader: AccountReader, order: Replacing): Promise<void> {
  await lockCredentials(tx);
  const accountId = accountIdIn(reader.referenceKey, order);
  await keepReplaced(tx, reader, { ...order, newAccountId: accountId });
  await forgetReplacedCredentials(tx, { connector: order.connector, accountId });
  const before = await findCredentials(tx, reader.keyring, order);
  await setCredentials(tx, reader.keyring, { ...order, keepsExpiring: keepsExpiring(order, before) });
}

/** Keeps what is set, unless it is of the new account. Only while credentials are locked. */
export async function keepReplaced(
  tx: Tx,
  { keyring, referenceKey }: AccountReader,
  order: CredentialsKey & { readonly newAccountId: string | null; readonly now: Date },
): Promise<void> {
  const { connector, account, product, newAccountId, now } = order;
  const values = await findCredentials(tx, keyring, order);
  if (values === null) return;
  const set = { connector, account, product, values };
  const accountId = accountIdIn(referenceKey, set);
  if (accountId !== newAccountId) await keepReplacedCredentials(tx, keyring, { ...set, accountId, now });
}

/** Only the connector's own bindings count: another one's account says nothing about this one's. */
export function credentialsKeyFor(
  bindings: readonly Binding[],
  connector: string,
  { provider, operation }: { readonly provider: string; readonly operation: PaymentKind },
): CredentialsKey {
  const own = bindings.filter((one) => one.connector === connector);
  const account = findBinding(own, { provider, kind: operation })?.account ?? provider;
  return { connector, account, product: productOf(connector, operation) };
}

export function productOf(connector: string, operation: PaymentKind): string {
  return OPERATORS[connector]?.productOf?.(operation) ?? ONLY_PRODUCT;
}

/** Whether new payments that have their credentials under this key are sent with the account. */
export function isCurrent(known: KnownAccount, { connector, account, product }: CredentialsKey): boolean {
  const isKey = known.connector === connector && known.account === account && known.product === product;
  return isKey && !known.isReplaced;
}

/** The id of the account that credentials belong to. */
export function accountIdIn(
  referenceKey: Buffer,
  credentials: CredentialsKey & { readonly values: CredentialValues },
): string {
  const form = OPERATORS[credentials.connector]?.credentials[credentials.product] ?? {};
  return accountIdOf(referenceKey, { ...credentials, form });
}
