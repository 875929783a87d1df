// What the host does by hand about accounts with operators. Values are sealed and never shown again; the audit log
// holds the names of the fields.
import { createHmac } from 'node:crypto';
import type { CredentialForm, Exchange } from '../connectors/operator.ts';
import { inTransaction, type Tx } from '../store/database.ts';
import { noteOperatorAccounts } from '../store/operator-accounts.ts';
import {
  deleteCredentials,
  findCredentials,
  listCredentials,
  setCredentials,
  type CredentialsKey,
  type CredentialValues,
} from '../store/operator-credentials.ts';
import { listTraffic } from '../store/operator-traffic.ts';
import { record, type ByHand } from './audit.ts';
import type { Engine } from './engine.ts';

/** What is wrong with values for an account, or null. */
export function findCredentialFault(form: CredentialForm, values: CredentialValues): string | null {
  const missing = Object.entries(form).find(
    ([name, field]) => field.isOptional !== true && (values[name] ?? '') === '',
  );
  if (missing !== undefined) return `'${missing[0]}' is missing: ${missing[1].what}`;
  const strange = Object.keys(values).find((name) => !Object.hasOwn(form, name) && name !== AGREED_RATE);
  return strange === undefined ? null : `there is no '${strange}'`;
}

/** Every account may have it: the operator's contract may allow more or fewer calls than it publishes. */
const AGREED_RATE = 'requestsPerSecond';

export async function changeCredentials(
  engine: Engine,
  order: ByHand & CredentialsKey & { readonly values: CredentialValues },
): Promise<void> {
  const { by, values } = order;
  await inTransaction(engine.store.database, async (tx) => {
    await setCredentials(tx, engine.store.keyring, { ...order, now: engine.clock.now() });
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

/** Answers whether there were any. */
export async function removeCredentials(engine: Engine, order: ByHand & CredentialsKey): Promise<boolean> {
  const { by } = order;
  return inTransaction(engine.store.database, async (tx) => {
    const isGone = await deleteCredentials(tx, order);
    const subject = nameOf(order);
    const act = { act: 'OPERATOR_CREDENTIALS_REMOVED', merchantId: null, subject, detail: {} } as const;
    if (!isGone) return false;
    await noteAccount(engine, tx, order.connector);
    await record(engine, tx, [{ by, ...act }]);
    return true;
  });
}

/** What was said about a payment, or lately at all. Reading it is written down. */
export async function readTraffic(
  engine: Engine,
  order: ByHand & { readonly reference: string | null; readonly countMax: number },
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

/** A merchant moves only between cells with the same accounts: under another one "not found" would be no proof. */
async function noteAccount(engine: Engine, tx: Tx, connector: string): Promise<void> {
  const keys = (await listCredentials(tx)).filter((key) => key.connector === connector);
  const hash = createHmac('sha256', engine.referenceKey).update(`operator-account\n${connector}`);
  for (const key of keys) {
    const values = (await findCredentials(tx, engine.store.keyring, key)) ?? {};
    const inOrder = Object.keys(values)
      .toSorted()
      .map((name) => [name, values[name]]);
    hash.update(JSON.stringify([key.account, key.product, inOrder]));
  }
  const notedAt = engine.clock.now();
  await noteOperatorAccounts(tx, [{ connector, accountHash: hash.digest(), notedAt }]);
}

function nameOf({ connector, account, product }: CredentialsKey): string {
  return `${connector}/${account}/${product}`;
}
