// Payment links as rows. What payers start from them are checkouts.
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged, oneRowInserter } from '../rows.ts';

const links = columns({
  merchantId: 'uuid',
  linkId: 'uuid',
  code: 'text',
  currency: 'text',
  amount: 'numeric',
  description: 'text',
  createdAt: column<Date>('timestamptz'),
  expiresAt: 'timestamptz null',
  deactivatedAt: 'timestamptz null',
});

export type PaymentLink = Row<typeof links>;
export type PaymentLinkKey = Pick<PaymentLink, 'merchantId' | 'linkId'>;

export const insertPaymentLink = oneRowInserter('payment_links', links.cells);

export async function findPaymentLink(tx: Tx, code: string): Promise<PaymentLink | null> {
  return links.find(tx, 'from payment_links where code = $1', [code]);
}

export type PaymentLinkQuery = {
  readonly merchantId: string;
  readonly before: { readonly createdAt: Date; readonly linkId: string } | null;
  readonly countMax: number;
};

/** The newest first. */
export async function listPaymentLinks(tx: Tx, query: PaymentLinkQuery): Promise<readonly PaymentLink[]> {
  const { merchantId, before, countMax } = query;
  return links.select(
    tx,
    `from payment_links where merchant_id = $1
       and ($2::timestamptz is null or (created_at, link_id) < ($2, $3::uuid))
     order by created_at desc, link_id desc limit $4`,
    [merchantId, before?.createdAt ?? null, before?.linkId ?? null, countMax],
  );
}

/** Answers whether it was active. */
export async function deactivatePaymentLink(tx: Tx, key: PaymentLinkKey, at: Date): Promise<boolean> {
  return isChanged(
    tx,
    `update payment_links set deactivated_at = $3
     where merchant_id = $1 and link_id = $2 and deactivated_at is null`,
    [key.merchantId, key.linkId, at],
  );
}
