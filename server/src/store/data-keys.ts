// Merchants' data keys: kept wrapped in the database, ready in the keyring of a process that needs them.
import type { Tx } from './database.ts';
import type { Keyring } from './sealing.ts';

/** Makes the data keys of these merchants ready, reading only those this process has not seen. */
export async function loadDataKeys(
  { database, keyring }: { readonly database: Tx; readonly keyring: Keyring },
  merchantIds: readonly string[],
): Promise<void> {
  const missing = [...new Set(merchantIds)].filter((merchantId) => !keyring.hasDataKey(merchantId));
  if (missing.length === 0) return;
  for (const { merchantId, dataKey } of await listDataKeys(database, missing)) {
    keyring.loadDataKey(merchantId, dataKey);
  }
}

async function listDataKeys(
  tx: Tx,
  merchantIds: readonly string[],
): Promise<readonly { readonly merchantId: string; readonly dataKey: Buffer }[]> {
  const { rows } = await tx.query<{ merchant_id: string; data_key: Buffer }>(
    'select merchant_id, data_key from merchants where merchant_id = any($1)',
    [merchantIds],
  );
  return rows.map((row) => ({ merchantId: row.merchant_id, dataKey: row.data_key }));
}
