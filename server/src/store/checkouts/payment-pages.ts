// Sessions of the payment page as rows: one for each identifier, found by the hash of their address.
import type { PageOrder } from '../../domain/checkouts/page-terms.ts';
import type { ApiVersion } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type PaymentPage = {
  readonly merchantId: string;
  readonly depositId: string;
  readonly writtenId: string;
  readonly apiVersion: ApiVersion;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

export type EncryptedPaymentPage = PaymentPage & { readonly encryptedOrder: Buffer };

/** A newer session takes the place of an older one with the same identifier, whose address then leads nowhere. */
export async function putPaymentPage(
  tx: Tx,
  keyring: Keyring,
  page: PaymentPage & { readonly codeHash: Buffer; readonly order: PageOrder },
): Promise<void> {
  await tx.query(
    `insert into payment_pages (merchant_id, deposit_id, written_id, api_version, code_hash, encrypted_order,
       created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (merchant_id, deposit_id) do update set written_id = excluded.written_id,
       api_version = excluded.api_version, code_hash = excluded.code_hash, encrypted_order = excluded.encrypted_order,
       created_at = excluded.created_at, expires_at = excluded.expires_at`,
    [
      page.merchantId,
      page.depositId,
      page.writtenId,
      page.apiVersion,
      page.codeHash,
      keyring.encrypt(identityOf(page), JSON.stringify(page.order)),
      page.createdAt,
      page.expiresAt,
    ],
  );
}

export async function findPaymentPage(tx: Tx, codeHash: Buffer): Promise<EncryptedPaymentPage | null> {
  const { rows } = await tx.query<{
    merchant_id: string;
    deposit_id: string;
    written_id: string;
    api_version: ApiVersion;
    encrypted_order: Buffer;
    created_at: Date;
    expires_at: Date;
  }>(
    `select merchant_id, deposit_id, written_id, api_version, encrypted_order, created_at, expires_at
     from payment_pages where code_hash = $1`,
    [codeHash],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    merchantId: row.merchant_id,
    depositId: row.deposit_id,
    writtenId: row.written_id,
    apiVersion: row.api_version,
    encryptedOrder: row.encrypted_order,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** The merchant's data key must be loaded. */
export function openPaymentPageOrder(keyring: Keyring, page: EncryptedPaymentPage): PageOrder {
  return JSON.parse(keyring.open(identityOf(page), page.encryptedOrder).toString()) as PageOrder;
}

function identityOf({ merchantId, depositId }: Pick<PaymentPage, 'merchantId' | 'depositId'>) {
  return { merchantId, row: `payment_pages/${depositId}` };
}
