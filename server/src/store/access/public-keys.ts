// The public keys merchants sign their requests with. They are read with their merchant; see merchants.ts.
import type { Tx } from '../database.ts';

export type StoredPublicKey = {
  readonly merchantId: string;
  readonly name: string;
  readonly algorithm: string;
  readonly pem: string;
  readonly createdAt: Date;
};

/** Answers whether the name was free. */
export async function insertPublicKey(tx: Tx, key: StoredPublicKey): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into merchant_public_keys (merchant_id, key_name, algorithm, public_key, created_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [key.merchantId, key.name, key.algorithm, key.pem, key.createdAt],
  );
  return rowCount === 1;
}

/** Answers whether there was such a key. */
export async function deletePublicKey(
  tx: Tx,
  { merchantId, name }: Pick<StoredPublicKey, 'merchantId' | 'name'>,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    'delete from merchant_public_keys where merchant_id = $1 and key_name = $2',
    [merchantId, name],
  );
  return rowCount === 1;
}

/** The oldest first. */
export async function listPublicKeys(tx: Tx, merchantId: string): Promise<readonly StoredPublicKey[]> {
  const { rows } = await tx.query<{
    key_name: string;
    algorithm: string;
    public_key: string;
    created_at: Date;
  }>(
    `select key_name, algorithm, public_key, created_at from merchant_public_keys
     where merchant_id = $1 order by created_at, key_name`,
    [merchantId],
  );
  return rows.map((row) => ({
    merchantId,
    name: row.key_name,
    algorithm: row.algorithm,
    pem: row.public_key,
    createdAt: row.created_at,
  }));
}
