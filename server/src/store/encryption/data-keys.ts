// Merchants' data keys: kept wrapped in the database, ready in the keyring of a process that needs them.
import { columns } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged } from '../rows.ts';
import type { Keyring, WrappedDataKey } from './encryption.ts';

/** The data keys of a merchant. The other one only opens: it is the next, or the last. */
export type DataKeyPair = {
  readonly merchantId: string;
  readonly encryption: WrappedDataKey;
  readonly other: WrappedDataKey | null;
  /** When the other one was made, or ceased to encrypt. */
  readonly changedAt: Date | null;
};

/** Makes the data keys of these merchants ready, reading only those this process has not read for a while. */
export async function loadDataKeys(
  { database, keyring }: { readonly database: Tx; readonly keyring: Keyring },
  merchantIds: readonly string[],
): Promise<void> {
  const missing = [...new Set(merchantIds)].filter((merchantId) => !keyring.hasDataKeys(merchantId));
  if (missing.length === 0) return;
  for (const pair of await listDataKeys(database, missing)) loadPair(keyring, pair);
}

/** Reads a merchant's data keys, also those that are ready. Null where there is no such merchant. */
export async function readDataKeys(
  { database, keyring }: { readonly database: Tx; readonly keyring: Keyring },
  merchantId: string,
): Promise<DataKeyPair | null> {
  const [pair] = await listDataKeys(database, [merchantId]);
  if (pair === undefined) return null;
  loadPair(keyring, pair);
  return pair;
}

function loadPair(keyring: Keyring, { merchantId, encryption, other }: DataKeyPair): void {
  keyring.loadDataKeys(merchantId, other === null ? [encryption] : [encryption, other]);
}

const dataKeys = columns({
  merchantId: 'uuid',
  dataKey: 'bytea',
  dataKeyNo: 'int',
  otherDataKey: 'bytea null',
  otherDataKeyNo: 'int null',
  dataKeysChangedAt: 'timestamptz null',
});

async function listDataKeys(tx: Tx, merchantIds: readonly string[]): Promise<readonly DataKeyPair[]> {
  const rows = await dataKeys.select(tx, 'from merchants where merchant_id = any($1)', [merchantIds]);
  return rows.map(({ merchantId, dataKey, dataKeyNo, otherDataKey, otherDataKeyNo, dataKeysChangedAt }) => ({
    merchantId,
    encryption: { no: dataKeyNo, wrapped: dataKey },
    other:
      otherDataKey === null || otherDataKeyNo === null ? null : { no: otherDataKeyNo, wrapped: otherDataKey },
    changedAt: dataKeysChangedAt,
  }));
}

/** Keeps the key that is to encrypt next. Answers whether it was kept. */
export async function insertNextDataKey(
  tx: Tx,
  {
    merchantId,
    next,
    now,
  }: { readonly merchantId: string; readonly next: WrappedDataKey; readonly now: Date },
): Promise<boolean> {
  return isChanged(
    tx,
    `update merchants set other_data_key = $3, other_data_key_no = $2, data_keys_changed_at = $4
     where merchant_id = $1 and other_data_key is null and data_key_no = $2 - 1`,
    [merchantId, next.no, next.wrapped, now],
  );
}

/** The next key encrypts from now on, and the one before only opens. */
export async function switchDataKeys(
  tx: Tx,
  { merchantId, no, now }: { readonly merchantId: string; readonly no: number; readonly now: Date },
): Promise<boolean> {
  return isChanged(
    tx,
    `update merchants set data_key = other_data_key, data_key_no = other_data_key_no,
       other_data_key = data_key, other_data_key_no = data_key_no, data_keys_changed_at = $3
     where merchant_id = $1 and other_data_key_no = $2 and other_data_key_no > data_key_no`,
    [merchantId, no, now],
  );
}

/** Forgets the key that encrypted before. Answers whether it was there. */
export async function deleteLastDataKey(
  tx: Tx,
  { merchantId, no }: { readonly merchantId: string; readonly no: number },
): Promise<boolean> {
  return isChanged(
    tx,
    `update merchants set other_data_key = null, other_data_key_no = null, data_keys_changed_at = null
     where merchant_id = $1 and other_data_key_no = $2 and other_data_key_no < data_key_no`,
    [merchantId, no],
  );
}
