// What a move copies under the platform's encryption keys. It is copied as it is, so that another cell could get a
// value under a key that its own re-encryption has called unneeded.
import type { Tx } from '../../database.ts';

type OfMerchant = { readonly merchantId: string; readonly firstKeyId: number };

/** The number of its key is the second byte of an encrypted value. */
const isOlder = (column: string) => `get_byte(t.${column}, 1) <> $2`;

const LATE = `exists (
    select from listed_numbers t where t.merchant_id = $1
      and (${isOlder('encrypted_number')} or ${isOlder('encrypted_reason')}))
  or exists (
    select from operator_notifications t where t.applied_at is null and ${isOlder('encrypted_message')}
      and exists (select from payment_attempts a where a.reference = t.reference and a.merchant_id = $1))`;

/** Of what is copied behind the migration lock: whether any of it is under an older key, in this cell. */
export async function isLateUnderOlderKey(tx: Tx, { merchantId, firstKeyId }: OfMerchant): Promise<boolean> {
  const { rows } = await tx.query<{ older: boolean }>(`select ${LATE} as older`, [merchantId, firstKeyId]);
  return rows[0]?.older === true;
}

/** The same of everything that is copied, also with payments. */
export async function isAnyUnderOlderKey(tx: Tx, { merchantId, firstKeyId }: OfMerchant): Promise<boolean> {
  const { rows } = await tx.query<{ older: boolean }>(
    `select ${LATE} or exists (
       select from payment_reviews t where t.merchant_id = $1 and ${isOlder('encrypted_reason')}) as older`,
    [merchantId, firstKeyId],
  );
  return rows[0]?.older === true;
}
