// The public keys merchants sign their requests with. They are read with their merchant; see merchants.ts.
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged, oneRowInserter } from '../rows.ts';

const publicKeys = columns({
  merchantId: 'uuid',
  name: column<string>('text', 'key_name'),
  algorithm: 'text',
  pem: column<string>('text', 'public_key'),
  createdAt: 'timestamptz',
});

export type StoredPublicKey = Row<typeof publicKeys>;

/** Answers whether the name was free. */
export const insertPublicKey = oneRowInserter(
  'merchant_public_keys',
  publicKeys.cells,
  'on conflict do nothing',
);

/** Answers whether there was such a key. */
export async function deletePublicKey(
  tx: Tx,
  { merchantId, name }: Pick<StoredPublicKey, 'merchantId' | 'name'>,
): Promise<boolean> {
  const text = 'delete from merchant_public_keys where merchant_id = $1 and key_name = $2';
  return isChanged(tx, text, [merchantId, name]);
}

/** The oldest first. */
export async function listPublicKeys(tx: Tx, merchantId: string): Promise<readonly StoredPublicKey[]> {
  const tail = 'from merchant_public_keys where merchant_id = $1 order by created_at, key_name';
  return publicKeys.select(tx, tail, [merchantId]);
}
