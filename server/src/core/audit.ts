// Writes down what people do by hand, and reads it again. An act and its entry are one transaction: there is no act
// without an entry and no entry without an act.
import {
  insertAuditEntries,
  listAuditEntries,
  listAuditPage,
  openReason,
  type AuditEntry,
  type AuditFilter,
  type SealedAuditEntry,
} from '../store/audit.ts';
import type { Tx } from '../store/database.ts';
import { loadDataKeys } from '../store/data-keys.ts';
import type { Engine } from './engine.ts';

/** Whoever acts by hand says who they are. */
export type ByHand = { readonly by: string };

export type Act = Omit<AuditEntry, 'at' | 'actor'> & ByHand;

/** Call it in the transaction of the acts. For an act with a reason the merchant's data key must be loaded. */
export async function record(engine: Engine, tx: Tx, acts: readonly Act[]): Promise<void> {
  const at = engine.clock.now();
  const entries = acts.map(({ by, ...act }) => ({ ...act, actor: by, at }));
  await insertAuditEntries(tx, engine.store.keyring, entries);
}

export type NumberedEntry = { readonly entryNo: number; readonly entry: AuditEntry };

/** A page of what fits the filter, the newest first. */
export async function readAuditPage(
  engine: Engine,
  page: AuditFilter & { readonly before: number | null; readonly countMax: number },
): Promise<readonly NumberedEntry[]> {
  const entries = await listAuditPage(engine.store.database, page);
  const opened = await openAll(engine, entries);
  return entries.flatMap(({ entryNo }, at) => {
    const entry = opened[at];
    return entry === undefined ? [] : [{ entryNo, entry }];
  });
}

/** The newest entries first; all merchants when none is named. */
export async function readAuditLog(
  engine: Engine,
  options: { readonly merchantId: string | null; readonly countMax: number },
): Promise<readonly AuditEntry[]> {
  return openAll(engine, await listAuditEntries(engine.store.database, options));
}

async function openAll(
  { store }: Engine,
  entries: readonly SealedAuditEntry[],
): Promise<readonly AuditEntry[]> {
  await loadDataKeys(
    store,
    entries.flatMap(({ merchantId }) => merchantId ?? []),
  );
  return entries.map((entry) => {
    const reason = openReason(store.keyring, entry);
    return reason === null ? entry : { ...entry, reason };
  });
}
