// Writes down what people do manually, and reads it again. An act and its entry are one transaction: there is no act
// without an entry and no entry without an act.
import {
  insertAuditEntries,
  listAuditEntries,
  openReason,
  type AuditEntry,
  type AuditQuery,
} from '../store/audit.ts';
import type { Tx } from '../store/database.ts';
import { loadDataKeys } from '../store/encryption/data-keys.ts';
import type { StorePart, TimedStore } from './engine.ts';

/** Anyone who acts manually says who they are. */
export type Actor = { readonly by: string };

export type Act = Omit<AuditEntry, 'at' | 'actor'> & Actor;

/** Call it in the transaction of the acts. For an act with a reason the merchant's data key must be loaded. */
export async function record(engine: TimedStore, tx: Tx, acts: readonly Act[]): Promise<void> {
  if (acts.length === 0) return;
  const at = await engine.clock.timeOf(tx);
  const entries = acts.map(({ by, ...act }) => ({ ...act, actor: by, at }));
  await insertAuditEntries(tx, engine.store.keyring, entries);
}

/** An entry as it is read again. */
export type ReadAuditEntry = AuditEntry & {
  readonly id: string;
  /** Its place in the log, as digits. */
  readonly entryNo: string;
};

/** The newest entries first. */
export async function readAuditLog(engine: StorePart, query: AuditQuery): Promise<readonly ReadAuditEntry[]> {
  const { store } = engine;
  const entries = await listAuditEntries(store.database, query);
  await loadDataKeys(
    store,
    entries.flatMap(({ merchantId }) => merchantId ?? []),
  );
  return entries.map((entry) => {
    const reason = openReason(store.keyring, entry);
    return reason === null ? entry : { ...entry, reason };
  });
}
