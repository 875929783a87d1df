// What the host does manually about accounts with operators. Values are encrypted and never shown again; the audit log
// holds the names of the fields.
import { createHmac } from 'node:crypto';
import { accountNameOf } from '../../connectors/account-id.ts';
import type { CredentialForm, Exchange } from '../../connectors/operator.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { noteAccountIds, noteOperatorAccounts } from '../../store/operators/operator-accounts.ts';
import {
  deleteCredentials,
  listCredentials,
  listCredentialValues,
  lockCredentials,
  type CredentialsKey,
  type CredentialValues,
} from '../../store/operators/operator-credentials.ts';
import { forgetOperatorToken } from '../../store/operators/operator-tokens.ts';
import { listTraffic } from '../../store/operators/operator-traffic.ts';
import {
  countOpenPaymentsOf,
  listReplacedAccounts,
  lockReplacedAccount,
  retireReplacedAccount,
  type AccountKey,
} from '../../store/operators/replaced-credentials.ts';
import { record, type Actor } from '../audit.ts';
import type { Engine, TimedStore } from '../engine.ts';
import {
  listKnownAccounts,
  accountIdIn,
  keepReplaced,
  readerOf,
  replaceCredentials,
} from './operator-accounts.ts';
import { addMs } from '../../domain/time.ts';

/** What is wrong with values for an account, or null. */
export function findCredentialFault(form: CredentialForm, values: CredentialValues): string | null {
  const missing = Object.entries(form).find(
    ([name, field]) => field.isOptional !== true && (values[name] ?? '') === '',
  );
  if (missing !== undefined) return `'${missing[0]}' is missing: ${missing[1].what}`;
  const strange = Object.keys(values).find(
    (name) => !Object.hasOwn(form, name) && !AGREED_RATES.includes(name),
  );
  return strange === undefined ? null : `there is no '${strange}'`;
}

/** Every account may have them: the operator's contract may allow more or fewer calls than it publishes. */
const AGREED_RATES = ['requestsPerSecond', 'queriesPerSecond'];

export async function changeCredentials(
  engine: Engine,
  order: Actor & CredentialsKey & { readonly values: CredentialValues },
): Promise<void> {
  const { by, values } = order;
  await inTransaction(engine.store.database, async (tx) => {
    await replaceCredentials(tx, readerOf(engine), { ...order, now: await engine.clock.timeOf(tx) });
    await noteAccount(engine, tx, order.connector);
    const detail = { fields: Object.keys(values).toSorted() };
    const act = {
      act: 'OPERATOR_CREDENTIALS_SET',
      merchantId: null,
      subject: nameOf(order),
      detail,
    } as const;
    await record(engine, tx, [{ by, ...act }]);
  });
}

/** Answers whether there were any. The account is kept as a replaced one. */
export async function removeCredentials(engine: Engine, order: Actor & CredentialsKey): Promise<boolean> {
  const { by } = order;
  return inTransaction(engine.store.database, async (tx) => {
    await lockCredentials(tx);
    const now = await engine.clock.timeOf(tx);
    await keepReplaced(tx, readerOf(engine), { ...order, newAccountId: null, now });
    const isGone = await deleteCredentials(tx, order);
    const subject = nameOf(order);
    const act = { act: 'OPERATOR_CREDENTIALS_REMOVED', merchantId: null, subject, detail: {} } as const;
    if (!isGone) return false;
    await noteAccount(engine, tx, order.connector);
    await record(engine, tx, [{ by, ...act }]);
    return true;
  });
}

export type ListedAccount = CredentialsKey & {
  readonly accountId: string;
  /** CURRENT: new payments are sent with it. REPLACED: only what is about earlier ones. RETIRED: nothing. */
  readonly status: 'CURRENT' | 'REPLACED' | 'RETIRED';
  readonly since: Date;
};

/** Every account that has or had credentials. */
export async function listAccounts({ store, referenceKey }: Engine): Promise<readonly ListedAccount[]> {
  const { database, keyring } = store;
  const current = await listCredentials(database);
  const known = await listCredentialValues(database, keyring, [
    ...new Set(current.map((one) => one.connector)),
  ]);
  const ids = new Map(known.map((one) => [nameOf(one), accountIdIn(referenceKey, one)]));
  const replaced = await listReplacedAccounts(database);
  return [
    ...current.map(({ setAt: since, ...key }): ListedAccount => {
      return { ...key, accountId: ids.get(nameOf(key)) ?? '', status: 'CURRENT', since };
    }),
    ...replaced.map(({ replacedAt, retiredAt, ...key }): ListedAccount => {
      return { ...key, status: retiredAt === null ? 'REPLACED' : 'RETIRED', since: retiredAt ?? replacedAt };
    }),
  ];
}

export type RetireAnswer =
  | { readonly type: 'RETIRED' }
  | { readonly type: 'NOT_FOUND' }
  /** Processes may not have noticed yet that it was replaced. */
  | { readonly type: 'JUST_REPLACED' }
  | { readonly type: 'IN_USE'; readonly openPayments: number };

/** Far longer than processes remember credentials. */
const NOTICED_AFTER_MS = 60_000;

/** Deletes the credentials of a replaced account. From then on no deposit that it received can be reversed. */
export async function retireAccount(engine: TimedStore, order: Actor & AccountKey): Promise<RetireAnswer> {
  const { by, connector, accountId } = order;
  return inTransaction(engine.store.database, async (tx): Promise<RetireAnswer> => {
    await lockCredentials(tx);
    const found = await lockReplacedAccount(tx, { connector, accountId });
    if (found === null || found.retiredAt !== null) return { type: 'NOT_FOUND' };
    const now = await engine.clock.timeOf(tx);
    if (now < addMs(found.replacedAt, NOTICED_AFTER_MS)) return { type: 'JUST_REPLACED' };
    const openPayments = await countOpenPaymentsOf(tx, found);
    if (openPayments > 0) return { type: 'IN_USE', openPayments };
    await retireReplacedAccount(tx, found, now);
    await forgetOperatorToken(tx, accountNameOf(found));
    const detail = { accountId };
    const act = {
      act: 'OPERATOR_ACCOUNT_RETIRED',
      merchantId: null,
      subject: nameOf(found),
      detail,
    } as const;
    await record(engine, tx, [{ by, ...act }]);
    return { type: 'RETIRED' };
  });
}

/** What was said about a payment, or lately at all. Reading it is recorded. */
export async function readTraffic(
  engine: TimedStore,
  order: Actor & { readonly reference: string | null; readonly countMax: number },
): Promise<readonly Exchange[]> {
  const { by, reference } = order;
  const { database, keyring } = engine.store;
  return inTransaction(database, async (tx) => {
    const subject = reference ?? 'all';
    const act = { act: 'OPERATOR_TRAFFIC_READ', merchantId: null, subject, detail: {} } as const;
    await record(engine, tx, [{ by, ...act }]);
    return listTraffic(tx, keyring, order);
  });
}

/**
 * A merchant moves only between cells with the same accounts: under another one "not found" would be no proof. Cells
 * that have one of them in common share its transactions, also when its secret or its name differs.
 */
async function noteAccount(engine: Engine, tx: Tx, connector: string): Promise<void> {
  const hash = createHmac('sha256', engine.referenceKey).update(`operator-account\n${connector}`);
  for (const { values, ...key } of await listCredentialValues(tx, engine.store.keyring, [connector])) {
    const inOrder = Object.keys(values)
      .toSorted()
      .map((name) => [name, values[name]]);
    hash.update(JSON.stringify([key.account, key.product, inOrder]));
  }
  const notedAt = await engine.clock.timeOf(tx);
  await noteOperatorAccounts(tx, [{ connector, accountHash: hash.digest(), notedAt }]);
  const known = await listKnownAccounts(tx, readerOf(engine), [connector]);
  await noteAccountIds(
    tx,
    known.map(({ account, product, accountId }) => ({ connector, account, product, accountId, notedAt })),
  );
}

function nameOf({ connector, account, product }: CredentialsKey): string {
  return `${connector}/${account}/${product}`;
}
