// What the rooms above are given: the database of one cell, its queue, its keys and its bell.
import type { Database } from './database.ts';
import type { Bell } from './bell.ts';
import { listDataKeys } from './merchants.ts';
import type { Queue } from './queue.ts';
import type { Keyring } from './sealing.ts';

export type Store = {
  readonly database: Database;
  readonly queue: Queue;
  readonly keyring: Keyring;
  readonly bell: Bell;
};

/** Makes the data keys of these merchants ready, reading only those this process has not seen. */
export async function loadDataKeys(store: Store, merchantIds: readonly string[]): Promise<void> {
  const missing = [...new Set(merchantIds)].filter((merchantId) => !store.keyring.hasDataKey(merchantId));
  if (missing.length === 0) return;
  for (const { merchantId, dataKey } of await listDataKeys(store.database, missing)) {
    store.keyring.loadDataKey(merchantId, dataKey);
  }
}
