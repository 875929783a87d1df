// Sessions of the payment page as rows: one for each identifier, found by the hash of their address.
import type { PageOrder } from '../../domain/checkouts/page-terms.ts';
import type { ApiVersion } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { oneRowInserter, replacedOn } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

const pages = columns({
  merchantId: 'uuid',
  depositId: 'uuid',
  writtenId: 'text',
  apiVersion: column<ApiVersion>('text'),
  encryptedOrder: 'bytea',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
});

export type EncryptedPaymentPage = Row<typeof pages>;
export type PaymentPage = Omit<EncryptedPaymentPage, 'encryptedOrder'>;

const newPages = columns({ ...pages.defs, codeHash: 'bytea' }).cells;
const upsertEncrypted = oneRowInserter(
  'payment_pages',
  newPages,
  replacedOn('merchant_id, deposit_id', newPages),
);

/** A newer session replaces an older one with the same identifier, whose address then leads nowhere. */
export async function putPaymentPage(
  tx: Tx,
  keyring: Keyring,
  page: PaymentPage & { readonly codeHash: Buffer; readonly order: PageOrder },
): Promise<void> {
  const encryptedOrder = keyring.encrypt(identityOf(page), JSON.stringify(page.order));
  await upsertEncrypted(tx, { ...page, encryptedOrder });
}

export async function findPaymentPage(tx: Tx, codeHash: Buffer): Promise<EncryptedPaymentPage | null> {
  return pages.find(tx, 'from payment_pages where code_hash = $1', [codeHash]);
}

/** The merchant's data key must be loaded. */
export function openPaymentPageOrder(keyring: Keyring, page: EncryptedPaymentPage): PageOrder {
  return keyring.openJson(identityOf(page), page.encryptedOrder) as PageOrder;
}

function identityOf({ merchantId, depositId }: Pick<PaymentPage, 'merchantId' | 'depositId'>) {
  return { merchantId, row: `payment_pages/${depositId}` };
}
